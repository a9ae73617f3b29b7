// SPDX-License-Identifier: Apache-2.0
#include "ci/policy/nearest_name.hpp"

#include <gtest/gtest.h>

namespace torchgate::policy {
namespace {

TEST(NearestName, CountsEdits) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u) << "two substitutions and an insertion";
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("abc", "abc"), 0u);
  EXPECT_EQ(edit_distance("abcd", "acbd"), 2u) << "a swap is two";
}

TEST(NearestName, OrdersByDistanceThenName) {
  const std::set<std::string> known{"g/one", "g/two", "g/ones", "other"};
  EXPECT_EQ(nearest_names("g/onne", known, 2), (std::vector<std::string>{"g/one", "g/ones"}));
  EXPECT_EQ(nearest_names("x", {}, 3), std::vector<std::string>{});
  EXPECT_EQ(nearest_names("g/one", known, 9).size(), 4u);
}

}  // namespace
}  // namespace torchgate::policy
