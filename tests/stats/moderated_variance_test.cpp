// SPDX-License-Identifier: Apache-2.0
#include "stats/moderated_variance.hpp"

#include <numbers>

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

TEST(ModeratedVariance, AgreesWithThePythonReference) {
  int infinite = 0;
  for (const auto& row : read_json("procedure.json", "moderation")) {
    std::vector<Variance> cases;
    const double df = row.at("df");
    for (double s2 : row.at("s2").get<Numbers>()) cases.push_back({s2, df});
    const ModeratedVariances got = moderate(cases);
    const double d0 = number(row.at("d0"));
    infinite += std::isinf(d0);
    EXPECT_TRUE(is_close(got.prior_df, d0, 1e-8));
    EXPECT_TRUE(is_close(got.prior_s2, row.at("s02"), 1e-8));
    ASSERT_EQ(got.cases.size(), cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
      EXPECT_TRUE(is_close(got.cases[i].s2, row.at("post").at(i), 1e-8));
      EXPECT_TRUE(is_close(got.cases[i].df, df + d0, 1e-8));
    }
  }
  EXPECT_GT(infinite, 0) << "the branch without a finite prior df must be among the inputs";
}

TEST(ModeratedVariance, TrigammaInverse) {
  constexpr double pi = std::numbers::pi;
  EXPECT_TRUE(is_close(trigamma_inverse(pi * pi / 6), 1, 1e-12));      // trigamma(1)
  EXPECT_TRUE(is_close(trigamma_inverse(pi * pi / 2), 0.5, 1e-12));    // trigamma(1/2)
  EXPECT_TRUE(is_close(trigamma_inverse(pi * pi / 6 - 1), 2, 1e-12));  // trigamma(2)
  EXPECT_TRUE(is_close(trigamma_inverse(1e-9), 1e9, 1e-8));            // trigamma(y) -> 1/y
  EXPECT_TRUE(is_close(trigamma_inverse(1e8), 1e-4, 1e-8));            // trigamma(y) -> 1/y^2
}

TEST(ModeratedVariance, CasesWithDifferentDegreesOfFreedom) {
  // Equal variances everywhere: nothing beyond chance, one common variance, whatever df each has.
  std::vector<Variance> cases;
  for (int i = 0; i < 12; ++i) cases.push_back({1e-4, i % 2 == 0 ? 4.0 : 9.0});
  const ModeratedVariances got = moderate(cases);
  EXPECT_EQ(got.prior_df, infinity);
  for (const Variance& one : got.cases) EXPECT_EQ(one.s2, got.prior_s2);
}

TEST(ModeratedVariance, ZeroIsRaisedToTheResolution) {
  std::vector<Variance> cases(12, {0.0, 4.0});
  const ModeratedVariances got = moderate(cases);
  for (const Variance& one : got.cases) {
    EXPECT_TRUE(std::isfinite(one.s2));
    EXPECT_GE(one.s2, smallest_log_variance);
  }
}

}  // namespace
}  // namespace torchgate::stats
