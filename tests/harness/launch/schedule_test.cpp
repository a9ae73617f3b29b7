// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/schedule.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "harness/launch/splitmix64.hpp"

namespace torchgate::launch {
namespace {

const std::vector<GroupSides> three_pairs = {{{0, 1}}, {{0, 1}}, {{0, 1}}};

/// "2a 2b 0b 0a | ...": group and side, rounds apart.
std::string text(const std::vector<Slot>& slots) {
  std::string result;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (i > 0) result += slots[i].round == slots[i - 1].round ? " " : " | ";
    result += std::to_string(slots[i].group) + (slots[i].side == 0 ? "a" : "b");
  }
  return result;
}

// Checked against: the first outputs of the reference implementation (prng.di.unimi.it/splitmix64.c), seed 1234567, as
// published with the Rosetta Code task "Pseudo-random numbers/Splitmix64".
TEST(SplitMix64, IsTheReferenceGenerator) {
  SplitMix64 random(1234567);
  for (const std::uint64_t expected :
       {6457827717110365317U, 3203168211198807973U, 9817491932198370423U, 4593380528125082431U, 16408922859458223821U})
    EXPECT_EQ(random.next(), expected);
}

TEST(SplitMix64, BelowIsUniformAndInRange) {
  SplitMix64 random(1);
  std::map<std::uint64_t, int> counts;
  for (int i = 0; i < 60'000; ++i) ++counts[random.below(6)];
  ASSERT_EQ(counts.size(), 6U);
  for (const auto& [value, count] : counts) {
    EXPECT_LT(value, 6U);
    EXPECT_NEAR(count, 10'000, 460);  // five standard deviations of the binomial
  }
  EXPECT_EQ(random.below(1), 0U);
}

// Checked against: schedule_oracle.py in this folder.
TEST(Schedule, IsTheSameEverywhere) {
  const auto slots = make_schedule(three_pairs, 3, 42);
  EXPECT_EQ(text(slots), "0a 0b 2b 2a 1b 1a | 1a 1b 0b 0a 2a 2b | 1b 1a 0a 0b 2b 2a");
  EXPECT_EQ(slots[0].seed, 2509415892804083U);
}

TEST(Schedule, DependsOnTheSeedOnly) {
  EXPECT_EQ(make_schedule(three_pairs, 5, 7), make_schedule(three_pairs, 5, 7));
  EXPECT_NE(make_schedule(three_pairs, 5, 7), make_schedule(three_pairs, 5, 8));
}

TEST(Schedule, EveryRoundHasEveryGroupOfEverySideOnce) {
  const auto slots = make_schedule({{{0, 1}}, {{0}}, {{1}}, {{0, 1}}}, 6, 3);
  ASSERT_EQ(slots.size(), 6U * 6U);
  for (std::size_t round = 0; round < 6; ++round) {
    std::set<std::pair<std::size_t, std::int64_t>> seen;
    for (std::size_t i = 6 * round; i < 6 * (round + 1); ++i) {
      EXPECT_EQ(slots[i].round, static_cast<std::int64_t>(round));
      seen.emplace(slots[i].group, slots[i].side);
    }
    EXPECT_EQ(seen.size(), 6U);
  }
}

TEST(Schedule, BothProcessesOfAPairAreNeighboursWithOneSeed) {
  const auto slots = make_schedule(three_pairs, 20, 11);
  for (std::size_t i = 0; i < slots.size(); i += 2) {
    EXPECT_EQ(slots[i].group, slots[i + 1].group);
    EXPECT_EQ(slots[i].pair, slots[i].round);
    EXPECT_EQ(slots[i + 1].pair, slots[i].round);
    EXPECT_NE(slots[i].side, slots[i + 1].side);
    EXPECT_EQ(slots[i].order_in_pair, 0);
    EXPECT_EQ(slots[i + 1].order_in_pair, 1);
    EXPECT_EQ(slots[i].seed, slots[i + 1].seed);
    EXPECT_LT(slots[i].seed, std::uint64_t{1} << 53);
  }
}

TEST(Schedule, OneSideHasNoPairs) {
  for (const Slot& slot : make_schedule({{{0}}, {{0}}}, 3, 5)) {
    EXPECT_EQ(slot.pair, std::nullopt);
    EXPECT_EQ(slot.order_in_pair, 0);
  }
}

TEST(Schedule, TheCoinIsFairAndFreshForEveryPair) {
  const auto slots = make_schedule(three_pairs, 2000, 17);
  std::map<std::size_t, int> first_is_before;
  int changes = 0;
  for (std::size_t i = 0; i < slots.size(); i += 2) {
    first_is_before[slots[i].group] += slots[i].side == 0;
    changes += i > 0 && slots[i].side != slots[i - 2].side;
  }
  for (const auto& [group, count] : first_is_before)
    EXPECT_NEAR(count, 1000, 112) << group;  // five standard deviations
  EXPECT_NEAR(changes, 3000, 194);
}

TEST(Schedule, GroupsComeInAFreshOrderEachRound) {
  const auto slots = make_schedule({{{0}}, {{0}}, {{0}}}, 6000, 23);
  std::map<std::string, int> orders;
  for (std::size_t i = 0; i < slots.size(); i += 3)
    ++orders[std::to_string(slots[i].group) + std::to_string(slots[i + 1].group) + std::to_string(slots[i + 2].group)];
  ASSERT_EQ(orders.size(), 6U);
  for (const auto& [order, count] : orders) EXPECT_NEAR(count, 1000, 145) << order;
}

TEST(Schedule, ASecondSideOfOneGroupChangesNothingForTheOthers) {
  const auto with = make_schedule({{{0}}, {{0, 1}}}, 10, 29);
  const auto without = make_schedule({{{0}}, {{0}}}, 10, 29);
  std::vector<Slot> of_first_with;
  std::vector<Slot> of_first_without;
  for (const Slot& slot : with)
    if (slot.group == 0) of_first_with.push_back(slot);
  for (const Slot& slot : without)
    if (slot.group == 0) of_first_without.push_back(slot);
  EXPECT_EQ(of_first_with, of_first_without);
}

TEST(Schedule, NothingToDo) {
  EXPECT_TRUE(make_schedule({}, 5, 1).empty());
  EXPECT_TRUE(make_schedule(three_pairs, 0, 1).empty());
}

}  // namespace
}  // namespace torchgate::launch
