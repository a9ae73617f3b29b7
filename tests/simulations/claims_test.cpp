// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/claims.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "stats/moments.hpp"
#include "tests/simulations/claim_noise.hpp"

namespace torchgate::simulations {
namespace {

// t = mean * sqrt(5) / SD; the SD of these five is sqrt(0.005).
LogRatios with_t(double t) {
  const double mean = t * std::sqrt(0.001);
  return {mean - 0.1, mean, mean + 0.1, mean, mean};
}

std::string letters(ClaimRule rule, const std::vector<double>& ts) {
  std::vector<LogRatios> claims;
  for (const double t : ts) claims.push_back(with_t(t));
  const ClaimCalls calls = call_claims(rule, claims);
  std::string text;
  for (std::size_t i = 0; i < ts.size(); ++i) text += calls.broken[i] ? 'b' : calls.holds[i] ? 'h' : '?';
  return text;
}

// t(4) at 1 % is 3.75, at 1 % / 3 5.17, at 0.5 % 4.60.
TEST(ClaimRules, DifferInWhatSharesAlpha) {
  EXPECT_EQ(letters(ClaimRule::shared, {5.3, 4.9, -4.0}), "b??");
  EXPECT_EQ(letters(ClaimRule::shared, {-5.3, -4.9, -4.0}), "h??");
  EXPECT_EQ(letters(ClaimRule::holm, {5.3, 4.9, -4.0}), "bbh");
  EXPECT_EQ(letters(ClaimRule::holm, {4.9, -4.0, -3.7}), "?h?");
  EXPECT_EQ(letters(ClaimRule::program, {4.9, -4.0, -3.7}), "bh?");
  // All variances are alike: infinite degrees of freedom, and an SD 1.14 times theirs, since their logarithms are biased.
  EXPECT_EQ(letters(ClaimRule::moderated, {3.0, -2.7, -2.6}), "bh?") << "2.58 and 2.33 times 1.14";
  EXPECT_EQ(letters(ClaimRule::guarded, {3.0, -2.7, -2.6}), "???");
  EXPECT_EQ(letters(ClaimRule::guarded, {3.8, -3.1, -2.9}), "bh?") << "3.75 and 3.00: at twice the level";
}

TEST(ClaimNoises, AreOfUnchangedRatiosAndRepeat) {
  for (const ClaimNoise& noise : claim_noises()) {
    SCOPED_TRACE(noise.name);
    Random random({7});
    Random again({7});
    std::vector<double> means;
    for (std::size_t run = 0; run < 60; ++run) {
      const std::vector<LogRatios> claims = noise.draw(27, random);
      ASSERT_EQ(claims.size(), 27u);
      EXPECT_EQ(claims, noise.draw(27, again));
      for (const LogRatios& one : claims) means.push_back(stats::moments(one)->mean);
    }
    const stats::Moments all = *stats::moments(means);
    const double standard_error = std::sqrt(*all.variance() / (60.0 * 27.0 / 4.0));  // as if four claims were one
    EXPECT_LT(std::abs(all.mean), 4.0 * standard_error) << "the true ratio is 1";
  }
}

TEST(RecordedClaims, AreReadAndJudged) {
  std::ostringstream out;
  print_recorded_claims(out, std::string(TORCHGATE_TESTS_DIR) + "/fixtures/stats/claim_ratios.csv");
  EXPECT_NE(out.str().find("| default 1 | 26 |"), std::string::npos) << out.str();
  EXPECT_NE(out.str().find("| all as one run | 146 |"), std::string::npos);
}

}  // namespace
}  // namespace torchgate::simulations
