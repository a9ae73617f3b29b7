// SPDX-License-Identifier: Apache-2.0
// What a suite process writes for the launcher.
#include "harness/record/codec.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

TORCHGATE_FUZZ_TARGET(process_report) {
  const auto report = record::process_report_from_json(input, "input");
  if (!report) return fuzz::require(!report.error().message.empty(), "an error has a message");
  fuzz::accepted();
  const std::string text = record::to_json(*report);
  const auto again = record::process_report_from_json(text, "written back");
  fuzz::require(again.ok(), "what was read can be read again: " + (again ? "" : again.error().message));
  fuzz::require(*again == *report, "what was read again is what was read");
  fuzz::require(record::to_json(*again) == text, "same report, same bytes");
}
