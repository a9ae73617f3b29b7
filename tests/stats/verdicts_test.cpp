// SPDX-License-Identifier: Apache-2.0
// Verdicts on more than 10,000 drawn inputs, against the Python reference (tests/oracles/stats/make_verdicts.py). Where a
// quantity lies within 1e-9 of the limit it is compared with, the fixture lists the input and the verdicts may differ.
#include <algorithm>
#include <iostream>
#include <string>

#include "stats/claim.hpp"
#include "stats/interleaved.hpp"
#include "stats/screen.hpp"
#include "tests/stats/drawn_inputs.hpp"
#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

constexpr double p_digits = 1e-6;  // the fixture rounds to seven digits

class Verdicts : public ::testing::Test {
 protected:
  // One verdict of part `part` of the fixture.
  void compare(const std::string& part, std::size_t index, char got, char want) {
    ++compared_;
    if (got == want) return;
    const std::vector<std::size_t> near = fixture_.at(part).at("near");
    const bool listed = std::find(near.begin(), near.end(), index) != near.end();
    std::cout << part << ' ' << index << ": reference " << want << ", ours " << got
              << (listed ? ", within 1e-9 of a limit\n" : "\n");
    EXPECT_TRUE(listed) << part << ' ' << index << ": reference " << want << ", ours " << got;
  }

  void tell(const std::string& part) {
    std::cout << part << ": " << compared_ << " verdicts compared, " << fixture_.at(part).at("near").size()
              << " inputs within 1e-9 of a limit\n";
    RecordProperty("compared", static_cast<int>(compared_));
  }

  const nlohmann::json fixture_ = read_json("verdicts.json");
  const Choices choices_{fixture_};
  std::size_t compared_ = 0;
};

// 0-3: a candidate, and 2 more when all of its interval lies beyond the gate.
char flags_of(const Screen& screen, std::size_t family) {
  return static_cast<char>('0' + (screen.candidate ? 1 : 0) + (beyond_gate(*screen.change, family) ? 2 : 0));
}

TEST_F(Verdicts, FewStoredRuns) {
  const nlohmann::json& part = fixture_.at("few");
  const std::string flags = part.at("flags");
  const Numbers p = part.at("p");
  for (std::size_t i = 0; i < flags.size(); ++i) {
    Draw draw(part.at("seed").get<std::uint64_t>() + i);
    const std::uint64_t kind = draw.below(3);
    const std::int64_t scale = draw.pick(choices_.scales);
    const std::int64_t run_scale = draw.pick(std::vector(choices_.scales.begin(), choices_.scales.begin() + 4));
    const std::int64_t effect = draw.pick(choices_.effects);
    const std::uint64_t runs = 1 + draw.below(4);
    std::vector<Numbers> baseline;
    for (std::uint64_t k = 0; k < runs; ++k) {
      const std::int64_t level = Draw::centre + draw.noise() * run_scale;
      const std::uint64_t processes = (k > 0 ? 1 : 2) + draw.below(7);
      baseline.push_back(real(draw.whole_values(processes, level, kind, scale, choices_.mode)));
    }
    const std::uint64_t processes = 2 + draw.below(7);
    const std::int64_t level = Draw::centre + draw.noise() * run_scale + effect;
    const Numbers current = real(draw.whole_values(processes, level, kind, scale, choices_.mode));
    ScreenOptions options;
    options.run_sd = draw.pick(choices_.run_sds);
    options.candidate_p = choices_.candidate_p;
    const std::size_t family = draw.pick(choices_.families);
    const Screen screen = screen_few_runs(baseline, current, options);
    ASSERT_TRUE(screen.change);
    EXPECT_TRUE(is_close(screen.change->p, p[i], p_digits)) << i;
    compare("few", i, flags_of(screen, family), flags[i]);
  }
  tell("few");
  EXPECT_GE(compared_, 3000u);
}

TEST_F(Verdicts, StoredHistory) {
  const nlohmann::json& part = fixture_.at("history");
  const std::string flags = part.at("flags");
  const Numbers p = part.at("p");
  std::size_t at = 0;
  for (std::size_t i = 0; i < part.at("suites").get<std::size_t>(); ++i) {
    Draw draw(part.at("seed").get<std::uint64_t>() + i);
    const std::size_t cases = draw.pick(choices_.suites);
    const std::uint64_t runs = 5 + draw.below(16);
    const std::uint64_t now = 1 + draw.below(3);
    const std::uint64_t kind = draw.below(3);
    std::vector<Numbers> before;
    std::vector<Numbers> after;
    for (std::size_t j = 0; j < cases; ++j) {
      const std::int64_t scale = draw.pick(choices_.scales);
      const std::int64_t effect = draw.pick(choices_.effects);
      before.push_back(real(draw.whole_values(runs, Draw::centre, kind, scale, choices_.mode)));
      after.push_back(real(draw.whole_values(now, Draw::centre + effect, kind, scale, choices_.mode)));
    }
    ScreenOptions options;
    options.shift = static_cast<double>(draw.pick(choices_.shifts)) * Draw::unit;
    options.candidate_p = choices_.candidate_p;
    const std::size_t family = draw.pick(choices_.families);
    std::vector<HistoryCase> suite;
    for (std::size_t j = 0; j < cases; ++j) suite.push_back({before[j], after[j]});
    for (const Screen& screen : screen_history(suite, options)) {
      ASSERT_TRUE(screen.change);
      ASSERT_LT(at, flags.size());
      EXPECT_TRUE(is_close(screen.change->p, p[at], p_digits)) << at;
      compare("history", at, flags_of(screen, family), flags[at]);
      ++at;
    }
  }
  tell("history");
  EXPECT_EQ(at, flags.size());
  EXPECT_GE(compared_, 2000u);
}

char letter(Call call) {
  switch (call) {
    case Call::regressed:
      return 'r';
    case Call::improved:
      return 'i';
    case Call::equivalent:
      return 'e';
    default:
      return '?';
  }
}

TEST_F(Verdicts, InterleavedPairs) {
  const nlohmann::json& part = fixture_.at("interleaved");
  const std::string verdicts = part.at("verdicts");
  const std::vector<std::size_t> pairs = part.at("pairs");
  const Numbers effects = part.at("effect");
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    Draw draw(part.at("seed").get<std::uint64_t>() + i);
    const std::size_t n = draw.pick(choices_.pairs);
    InterleavedOptions options;
    options.family = draw.pick(choices_.families);
    const std::uint64_t kind = draw.below(3);
    const std::int64_t scale = draw.pick(choices_.scales);
    const std::int64_t effect = draw.pick(choices_.effects);
    std::vector<std::int64_t> differences;
    for (std::size_t k = 0; k < n; ++k) {
      const std::int64_t after = draw.value(kind, scale, choices_.mode);
      differences.push_back(effect + after - draw.value(kind, scale, choices_.mode));
    }
    options.no_harm_level = draw.pick(choices_.no_harm);
    options.alpha_share = draw.pick(choices_.alpha_shares);
    const InterleavedJudgement judged = judge_interleaved(real(differences), options);
    const std::size_t before = compared_;
    compare("interleaved", i, letter(judged.call), verdicts[i]);
    if (letter(judged.call) != verdicts[i]) continue;
    EXPECT_EQ(judged.pairs, pairs[i]) << i;
    EXPECT_NEAR(*judged.effect, effects[i], 1e-6 * std::abs(effects[i]) + 1e-12) << i;
    EXPECT_EQ(compared_, before + 1);
  }
  tell("interleaved");
  EXPECT_GE(compared_, 4000u);
}

TEST_F(Verdicts, Claims) {
  const nlohmann::json& part = fixture_.at("claims");
  const std::string broken = part.at("broken");
  for (std::size_t i = 0; i < broken.size(); ++i) {
    Draw draw(part.at("seed").get<std::uint64_t>() + i);
    const std::uint64_t n = 5 + draw.below(8);
    const std::uint64_t kind = draw.below(3);
    const std::int64_t scale = draw.pick(choices_.scales);
    const std::int64_t ratio = draw.pick(choices_.ratios);
    const Numbers reference = real(draw.whole_values(n, Draw::centre, kind, scale, choices_.mode));
    const Numbers optimised = real(draw.whole_values(n, Draw::centre + ratio, kind, scale, choices_.mode));
    const double promised = draw.pick(choices_.promises);
    ClaimOptions options;
    options.alpha = draw.pick(choices_.alphas);
    const ClaimJudgement judged = judge_claim(reference, optimised, promised, options);
    compare("claims", i, judged.call == ClaimCall::broken ? '1' : '0', broken[i]);
  }
  tell("claims");
  EXPECT_GE(compared_, 1500u);
}

char letter(ClaimCall call) {
  return call == ClaimCall::broken ? 'b' : call == ClaimCall::holds ? 'h' : '?';
}

TEST_F(Verdicts, FamiliesOfClaims) {
  struct Values {
    Numbers reference, optimised;
  };
  const nlohmann::json& part = fixture_.at("claim_families");
  const std::vector<std::string> calls = part.at("calls");
  const std::vector<std::size_t> sizes = part.at("sizes");
  for (std::size_t i = 0; i < calls.size(); ++i) {
    Draw draw(part.at("seed").get<std::uint64_t>() + i);
    ClaimOptions options;
    options.alpha = draw.pick(choices_.alphas);
    std::vector<Values> values(draw.pick(sizes));
    std::vector<ClaimSample> claims;
    for (Values& one : values) {
      const std::uint64_t n = 4 + draw.below(8);
      const std::uint64_t kind = draw.below(3);
      const std::int64_t scale = draw.pick(choices_.scales);
      const std::int64_t ratio = draw.pick(choices_.ratios);
      one.reference = real(draw.whole_values(n, Draw::centre, kind, scale, choices_.mode));
      one.optimised = real(draw.whole_values(n, Draw::centre + ratio, kind, scale, choices_.mode));
      claims.push_back({one.reference, one.optimised, draw.pick(choices_.promises)});
    }
    double lower = 0.0;  // sums of the logarithms of all bounds
    double upper = 0.0;
    const std::vector<ClaimJudgement> judged = judge_claims(claims, options);
    ASSERT_EQ(judged.size(), calls[i].size());
    for (std::size_t k = 0; k < judged.size(); ++k) {
      compare("claim_families", i, letter(judged[k].call), calls[i][k]);
      if (!judged[k].lower || !judged[k].upper) continue;
      lower += std::log(*judged[k].lower);
      upper += std::log(*judged[k].upper);
    }
    EXPECT_NEAR(lower, part.at("lower").at(i), 1e-6 * std::abs(lower) + 1e-9) << i;
    EXPECT_NEAR(upper, part.at("upper").at(i), 1e-6 * std::abs(upper) + 1e-9) << i;
  }
  tell("claim_families");
  EXPECT_GE(compared_, 2800u);
}

}  // namespace
}  // namespace torchgate::stats
