// SPDX-License-Identifier: Apache-2.0
#include "harness/record/calibration.hpp"

#include <gtest/gtest.h>

namespace torchgate::record {
namespace {

Calibration example() {
  Calibration made;
  made.host_key = "host-a";
  made.created = "2026-01-01T00:00:00.000Z";
  made.tool_version = "0.1.0";
  made.profile = "quick";
  made.processes = 5;
  made.pairs = 48;
  made.runs = {"aaaa", "bbbb", "cccc"};
  made.run_sd = 0.008;
  CaseCalibration one;
  one.name = "g/one/v";
  one.iteration_sd = 0.02;
  one.run_sd = 0.011;
  one.found_by_pairs = 0.01;
  one.processes_wanted = 7;
  made.cases = {one, CaseCalibration{}};
  made.cases[1].name = "g/one/w";
  made.rules = {{"textbook", 100, 20, 5, 5}};
  return made;
}

TEST(Calibration, ComesBackAsItWasWritten) {
  const std::string text = to_json(example());
  const auto read = calibration_from_json(text, "file");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, example());
  EXPECT_EQ(to_json(*read), text);
}

// Calibrations with and without counts: an older version reads the one, this one reads what an older version wrote.
TEST(Calibration, SpreadsOfInstructionsAreOptional) {
  for (const std::string key : {"instruction", "device"})
    EXPECT_EQ(to_json(example()).find(key), std::string::npos) << key;
  Calibration counted = example();
  counted.instruction_counter = "callgrind-3.19.0";
  counted.device_key = "h200";
  counted.cases[0].instructions_spread = 0;
  counted.cases[0].device = "cuda";
  counted.cases[1].created = "2025-01-01T00:00:00.000Z";
  const std::string text = to_json(counted);
  const auto read = calibration_from_json(text, "file");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, counted);
  std::string negative = text;
  const std::string spread = "\"instructions_spread\": 0.0";
  ASSERT_NE(negative.find(spread), std::string::npos);
  negative.replace(negative.find(spread), spread.size(), "\"instructions_spread\": -1");
  EXPECT_FALSE(calibration_from_json(negative, "file").ok());
}

TEST(Calibration, EveryTruncationIsAnErrorThatNamesTheSource) {
  const std::string text = to_json(example());
  for (std::size_t n = 0; n + 2 < text.size(); ++n) {
    const auto read = calibration_from_json(text.substr(0, n), "file.json");
    ASSERT_FALSE(read.ok()) << n;
    EXPECT_EQ(read.error().message.find("file.json: not a calibration"), 0U) << read.error().message;
  }
}

TEST(Calibration, RefusesWhatItCannotBe) {
  std::string text = to_json(example());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    return calibration_from_json(changed, "file");
  };
  EXPECT_FALSE(with("torchgate.calibration/1", "torchgate.calibration/2").ok());
  EXPECT_FALSE(with("0.008", "-0.008").ok());
  EXPECT_FALSE(with("0.011", "\"much\"").ok());
  for (const std::string sd : {"9", "0.51", "0", "1e999"}) {
    EXPECT_FALSE(with("0.008", sd).ok()) << sd;
    EXPECT_FALSE(with("0.011", sd).ok()) << "of a case: " << sd;
  }
  EXPECT_TRUE(with("0.008", "0.5").ok());
  EXPECT_FALSE(with("\"cccc\"", "\"bbbb\"").ok()) << "the same run twice is one run";
  EXPECT_FALSE(with("\"cases\"", "\"kases\"").ok());
}

}  // namespace
}  // namespace torchgate::record
