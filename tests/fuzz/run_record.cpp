// SPDX-License-Identifier: Apache-2.0
// A run's record. What is accepted is written back and read again without a difference.
#include "harness/record/codec.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

TORCHGATE_FUZZ_TARGET(run_record) {
  const auto run = record::run_from_json(input, "input");
  if (!run) return fuzz::require(!run.error().message.empty(), "an error has a message");
  fuzz::accepted();
  const std::string text = record::to_json(*run);
  const auto again = record::run_from_json(text, "written back");
  fuzz::require(again.ok(), "what was read can be read again: " + (again ? "" : again.error().message));
  fuzz::require(*again == *run, "what was read again is what was read");
  fuzz::require(record::to_json(*again) == text, "same run, same bytes");
}
