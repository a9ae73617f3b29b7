// SPDX-License-Identifier: Apache-2.0
// Two recorded runs that the user named, for `compare` and `report`.
#pragma once

#include "ci/gate/judge.hpp"
#include "harness/record/run.hpp"

namespace torchgate::cli {

/// BEFORE and AFTER, which must outlive it, as the two named sides; their cases of one program have the same names afterwards.
gate::Comparison comparison_of_named(record::Run& before, record::Run& after);

}  // namespace torchgate::cli
