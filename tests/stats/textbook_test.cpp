// SPDX-License-Identifier: Apache-2.0
#include "stats/textbook.hpp"

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

Numbers times(const Numbers& values, double factor) {
  Numbers scaled = values;
  for (double& value : scaled) value *= factor;
  return scaled;
}

const Numbers steady{100, 101, 99, 100.5, 99.5, 100.2, 99.8, 100.1};

// The rule, literally, from the numbers SciPy gives for the pair.
TEST(Textbook, IsTheRuleOnTheTwentyPairs) {
  int calls[3] = {};
  for (const auto& row : read_json("welch_pairs.json", "pairs")) {
    SCOPED_TRACE(row.at("name").get<std::string>());
    const double p = row.at("p");
    const double d = row.at("d");
    const auto result = textbook(row.at("before").get<Numbers>(), row.at("after").get<Numbers>());
    EXPECT_EQ(result.call == Call::regressed, p < 0.05 && d > 0.2);
    EXPECT_EQ(result.call == Call::improved, p < 0.05 && d < -0.2);
    EXPECT_TRUE(is_close(*result.p, p, 1e-9));
    EXPECT_TRUE(is_close(*result.d, d, 1e-9));
    EXPECT_EQ(*result.word, effect_word(d));
    ++calls[result.call == Call::regressed ? 0 : result.call == Call::improved ? 1 : 2];
  }
  EXPECT_GT(calls[0], 3);
  EXPECT_GT(calls[1], 0);
  EXPECT_GT(calls[2], 3);
}

TEST(Textbook, SignificantButTooSmallAnEffect) {
  Numbers before;
  Numbers after;
  for (int i = 0; i < 4000; ++i) {
    before.push_back(100 + i % 11);
    after.push_back(100.4 + i % 11);
  }
  const auto result = textbook(before, after);
  EXPECT_LT(*result.p, 0.05);
  EXPECT_LT(*result.d, 0.2);
  EXPECT_EQ(result.call, Call::inconclusive);
  EXPECT_EQ(result.reasons, Reasons{Reason::effect_size_small});
}

TEST(Textbook, TheGateIsARatioOfMeans) {
  EXPECT_TRUE(textbook(steady, times(steady, 1.06)).beyond_gate);
  const auto below = textbook(steady, times(steady, 1.04));
  EXPECT_EQ(below.call, Call::regressed);
  EXPECT_FALSE(below.beyond_gate);
  EXPECT_NEAR(*below.ratio, 1.04, 1e-12);
  EXPECT_FALSE(textbook(steady, times(steady, 1.06), {.gate = 0.10}).beyond_gate) << "memory";
  EXPECT_FALSE(textbook(steady, times(steady, 0.5)).beyond_gate);
}

TEST(Textbook, HigherIsBetter) {
  const TextbookOptions throughput{.better = Better::higher};
  const auto slower = textbook(steady, times(steady, 0.9), throughput);
  EXPECT_EQ(slower.call, Call::regressed);
  EXPECT_TRUE(slower.beyond_gate);
  EXPECT_LT(*slower.d, 0) << "d has the sign of the difference, not of the direction that is better";
  EXPECT_EQ(textbook(steady, times(steady, 1.1), throughput).call, Call::improved);
  EXPECT_FALSE(textbook(steady, times(steady, 0.97), throughput).beyond_gate);
}

TEST(Textbook, NeitherSideVaries) {
  const auto equal = textbook(Numbers{5, 5}, Numbers{5, 5});
  EXPECT_EQ(equal.call, Call::inconclusive);
  EXPECT_EQ(*equal.p, 1);
  EXPECT_EQ(*equal.d, 0);
  EXPECT_EQ(equal.reasons, (Reasons{Reason::no_spread, Reason::not_significant}));
  const auto worse = textbook(Numbers{5, 5}, Numbers{6, 6});
  EXPECT_EQ(worse.call, Call::regressed);
  EXPECT_EQ(*worse.p, 0);
  EXPECT_EQ(*worse.d, infinity);
  EXPECT_EQ(*worse.word, EffectWord::large);
  EXPECT_TRUE(worse.beyond_gate);
  EXPECT_FALSE(worse.df);
  const auto better = textbook(Numbers{5, 5}, Numbers{4, 4});
  EXPECT_EQ(better.call, Call::improved);
  EXPECT_EQ(*better.d, -infinity);
}

TEST(Textbook, EdgeTable) {
  const auto call_of = [](const Numbers& before, const Numbers& after) { return textbook(before, after); };
  struct Row {
    Numbers bad;
    Reason reason;
  };
  for (const Row& row :
       {Row{{}, Reason::no_values}, Row{{1}, Reason::one_sample}, Row{{1, not_a_number}, Reason::not_finite},
        Row{{1, infinity}, Reason::not_finite}, Row{{-1e200, 1e200}, Reason::out_of_range}}) {
    for (const auto& result : {call_of(row.bad, steady), call_of(steady, row.bad)}) {
      EXPECT_EQ(result.call, Call::inconclusive);
      EXPECT_EQ(result.reasons, Reasons{row.reason}) << to_string(row.reason);
      EXPECT_FALSE(result.p || result.d || result.t || result.df || result.word);
      EXPECT_FALSE(result.beyond_gate);
    }
  }
  const auto negative = textbook(Numbers{-5, -6, -5.5}, Numbers{-1, -1.5, -2});
  EXPECT_EQ(negative.call, Call::regressed);
  EXPECT_FALSE(negative.ratio) << "a ratio of negative means is undefined";
  EXPECT_TRUE(negative.beyond_gate) << "4 worse, and 5 % of 5.5 is less";
  const auto from_nothing = textbook(Numbers{0, 0, 0, 0}, Numbers{1, 2, 3, 2});
  EXPECT_EQ(from_nothing.call, Call::regressed);
  EXPECT_FALSE(from_nothing.ratio);
  EXPECT_TRUE(from_nothing.beyond_gate);
}

}  // namespace
}  // namespace torchgate::stats
