// SPDX-License-Identifier: Apache-2.0
// A stored calibration: read, written back, used and shown.
#include "harness/record/calibration.hpp"

#include <cmath>

#include "reports/formats/calibration_text.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

TORCHGATE_FUZZ_TARGET(calibration) {
  const auto calibration = record::calibration_from_json(input, "input");
  if (!calibration) return fuzz::require(!calibration.error().message.empty(), "an error has a message");
  fuzz::accepted();
  const std::string text = record::to_json(*calibration);
  const auto again = record::calibration_from_json(text, "written back");
  fuzz::require(again.ok(), "what was read can be read again: " + (again ? "" : again.error().message));
  fuzz::require(*again == *calibration, "what was read again is what was read");
  fuzz::require(calibration->processes >= 0 && calibration->pairs >= 0, "a count is not negative");
  for (const auto& each : calibration->cases)
    fuzz::require(!each.run_sd || std::isfinite(*each.run_sd), "a run-to-run SD is a number");
  (void)reports::calibration_text(*calibration, reports::Notation::unicode);
}
