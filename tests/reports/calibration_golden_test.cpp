// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "harness/record/codec.hpp"
#include "reports/formats/calibration_markdown.hpp"
#include "reports/formats/calibration_text.hpp"
#include "reports/formats/doctor_markdown.hpp"
#include "reports/formats/model_advice_text.hpp"
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
  made.instruction_counter = "callgrind-3.19.0";
  made.cases[0].instructions_spread = 0.00012;
  made.cases[1].instructions_spread = 0.021;
  made.rules = {{"default", 380, 3, 3, 2}, {"history", 0, 0, 0, 0}, {"textbook", 380, 81, 3, 3}};
  return made;
}

TEST(GoldenCalibration, MarkdownAndJson) {
  EXPECT_TRUE(golden::matches(calibration_markdown(calibration()), "reports/calibration.md"));
  EXPECT_TRUE(golden::matches(record::to_json(calibration()), "reports/calibration.json"));
  EXPECT_LE(calibration_markdown(calibration(), {.limit_bytes = 500}).size(), 500U);
}

TEST(GoldenDoctor, Markdown) {
  using record::CheckAnswer;
  using record::CheckSeverity;
  DoctorReport doctor;
  doctor.checks = {{"throttled", CheckAnswer::bad, CheckSeverity::fatal, "12 times | `now` <b>", "cool it"},
                   {"load", CheckAnswer::bad, CheckSeverity::warning, "3.2 on 4 CPUs", "stop other programs"},
                   {"turbo", CheckAnswer::unknown, CheckSeverity::info, "no such file", ""},
                   {"swap", CheckAnswer::ok, CheckSeverity::warning, "none", ""}};
  doctor.why = [](const std::string& name) { return name == "load" ? "other work takes the CPU" : ""; };
  doctor.machine.host_key = "x86_64-xeon-2cpu-3f9a2c1b";
  doctor.machine.device_key = "nvidia-h200-1x-0a1b2c3d";
  doctor.machine.facts = {{"cpu_count", "2", "", record::FactClass::host},
                          {"microcode", std::nullopt, "no such file", record::FactClass::warn}};
  EXPECT_TRUE(golden::matches(doctor_markdown(doctor), "reports/doctor.md"));
  EXPECT_TRUE(golden::matches(doctor_json(doctor), "reports/doctor.json"));
  // As the launcher reads it of other nodes.
  const auto read = record::machine_from_doctor(doctor_json(doctor), "doctor.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->host_key, doctor.machine.host_key);
  EXPECT_EQ(read->device_key, doctor.machine.device_key);
  EXPECT_EQ(read->facts, doctor.machine.facts);
  EXPECT_EQ(read->checks_before, doctor.checks);
}

TEST(GoldenCalibration, Unicode) {
  EXPECT_TRUE(golden::matches(calibration_text(calibration(), Notation::unicode), "reports/calibration.txt"));
}

TEST(GoldenCalibration, AsciiInEightyColumns) {
  EXPECT_TRUE(golden::matches(calibration_text(calibration(), Notation::ascii, 88), "reports/calibration_ascii.txt"));
}

TEST(GoldenAdvice, OfAModel) {
  ModelAdvice advice;
  advice.run = "0123456789abcdef";
  advice.created = "2026-11-22T10:00:00.000Z";
  advice.commit = std::string(40, 'a');
  advice.cases = 12;
  advice.cases_without_result = 1;
  advice.complete = false;
  for (int i = 0; i < 27; ++i) {  // as many as the schema asks for
    AdviceRow row;
    row.id = "practice_" + std::to_string(i);
    row.category = "memory";
    row.practice = "Something is done | as it *should* be";
    row.fix = "do it";
    row.shown_by = "memory/lifetime";
    row.answer = i < 2 ? AdviceAnswer::not_followed : i < 5 ? AdviceAnswer::followed : AdviceAnswer::not_applicable;
    row.applicable = i < 5 ? 4 : 0;
    if (i >= 5) row.missing = i < 12 ? "no case | uses a *GPU*" : "no case trains";
    if (i == 1) {
      row.saves = 0.25;
      row.saves_of = "a call";
    }
    if (i < 2) {
      for (int k = 0; k < 4; ++k)
        row.evidence.push_back(
            {"s/g/`v|<b>\x1b[31m" + std::to_string(k), "it takes " + std::to_string(90 - k) + " %", 1.0});
    }
    advice.rows.push_back(row);
  }
  EXPECT_TRUE(golden::matches(model_advice_text(advice), "reports/advice.txt"));
  EXPECT_TRUE(golden::matches(model_advice_markdown(advice), "reports/advice.md"));
  EXPECT_TRUE(golden::matches(model_advice_json(advice), "reports/advice.json"));
}

}  // namespace
}  // namespace torchgate::reports
