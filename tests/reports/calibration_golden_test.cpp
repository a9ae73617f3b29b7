// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "reports/formats/calibration_text.hpp"
#include "tests/golden/golden.hpp"

namespace torchgate::reports {
namespace {

record::Calibration calibration() {
  record::Calibration made;
  made.host_key = "x86_64-xeon-2cpu-3f9a2c1b";
  made.created = "2026-01-01T00:00:00.000Z";
  made.profile = "quick";
  made.processes = 5;
  made.pairs = 48;
  made.runs = {"aaaa", "bbbb", "cccc", "dddd"};
  made.run_sd = 0.0083;
  made.cases.resize(3);
  made.cases[0] = {"fusion/gelu/eager/device:cpu/batch:8", 0.021, 0.0052, 0.0083, 0.039, 0.031, 0.0142, 7, 12};
  made.cases[1] = {"precision/int8/dynamic/device:cpu/batch:1/a_rather_long_parameter:1234567890/another_parameter:42",
                   0.35,
                   0.12,
                   0.09,
                   0.62,
                   0.44,
                   0.11,
                   1,
                   40};
  made.cases[2].name = "one\x1b[31m/process";
  made.rules = {{"default", 380, 3, 3, 2}, {"history", 0, 0, 0, 0}, {"textbook", 380, 81, 3, 3}};
  return made;
}

TEST(GoldenCalibration, Unicode) {
  EXPECT_TRUE(golden::matches(calibration_text(calibration(), Notation::unicode), "reports/calibration.txt"));
}

TEST(GoldenCalibration, AsciiInEightyColumns) {
  EXPECT_TRUE(golden::matches(calibration_text(calibration(), Notation::ascii, 88), "reports/calibration_ascii.txt"));
}

}  // namespace
}  // namespace torchgate::reports
