// SPDX-License-Identifier: Apache-2.0
// Cases that claims compare, measured in turns within one process.
#include <algorithm>
#include <vector>

#include "tests/harness/bench/run/case_runner_fixture.hpp"

namespace torchgate::bench::testing {
namespace {

class CaseFamily : public CaseRunnerTest {
 protected:
  std::vector<CaseResult> run_all(const GroupCases& group) {
    const auto instances = group.instances();
    std::vector<const CaseInstance*> family;
    for (const auto& instance : instances) family.push_back(&instance);
    CaseRunner runner(backend, SamplerSettings{}, clock);
    for (const auto* member : family) EXPECT_TRUE(runner.may_alternate(group, *member));
    return runner.run_family(group, family, instances, 1);
  }

  Factory noted(char name, std::int64_t ns) {
    return [this, name, ns](const Args&) -> Timed {
      return [this, name, ns] {
        order += name;
        clock.work(ns);
        return 1.0;
      };
    };
  }

  std::string order;  // of the calls
};

TEST_F(CaseFamily, AlternatesBetweenItsCases) {
  const auto results = run_all(described([&](Group& g) {
    g.reference("ref", noted('r', 1 * ms));
    g.variant("v", noted('v', 2 * ms)).within(1e-5);
  }));
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].name, "s/g/ref");
  EXPECT_EQ(results[1].name, "s/g/v");
  for (const auto& result : results) EXPECT_EQ(result.status, CaseStatus::ok) << result.message;
  EXPECT_DOUBLE_EQ(measurement(results[0], "time").summary->median, 1e6);
  EXPECT_DOUBLE_EQ(measurement(results[1], "time").summary->median, 2e6);
  EXPECT_EQ(measurement(results[0], "time").samples.size(), 300U);
  EXPECT_EQ(measurement(results[1], "time").samples.size(), 150U);
  // The reference has 75 parts of 4 ms: while both still have samples to take, neither is alone for more than two parts.
  const std::string timed_part = order.substr(order.size() - 400, 200);
  EXPECT_EQ(timed_part.find(std::string(9, 'r')), std::string::npos) << timed_part;
  EXPECT_EQ(timed_part.find(std::string(5, 'v')), std::string::npos) << timed_part;
  EXPECT_FALSE(measurement(results[0], "time").turns) << "turns are those of two processes";
}

TEST_F(CaseFamily, AFailureIsOfItsCaseAlone) {
  const auto results = run_all(described([&](Group& g) {
    g.reference("ref", noted('r', 1 * ms));
    g.variant("v", throws_at(100, [] { throw std::runtime_error("no more"); })).within(1e-5);
  }));
  EXPECT_EQ(results[0].status, CaseStatus::ok) << results[0].message;
  EXPECT_EQ(measurement(results[0], "time").samples.size(), 300U);
  expect_no_number(results[1], CaseStatus::failed, "no more");
}

TEST_F(CaseFamily, EachCaseHasItsOwnSettingsOfTheLibrary) {
  std::vector<std::pair<char, int>> seen;
  const auto with_setting = [&](char name, int value) -> Factory {
    return [this, &seen, name, value](const Args&) -> Timed {
      backend.setting = value;
      return [this, &seen, name] {
        seen.emplace_back(name, backend.setting);
        clock.work(1 * ms);
        return 1.0;
      };
    };
  };
  run_all(described([&](Group& g) {
    g.reference("ref", with_setting('r', 1));
    g.variant("v", with_setting('v', 2)).within(1e-5);
  }));
  EXPECT_TRUE(std::all_of(seen.begin(), seen.end(),
                          [](const auto& each) { return each.second == (each.first == 'r' ? 1 : 2); }));
}

}  // namespace
}  // namespace torchgate::bench::testing
