// SPDX-License-Identifier: Apache-2.0
#include "stats/welch.hpp"

#include "stats/effect_size.hpp"
#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

// tests/oracles/stats/make_welch_vectors.py: t, df and p by SciPy, d in rational arithmetic.
TEST(Welch, TwentyPairsAgreeWithSciPy) {
  int pairs = 0;
  for (const auto& row : read_json("welch_pairs.json", "pairs")) {
    SCOPED_TRACE(row.at("name").get<std::string>());
    const Numbers before = row.at("before");
    const Numbers after = row.at("after");
    const auto result = welch(before, after);
    ASSERT_TRUE(result && result->df);
    EXPECT_TRUE(is_close(result->t, row.at("t"), 1e-9));
    EXPECT_TRUE(is_close(*result->df, row.at("df"), 1e-9));
    EXPECT_TRUE(is_close(result->p, row.at("p"), 1e-9));
    EXPECT_TRUE(is_close(*cohen_d(before, after), row.at("d"), 1e-9));
    ++pairs;
  }
  EXPECT_EQ(pairs, 20);
}

TEST(Welch, AgreesWithR) {
  for (const auto& row : read_json("vectors.json", "two_sample")) {
    SCOPED_TRACE(row.at("name").get<std::string>());
    const auto result = welch(row.at("a").get<Numbers>(), row.at("b").get<Numbers>());
    ASSERT_TRUE(result && result->df);
    const auto& r = row.at("R").at("welch_t_df_p");
    EXPECT_TRUE(is_close(result->t, r.at(0), 1e-10));
    EXPECT_TRUE(is_close(*result->df, r.at(1), 1e-10));
    EXPECT_TRUE(is_close(result->p, r.at(2), 1e-10));
    EXPECT_DOUBLE_EQ(result->difference / result->standard_error, result->t);
  }
}

TEST(Welch, ByHand) {
  // means 2 and 4, variances 1 and 4, n = 3: a = 1/3, b = 4/3; t = 2/sqrt(5/3); df = (5/3)^2 / ((1/9)/2 + (16/9)/2) = 50/17
  const auto result = welch(Numbers{1, 2, 3}, Numbers{2, 4, 6});
  ASSERT_TRUE(result);
  EXPECT_DOUBLE_EQ(result->t, 2 / std::sqrt(5.0 / 3.0));
  EXPECT_DOUBLE_EQ(*result->df, 50.0 / 17.0);
}

TEST(Welch, NeitherSideVaries) {
  const auto equal = welch(Numbers{5, 5}, Numbers{5, 5, 5});
  ASSERT_TRUE(equal);
  EXPECT_EQ(equal->p, 1);
  EXPECT_EQ(equal->t, 0);
  EXPECT_FALSE(equal->df);
  const auto lower = welch(Numbers{5, 5}, Numbers{4, 4});
  ASSERT_TRUE(lower);
  EXPECT_EQ(lower->p, 0);
  EXPECT_EQ(lower->t, -infinity);
  EXPECT_EQ(lower->difference, -1);
}

TEST(Welch, EdgeTable) {
  const Numbers fine{1, 2, 3};
  for (const Numbers& bad :
       {Numbers{}, Numbers{1}, Numbers{1, not_a_number}, Numbers{1, infinity}, Numbers{-1e200, 1e200}}) {
    EXPECT_FALSE(welch(bad, fine));
    EXPECT_FALSE(welch(fine, bad));
  }
  const auto tiny = welch(Numbers{1e-170, 2e-170}, Numbers{3e-170, 4e-170});
  ASSERT_TRUE(tiny) << "variances underflow to 0: the means decide";
  EXPECT_TRUE(std::isfinite(tiny->p));
  const auto ulp = welch(Numbers{1.0, 1.0, std::nextafter(1.0, 2.0)}, Numbers{1.0, 1.0, 1.0});
  ASSERT_TRUE(ulp);
  EXPECT_GT(ulp->p, 0.05);
}

TEST(Satterthwaite, AKnownPartAddsNoUncertainty) {
  EXPECT_DOUBLE_EQ(*satterthwaite_df(1, 5, 0, 9), 4);
  EXPECT_DOUBLE_EQ(*satterthwaite_df(1, 5, 1, 5), 8);
  EXPECT_DOUBLE_EQ(*satterthwaite_df(1, 5, 1, 5, 2), 32);  // (4)^2 / (1/4 + 1/4)
  EXPECT_EQ(*satterthwaite_df(0, 5, 0, 5, 1), infinity);
  EXPECT_FALSE(satterthwaite_df(0, 5, 0, 5));
}

}  // namespace
}  // namespace torchgate::stats
