// SPDX-License-Identifier: Apache-2.0
// Claims of a run: what they compare, and what decides them.
#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_case;
using gate::testing::add_exact;
using gate::testing::around;
using gate::testing::mentions;
using gate::testing::result_of;
using gate::testing::with_claim;
using reports::ClaimState;
using reports::Outcome;

reports::ClaimFinding claim_of(const record::Run& run, const policy::Policy& policy = {}) {
  const auto report = gate::describe_run(run, policy);
  if (!report || report->claims.size() != 1) throw std::logic_error("no claim");
  return report->claims[0];
}

TEST(Claims, HoldBreakOrStayOpenByTheirBound) {
  const auto reference = around(1e5, 0.01);
  EXPECT_EQ(claim_of(with_claim(reference, around(0.7e5, 0.01), record::Relation::at_most, 0.9)).state,
            ClaimState::holds);
  const auto broken = claim_of(with_claim(reference, around(1.0e5, 0.012), record::Relation::at_most, 0.9));
  EXPECT_EQ(broken.state, ClaimState::broken);
  EXPECT_NEAR(broken.measured_ratio.value(), 1.0, 0.01);
  EXPECT_EQ(broken.action, reports::GateAction::warn);
  EXPECT_EQ(
      claim_of(with_claim(reference, {0.8e5, 1.0e5, 0.85e5, 0.95e5, 0.9e5}, record::Relation::at_most, 0.9)).state,
      ClaimState::undecided);
}

// Their medians differ by a half, their smallest samples do not.
TEST(Claims, OfRanksOnSeveralNodesCompareFloorsToo) {
  for (const char* protocol : {"cpu-wall/1", "cpu-wall/1 on 2 nodes"}) {
    SCOPED_TRACE(protocol);
    record::Run run = with_claim(around(1e5, 0.01), around(1.5e5, 0.01), record::Relation::at_most, 1.2);
    for (record::Case& each : run.cases) {
      each.device = "cpu";
      each.protocol = protocol;
    }
    for (record::Process& process : run.processes)
      for (record::CaseResult& result : process.cases)
        if (result.name == "g/one/opt") result.measurements.front().summary->min /= 1.5;
    EXPECT_EQ(claim_of(run).state, ClaimState::holds);
  }
}

// Their medians say 1.5, their smallest samples 1.
record::Run with_like_floors(std::int64_t reference_samples, std::int64_t samples) {
  record::Run run = with_claim(around(1e5, 0.01), around(1.5e5, 0.01), record::Relation::at_most, 1.2);
  for (record::Case& each : run.cases) each.device = "cpu";
  for (record::Process& process : run.processes) {
    for (record::CaseResult& result : process.cases) {
      record::SampleSummary& summary = *result.measurements.front().summary;
      summary.n = result.name == "g/one/opt" ? samples : reference_samples;
      if (result.name == "g/one/opt") summary.min /= 1.5;
    }
  }
  return run;
}

TEST(Claims, CompareFloorsOfAboutAsManySamples) {
  EXPECT_EQ(claim_of(with_like_floors(100, 100)).state, ClaimState::holds);
  EXPECT_EQ(claim_of(with_like_floors(100, 125)).state, ClaimState::holds);
  for (const auto& [reference, samples] : {std::pair{100, 126}, std::pair{400, 40}, std::pair{40, 400}})
    EXPECT_EQ(claim_of(with_like_floors(reference, samples)).state, ClaimState::broken) << samples;
  record::Run once = with_like_floors(100, 100);
  result_of(once, 2, "g/one/opt").measurements.front().summary->n = 300;
  EXPECT_EQ(claim_of(once).state, ClaimState::broken) << "all processes by one number";
}

// The smallest mean of 64 calls is not what a single call takes at best.
TEST(Claims, CompareFloorsOfAboutAsManyCalls) {
  const auto state_with = [](std::int64_t reference_calls, std::int64_t calls) {
    record::Run run = with_like_floors(100, 100);
    for (record::Process& process : run.processes)
      for (record::CaseResult& result : process.cases)
        result.calls_per_sample = result.name == "g/one/opt" ? calls : reference_calls;
    return claim_of(run).state;
  };
  EXPECT_EQ(state_with(64, 64), ClaimState::holds);
  EXPECT_EQ(state_with(1, 2), ClaimState::holds);
  EXPECT_EQ(state_with(64, 32), ClaimState::holds);
  EXPECT_EQ(state_with(64, 1), ClaimState::broken);
  EXPECT_EQ(state_with(1, 64), ClaimState::broken);
  EXPECT_EQ(state_with(2, 8), ClaimState::broken);
  record::Run once = with_like_floors(100, 100);
  result_of(once, 2, "g/one/opt").calls_per_sample = 4;
  EXPECT_EQ(claim_of(once).state, ClaimState::broken) << "all processes by one number";
}

// A process whose pair took turns measured the two cases far apart.
TEST(Claims, OfPairsThatTookTurnsCompareMedians) {
  record::Run run = with_like_floors(100, 100);
  const record::TurnTimes turns;
  for (record::Process& process : run.processes)
    for (record::CaseResult& result : process.cases) result.measurements.front().turns = turns;
  EXPECT_EQ(claim_of(run).state, ClaimState::broken);
}

// Of a value that calls record themselves, beside the time. 0 has no logarithm.
reports::ClaimFinding claim_of_values(const std::vector<double>& reference, const std::vector<double>& claimed,
                                      record::Relation relation) {
  const std::vector<double> times(reference.size(), 1e5);
  record::Run run = with_claim(times, times, relation, 0.5, "wait");
  for (record::Case& each : run.cases)
    each.metrics.push_back({"wait", "ns", record::Direction::lower_is_better, record::MetricKind::timed, false});
  for (std::size_t i = 0; i < times.size(); ++i) {
    for (record::CaseResult& result : run.processes[i].cases) {
      record::Measurement wait = result.measurements.front();
      wait.metric = "wait";
      wait.summary->median = (result.name == "g/one/opt" ? claimed : reference)[i];
      result.measurements.push_back(std::move(wait));
    }
  }
  return claim_of(run);
}

TEST(Claims, OfValuesOfZeroAreDecided) {
  constexpr auto at_most = record::Relation::at_most;
  constexpr auto at_least = record::Relation::at_least;
  const auto hundred = around(100, 0.01);
  const std::vector<double> zero(5, 0.0);
  const auto holds = claim_of_values(hundred, zero, at_most);
  EXPECT_EQ(holds.state, ClaimState::holds);
  EXPECT_EQ(holds.measured_ratio, 0.0);
  EXPECT_EQ(claim_of_values(hundred, zero, at_least).state, ClaimState::broken);
  EXPECT_EQ(claim_of_values(zero, hundred, at_most).state, ClaimState::broken);
  const auto mirrored = claim_of_values(zero, hundred, at_least);
  EXPECT_EQ(mirrored.state, ClaimState::holds);
  EXPECT_FALSE(mirrored.measured_ratio) << "infinite";
  for (const auto relation : {at_most, at_least}) {
    EXPECT_EQ(claim_of_values(zero, zero, relation).state, ClaimState::holds);
    const auto few = claim_of_values({100, 101, 102, 100}, {0, 0, 0, 0}, relation);
    EXPECT_EQ(few.state, ClaimState::undecided);
    EXPECT_TRUE(mentions(few.reasons, "fewer processes"));
  }
}

TEST(Claims, OfSomeValuesOfZeroAreDecidedByTheOthers) {
  constexpr auto at_most = record::Relation::at_most;
  const auto hundred = around(100, 0.01);
  EXPECT_EQ(claim_of_values(hundred, {0, 0, 20, 21, 0}, at_most).state, ClaimState::holds);
  EXPECT_EQ(claim_of_values(hundred, {0, 0, 90, 91, 0}, at_most).state, ClaimState::undecided);
  EXPECT_EQ(claim_of_values({0, 0, 100, 101, 0}, hundred, at_most).state, ClaimState::broken);
  EXPECT_EQ(claim_of_values({0, 0, 1000, 1001, 0}, hundred, at_most).state, ClaimState::undecided);
  EXPECT_EQ(claim_of_values({0, 100, 100, 101, 102}, {5, 0, 1, 1, 1}, at_most).state, ClaimState::undecided);
}

TEST(Claims, AtLeastIsTheMirrorImage) {
  const auto reference = around(1e5, 0.01);
  const auto holds = claim_of(with_claim(reference, around(2e5, 0.01), record::Relation::at_least, 1.5));
  EXPECT_EQ(holds.state, ClaimState::holds);
  EXPECT_NEAR(holds.measured_ratio.value(), 2.0, 0.02);
  EXPECT_GE(holds.bound.value(), 1.5);
  EXPECT_EQ(claim_of(with_claim(reference, around(1.1e5, 0.01), record::Relation::at_least, 1.5)).state,
            ClaimState::broken);
}

// Of counts that differ between processes: decided where all of them say the same.
TEST(Claims, OfCountsThatVaryAreBrokenWhereAllValuesBreakThem) {
  const auto of_counts = [](const std::vector<double>& reference, const std::vector<double>& claimed) {
    record::Run run =
        with_claim(around(1e5, 0.01), around(1e5, 0.01), record::Relation::at_most, 0.5, "operator_calls");
    for (std::size_t i = 0; i < claimed.size(); ++i) {
      for (const bool is_reference : {true, false}) {
        record::Measurement count;
        count.metric = "operator_calls";
        count.value = (is_reference ? reference : claimed)[i];
        if (*count.value >= 0)
          result_of(run, i, is_reference ? "g/one/ref" : "g/one/opt").measurements.push_back(std::move(count));
      }
    }
    return claim_of(run);
  };
  const std::vector<double> hundred{100, 100, 100, 100, 100};
  const auto broken = of_counts(hundred, {1000, 1001, 1002, 1003, 1004});
  EXPECT_EQ(broken.state, ClaimState::broken);
  EXPECT_DOUBLE_EQ(broken.measured_ratio.value(), 10);
  EXPECT_TRUE(mentions(broken.reasons, "g/one/opt: 1000 to 1004 in its processes"));
  EXPECT_EQ(of_counts({99, 100, 101, 100, 100}, {60, 61, 60, 60, 60}).state, ClaimState::broken);
  EXPECT_EQ(of_counts(hundred, {49, 50, 51, 50, 50}).state, ClaimState::undecided);
  EXPECT_EQ(of_counts(hundred, {40, 41, 42, 43, 44}).state, ClaimState::holds);
  EXPECT_EQ(of_counts(hundred, {-1, 60, 60, 60, 60}).state, ClaimState::broken);
  EXPECT_EQ(of_counts(hundred, {-1, 40, 40, 40, 40}).state, ClaimState::not_measured);
}

// 149 claims that hold and one at 10 % beyond its promise, with an SD of 3 % in each case: shared over 150 claims alpha would
// leave it undecided.
TEST(Claims, ThatHoldTakeNoPartOfTheRisk) {
  const std::vector<double> reference{0.98e5, 0.97e5, 1.03e5, 1.04e5, 0.98e5};
  const auto report_of = [&](std::size_t others) {
    record::Run run = with_claim(reference, {0.97e5, 1.03e5, 0.99e5, 1.02e5, 1.0e5}, record::Relation::at_most, 0.9);
    for (std::size_t i = 0; i < others; ++i) {
      const std::string name = "g/one/opt" + std::to_string(i);
      add_case(run, name, around(0.5e5, 0.01));
      run.groups[0].claims.push_back(run.groups[0].claims.front());
      run.groups[0].claims.back().case_name = name;
    }
    return gate::describe_run(run, {}).value();
  };
  const auto alone = report_of(2);
  const auto among_many = report_of(149);
  ASSERT_EQ(among_many.claims.size(), 150u);
  EXPECT_EQ(among_many.claims[0].case_name, "g/one/opt") << "broken ones come first";
  EXPECT_EQ(among_many.claims[0].state, ClaimState::broken);
  EXPECT_GT(among_many.claims[0].bound.value(), 0.9);
  EXPECT_EQ(among_many.claims[0].bound, alone.claims[0].bound);
  EXPECT_EQ(among_many.claims[0].action, reports::GateAction::warn);
  EXPECT_EQ(among_many.claims[149].state, ClaimState::holds);
  EXPECT_EQ(among_many.claims[149].action, reports::GateAction::pass);
}

TEST(Claims, AreNotMadeWhereTheyAreNotAboutThisMachine) {
  auto run = with_claim(around(1e5, 0.01), around(1.0e5, 0.012), record::Relation::at_most, 0.9);
  run.groups[0].claims[0].not_claimed = "this CPU has no avx512_vnni";
  const auto claim = claim_of(run);
  EXPECT_EQ(claim.state, ClaimState::not_claimed) << "broken elsewhere";
  EXPECT_EQ(claim.action, reports::GateAction::note);
  ASSERT_EQ(claim.reasons.size(), 1U);
  EXPECT_EQ(claim.reasons[0].words(), "this CPU has no avx512_vnni");
}

TEST(Claims, AboutCountsNeedNoTest) {
  auto run = with_claim(around(1e5, 0.01), around(1e5, 0.01), record::Relation::at_most, 0.5, "peak_bytes");
  EXPECT_EQ(claim_of(run).state, ClaimState::not_measured);
  add_exact(run, "g/one/ref", "peak_bytes", 1000);
  add_exact(run, "g/one/opt", "peak_bytes", 500);
  EXPECT_EQ(claim_of(run).state, ClaimState::holds);
  policy::Policy strict;
  strict.claim_broken = policy::Action::fail;
  auto worse = with_claim(around(1e5, 0.01), around(1e5, 0.01), record::Relation::at_most, 0.5, "peak_bytes");
  add_exact(worse, "g/one/ref", "peak_bytes", 1000);
  add_exact(worse, "g/one/opt", "peak_bytes", 501);
  EXPECT_EQ(claim_of(worse, strict).state, ClaimState::broken);
  EXPECT_EQ(gate::describe_run(worse, strict)->outcome, Outcome::fail);
}

TEST(Claims, PerItemComparesRates) {
  auto run = with_claim(around(1e5, 0.01), around(2e5, 0.01), record::Relation::at_most, 1 / 1.5);
  run.groups[0].claims[0].per_item = true;
  run.cases[0].items_per_call = 1;
  run.cases[1].items_per_call = 4;  // twice the time for four times the items: half the time per item
  const auto claim = claim_of(run);
  EXPECT_EQ(claim.state, ClaimState::holds);
  EXPECT_NEAR(claim.measured_ratio.value(), 0.5, 0.01);
}

TEST(Claims, MayBoundACountByANumber) {
  auto run = with_claim(around(1e5, 0.01), around(1e5, 0.01), record::Relation::at_most, 1, "peak_bytes");
  run.groups[0].claims[0].reference_case.clear();
  run.groups[0].claims[0].limit = 600;
  add_exact(run, "g/one/opt", "peak_bytes", 500);
  EXPECT_EQ(claim_of(run).state, ClaimState::holds);
  EXPECT_DOUBLE_EQ(claim_of(run).measured_ratio.value(), 500.0 / 600);
  run.groups[0].claims[0].limit = 499;
  EXPECT_EQ(claim_of(run).state, ClaimState::broken);
}

TEST(Claims, MayBeAboutAPercentileOfTheSameCase) {
  auto run = with_claim(around(1e5, 0.01), around(1e5, 0.01), record::Relation::at_most, 2);
  record::Claim& claim = run.groups[0].claims[0];
  claim.reference_case = claim.case_name;
  claim.quantile = record::Quantile::p99;
  EXPECT_EQ(claim_of(run).state, ClaimState::not_measured);
  EXPECT_NE(facts::listed(claim_of(run).reasons).find("P99 101"), std::string::npos)
      << facts::listed(claim_of(run).reasons);
  for (record::Process& process : run.processes) {
    for (record::CaseResult& result : process.cases) {
      for (record::Measurement& m : result.measurements) {
        if (m.summary) m.summary->p99 = 1.5 * m.summary->median;
      }
    }
  }
  EXPECT_EQ(claim_of(run).state, ClaimState::holds);
  EXPECT_NEAR(claim_of(run).measured_ratio.value(), 1.5, 1e-9);
}

}  // namespace
