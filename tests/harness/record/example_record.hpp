// SPDX-License-Identifier: Apache-2.0
// One run and one process report in which every field has a value of its own: what the fixtures hold, what the
// malformed documents are made of.
#pragma once

#include "harness/record/run.hpp"

namespace torchgate::record::testing {

/// A paired run: two processes that were measured, one that crashed. With raw samples, without Run::samples.
Run example_run();

/// What a suite process writes: one case that is ok, one wrong, one skipped. With raw samples.
ProcessReport example_report();

/// As a reader of the JSON document alone sees it.
Run without_samples(Run run);

}  // namespace torchgate::record::testing
