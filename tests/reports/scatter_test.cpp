// SPDX-License-Identifier: Apache-2.0
#include "reports/scatter.hpp"

#include <gtest/gtest.h>

namespace torchgate::reports {
namespace {

using Lines = std::vector<std::string>;

TEST(Scatter, DrawsValuesInTheirOrder) {
  EXPECT_EQ(scatter({1, 2, 3, 2}, {}, {.width = 10, .height = 3, .unicode = false}), (Lines{"  *", " * *", "*"}));
}

TEST(Scatter, ADividerHasAColumnOfItsOwn) {
  EXPECT_EQ(scatter({1, 1, 3, 3}, {2}, {.width = 10, .height = 2, .unicode = false}), (Lines{"  |**", "**|"}));
}

TEST(Scatter, ManyValuesShareColumns) {
  std::vector<double> values(100, 0.0);
  for (std::size_t i = 50; i < 100; ++i) values[i] = 1;
  EXPECT_EQ(scatter(values, {50}, {.width = 10, .height = 3, .unicode = false}),
            (Lines{"     *****", "     |", "*****|"}));
}

TEST(Scatter, EdgeTable) {
  EXPECT_EQ(scatter({}, {}), Lines{});
  EXPECT_EQ(scatter({5}, {}, {.width = 10, .height = 3, .unicode = true}), (Lines{"", "•", ""}));
  EXPECT_EQ(scatter({5, 5}, {}, {.width = 10, .height = 0, .unicode = false}), (Lines{"", "**"}));
}

}  // namespace
}  // namespace torchgate::reports
