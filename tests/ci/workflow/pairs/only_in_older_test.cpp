// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/pairs/only_in_older.hpp"

#include <gtest/gtest.h>

#include "tests/ci/gate/made_run.hpp"

namespace torchgate::workflow {
namespace {

record::Run run_of_suites(const std::string& id, const std::vector<std::string>& suites) {
  record::Run run = gate::testing::empty_run(id);
  for (const std::string& suite : suites) {
    record::Process process;
    process.suite = suite;
    process.status = record::ProcessStatus::ok;
    run.processes.push_back(process);
  }
  return run;
}

TEST(SuitesOnlyInOlder, AreThoseThatTheNearestRunDidNotMeasure) {
  const record::Run nearest = run_of_suites("cccc", {"one"});
  const record::Run older = run_of_suites("bbbb", {"one", "two"});
  const record::Run oldest = run_of_suites("aaaa", {"two", "three"});
  EXPECT_EQ(suites_only_in_older({nearest, older, oldest}),
            (std::map<std::string, std::string>{{"two", "bbbb"}, {"three", "aaaa"}}));
  EXPECT_TRUE(suites_only_in_older({older, nearest}).empty());
  EXPECT_TRUE(suites_only_in_older({}).empty());
}

record::Run run_of_cases(const std::string& id, const std::vector<std::string>& cases) {
  record::Run run = gate::testing::empty_run(id);
  for (const std::string& name : cases) gate::testing::add_case(run, name, {100, 101, 102});
  return run;
}

using Older = std::map<std::string, std::vector<std::string>>;

// Of pairs of ALL cases, that were run beside STORED.
Older cases_in_older(const std::vector<record::Run>& stored, const std::vector<std::string>& all) {
  record::Run pairs = run_of_cases("dddd", all);
  pairs.plan.confirms.emplace();
  pairs.plan.confirms->open = all;
  Older older;
  for (const OlderRun& each : cases_only_in_older(stored, pairs, pairs)) older[each.run->id] = each.cases;
  return older;
}

TEST(CasesOnlyInOlder, AreThoseOfWhichTheNearestRunHasNoUsableNumbers) {
  const std::vector<std::string> all{"g/one/a", "g/one/b", "g/one/c"};
  const record::Run oldest = run_of_cases("aaaa", all);
  const record::Run older = run_of_cases("bbbb", {"g/one/a", "g/one/b"});
  record::Run nearest = run_of_cases("cccc", {"g/one/a", "g/one/b"});
  nearest.plan.filter = "a|b";
  for (std::size_t process = 0; process < nearest.processes.size(); ++process)
    gate::testing::result_of(nearest, process, "g/one/b").status = record::CaseStatus::failed;
  EXPECT_EQ(cases_in_older({nearest, older, oldest}, all), (Older{{"bbbb", {"g/one/b"}}, {"aaaa", {"g/one/c"}}}));
  EXPECT_EQ(cases_in_older({nearest, older, oldest}, {"g/one/a"}), Older{});
  EXPECT_EQ(cases_in_older({oldest, nearest}, all), Older{});
  EXPECT_EQ(cases_in_older({nearest}, all), Older{});
}

TEST(CasesOnlyInOlder, AreNotThoseThatASmallerProfileLeavesOut) {
  const std::vector<std::string> all{"g/one/a", "g/one/b"};
  record::Run nearest = run_of_cases("cccc", {"g/one/a"});
  nearest.plan.profile = "quick";
  record::Run older = run_of_cases("bbbb", all);
  older.plan.profile = "default";
  EXPECT_EQ(cases_in_older({nearest, older}, all), Older{});
  older.plan.profile = "quick";
  nearest.plan.filter = "a";
  EXPECT_EQ(cases_in_older({nearest, older}, all), (Older{{"bbbb", {"g/one/b"}}}));
}

}  // namespace
}  // namespace torchgate::workflow
