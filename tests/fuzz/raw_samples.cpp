// SPDX-License-Identifier: Apache-2.0
// The samples that a Google Benchmark program writes beside its own file, in the place of its means.
#include "harness/import/raw_samples.hpp"

#include <cmath>

#include "tests/fuzz/target.hpp"

using namespace torchgate;

TORCHGATE_FUZZ_TARGET(raw_samples) {
  const auto runs = import::read_raw_samples(input, "input");
  if (!runs) return fuzz::require(!runs.error().message.empty(), "an error has a message");
  fuzz::accepted();
  import::ImportedCase each;
  each.name = "BM_copy";
  for (const auto& [number, run] : *runs) {
    each.sample_runs.push_back(number);
    // What it would have reported itself: the first half of the runs agree with their samples, the others may not.
    each.time_ns.push_back(run.ns.empty() || each.sample_runs.size() > runs->size() / 2 + 1 ? 100 : run.ns.front());
  }
  const std::string why_not = import::use_raw_samples(each, *runs);
  fuzz::require(each.calls_per_sample >= 1, "a sample is of at least one call");
  if (!why_not.empty()) return;
  for (const double ns : each.time_ns) fuzz::require(std::isfinite(ns) && ns >= 0, "a sample is a time");
}
