// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/renamed_cases.hpp"

#include <gtest/gtest.h>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using namespace torchgate::gate::testing;
using reports::Verdict;

using Names = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

std::vector<record::Case> cases_named(const Names& names, const std::string& suite) {
  std::vector<record::Case> cases;
  for (const std::string& name : names) {
    record::Case& one = cases.emplace_back();
    one.name = name;
    one.suite = suite;
  }
  return cases;
}

std::vector<const record::Case*> addresses(const std::vector<record::Case>& cases) {
  std::vector<const record::Case*> all;
  for (const record::Case& each : cases) all.push_back(&each);
  return all;
}

Pairs paired(const Names& before, const Names& after, const std::string& suite = "google-benchmark",
             const Names& both = {}) {
  const auto vanished = cases_named(before, suite);
  const auto appeared = cases_named(after, suite);
  const auto same = cases_named(both, suite);
  Pairs pairs;
  for (const auto& pair : gate::renamed_cases(addresses(vanished), addresses(appeared), addresses(same)))
    pairs.emplace_back(before.at(pair.before), after.at(pair.after));
  return pairs;
}

TEST(RenamedCases, OtherArgumentsAndOtherSpellings) {
  const std::vector<std::pair<std::string, std::string>> same{
      {"BM_copy/8", "BM_copy/16"},
      {"BM_copy/8", "BM_copy/n:8"},
      {"BM_copy/n:8", "BM_copy/size:8"},
      {"BM_copy/8/64", "BM_copy/n:8/m:64"},
      {"BM_copy/8", "BM_copy/8/1"},
      {"BM_copy", "BM_copy/8"},
      {"BM_copy/threads:4", "BM_copy/threads:8"},
      {"BM_copy/manual_time", "BM_copy/real_time"},
      {"BM_copy/iterations:10", "BM_copy"},
      {"BM_copy/8/min_time:0.5/repeats:3", "BM_copy/8"},
      {"t.py::f[x]", "t.py::f[x-fast]"},
      {"t.py::f", "t.py::f[x]"},
      {"copy/Device=0 N=1", "copy/Device=0 N=1 T=F32"},
      {"copy/Device=0 A=1 B=2", "copy/Device=0 B=2 A=1"},
      {"copy/Device=0 N=1", "copy/Device=0 Elements=1"},
      {"fusion/conv/folded/device:cpu/batch:8", "fusion/conv/folded/device:cpu/batch:8/threads:2"},
  };
  for (const auto& [before, after] : same) {
    EXPECT_EQ(paired({before}, {after}), (Pairs{{before, after}}));
    EXPECT_EQ(paired({after}, {before}), (Pairs{{after, before}}));
  }
}

TEST(RenamedCases, OtherBenchmarksAreOtherCases) {
  const std::vector<std::pair<std::string, std::string>> different{
      {"BM_copy/8", "BM_move/8"},
      {"BM_copy<int>/8", "BM_copy<float>/8"},
      {"t.py::f[x]", "t.py::g[x]"},
      {"copy/Device=0 N=1", "move/Device=0 N=1"},
      {"fusion/conv/folded/device:cpu", "fusion/conv/eager/device:cpu"},
      {"fusion/conv/folded/device:cpu", "fusion/conv/folded/device:cuda"},
      {"sleep 1", "sleep 2"},
  };
  for (const auto& [before, after] : different) EXPECT_EQ(paired({before}, {after}), Pairs{}) << before << after;
  const auto vanished = cases_named({"f/8"}, "one");
  const auto appeared = cases_named({"f/16"}, "another");
  EXPECT_TRUE(gate::renamed_cases(addresses(vanished), addresses(appeared)).empty());
}

TEST(RenamedCases, ASweepIsPairedByItsValues) {
  EXPECT_EQ(paired({"f/8", "f/16", "f/32"}, {"f/n:8", "f/n:16", "f/n:32"}),
            (Pairs{{"f/8", "f/n:8"}, {"f/16", "f/n:16"}, {"f/32", "f/n:32"}}));
  EXPECT_EQ(paired({"t.py::f[x]", "t.py::f[y]"}, {"t.py::f[y-fast]", "t.py::f[x-fast]"}),
            (Pairs{{"t.py::f[x]", "t.py::f[x-fast]"}, {"t.py::f[y]", "t.py::f[y-fast]"}}));
}

TEST(RenamedCases, SeveralCandidatesGiveNoPair) {
  EXPECT_EQ(paired({"f/8"}, {"f/16", "f/32"}), Pairs{});
  EXPECT_EQ(paired({"f/8", "f/64"}, {"f/16"}), Pairs{});
  EXPECT_EQ(paired({"f/8", "f/16"}, {"f/32", "f/64"}), Pairs{});
  EXPECT_EQ(paired({"f/8/1"}, {"f/a:8/b:1", "f/b:1/a:8"}), Pairs{});
}

TEST(RenamedCases, AnotherNumberOfCpusIsSaidForEachBenchmark) {
  EXPECT_EQ(paired({"p.Sum-8", "p.Sum/n=10-8"}, {"p.Sum-4", "p.Sum/n=10-4"}, "go"),
            (Pairs{{"p.Sum-8", "p.Sum-4"}, {"p.Sum/n=10-8", "p.Sum/n=10-4"}}));
  EXPECT_EQ(paired({"p.Sum"}, {"p.Sum-4"}, "go"), (Pairs{{"p.Sum", "p.Sum-4"}}));
  EXPECT_EQ(paired({"p.Sum-8", "p.Sum-16"}, {"p.Sum-4"}, "go").size(), 2U);
  EXPECT_EQ(paired({"p.Sum-8"}, {"p.Sort-4"}, "go"), Pairs{});
  EXPECT_EQ(paired({"Sum-8"}, {"Sum-4"}), Pairs{}) << "the suffix is Go's";
}

// With GOMAXPROCS=1 Go appends nothing, and a number at the end is an argument.
TEST(RenamedCases, AnArgumentIsNotANumberOfCpus) {
  const auto go = [](const Names& before, const Names& after, const Names& both) {
    return paired(before, after, "go", both);
  };
  EXPECT_EQ(go({"p.Sum/n-1000"}, {"p.Sum/n-2000"}, {"p.Sum/n-100", "p.Max"}), Pairs{});
  EXPECT_EQ(go({"p.Sum/n-1000"}, {"p.Sum/n-2000"}, {"p.Max"}), Pairs{}) << "its function shows it";
  EXPECT_EQ(go({"p.Sum/n-1000"}, {"p.Sum/n-2000"}, {"p.Sum/n-100"}), Pairs{}) << "as does another suffix";
  EXPECT_EQ(go({"p.Sum/n-1000-8"}, {"p.Sum/n-2000-8"}, {"p.Sum/n-100-8"}), Pairs{});
  // All of one suffix, under any number of it, and of a list: -cpu 2,8 and -cpu 2,16.
  EXPECT_EQ(go({"p.Sum/n-1000"}, {"p.Sum/n-1000-8"}, {}), Pairs{}) << "-1000 may be one";
  EXPECT_EQ(go({"p.Max", "p.Sum/n-1000"}, {"p.Max-8", "p.Sum/n-1000-8"}, {}),
            (Pairs{{"p.Max", "p.Max-8"}, {"p.Sum/n-1000", "p.Sum/n-1000-8"}}));
  EXPECT_EQ(go({"p.Sum/a-8", "p.Sum/b-8"}, {"p.Sum/a-16", "p.Sum/b-16"}, {}),
            (Pairs{{"p.Sum/a-8", "p.Sum/a-16"}, {"p.Sum/b-8", "p.Sum/b-16"}}));
  EXPECT_EQ(go({"p.Sum-8", "p.Sum/n-100-8"}, {"p.Sum-16", "p.Sum/n-100-16"}, {"p.Sum-2", "p.Sum/n-100-2"}),
            (Pairs{{"p.Sum-8", "p.Sum-16"}, {"p.Sum/n-100-8", "p.Sum/n-100-16"}}));
}

// One name on its own: its number is one of CPUs, so that the benchmark is the same, or an argument.
TEST(RenamedCases, ALoneNumberAtTheEndLeavesItOpen) {
  const auto other_cpus = [](const Names& before, const Names& after) {
    const auto vanished = cases_named(before, "go");
    const auto appeared = cases_named(after, "go");
    const auto pairs = gate::renamed_cases(addresses(vanished), addresses(appeared));
    return pairs.empty() ? "no pair" : pairs.front().other_cpus ? "other CPUs" : "another name";
  };
  EXPECT_STREQ(other_cpus({"p.Sum/n-4096"}, {"p.Sum/n-8192"}), "another name");
  EXPECT_STREQ(other_cpus({"p.Sum/n-4096", "p.Max/n-4096"}, {"p.Sum/n-8192", "p.Max/n-8192"}), "another name");
  EXPECT_STREQ(other_cpus({"p.Sum-4"}, {"p.Sum-8"}), "other CPUs");
  EXPECT_STREQ(other_cpus({"p.Sum/a-4", "p.Sum/b-4"}, {"p.Sum/a-8", "p.Sum/b-8"}), "other CPUs");
  EXPECT_STREQ(other_cpus({"p.Max", "p.Sum/n-4"}, {"p.Min", "p.Sum/n-8"}), "no pair") << "GOMAXPROCS is 1";
}

// The path of a package has slashes, and another package another GOMAXPROCS.
TEST(RenamedCases, SuffixesAreThoseOfAPackage) {
  const auto named = [](const std::string& name, const std::string& group) {
    record::Case one;
    one.name = name;
    one.suite = "go";
    one.group = group;
    return one;
  };
  const auto slow = named("example.org/slow.Sum/n-1000", "slow");
  const auto slower = named("example.org/slow.Sum/n-2000", "slow");
  const auto fast = named("example.org/fast.Sum/n-1000-8", "fast");
  const auto faster = named("example.org/fast.Sum/n-1000-4", "fast");
  const auto max = named("example.org/slow.Max", "slow");
  const auto max_8 = named("example.org/fast.Max-8", "fast");
  const auto max_4 = named("example.org/fast.Max-4", "fast");
  const auto pairs = gate::renamed_cases({&slow, &fast, &max_8}, {&slower, &faster, &max_4}, {&max});
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].before, 1U);
  EXPECT_EQ(pairs[0].after, 1U);
  EXPECT_TRUE(pairs[1].other_cpus);
}

TEST(RenamedCases, AreLinearInTheNumberOfCases) {
  Names before;
  Names after;
  for (int i = 0; i < 20'000; ++i) {
    before.push_back("f/" + std::to_string(i));
    after.push_back("f/n:" + std::to_string(i) + "/m:all");
  }
  EXPECT_EQ(paired(before, after).size(), before.size());
}

struct TwoRuns {
  record::Run before = empty_run("aaaa");
  record::Run after = empty_run("bbbb");

  TwoRuns(const std::string& was, const std::string& is) {
    add_case(before, "g/one/same", around(1e5, quiet));
    add_case(before, was, around(1e5, quiet));
    add_case(after, "g/one/same", around(1e5, quiet));
    add_case(after, is, around(3e5, quiet));
  }
  [[nodiscard]] reports::Report judged(const policy::Policy& policy = {}) const {
    gate::Comparison comparison;
    comparison.baseline = {&before};
    comparison.current = &after;
    return gate::judge_stored(comparison, policy).value();
  }
};

TEST(RenamedCases, AreNotComparableAndFailAsMissingOnesDo) {
  const TwoRuns runs("g/one/copy/n:8", "g/one/copy/n:8/m:2");
  const auto report = runs.judged();
  EXPECT_EQ(report.outcome, reports::Outcome::fail);
  ASSERT_EQ(report.findings.size(), 2U) << "neither missing nor new";
  const auto& found = finding(report, "g/one/copy/n:8");
  EXPECT_EQ(found.verdict, Verdict::not_comparable);
  EXPECT_TRUE(mentions(found.reasons, "it was g/one/copy/n:8 and is g/one/copy/n:8/m:2"));
  EXPECT_EQ(report.decided.cases, 2);
  EXPECT_EQ(report.decided.decided, 1);
  policy::Policy accepting;
  accepting.missing = policy::Action::pass;
  const auto accepted = runs.judged(accepting);
  EXPECT_EQ(accepted.outcome, reports::Outcome::pass);
  EXPECT_EQ(finding(accepted, "g/one/copy/n:8").verdict, Verdict::not_comparable);
}

}  // namespace
