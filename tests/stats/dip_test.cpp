// SPDX-License-Identifier: Apache-2.0
#include "stats/dip.hpp"

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

TEST(Dip, IsTheBestThatAnyUnimodalFunctionCanDo) {
  std::size_t samples = 0;
  for (const auto& row : read_json("noise.json", "dips")) {
    EXPECT_TRUE(is_close(*dip(row.at("sorted").get<Numbers>()), row.at("dip"), 1e-9)) << row.dump();
    ++samples;
  }
  EXPECT_GT(samples, 30u);
}

TEST(Dip, DoesNotDependOnPlaceAndScale) {
  const Numbers values{0.1, 0.15, 0.2, 0.9, 1.3, 1.35, 1.4, 1.42, 3};
  Numbers moved = values;
  for (double& value : moved) value = 1e3 * value - 77;
  EXPECT_NEAR(*dip(values), *dip(moved), 1e-12);
}

TEST(Dip, EdgeTable) {
  EXPECT_FALSE(dip({}));
  EXPECT_FALSE(dip(Numbers{1, 2, 3}));
  EXPECT_DOUBLE_EQ(*dip(Numbers(10, 4.0)), 0.05) << "one mode";
  EXPECT_DOUBLE_EQ(*dip(Numbers{1, 2, 3, 4}), 0.125) << "1/(2n), evenly spread";
  Numbers heaps(100, 0.0);
  for (std::size_t i = 50; i < heaps.size(); ++i) heaps[i] = 1;
  EXPECT_DOUBLE_EQ(*dip(heaps), 0.25);
}

}  // namespace
}  // namespace torchgate::stats
