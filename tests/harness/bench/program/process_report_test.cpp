// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/program/process_report.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "harness/record/codec.hpp"
#include "tests/harness/bench/described.hpp"
#include "tests/harness/bench/fakes.hpp"

namespace torchgate::bench {
namespace {

using testing::described;

using record::CaseStatus;

class ProcessReportTest : public ::testing::Test {
 protected:
  Factory takes(std::int64_t ns) {
    return [this, ns](const Args&) -> Timed {
      return [this, ns] {
        clock.work(ns);
        return 1;
      };
    };
  }
  std::vector<GroupCases> groups() {
    const auto throws = [](const Args&) -> Timed { throw std::runtime_error("boom"); };
    return {described("s/pair",
                      [&](Group& g) {
                        const Axis batch = g.axis("batch", {1, 2, 3, 4});
                        g.devices().items(batch);
                        g.reference("ref", takes(2'000'000));
                        g.variant("v", takes(1'000'000)).claims(time() <= 0.9 * reference());
                      }),
            described("s/broken", [&](Group& g) { g.sweep("v", throws); })};
  }
  base::Result<record::ProcessReport> measure(const std::string& group, const std::string& filter = ".*",
                                              std::uint64_t seed = 0) {
    SuiteOptions options;
    options.profile = "quick";
    options.group = group;
    options.filter = filter;
    options.seed = seed;
    const auto all = groups();
    return measure_report("s", all, backend, options, clock);
  }
  static std::vector<std::string> names(const record::ProcessReport& report) {
    std::vector<std::string> all;
    for (const auto& result : report.results) all.push_back(result.name);
    return all;
  }

  testing::FakeClock clock;
  testing::FakeBackend backend;
};

TEST_F(ProcessReportTest, AListingSaysWhatThereIsAndWhatCannotRun) {
  const auto all = groups();
  const record::ProcessReport report = list_report("s", all, backend, {});
  EXPECT_EQ(report.suite, "s");
  ASSERT_EQ(report.groups.size(), 2U);
  EXPECT_EQ(report.groups[0].claims.size(), 8U);
  ASSERT_EQ(report.cases.size(), 17U);
  EXPECT_TRUE(report.results.empty());
  EXPECT_FALSE(report.cases[0].skipped.has_value());
  EXPECT_EQ(report.cases[2].skipped, "there is no cuda");
  // Two starts of 0.4 s, nine cases of 0.05 + 0.3 + 0.03 s.
  EXPECT_NEAR(report.seconds_estimate.value(), 2 * 0.4 + 9 * 0.38, 1e-9);
}

TEST_F(ProcessReportTest, CasesOnADeviceTakeLonger) {
  backend.present = {"cuda"};
  const std::vector<GroupCases> all{described([&](Group& g) { g.devices().sweep("v", takes(1)); }),
                                    described("s/h", [&](Group& g) { g.devices().sweep("v", takes(1)).graphs(); })};
  // Two starts of 0.4 s; on the CPU 0.05 + 0.3 + 0.03 s, on the device two kinds of samples more, with a graph three.
  EXPECT_NEAR(list_report("s", all, backend, {}).seconds_estimate.value(), 2 * 0.4 + 4 * 0.38 + (2 + 3) * 0.3, 1e-9);
}

TEST_F(ProcessReportTest, CasesThatAskForSamplesTakeAsManyLongCalls) {
  const std::vector<GroupCases> all{described([&](Group& g) { g.samples(10).sweep("v", takes(1)); })};
  // One start of 0.4 s; 0.03 s and ten calls of 0.05 s.
  EXPECT_NEAR(list_report("s", all, backend, {}).seconds_estimate.value(), 0.4 + 0.03 + 10 * 0.05, 1e-9);
}

TEST_F(ProcessReportTest, AReferenceWithOtherSettingsIsAProcessMore) {
  const std::vector<GroupCases> all{described([&](Group& g) {
    g.axis("batch", {1, 8});
    g.reference("ref", takes(1));
    g.variant("one", takes(1)).environment("X", "1");
    g.variant("two", takes(1)).environment("X", "1");
  })};
  // Seven starts of 0.4 s, of the group, of four cases and of the reference of two; six cases, and the reference's outputs of two.
  EXPECT_NEAR(list_report("s", all, backend, {}).seconds_estimate.value(), 7 * 0.4 + 6 * 0.38 + 2 * 0.03, 1e-9);
}

TEST_F(ProcessReportTest, MeasuresTheGroupThatWasAskedFor) {
  const auto report = measure("s/pair");
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->cases.size(), 16U);
  ASSERT_EQ(report->results.size(), 16U);
  for (std::size_t i = 0; i < 16; ++i) {
    const auto& result = report->results[i];
    ASSERT_EQ(result.name, report->cases[i].name);
    if (report->cases[i].device == "cuda") {
      EXPECT_EQ(result.status, CaseStatus::skipped);
      EXPECT_EQ(report->cases[i].skipped, "there is no cuda");
      continue;
    }
    ASSERT_EQ(result.status, CaseStatus::ok) << result.message;
    const double expected = report->cases[i].variant == "ref" ? 2e6 : 1e6;
    const auto& all = result.measurements;
    const auto time = std::find_if(all.begin(), all.end(), [](const auto& each) { return each.metric == "time"; });
    ASSERT_NE(time, all.end());
    EXPECT_DOUBLE_EQ(time->summary.value().median, expected);
  }
}

TEST_F(ProcessReportTest, TheSeedDrawsTheOrder) {
  const auto first = measure("s/pair", ".*", 1);
  EXPECT_EQ(names(*first), names(*measure("s/pair", ".*", 1)));
  const auto other = measure("s/pair", ".*", 2);
  EXPECT_NE(names(*first), names(*other));
  auto a = names(*first);
  auto b = names(*other);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  EXPECT_EQ(a, b);
}

TEST_F(ProcessReportTest, ClaimsNameOnlyMeasuredCases) {
  const auto both = measure("s/pair", "batch:(1|2)/device:cpu");
  ASSERT_EQ(both->cases.size(), 4U);
  ASSERT_EQ(both->groups.front().claims.size(), 2U);
  EXPECT_EQ(both->groups.front().claims[1].case_name, "s/pair/v/batch:2/device:cpu");
  const auto alone = measure("s/pair", "/v/.*cpu");
  EXPECT_EQ(alone->cases.size(), 4U);
  EXPECT_TRUE(alone->groups.front().claims.empty());
  EXPECT_EQ(alone->results.front().status, CaseStatus::ok) << "it is checked although its reference is not measured";
}

TEST_F(ProcessReportTest, AFailedCaseIsAResult) {
  const auto report = measure("s/broken");
  ASSERT_EQ(report->results.size(), 1U);
  EXPECT_EQ(report->results.front().status, CaseStatus::failed);
  EXPECT_EQ(report->results.front().message, "boom");
}

TEST_F(ProcessReportTest, SaysWhatRan) {
  const auto report = measure("s/pair", "batch:1/device:cpu");
  const auto fact = [&](const std::string& name) -> std::string {
    for (const auto& f : report->facts) {
      if (f.name == name) return f.value;
    }
    return "";
  };
  EXPECT_EQ(fact("library"), "fake 1.0");
  EXPECT_EQ(fact("intra_op_threads"), "1");
  EXPECT_NE(fact("suite_build"), "");
  EXPECT_NE(fact("suite_compiler"), "");
  const auto own =
      std::find_if(report->objects.begin(), report->objects.end(), [](const auto& o) { return o.executable; });
  ASSERT_NE(own, report->objects.end());
  EXPECT_EQ(own->path, std::filesystem::canonical("/proc/self/exe").string());
  EXPECT_TRUE(std::any_of(report->objects.begin(), report->objects.end(),
                          [](const auto& o) { return o.soname.find("libc.so") == 0; }));
}

TEST_F(ProcessReportTest, SurvivesTheJourneyAsJson) {
  const auto report = measure("s/pair", "batch:1");
  const auto read = record::process_report_from_json(record::to_json(*report), "report");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, *report);
}

TEST_F(ProcessReportTest, WrongAndFailedCasesSurviveTheJourneyToo) {
  const auto value = [](double v) { return [v](const Args&) -> Timed { return [v] { return v; }; }; };
  const auto throws = [](const Args&) -> Timed { throw std::runtime_error("bad \xff byte"); };
  const std::vector<GroupCases> all{described("s/bad", [&](Group& g) {
    g.reference("ref", value(0));
    g.variant("far", value(1));
    g.variant("thrown", throws);
  })};
  SuiteOptions options;
  options.profile = "quick";
  options.group = "s/bad";
  options.filter = "far|thrown";
  const auto report = measure_report("s", all, backend, options, clock);
  const auto read = record::process_report_from_json(record::to_json(*report), "report");
  ASSERT_TRUE(read.ok()) << read.error().message;
  for (const auto& result : read->results) {
    EXPECT_EQ(result.status, result.name == "s/bad/far" ? CaseStatus::wrong : CaseStatus::failed);
    EXPECT_TRUE(result.measurements.empty());
  }
}

TEST_F(ProcessReportTest, MistakesAreNamed) {
  const auto unknown = measure("s/pairs");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, base::ErrorCode::bad_input);
  EXPECT_EQ(unknown.error().message, "unknown group \"s/pairs\" in suite s");
  const auto filter = measure("s/pair", "(");
  ASSERT_FALSE(filter.ok());
  EXPECT_EQ(filter.error().message.find("--torchgate_filter: invalid regular expression"), 0U);
}

TEST_F(ProcessReportTest, AProfileLeavesCasesOut) {
  const auto work = takes(1'000'000);
  const std::vector<GroupCases> groups{described("s/pair",
                                                 [&](Group& g) {
                                                   const Axis batch = g.axis("batch", {1, 8});
                                                   g.quick(batch(8));
                                                   g.sweep("v", work).claims(time() <= 2.0 * case_with(batch(1)),
                                                                             batch(8));
                                                 }),
                                       described("s/long", [&](Group& g) { g.only_full().sweep("v", work); })};
  const auto listed = [&](const std::string& profile) {
    SuiteOptions options;
    options.profile = profile;
    return list_report("s", groups, backend, options);
  };
  EXPECT_EQ(listed("full").cases.size(), 3U);
  EXPECT_EQ(listed("default").cases.size(), 2U);
  EXPECT_EQ(listed("default").groups.size(), 1U) << "a group without cases is not started";
  EXPECT_EQ(listed("default").groups[0].claims.size(), 1U);
  ASSERT_EQ(listed("quick").cases.size(), 1U);
  EXPECT_EQ(listed("quick").cases[0].name, "s/pair/v/batch:8");
  EXPECT_TRUE(listed("quick").groups[0].claims.empty()) << "its reference is not measured";
  SuiteOptions options;
  options.profile = "quick";
  options.group = "s/pair";
  const auto measured = measure_report("s", groups, backend, options, clock);
  ASSERT_TRUE(measured.ok());
  EXPECT_EQ(names(*measured), (std::vector<std::string>{"s/pair/v/batch:8"}));
}

}  // namespace
}  // namespace torchgate::bench
