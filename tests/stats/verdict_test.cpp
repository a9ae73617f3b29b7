// SPDX-License-Identifier: Apache-2.0
#include "stats/verdict.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <vector>

namespace torchgate::stats {
namespace {

TEST(Verdict, EveryReasonHasItsOwnNameAndSentence) {
  std::set<std::string_view> names;
  std::set<std::string_view> sentences;
  const auto last = static_cast<unsigned>(Reason::measures_disagree);
  for (unsigned i = 0; i <= last; ++i) {
    names.insert(to_string(static_cast<Reason>(i)));
    sentences.insert(describe(static_cast<Reason>(i)));
  }
  EXPECT_EQ(names.size(), last + 1);
  EXPECT_EQ(sentences.size(), last + 1);
  EXPECT_EQ(to_string(Reason::one_process), "one_process");
  EXPECT_EQ(to_string(Reason::pairs_exhausted), "pairs_exhausted");
  EXPECT_EQ(describe(Reason::one_process), "1 process: no between-process variance");
}

TEST(Verdict, CallsAreNamedAsInTheReport) {
  EXPECT_EQ(to_string(Call::regressed), "regressed");
  EXPECT_EQ(to_string(Call::suspected), "suspected");
  EXPECT_EQ(to_string(Call::improved), "improved");
  EXPECT_EQ(to_string(Call::equivalent), "equivalent");
  EXPECT_EQ(to_string(Call::inconclusive), "inconclusive");
}

TEST(Reasons, AreListedInOrderOfWeightWithoutDuplicates) {
  Reasons reasons;
  EXPECT_TRUE(reasons.empty());
  reasons.add(Reason::not_significant);
  reasons.add(Reason::one_process);
  reasons.add(Reason::not_significant);
  EXPECT_EQ(reasons.list(), (std::vector{Reason::one_process, Reason::not_significant}));
  EXPECT_TRUE(reasons.contains(Reason::one_process));
  EXPECT_FALSE(reasons.contains(Reason::no_values));
  reasons.add(Reasons{Reason::no_values});
  EXPECT_EQ(reasons, (Reasons{Reason::not_significant, Reason::no_values, Reason::one_process}));
}

}  // namespace
}  // namespace torchgate::stats
