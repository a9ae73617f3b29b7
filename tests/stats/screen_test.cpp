// SPDX-License-Identifier: Apache-2.0
#include "stats/screen.hpp"

#include <cmath>
#include <vector>

#include "stats/student_t.hpp"
#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

constexpr double tolerance = 1e-8;  // of the Python reference: scipy's own t tails and limma's Newton steps

TEST(FewRuns, AgreeWithThePythonReference) {
  int candidates = 0;
  int beyond = 0;
  for (const auto& row : read_json("procedure.json", "few")) {
    ScreenOptions options;
    options.run_sd = row.at("run_sd");
    const auto baseline = row.at("baseline").get<std::vector<Numbers>>();
    const Screen screen = screen_few_runs(baseline, row.at("current").get<Numbers>(), options);
    ASSERT_TRUE(screen.change);
    EXPECT_NEAR(screen.change->effect, row.at("effect").get<double>(), 1e-12);
    // Without a prior SD ours still has the resolution of a clock, 1e-6, and the reference has 0.
    const double wanted = options.run_sd > 0 ? tolerance : 1e-4;
    EXPECT_TRUE(is_close(screen.change->standard_error, row.at("se"), wanted));
    EXPECT_TRUE(is_close(screen.change->df, number(row.at("df")), wanted));
    if (options.run_sd > 0) {
      EXPECT_TRUE(is_close(screen.change->p, row.at("p"), wanted));
    }
    EXPECT_TRUE(is_close(*screen.cohen_d, row.at("d"), 1e-9));
    EXPECT_EQ(screen.candidate, row.at("candidate").get<bool>());
    EXPECT_EQ(beyond_gate(*screen.change, row.at("m")), row.at("beyond_gate").get<bool>());
    EXPECT_TRUE(screen.reasons.contains(Reason::few_baseline_runs));
    EXPECT_EQ(screen.baseline_runs, baseline.size());
    candidates += screen.candidate;
    beyond += beyond_gate(*screen.change, row.at("m"));
  }
  EXPECT_GT(candidates, 30);
  EXPECT_GT(beyond, 10);
}

TEST(History, AgreesWithThePythonReference) {
  int cases = 0;
  for (const auto& row : read_json("procedure.json", "history")) {
    const auto baseline = row.at("baseline").get<std::vector<Numbers>>();
    const auto current = row.at("current").get<std::vector<Numbers>>();
    std::vector<HistoryCase> suite;
    for (std::size_t i = 0; i < baseline.size(); ++i) suite.push_back({baseline[i], current[i]});
    ScreenOptions options;
    options.shift = row.at("shift");
    const std::vector<Screen> screens = screen_history(suite, options);
    ASSERT_EQ(screens.size(), suite.size());
    for (std::size_t i = 0; i < screens.size(); ++i) {
      ASSERT_TRUE(screens[i].change);
      const ChangeEstimate& change = *screens[i].change;
      EXPECT_NEAR(change.effect, row.at("effect").at(i).get<double>(), 1e-12);
      EXPECT_TRUE(is_close(change.standard_error, row.at("se").at(i), tolerance));
      EXPECT_TRUE(is_close(change.df, number(row.at("df")), tolerance));
      EXPECT_NEAR(change.p, row.at("p").at(i).get<double>(), tolerance);
      EXPECT_EQ(screens[i].candidate, row.at("candidate").at(i).get<bool>());
      EXPECT_EQ(beyond_gate(change, row.at("m")), row.at("beyond_gate").at(i).get<bool>());
      ++cases;
    }
  }
  EXPECT_GT(cases, 200);
}

// Noise with mean 0 that no rounding disturbs: mirrored values.
Numbers mirrored(double centre, double half_width, std::size_t pairs) {
  Numbers values;
  for (std::size_t i = 1; i <= pairs; ++i) {
    const double step = half_width * static_cast<double>(i) / static_cast<double>(pairs);
    values.push_back(centre - step);
    values.push_back(centre + step);
  }
  return values;
}

TEST(History, CohenDIsTheEffectInSdOfTheStoredRuns) {
  const Numbers baseline{0.00, 0.01, 0.02, 0.03, 0.04};
  const Numbers current{0.10};
  const std::vector<HistoryCase> suite{{baseline, current}};
  const double sd = std::sqrt(2.5e-4);
  EXPECT_NEAR(*screen_history(suite)[0].cohen_d, 0.08 / sd, 1e-9);
}

TEST(Screen, CallsFollowEffectAndEvidence) {
  const std::vector<Numbers> baseline(2, mirrored(6, 0.004, 3));
  const auto screened = [&](double effect) { return screen_few_runs(baseline, mirrored(6 + effect, 0.004, 3)); };
  const Screen slower = screened(0.30);
  EXPECT_EQ(slower.call, Call::suspected);
  EXPECT_TRUE(slower.candidate);
  EXPECT_NEAR(slower.change->effect, 0.30, 1e-12);
  const Screen faster = screened(-0.30);
  EXPECT_EQ(faster.call, Call::inconclusive) << "a stored baseline alone is never enough for improved";
  EXPECT_TRUE(faster.candidate);
  EXPECT_TRUE(faster.reasons.contains(Reason::improvement_unconfirmed));
  const Screen same = screened(0.001);
  EXPECT_EQ(same.call, Call::equivalent);
  EXPECT_FALSE(same.candidate);

  const std::vector<Numbers> noisy(2, mirrored(6, 0.2, 3));
  const Screen lost = screen_few_runs(noisy, mirrored(6.02, 0.2, 3));
  EXPECT_EQ(lost.call, Call::inconclusive);
  EXPECT_TRUE(lost.reasons.contains(Reason::not_significant));
  EXPECT_GT(smallest_detectable_effect(*lost.change), 0.05);
}

TEST(FewRuns, OneProcessPerSideIsInconclusive) {
  const auto reason_of = [](const std::vector<Numbers>& baseline, const Numbers& current) {
    const Screen screen = screen_few_runs(baseline, current);
    EXPECT_EQ(screen.call, Call::inconclusive);
    EXPECT_FALSE(screen.change);
    EXPECT_FALSE(screen.candidate);
    return screen.reasons.list().front();
  };
  const std::vector<Numbers> fine{{6, 6.01, 6.02}};
  EXPECT_EQ(reason_of({{6}}, {6.5}), Reason::one_process);
  EXPECT_EQ(reason_of(fine, {6.5}), Reason::one_process);
  EXPECT_EQ(reason_of({{6}}, {6.5, 6.6}), Reason::one_process);
  EXPECT_EQ(reason_of({}, {6.5, 6.6}), Reason::no_values);
  EXPECT_EQ(reason_of({{}}, {6.5, 6.6}), Reason::no_values);
  EXPECT_EQ(reason_of(fine, {}), Reason::no_values);
  EXPECT_EQ(reason_of(fine, {6, not_a_number}), Reason::not_finite);
  EXPECT_EQ(reason_of({{6, infinity}}, {6, 6}), Reason::not_finite);
  EXPECT_EQ(reason_of({{-1e200, 1e200}}, {6, 6}), Reason::out_of_range);
}

TEST(FewRuns, ARunWithoutProcessesDoesNotCount) {
  const Numbers run{6, 6.01, 6.02};
  const Numbers now{6.1, 6.11, 6.13};
  const Screen one = screen_few_runs(std::vector<Numbers>{run}, now);
  const Screen padded = screen_few_runs(std::vector<Numbers>{{}, run, {}}, now);
  EXPECT_EQ(padded.baseline_runs, 1u);
  EXPECT_EQ(padded.change->standard_error, one.change->standard_error);
}

TEST(FewRuns, EqualProcessesAreJudgedOnTheRunToRunVariance) {
  const std::vector<Numbers> baseline{{6, 6, 6}};
  const Screen same = screen_few_runs(baseline, Numbers{6, 6, 6});
  ASSERT_TRUE(same.change);
  EXPECT_EQ(same.change->df, infinity);
  EXPECT_EQ(same.change->p, 1);
  EXPECT_EQ(same.call, Call::equivalent);
  EXPECT_TRUE(same.reasons.contains(Reason::no_spread));
  EXPECT_EQ(screen_few_runs(baseline, Numbers{6.5, 6.5, 6.5}).call, Call::suspected);
  ScreenOptions no_prior;
  no_prior.run_sd = 0;
  EXPECT_EQ(screen_few_runs(baseline, Numbers{6, 6, 6}, no_prior).change->p, 1);
  EXPECT_EQ(screen_few_runs(baseline, Numbers{6.5, 6.5, 6.5}, no_prior).call, Call::suspected);
}

TEST(History, CasesThatCannotBeJudgedSayWhyAndLeaveTheOthersAlone) {
  const Numbers good = mirrored(6, 0.01, 5);
  const Numbers now{6.2};
  const Numbers four{6, 6.1, 6.2, 6.3};
  const Numbers broken{6, 6, 6, 6, not_a_number};
  const Numbers huge{-1e200, 1e200, 0, 1, 2};
  const Numbers equal(6, 6.0);
  const std::vector<HistoryCase> suite{{good, now}, {four, now}, {broken, now}, {good, {}},
                                       {{}, now},   {huge, now}, {equal, now}};
  const std::vector<Screen> screens = screen_history(suite);
  ASSERT_EQ(screens.size(), suite.size());
  EXPECT_EQ(screens[0].call, Call::suspected);
  EXPECT_EQ(screens[0].change->p, screen_history(std::vector{suite[0]}).front().change->p);
  EXPECT_EQ(screens[1].reasons, Reasons{Reason::too_few_runs});
  EXPECT_EQ(screens[2].reasons, Reasons{Reason::not_finite});
  EXPECT_EQ(screens[3].reasons, Reasons{Reason::no_values});
  EXPECT_EQ(screens[4].reasons, Reasons{Reason::no_values});
  EXPECT_EQ(screens[5].reasons, Reasons{Reason::out_of_range});
  for (std::size_t i = 1; i <= 5; ++i) {
    EXPECT_EQ(screens[i].call, Call::inconclusive);
    EXPECT_FALSE(screens[i].change);
  }
  EXPECT_EQ(screens[6].call, Call::suspected) << "runs that never differ: any visible change stands out";
  EXPECT_TRUE(screens[6].reasons.contains(Reason::no_spread));
  EXPECT_TRUE(screen_history({}).empty());
}

TEST(History, OneDisturbedRunDoesNotMoveATrimmedBaseline) {
  Numbers runs = mirrored(6, 0.01, 5);
  const Numbers now{6.0};
  const std::vector<HistoryCase> clean{{runs, now}};
  const double effect = screen_history(clean).front().change->effect;
  runs.back() = 9;
  EXPECT_NEAR(screen_history(std::vector<HistoryCase>{{runs, now}}).front().change->effect, effect, 0.003);
}

TEST(ChangeEstimate, IntervalEquivalenceAndDetectableEffect) {
  const ChangeEstimate change{0.02, 0.01, 9, student_t_two_sided_p(2, 9)};
  const auto interval = effect_interval(change, 0.90);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->high, 0.02 + 1.8331129326536335 * 0.01, 1e-9);
  EXPECT_NEAR(interval->low, 0.02 - 1.8331129326536335 * 0.01, 1e-9);
  EXPECT_EQ(is_equivalent(change), interval->high < std::log(1.05) && interval->low > -std::log(1.05));
  // (t_{.975} + t_{.8}) se at 9 df
  EXPECT_NEAR(smallest_detectable_effect(change), (2.2621571627409915 + 0.8834038596855161) * 0.01, 1e-9);
  EXPECT_FALSE(effect_interval(change, 1.0));
  EXPECT_FALSE(effect_interval(change, not_a_number));
  EXPECT_TRUE(beyond_gate({0.5, 0.01, infinity, 0}, 1));
  EXPECT_FALSE(beyond_gate({0.06, 0.01, infinity, 0}, 1));
  EXPECT_TRUE(beyond_gate({0.06, 0.001, infinity, 0}, 0)) << "no cases counts as one";
  EXPECT_FALSE(beyond_gate({-0.5, 0.01, infinity, 0}, 1));
  // Two-sided 99.8 % for five cases: 3.0902 standard errors.
  EXPECT_TRUE(beyond_gate({std::log(1.05) + 0.0310, 0.01, infinity, 0}, 5));
  EXPECT_FALSE(beyond_gate({std::log(1.05) + 0.0308, 0.01, infinity, 0}, 5));
}

// Two one-sided tests at 5 % and the 90 % interval are the same decision.
TEST(ChangeEstimate, EquivalenceIsTheNinetyPercentInterval) {
  for (double effect = -0.08; effect < 0.08; effect += 0.0037) {
    for (double se : {0.001, 0.01, 0.025, 0.03, 0.05}) {
      for (double df : {1.0, 4.0, 30.0, infinity}) {
        const ChangeEstimate change{effect, se, df, 1};
        const Interval interval = *effect_interval(change, 0.90);
        EXPECT_EQ(is_equivalent(change), interval.high < std::log1p(0.05) && interval.low > -std::log1p(0.05));
      }
    }
  }
}

}  // namespace
}  // namespace torchgate::stats
