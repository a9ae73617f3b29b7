// SPDX-License-Identifier: Apache-2.0
// The binary file of raw samples, for the run that seeds.cpp writes its samples of.
#include "harness/record/internal/samples_file.hpp"

#include "tests/fuzz/seed_runs.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

TORCHGATE_FUZZ_TARGET(samples_file) {
  static const record::Run without = fuzz::without_samples(fuzz::stored_run("aaaaaaaaaaaaaaaa", 1.0));
  record::Run run = without;
  const auto filled = record::internal::decode_samples(input, "input", run);
  if (!filled) return fuzz::require(run == without, "on an error the run is as it was");
  fuzz::accepted();
  record::Run again = without;
  const auto refilled = record::internal::decode_samples(record::internal::encode_samples(run), "written back", again);
  fuzz::require(refilled.ok(), "what was read can be read again: " + (refilled ? "" : refilled.error().message));
  fuzz::require(again == run, "what was read again is what was read");
}
