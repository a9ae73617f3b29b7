// SPDX-License-Identifier: Apache-2.0
#include "reports/facts/fact.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "reports/facts/about_settings.hpp"

namespace torchgate::facts {
namespace {

constexpr Sentence<Count, Share> pairs_moved{"pairs_moved", "{pairs:pair|pairs} moved by {change:+.1f} %"};
constexpr Sentence<Names> lists{"lists",
                                "{names:|case|cases} {names:#is|are}: {names}; {names:2}; {names:and}; {names:+}"};
constexpr Sentence<Fact> why{"why", "not judged: {why}"};
constexpr Sentence<Facts> parts{"parts", "a{parts}; {parts:, }"};
constexpr Sentence<std::string, std::string> hidden{"hidden", "{seen}{check:-}"};

TEST(Fact, PutsItsValuesIntoItsSentence) {
  EXPECT_EQ(pairs_moved(1, 0.05), "1 pair moved by +5.0 %");
  EXPECT_EQ(pairs_moved(2400, -0.0123), "2,400 pairs moved by -1.2 %");
  EXPECT_EQ(hidden("turbo is on", "turbo"), "turbo is on");
}

TEST(Fact, ListsNamesAndFacts) {
  EXPECT_EQ(lists({"a", "b", "c"}), "3 cases are: a, b, c; a, b and 1 more; a, b and c; a+b+c");
  EXPECT_EQ(lists({"a"}), "1 case is: a; a; a; a");
  EXPECT_EQ(parts({"x", "y"}), "axy; x, y");
  EXPECT_EQ(parts({}), "a; ");
}

TEST(Fact, WordsACountWithAllItsDigits) {
  constexpr Sentence<double, double> counts{"counts", "{calls:+count} to {all:count}"};
  EXPECT_EQ(counts(1, 1000001), "+1 to 1,000,001");
  EXPECT_EQ(counts(-2400, 1.5), "-2,400 to 1.5");
}

TEST(Fact, AShareIsToldFromItsLimit) {
  constexpr Sentence<Share> change{"change", "{change:+.1f} %"};
  EXPECT_EQ(change({0.050025, 0.05}), "+5.003 %");
  EXPECT_EQ(change({0.04998, 0.05}), "+4.998 %");
  EXPECT_EQ(change({0.0496, 0.05}), "+4.96 %");
  EXPECT_EQ(change({0.05, 0.05}), "+5.0 %");
  EXPECT_EQ(change({0.05 + 1e-12, 0.05}), "+5.0 %") << "by rounding only";
  EXPECT_EQ(change({0.2, 0.05}), "+20.0 %");
  constexpr Sentence<Share> ceiling{"ceiling", "{ceiling:g} %"};
  EXPECT_EQ(ceiling({0.0999999, 0.1}), "9.99999 %");
}

TEST(Fact, AShareThatIsRoundedToZeroHasNoSign) {
  constexpr Sentence<Share> change{"change", "{change:+.1f} %"};
  EXPECT_EQ(change({-0.0004}), "0.0 %");
  EXPECT_EQ(change({0.0004}), "0.0 %");
  EXPECT_EQ(change({-0.0}), "0.0 %");
  EXPECT_EQ(change({-0.0006}), "-0.1 %");
  constexpr Sentence<Share> plain{"plain", "{change:g} %"};
  EXPECT_EQ(plain({-0.0}), "0 %");
}

TEST(Fact, WordsQuantitiesInTheirUnit) {
  EXPECT_EQ(above_budget({121.9e6, "ns"}, "100 ms"), "121.9 ms is above the budget of 100 ms");
  EXPECT_EQ(above_budget({4509715660, "bytes"}, "4 GB"), "4509715660 bytes is above the budget of 4 GB");
  EXPECT_EQ(count_of({12345678901, "1"}), "12345678901");
  EXPECT_EQ(count_of({std::numeric_limits<double>::infinity(), "bytes"}), "no count");
}

TEST(Fact, TextOfOthersIsSaid) {
  const Fact text = "it is {hot}: 100 %";
  EXPECT_TRUE(text.is(said));
  EXPECT_EQ(text, "it is {hot}: 100 %");
  EXPECT_TRUE(Fact().empty());
  EXPECT_FALSE(text.empty());
}

TEST(Fact, HasTheFactThatItIsAbout) {
  const Fact inner = pairs_moved(3, 0.1);
  EXPECT_EQ(why(inner), "not judged: 3 pairs moved by +10.0 %");
  EXPECT_EQ(why(inner).inner(), inner);
  EXPECT_EQ(inner.inner(), inner);
}

TEST(Fact, IsTheSameWithTheSameKindAndValues) {
  EXPECT_EQ(pairs_moved(3, 0.1), pairs_moved(3, 0.1));
  EXPECT_FALSE(pairs_moved(3, 0.1) == pairs_moved(3, 0.2));
  EXPECT_FALSE(Fact("3 pairs moved by +10.0 %") == pairs_moved(3, 0.1));
}

TEST(Fact, MembersAreThePlaceholdersEachOnce) {
  constexpr Members members(lists.words);
  ASSERT_EQ(members.size(), 1U);
  EXPECT_EQ(members[0], "names");
  constexpr Members of_two(hidden.words);
  EXPECT_EQ(of_two[1], "check");
  EXPECT_EQ(of_two.place_of("check"), 1U);
}

}  // namespace
}  // namespace torchgate::facts
