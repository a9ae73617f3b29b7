// SPDX-License-Identifier: Apache-2.0
#include "harness/base/some_of.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace torchgate::base {
namespace {

TEST(SomeOf, NamesTheFirstAndCountsTheOthers) {
  const std::vector<std::string> names{"a", "b", "c", "d"};
  EXPECT_EQ(some_of(names, 3), "a, b, c and 1 more");
  EXPECT_EQ(some_of(names, 4), "a, b, c, d");
  EXPECT_EQ(some_of(std::set<std::string>{"b", "a"}, 1), "a and 1 more");
  EXPECT_EQ(some_of(std::vector<std::string>{}, 3), "");
  EXPECT_EQ(some_of(std::vector<std::string>(2000, "a"), 1), "a and 1,999 more");
}

}  // namespace
}  // namespace torchgate::base
