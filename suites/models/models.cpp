// SPDX-License-Identifier: Apache-2.0
// Models: networks that people run, at their usual sizes, in the ways in which people speed them up. One file for each model.
#include "harness/bench/torch/suite.hpp"

TORCHGATE_TORCH_SUITE("models")
