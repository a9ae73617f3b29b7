// SPDX-License-Identifier: Apache-2.0
#include "suites/demo/steps.hpp"

namespace torchgate::suites {

const int refinement_steps = DEMO_STEPS;

}  // namespace torchgate::suites
