// SPDX-License-Identifier: Apache-2.0
// Small runs that are judged without an error: what fuzzing starts from.
#pragma once

#include <string>

#include "harness/record/run.hpp"

namespace torchgate::fuzz {

/// Three processes of a group with two cases: times, counts, an operator profile, a claim, and raw samples. FACTOR multiplies
/// the times of one of them.
record::Run stored_run(const std::string& id, double factor);

/// Six interleaved pairs of the same, the after side FACTOR times as slow in one case.
record::Run paired_run(const std::string& id, double factor);

record::Run without_samples(record::Run run);

}  // namespace torchgate::fuzz
