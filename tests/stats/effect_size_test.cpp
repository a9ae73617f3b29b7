// SPDX-License-Identifier: Apache-2.0
#include "stats/effect_size.hpp"

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

TEST(EffectSize, AgreesWithTheReferenceVectors) {
  for (const auto& row : read_json("vectors.json", "two_sample")) {
    SCOPED_TRACE(row.at("name").get<std::string>());
    const Numbers a = row.at("a");
    const Numbers b = row.at("b");
    EXPECT_TRUE(is_close(*cohen_d(a, b), row.at("cohen_d"), 1e-10));
  }
}

TEST(EffectSize, NeitherSideVaries) {
  EXPECT_EQ(*cohen_d(Numbers{2, 2}, Numbers{2, 2}), 0);
  EXPECT_EQ(*cohen_d(Numbers{2, 2}, Numbers{3, 3}), infinity);
  EXPECT_EQ(*cohen_d(Numbers{2, 2}, Numbers{1, 1}), -infinity);
}

TEST(EffectSize, EdgeTable) {
  const Numbers fine{1, 2, 4};
  for (const Numbers& bad : {Numbers{}, Numbers{1, not_a_number}, Numbers{1, infinity}}) {
    EXPECT_FALSE(cohen_d(bad, fine));
    EXPECT_FALSE(cohen_d(fine, bad));
  }
  EXPECT_FALSE(cohen_d(Numbers{1}, fine));
  EXPECT_FALSE(cohen_d(fine, Numbers{-1e200, 1e200}));
}

TEST(EffectWord, ChangesAtTheUsualLimits) {
  EXPECT_EQ(effect_word(0), EffectWord::negligible);
  EXPECT_EQ(effect_word(0.1999), EffectWord::negligible);
  EXPECT_EQ(effect_word(0.2), EffectWord::small);
  EXPECT_EQ(effect_word(-0.4999), EffectWord::small);
  EXPECT_EQ(effect_word(0.5), EffectWord::medium);
  EXPECT_EQ(effect_word(0.8), EffectWord::large);
  EXPECT_EQ(effect_word(-infinity), EffectWord::large);
  EXPECT_EQ(to_string(EffectWord::medium), "medium");
}

}  // namespace
}  // namespace torchgate::stats
