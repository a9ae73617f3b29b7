// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/foreign/benchmark_listing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <regex>

#include "harness/launch/listing.hpp"

namespace torchgate::launch {
namespace {

/// As Google Benchmark matches a name (src/re.h): POSIX extended, searched.
bool finds(const std::string& filter, const std::string& name) {
  return std::regex_search(name, std::regex(filter, std::regex_constants::extended));
}

std::vector<std::string> names_of(const record::ProcessReport& report) {
  std::vector<std::string> names;
  for (const record::Case& each : report.cases) names.push_back(each.name);
  return names;
}

TEST(BenchmarkListing, FamiliesAreGroups) {
  BenchmarkProgram program{"mine", false, {}};
  const auto report =
      listing_of_benchmarks({"BM_a/8", "BM_a/64", "BM_b<int, char>/n:8/real_time", "BM_c"}, "quick", program);
  ASSERT_EQ(report.groups.size(), 3U);
  EXPECT_EQ(report.groups[0].name, "mine/BM_a");
  EXPECT_EQ(report.groups[1].name, "mine/BM_b<int, char>");
  EXPECT_EQ(names_of(report),
            (std::vector<std::string>{"mine/BM_a/8", "mine/BM_a/64", "mine/BM_b<int, char>/n:8", "mine/BM_c"}));
  EXPECT_EQ(program.run_names.at("mine/BM_b<int, char>/n:8"), "BM_b<int, char>/n:8/real_time");
  EXPECT_EQ(report.cases[2].parameters, (std::vector<record::Parameter>{{"n", "8"}}));
  EXPECT_EQ(report.cases[2].group, "mine/BM_b<int, char>");
  EXPECT_EQ(report.cases[0].metrics.at(0).name, "time");
  EXPECT_TRUE(report.cases[0].metrics.at(0).primary);
}

TEST(BenchmarkListing, AManualTimeIsAnotherProtocol) {
  BenchmarkProgram program{"mine", false, {}};
  const auto report = listing_of_benchmarks({"BM_a/iterations:10/manual_time", "BM_b"}, "default", program);
  EXPECT_EQ(report.cases[0].name, "mine/BM_a");
  EXPECT_EQ(report.cases[0].protocol, "google-benchmark-manual/1");
  EXPECT_EQ(report.cases[1].protocol, "google-benchmark/1");
}

TEST(BenchmarkListing, SuffixesStayWhereTheyTellBenchmarksApart) {
  BenchmarkProgram program{"mine", false, {}};
  const auto report = listing_of_benchmarks({"BM_a/min_time:0.100", "BM_a/min_time:0.500"}, "quick", program);
  EXPECT_EQ(names_of(report), (std::vector<std::string>{"mine/BM_a/min_time:0.100", "mine/BM_a/min_time:0.500"}));
}

TEST(BenchmarkListing, SuffixesThatOneSideNeedsStayOnBoth) {
  const auto side = [](const std::vector<std::string>& names) {
    auto program = std::make_shared<BenchmarkProgram>(BenchmarkProgram{"mine", false, {}});
    auto listing = listing_of_benchmarks(names, "quick", *program);
    return Listing{{ListedSuite{"/bench", std::move(listing), program}}, {}};
  };
  std::vector<Listing> sides{side({"BM_x/real_time", "BM_y/real_time"}), side({"BM_x/real_time", "BM_x"})};
  align_suffixes(sides);
  const ListedSuite& before = sides[0].suites[0];
  EXPECT_EQ(names_of(before.listing), (std::vector<std::string>{"mine/BM_x/real_time", "mine/BM_y"}));
  EXPECT_EQ(before.program->run_names.at("mine/BM_x/real_time"), "BM_x/real_time");
  EXPECT_EQ(before.program->run_names.count("mine/BM_x"), 0U);
  EXPECT_EQ(*before.listing.cases[0].other_name, "mine/BM_x");
  EXPECT_EQ(before.listing.cases[0].group, group_of_benchmark(*before.program, "mine/BM_x/real_time"));
  EXPECT_EQ(names_of(sides[1].suites[0].listing), (std::vector<std::string>{"mine/BM_x/real_time", "mine/BM_x"}));
}

TEST(BenchmarkListing, BenchmarksOfOneNameAreCasesOfTheirOwn) {
  BenchmarkProgram program{"mine", false, {}};
  const auto report = listing_of_benchmarks({"BM_a/n:8", "BM_b", "BM_a/n:8", "BM_a/n:8"}, "quick", program);
  ASSERT_EQ(names_of(report),
            (std::vector<std::string>{"mine/BM_a/n:8", "mine/BM_b", "mine/BM_a/n:8#2", "mine/BM_a/n:8#3"}));
  for (const std::size_t i : {0U, 2U, 3U}) {
    EXPECT_EQ(report.cases[i].parameters,
              (std::vector<record::Parameter>{{"n", "8"}, {"benchmarks of this name", "3"}}));
    EXPECT_EQ(report.cases[i].group, "mine/BM_a");
    EXPECT_EQ(program.run_names.at(report.cases[i].name), "BM_a/n:8");
    EXPECT_EQ(program.same_names.at(report.cases[i].name).of, 3);
  }
  EXPECT_EQ(program.same_names.at("mine/BM_a/n:8#3").number, 3);
  EXPECT_TRUE(report.cases[1].parameters.empty());
  EXPECT_EQ(program.same_names.count("mine/BM_b"), 0U);
}

TEST(BenchmarkListing, ANumberDoesNotHideAnotherName) {
  BenchmarkProgram program{"mine", false, {}};
  const auto report = listing_of_benchmarks({"x#2", "x", "x", "y", "y/real_time"}, "quick", program);
  EXPECT_EQ(names_of(report),
            (std::vector<std::string>{"mine/x#2", "mine/x", "mine/x#3", "mine/y", "mine/y/real_time"}));
  EXPECT_EQ(program.run_names.at("mine/x#3"), "x");
  EXPECT_EQ(report.cases[2].group, "mine/x");
  EXPECT_EQ(report.cases[0].group, "mine/x#2");
  EXPECT_EQ(exact_benchmark_filter({"x", "x"}), "^(x)$");
}

TEST(BenchmarkListing, AHostileNameCostsOnlyItself) {
  BenchmarkProgram program{"mine", false, {}};
  const auto report =
      listing_of_benchmarks({"../../etc", "twice", "twice", "\x1b[31mred", "\xff\xfe", "/", "a b,c"}, "quick", program);
  EXPECT_EQ(
      std::count_if(report.cases.begin(), report.cases.end(), [](const auto& c) { return c.skipped.has_value(); }), 2);
  for (const record::Case& each : report.cases) {
    EXPECT_TRUE(each.name.starts_with("mine/"));
    EXPECT_TRUE(each.group.starts_with("mine/"));
    EXPECT_EQ(each.name.find('\x1b'), std::string::npos);
  }
  EXPECT_EQ(report.cases.size(), 7U);
}

TEST(BenchmarkListing, EstimatesFromMinimumTimes) {
  const auto seconds = [](const std::string& name, const std::string& profile) {
    BenchmarkProgram program{"mine", false, {}};
    return listing_of_benchmarks({name}, profile, program).seconds_estimate.value_or(0);
  };
  const double quick = seconds("BM_a", "quick");
  const double usual = seconds("BM_a", "default");
  const double own = seconds("BM_a/min_time:2.000", "quick");
  EXPECT_GT(quick, 0.04);
  EXPECT_GT(usual, 0.3);
  EXPECT_LT(usual, 0.6);
  EXPECT_GT(own, 8);  // 4 repetitions of 2 s
}

TEST(BenchmarkListing, TheFilterFindsTheNamesAndNoOther) {
  const std::vector<std::string> wanted{"BM_a/8", "a (b) [c]{1}.*+?|^$\\", "x<int, char>"};
  const std::string filter = exact_benchmark_filter(wanted);
  for (const std::string& name : wanted) EXPECT_TRUE(finds(filter, name)) << name;
  for (const char* other : {"BM_a/80", "BM_a", "xBM_a/8", "BM_a/8/x", "a (b) [c]{1}.*+?|^$\\\\", ""})
    EXPECT_FALSE(finds(filter, other)) << other;
}

TEST(BenchmarkListing, ManyNamesBecomeTheirFamily) {
  std::vector<std::string> names;
  for (int i = 0; i < 2000; ++i) names.push_back("BM.many/" + std::to_string(i));
  const std::string filter = exact_benchmark_filter(names);
  EXPECT_LT(filter.size(), 100U);
  EXPECT_TRUE(finds(filter, "BM.many/7"));
  EXPECT_TRUE(finds(filter, "BM.many"));
  EXPECT_FALSE(finds(filter, "BM.many2/7"));
  EXPECT_FALSE(finds(filter, "BM_many/7"));
}

TEST(BenchmarkListing, TheSuiteIsTheFile) {
  EXPECT_EQ(suite_name_of("my_bench-1.2"), "my_bench-1.2");
  EXPECT_EQ(suite_name_of("my bench (old)"), "my_bench__old_");
  EXPECT_EQ(suite_name_of(".hidden"), "_.hidden");
  EXPECT_EQ(suite_name_of(""), "_");
  EXPECT_EQ(suite_name_of(".."), "_..");
}

}  // namespace
}  // namespace torchgate::launch
