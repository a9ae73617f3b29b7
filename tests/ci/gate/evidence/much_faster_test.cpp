// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/much_faster.hpp"

#include <gtest/gtest.h>

#include "ci/gate/judge.hpp"
#include "harness/record/imported.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate::testing {
namespace {

record::Run encoded(const std::string& id, double per_second) {
  record::Run run = empty_run(id);
  run.plan.profile = record::imported_profile;
  run.machine.host_key.clear();
  add_case(run, "encode", wobble(per_second, id == "a" ? 1 : 2, 6));
  run.cases.front().metrics.front() = {"value", "req/s", record::Direction::higher_is_better, record::MetricKind::timed,
                                       true};
  for (record::Process& process : run.processes) process.cases.front().measurements.front().metric = "value";
  return run;
}

bool doubted(const record::Run& before, const record::Run& after) {
  Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  return mentions(judge_stored(comparison, policy::Policy()).value().doubts,
                  "1 case is better by more than a factor of 1000 (encode, value)");
}

TEST(MuchFaster, ARateThatNoMachineReachesIsDoubted) {
  EXPECT_TRUE(doubted(encoded("a", 1000), encoded("b", 1e20)));
  EXPECT_FALSE(doubted(encoded("a", 1000), encoded("b", 9e5)));
  EXPECT_FALSE(doubted(encoded("a", 1e20), encoded("b", 1000))) << "it is worse, and fails";
}

}  // namespace
}  // namespace torchgate::gate::testing
