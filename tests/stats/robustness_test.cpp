// SPDX-License-Identifier: Apache-2.0
// Every public function of stats on every combination of nasty samples: a stated answer, no exception, and no NaN in it.
#include <gtest/gtest.h>

#include <random>

#include "stats/change_point.hpp"
#include "stats/claim.hpp"
#include "stats/hodges_lehmann.hpp"
#include "stats/interleaved.hpp"
#include "stats/mann_whitney.hpp"
#include "stats/mser.hpp"
#include "stats/multiplicity.hpp"
#include "stats/quantile.hpp"
#include "stats/run_value.hpp"
#include "stats/screen.hpp"
#include "stats/signed_rank.hpp"
#include "stats/summary.hpp"
#include "stats/textbook.hpp"
#include "stats/watch.hpp"
#include "stats/welch.hpp"
#include "stats/yuen.hpp"
#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

std::vector<Numbers> nasty_samples() {
  const double next = std::nextafter(1.0, 2.0);
  std::vector<Numbers> samples{{},
                               {0},
                               {1},
                               {-1},
                               {not_a_number},
                               {infinity},
                               {1, not_a_number, 3},
                               {1, -infinity, 3},
                               {0, 0},
                               {0, 0, 0, 0, 0, 0, 0, 0},
                               {-0.0, 0.0, -0.0, 0.0, 0.0, 0.0},
                               Numbers(60, 0.1),
                               {1, next, 1, next, 1, next, 1, next},
                               {5e-324, 0, 5e-324, 1e-323, 0, 0, 0, 5e-324},
                               {1e-170, 2e-170, 3e-170, 4e-170, 5e-170, 6e-170},
                               {1e153, 2e153, 3e153, -4e153, 5e153, 6e153},
                               {1.7e308, 1.7e308, 1.7e308, -1.7e308, 1e308, 1e308},
                               {1.7e308, -1.7e308},
                               {700, 701, 702, 703, -704, 705},
                               {1e15, 1e15 + 1, 1e15, 1e15 - 1, 1e15, 1e15}};
  std::mt19937_64 random(1);
  for (std::size_t n : {2u, 7u, 47u, 51u, 70u}) {
    Numbers wild(n);
    for (double& value : wild) {
      value = std::ldexp(static_cast<double>(random() % 2000) - 1000, static_cast<int>(random() % 1800) - 900);
    }
    samples.push_back(wild);
  }
  return samples;
}

void expect_number(double value, const char* what) {
  EXPECT_FALSE(std::isnan(value)) << what;
}
void expect_number(const std::optional<double>& value, const char* what) {
  if (value) expect_number(*value, what);
}
void expect_finite(const std::optional<double>& value, const char* what) {
  if (value) {
    EXPECT_TRUE(std::isfinite(*value)) << what;
  }
}
void expect_interval(const std::optional<Interval>& interval, const char* what) {
  if (!interval) return;
  EXPECT_TRUE(std::isfinite(interval->low) && std::isfinite(interval->high)) << what;
  EXPECT_LE(interval->low, interval->high) << what;
  EXPECT_TRUE(interval->level > 0 && interval->level <= 1) << what;
}
void expect_probability(const std::optional<double>& p, const char* what) {
  if (p) {
    EXPECT_TRUE(*p >= 0 && *p <= 1) << what << " " << *p;
  }
}

TEST(Robustness, OneSample) {
  for (const Numbers& x : nasty_samples()) {
    SCOPED_TRACE(::testing::PrintToString(x));
    if (const auto s = summarize(x)) {
      for (double value : {s->mean, s->min, s->p25, s->median, s->p75, s->p95, s->p99, s->max, s->mad}) {
        expect_number(value, "summary");
      }
      expect_finite(s->sd, "sd");
      expect_finite(s->lag1, "lag1");
    }
    expect_finite(quantile(x, 0.3), "quantile");
    expect_finite(hodges_lehmann(x), "Hodges-Lehmann");
    expect_finite(run_value(x), "run value");
    if (const auto test = signed_rank(x)) expect_probability(test->p, "signed rank");
    expect_interval(signed_rank_interval(x, 0.9), "signed rank");
    if (const auto mean = trimmed_mean(x)) expect_interval(trimmed_interval(*mean), "trimmed mean");
    if (const auto cut = mser5(x)) {
      EXPECT_LE(cut->discard, x.size() / 2);
    }
    (void)benjamini_hochberg(x);
  }
}

TEST(Robustness, AHistory) {
  for (const Numbers& x : nasty_samples()) {
    SCOPED_TRACE(::testing::PrintToString(x));
    const ChangePoints found = find_change_points(x, {0.05, 0.0});
    EXPECT_EQ(found.searched, found.reasons.empty());
    for (const ChangePoint& point : found.points) {
      EXPECT_TRUE(point.index >= 4 && point.index + 4 <= x.size());
      EXPECT_TRUE(std::isfinite(point.before) && std::isfinite(point.after));
      expect_probability(point.p, "change point");
    }
    const Watch watched = watch_level(x);
    EXPECT_EQ(watched.states.empty(), !watched.reasons.empty());
    for (const WatchState& state : watched.states) {
      EXPECT_TRUE(std::isfinite(state.sds_above) && std::isfinite(state.ewma_above) && std::isfinite(state.ewma_limit));
    }
  }
}

void expect_stated(const PairJudgement& judged) {
  EXPECT_TRUE(judged.effect || !judged.reasons.empty());
  EXPECT_NE(judged.call, Call::suspected);
  if (judged.call == Call::inconclusive) {
    EXPECT_FALSE(judged.reasons.empty());
  }
  expect_finite(judged.effect, "effect");
  expect_probability(judged.p, "p");
  expect_interval(judged.interval, "interval");
  expect_interval(judged.trimmed, "trimmed");
  expect_finite(judged.pair_sd, "pair sd");
  expect_number(judged.cohen_d, "d");
  expect_finite(judged.smallest_detectable, "smallest detectable");
}

TEST(Robustness, Pairs) {
  for (const Numbers& x : nasty_samples()) {
    for (std::size_t family : {std::size_t{0}, std::size_t{1}, std::size_t{1'000'000}}) {
      SCOPED_TRACE(::testing::PrintToString(x));
      InterleavedOptions options;
      options.family = family;
      expect_stated(judge_pairs(x, options));
      expect_stated(judge_interleaved(x, options));
    }
  }
}

void expect_stated(const Screen& screen) {
  if (screen.call == Call::inconclusive) {
    EXPECT_FALSE(screen.reasons.empty());
  }
  expect_number(screen.cohen_d, "d");
  if (!screen.change) {
    EXPECT_EQ(screen.call, Call::inconclusive);
    EXPECT_FALSE(screen.candidate);
    return;
  }
  expect_finite(screen.change->effect, "effect");
  expect_finite(screen.change->standard_error, "standard error");
  EXPECT_GT(screen.change->standard_error, 0);
  EXPECT_GT(screen.change->df, 0);
  expect_probability(screen.change->p, "p");
  expect_interval(effect_interval(*screen.change, 0.99), "effect");
}

TEST(Robustness, TwoSamples) {
  const std::vector<Numbers> samples = nasty_samples();
  for (const Numbers& x : samples) {
    for (const Numbers& y : samples) {
      SCOPED_TRACE(::testing::PrintToString(x) + " against " + ::testing::PrintToString(y));
      if (const auto test = welch(x, y)) {
        expect_number(test->t, "t");
        expect_number(test->df, "df");
        expect_probability(test->p, "p");
      }
      const Textbook rule = textbook(x, y);
      EXPECT_TRUE(rule.call != Call::inconclusive || !rule.reasons.empty());
      expect_probability(rule.p, "p");
      expect_number(rule.d, "d");
      expect_finite(rule.ratio, "ratio");
      if (const auto test = mann_whitney(x, y)) expect_probability(test->p, "Mann-Whitney");
      const std::vector<ClaimSample> claims{{x, y, 0.9}, {y, x, 0.9}, {x, x, 1.1}, {y, y, 0.5}};
      const ClaimJudgement claim = judge_claims(claims).front();
      expect_finite(claim.ratio, "claimed ratio");
      expect_finite(claim.lower, "lower bound");
      expect_finite(claim.upper, "upper bound");
      EXPECT_TRUE(claim.call != ClaimCall::undecided || !claim.reasons.empty());
      expect_stated(screen_few_runs(std::vector<Numbers>{x}, y));
      expect_stated(screen_few_runs(std::vector<Numbers>{x, y}, x));
    }
  }
}

TEST(Robustness, AWholeSuite) {
  const std::vector<Numbers> samples = nasty_samples();
  std::vector<HistoryCase> suite;
  for (const Numbers& x : samples) {
    for (const Numbers& y : samples) suite.push_back({x, y});
  }
  const std::vector<Screen> screens = screen_history(suite);
  ASSERT_EQ(screens.size(), suite.size());
  for (const Screen& screen : screens) expect_stated(screen);
}

}  // namespace
}  // namespace torchgate::stats
