// SPDX-License-Identifier: Apache-2.0
#include "stats/anova.hpp"

#include "stats/effect_size.hpp"
#include "stats/student_t.hpp"
#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;
using Groups = std::vector<Numbers>;

TEST(Anova, ByHand) {
  // Means 2, 3, 7 about 4; between 3 (4 + 1 + 9) = 42 on 2 df, within 2 + 2 + 2 = 6 on 6: F = 21.
  const auto got = one_way_anova(Groups{{1, 2, 3}, {2, 3, 4}, {6, 7, 8}});
  ASSERT_TRUE(got);
  EXPECT_DOUBLE_EQ(got->ss_between, 42);
  EXPECT_DOUBLE_EQ(got->ss_within, 6);
  EXPECT_EQ(got->df_between, 2);
  EXPECT_EQ(got->df_within, 6);
  EXPECT_DOUBLE_EQ(got->f, 21);
  // With 2 and d degrees of freedom P(F > f) = (1 + 2f/d)^(-d/2).
  EXPECT_TRUE(is_close(got->p, std::pow(1 + 2 * 21.0 / 6, -3), 1e-12));
}

TEST(Anova, OfTwoGroupsIsThePooledTTest) {
  const Numbers a{5, 7, 6.5, 9, 4};
  const Numbers b{8, 7.5, 11, 10};
  const auto got = one_way_anova(Groups{a, b});
  ASSERT_TRUE(got);
  const double t = *cohen_d(a, b) / std::sqrt(1.0 / 5 + 1.0 / 4);
  EXPECT_TRUE(is_close(got->f, t * t, 1e-12));
  EXPECT_TRUE(is_close(got->p, student_t_two_sided_p(t, 7), 1e-12));
}

TEST(Anova, EdgeTable) {
  EXPECT_FALSE(one_way_anova({}));
  EXPECT_FALSE(one_way_anova(Groups{{1, 2}}));
  EXPECT_FALSE(one_way_anova(Groups{{}, {1, 2}}));
  EXPECT_FALSE(one_way_anova(Groups{{1, 2}, {}}));
  EXPECT_FALSE(one_way_anova(Groups{{1}, {2}})) << "nothing to estimate the spread from";
  EXPECT_FALSE(one_way_anova(Groups{{1, 2}, {3, not_a_number}}));
  EXPECT_FALSE(one_way_anova(Groups{{infinity, 2}, {3, 4}}));
  EXPECT_FALSE(one_way_anova(Groups{{1e200, -1e200}, {3, 4}}));
  const auto equal = one_way_anova(Groups{{2, 2}, {2, 2}});
  ASSERT_TRUE(equal);
  EXPECT_EQ(equal->f, 0);
  EXPECT_EQ(equal->p, 1);
  const auto apart = one_way_anova(Groups{{2, 2}, {3, 3}});
  ASSERT_TRUE(apart);
  EXPECT_EQ(apart->f, infinity);
  EXPECT_EQ(apart->p, 0);
}

}  // namespace
}  // namespace torchgate::stats
