// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/pairs/pairs_from_start.hpp"

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

}  // namespace
}  // namespace torchgate::workflow
