// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/explain/explain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate {
namespace {

using testing::add_case;
using testing::add_exact;
using testing::around;
using Sentences = std::vector<std::string>;
using testing::empty_run;
using testing::result_of;

constexpr const char* name = "g/one/v";
constexpr double kilo = 1000;

::testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << '"' << text << "\" does not say \"" << part << '"';
}

struct Use {
  const char* name;
  const char* inputs;
  double calls;
  double self_ns;
};

// Processes differ by a per mille from each other, so that an operator's time has a spread.
void add_profile(record::Run& run, const std::vector<Use>& uses, double call_ns) {
  for (std::size_t i = 0; i < run.processes.size(); ++i) {
    const double factor = 1 + 0.001 * static_cast<double>(i);
    record::OperatorProfile profile;
    profile.passes = 10;
    profile.call_ns = call_ns * factor;
    for (const Use& use : uses) profile.operators.push_back({use.name, use.inputs, use.calls, use.self_ns * factor});
    result_of(run, i, name).profile = profile;
  }
}

record::Run made(const std::string& id, double median_ns, const std::vector<Use>& uses, double call_ns) {
  record::Run run = empty_run(id);
  add_case(run, name, around(median_ns, 0.001));
  add_profile(run, uses, call_ns);
  return run;
}

const std::vector<Use> plain = {{"aten::mm", "Float 8x8, Float 8x8", 1, 90 * kilo},
                                {"aten::relu", "Float 8x8", 1, 10 * kilo}};

reports::Explanation explained(const record::Run& before, const record::Run& after) {
  auto explanation = explain_case(before, &after, name);
  EXPECT_TRUE(explanation) << explanation.error().message;
  return *explanation;
}

TEST(Explain, AnOperatorThatCameIsNamedWithItsShare) {
  auto uses = plain;
  uses.push_back({"aten::clone", "Float 8x8", 1, 1 * kilo});
  uses.push_back({"aten::copy_", "Float 8x8, Float 8x8", 1, 19 * kilo});
  const auto explanation = explained(made("a", 101 * kilo, plain, 101 * kilo), made("b", 121 * kilo, uses, 121 * kilo));
  EXPECT_EQ(facts::words_of(explanation.causes),
            Sentences{"per call +1 aten::copy_, +1 aten::clone, all of the added time"});
  EXPECT_EQ(explanation.operators.front().name, "aten::copy_") << "what changed stands first, the slowest of it first";
}

TEST(Explain, MoreOfTheSameOperatorIsCounted) {
  auto uses = plain;
  uses[1].calls = 3;
  uses[1].self_ns = 30 * kilo;
  const auto explanation = explained(made("a", 100 * kilo, plain, 101 * kilo), made("b", 140 * kilo, uses, 141 * kilo));
  EXPECT_EQ(facts::words_of(explanation.causes), Sentences{"per call +2 aten::relu, 50 % of the added time"});
}

TEST(Explain, OtherInputsAreOneChangeOfAnOperator) {
  auto uses = plain;
  uses[0] = {"aten::mm", "Float 9x8, Float 8x8", 1, 110 * kilo};
  const auto explanation = explained(made("a", 100 * kilo, plain, 101 * kilo), made("b", 120 * kilo, uses, 121 * kilo));
  EXPECT_EQ(facts::words_of(explanation.causes),
            Sentences{"aten::mm has other inputs (Float 9x8, Float 8x8 instead of Float 8x8, "
                      "Float 8x8), all of the added time"});
}

TEST(Explain, AnOperatorThatGotSlowerIsNamed) {
  auto uses = plain;
  uses[0].self_ns = 117 * kilo;
  const auto explanation = explained(made("a", 100 * kilo, plain, 101 * kilo), made("b", 130 * kilo, uses, 128 * kilo));
  EXPECT_EQ(facts::words_of(explanation.causes),
            Sentences{"aten::mm (Float 8x8, Float 8x8) takes +30 % by itself, 90 % of the added time"});
}

TEST(Explain, FourProcessesAreTooFewToNameAnOperatorsTimeAsTheCause) {
  const auto few = [](const std::string& id, double median_ns, const std::vector<Use>& uses) {
    record::Run run = empty_run(id);
    add_case(run, name, {median_ns, median_ns, median_ns, median_ns});
    add_profile(run, uses, median_ns);
    return run;
  };
  auto uses = plain;
  uses[0].self_ns = 117 * kilo;
  EXPECT_EQ(facts::words_of(explained(few("a", 101 * kilo, plain), few("b", 128 * kilo, uses)).causes), Sentences());
}

TEST(Explain, NothingVisibleIsSaidWithWhereTheTimeIs) {
  const auto explanation =
      explained(made("a", 100 * kilo, plain, 101 * kilo), made("b", 150 * kilo, plain, 151 * kilo));
  EXPECT_EQ(facts::words_of(explanation.causes), Sentences());
  EXPECT_TRUE(has(explanation.summary, "no cause visible: the same operators with the same calls"));
  EXPECT_TRUE(has(explanation.summary, "% of the added time is spent outside of all operators"));
}

TEST(Explain, FasterIsTimeSaved) {
  auto uses = plain;
  uses.push_back({"aten::copy_", "Float 8x8", 1, 20 * kilo});
  const auto explanation = explained(made("a", 121 * kilo, uses, 121 * kilo), made("b", 101 * kilo, plain, 101 * kilo));
  EXPECT_EQ(facts::words_of(explanation.causes), Sentences{"per call -1 aten::copy_, all of the time saved"});
}

TEST(Explain, CountersThatDifferAreCausesToo) {
  record::Run before = made("a", 100 * kilo, plain, 101 * kilo);
  record::Run after = made("b", 100 * kilo, plain, 101 * kilo);
  add_exact(before, name, "peak_bytes", 1024);
  add_exact(after, name, "peak_bytes", 5120);
  EXPECT_EQ(facts::words_of(explained(before, after).causes), Sentences{"peak_bytes 5,120 instead of 1,024 bytes"});
}

TEST(Explain, WaitingIsToldFromWorking) {
  const auto with_cpu = [](const std::string& id, double wall_ns, double cpu_ns) {
    record::Run run = made(id, wall_ns, plain, wall_ns);
    record::Metric cpu{"cpu_time", "ns", record::Direction::lower_is_better, record::MetricKind::timed, false};
    run.cases.front().metrics.push_back(cpu);
    for (std::size_t i = 0; i < run.processes.size(); ++i) {
      auto& measurements = result_of(run, i, name).measurements;
      record::Measurement measurement = measurements.front();
      measurement.metric = "cpu_time";
      measurement.summary->median = cpu_ns;
      measurements.push_back(measurement);
    }
    return run;
  };
  EXPECT_EQ(
      facts::words_of(explained(with_cpu("a", 101 * kilo, 100 * kilo), with_cpu("b", 151 * kilo, 101 * kilo)).causes),
      Sentences{"it waits: 2 % of the added time is CPU time"});
  EXPECT_EQ(
      facts::words_of(explained(with_cpu("a", 101 * kilo, 100 * kilo), with_cpu("b", 151 * kilo, 150 * kilo)).causes),
      Sentences());
}

TEST(Explain, AClockThatFellIsToldFromCodeThatGotSlower) {
  const auto on_gpu = [](const std::string& id, double gpu_ns, double mhz) {
    record::Run run = made(id, gpu_ns, plain, gpu_ns);
    for (const auto& [metric, unit, value] :
         {std::tuple("gpu_time_hot", "ns", gpu_ns), std::tuple("gpu_clock_hot", "MHz", mhz)}) {
      run.cases.front().metrics.push_back(
          {metric, unit, record::Direction::lower_is_better, record::MetricKind::timed, false});
      for (std::size_t i = 0; i < run.processes.size(); ++i) {
        auto& measurements = result_of(run, i, name).measurements;
        record::Measurement measurement = measurements.front();
        measurement.metric = metric;
        measurement.summary->median = value;
        measurements.push_back(measurement);
      }
    }
    return run;
  };
  EXPECT_EQ(
      facts::words_of(explained(on_gpu("a", 100 * kilo, 1800), on_gpu("b", 120 * kilo, 1500)).causes),
      Sentences{"gpu_clock_hot went from 1800 to 1500 MHz: gpu_time_hot changed by +20.0 % in time, 0.0 % in cycles"});
  EXPECT_EQ(facts::words_of(explained(on_gpu("a", 100 * kilo, 1800), on_gpu("b", 120 * kilo, 1790)).causes),
            Sentences());
}

TEST(Explain, WithoutProfilesItSaysSo) {
  record::Run before = empty_run("a");
  add_case(before, name, around(100 * kilo, 0.001));
  const auto explanation = explained(before, made("b", 120 * kilo, plain, 101 * kilo));
  EXPECT_EQ(explanation.no_profile, "the run before has no operator profile of this case");
  EXPECT_TRUE(has(explanation.summary, "operators could not be compared"));
}

TEST(Explain, ProcessCostsAreMediansWithoutFirstCallsOfOtherCases) {
  record::Run before = made("a", 100 * kilo, plain, 101 * kilo);
  record::Run after = made("b", 100 * kilo, plain, 101 * kilo);
  for (record::Run* run : {&before, &after}) {
    for (record::Process& process : run->processes) {
      process.start = record::ProcessStart{10, 20, 500, process.index == 2 ? name : "g/one/other", std::nullopt};
      process.usage = record::ProcessUsage{100 + process.index, 0, 1, 2};
    }
  }
  after.processes[2].start->first_call_ns = 700;
  const auto explanation = explained(before, after);
  const auto find = [&](const std::string& cost) {
    for (const auto& each : explanation.process)
      if (each.name == cost) return each;
    ADD_FAILURE() << cost;
    return reports::CountChange{};
  };
  EXPECT_EQ(find("first call").before, 500);
  EXPECT_EQ(find("first call").after, 700);
  EXPECT_EQ(find("minor page faults").after, 102);
  EXPECT_EQ(find("main() after").before, 20);
}

// `gate` compares the code in the pairs that confirm a suspect, and `explain` reads the two runs.
TEST(Explain, WhatPairsOfTheSameRunsSayOfTheCodeIsACause) {
  const record::Run a = made("a", 100 * kilo, plain, 101 * kilo);
  const record::Run b = made("b", 130 * kilo, plain, 131 * kilo);
  record::Run pairs = testing::paired_run("p");
  pairs.code.emplace_back().case_name = name;
  pairs.code[0].functions = 12;
  pairs.code[0].objects = 2;
  pairs.code[0].changed = {{"_ZN6snappy8compressEv", "libsnappy.so.1", "6 of 40 instructions differ", false}};
  pairs.code[0].changed_count = 1;
  EXPECT_EQ(explain_case(a, &b, name, &pairs)->causes.front(),
            "snappy::compress changed (6 of 40 instructions differ)");

  pairs.code[0].changed.clear();
  pairs.code[0].changed_count = 0;
  EXPECT_TRUE(has(explain_case(a, &b, name, &pairs)->summary, "all 12 functions that it executes are identical"));
  pairs.code[0].unknown = "valgrind is not in PATH";
  EXPECT_TRUE(has(explain_case(a, &b, name, &pairs)->summary, "its code changed is unknown: valgrind is not in PATH"));
  EXPECT_FALSE(has(explain_case(a, &b, name)->summary, "code"));
}

TEST(Explain, BadQuestionsAreAnswered) {
  const record::Run a = made("a", 100 * kilo, plain, 101 * kilo);
  const record::Run b = made("b", 100 * kilo, plain, 101 * kilo);
  record::Run pairs = testing::paired_run("p");
  testing::add_paired_case(pairs, name, around(100, 0.01), around(100, 0.01));
  EXPECT_TRUE(has(explain_case(a, &b, "g/one/w").error().message, "the nearest: g/one/v"));
  EXPECT_TRUE(has(explain_case(a, nullptr, name).error().message, "has one side"));
  EXPECT_TRUE(has(explain_case(pairs, &b, name).error().message, "has two sides; name no second run"));
  EXPECT_TRUE(has(explain_case(a, &a, name).error().message, "compared with itself"));
  EXPECT_TRUE(explain_case(pairs, nullptr, name));
  record::Run unmeasured = b;
  for (auto& process : unmeasured.processes) process.cases.front().status = record::CaseStatus::failed;
  EXPECT_TRUE(has(explain_case(a, &unmeasured, name).error().message, "was not measured after"));
}

TEST(Explain, AFindingThatSaysSlowerSaysWhy) {
  auto uses = plain;
  uses.push_back({"aten::copy_", "Float 8x8", 1, 100 * kilo});
  const record::Run before = made("a", 101 * kilo, plain, 101 * kilo);
  const record::Run after = made("b", 201 * kilo, uses, 201 * kilo);
  Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  const auto report = judge_stored(comparison, {});
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->findings.front().verdict, reports::Verdict::suspected);
  ASSERT_EQ(report->findings.front().operators.size(), 1U);
  EXPECT_EQ(report->findings.front().operators.front().name, "aten::copy_");
  EXPECT_EQ(facts::words_of(report->findings.front().causes),
            Sentences{"per call +1 aten::copy_, all of the added time"});
}

}  // namespace
}  // namespace torchgate::gate
