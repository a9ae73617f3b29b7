// SPDX-License-Identifier: Apache-2.0
#include "stats/claim.hpp"

#include "stats/student_t.hpp"
#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

TEST(Claim, AgreesWithThePythonReference) {
  int broken = 0;
  int held = 0;
  for (const auto& row : read_json("procedure.json", "claims")) {
    ClaimOptions options;
    options.alpha = row.at("alpha");
    const auto judged = judge_claim(row.at("reference").get<Numbers>(), row.at("optimised").get<Numbers>(),
                                    row.at("promised"), options);
    EXPECT_EQ(judged.call == ClaimCall::broken, row.at("broken").get<bool>());
    EXPECT_EQ(judged.call == ClaimCall::broken, *judged.lower > row.at("promised").get<double>());
    EXPECT_EQ(judged.call == ClaimCall::holds, *judged.upper <= row.at("promised").get<double>());
    broken += judged.call == ClaimCall::broken;
    held += judged.call == ClaimCall::holds;
  }
  EXPECT_GT(broken, 10);
  EXPECT_GT(held, 10);
}

TEST(Claim, ByHand) {
  // log ratios -0.3 -0.2 -0.1 -0.2 -0.2: mean -0.2, variance 0.02/4, se sqrt(0.005/5)
  const Numbers reference(5, 1.0);
  const Numbers optimised{0.7, 0.8, 0.9, 0.8, 0.8};
  const auto judged = judge_claim(reference, optimised, 0.9);
  const double half_width = student_t_critical(0.01, 4) * std::sqrt(0.001);
  EXPECT_NEAR(*judged.ratio, std::exp(-0.2), 1e-12);
  EXPECT_NEAR(*judged.lower, std::exp(-0.2 - half_width), 1e-12);
  EXPECT_NEAR(*judged.upper, std::exp(-0.2 + half_width), 1e-12);
  EXPECT_EQ(judged.call, ClaimCall::undecided);
  EXPECT_EQ(judged.reasons, Reasons{Reason::not_significant});
  EXPECT_EQ(judge_claim(reference, optimised, 1.0).call, ClaimCall::holds);
  EXPECT_EQ(judge_claim(reference, optimised, 0.5).call, ClaimCall::broken);
}

TEST(Claim, TheRiskIsSharedOverClaims) {
  const Numbers reference(5, 1.0);
  const Numbers optimised{0.7, 0.8, 0.9, 0.8, 0.8};
  ClaimOptions shared;
  shared.claims = 20;
  const auto judged = judge_claim(reference, optimised, 0.9, shared);
  EXPECT_NEAR(*judged.lower, std::exp(-0.2 - student_t_critical(0.0005, 4) * std::sqrt(0.001)), 1e-12);
}

TEST(Claim, EdgeTable) {
  const Numbers five{1, 1.01, 0.99, 1, 1};
  struct Row {
    Numbers reference, optimised;
    double promised;
    Reason reason;
  };
  for (const Row& row :
       {Row{{}, {}, 1, Reason::no_values}, Row{five, {1, 1}, 1, Reason::unequal_lengths},
        Row{{1, 1, 1, 1}, {1, 1.1, 1, 1}, 1, Reason::too_few_processes},
        Row{five, {1, 1, 1, 1, not_a_number}, 1, Reason::not_finite},
        Row{{infinity, 1, 1, 1, 1}, five, 1, Reason::not_finite}, Row{five, five, 0, Reason::not_positive},
        Row{five, five, -1, Reason::not_positive}, Row{five, five, not_a_number, Reason::not_positive},
        Row{{1e200, -1e200, 0, 0, 0}, five, 1, Reason::out_of_range}}) {
    const auto judged = judge_claim(row.reference, row.optimised, row.promised);
    EXPECT_EQ(judged.call, ClaimCall::undecided);
    EXPECT_EQ(judged.reasons, Reasons{row.reason}) << to_string(row.reason);
    EXPECT_FALSE(judged.lower || judged.upper);
  }
  const auto equal = judge_claim(Numbers(5, 2.0), Numbers(5, 1.0), 0.9);
  EXPECT_EQ(equal.call, ClaimCall::holds);
  EXPECT_EQ(equal.reasons, Reasons{Reason::no_spread});
  EXPECT_EQ(judge_claim(Numbers(5, 2.0), Numbers(5, 2.0), 1.0).call, ClaimCall::holds) << "exactly as promised";
  EXPECT_EQ(judge_claim(Numbers(5, 1.0), Numbers(5, 2.0), 0.9).call, ClaimCall::broken);
  const auto huge = judge_claim(Numbers(5, 0.0), Numbers(5, 1000.0), 0.9);
  EXPECT_EQ(huge.call, ClaimCall::broken);
  EXPECT_FALSE(huge.ratio) << "e^1000 does not fit a double";
  EXPECT_EQ(to_string(ClaimCall::undecided), "undecided");
}

}  // namespace
}  // namespace torchgate::stats
