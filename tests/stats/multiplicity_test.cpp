// SPDX-License-Identifier: Apache-2.0
#include "stats/multiplicity.hpp"

#include <algorithm>

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

TEST(Multiplicity, AgreesWithStatsmodelsInAnyOrder) {
  const auto reference = read_json("vectors.json", "multiplicity");
  Numbers p = reference.at("p");
  for (const bool reversed : {false, true}) {
    if (reversed) std::reverse(p.begin(), p.end());
    for (const bool family_wise : {false, true}) {
      Numbers want = reference.at(family_wise ? "holm" : "bh");
      if (reversed) std::reverse(want.begin(), want.end());
      const auto got = family_wise ? holm(p) : benjamini_hochberg(p);
      ASSERT_TRUE(got);
      ASSERT_EQ(got->size(), want.size());
      for (std::size_t i = 0; i < want.size(); ++i) EXPECT_TRUE(is_close((*got)[i], want[i], 1e-10)) << i;
    }
  }
}

TEST(Multiplicity, EdgeTable) {
  EXPECT_TRUE(benjamini_hochberg({})->empty());
  EXPECT_EQ(*benjamini_hochberg(Numbers{0.04}), Numbers{0.04});
  EXPECT_EQ(*benjamini_hochberg(Numbers{0.02, 0.02}), (Numbers{0.02, 0.02}));
  EXPECT_EQ(*benjamini_hochberg(Numbers{0, 1}), (Numbers{0, 1}));
  EXPECT_TRUE(holm({})->empty());
  EXPECT_EQ(*holm(Numbers{0.04}), Numbers{0.04});
  EXPECT_EQ(*holm(Numbers{0.02, 0.02}), (Numbers{0.04, 0.04})) << "ties have one answer";
  EXPECT_EQ(*holm(Numbers{0.9, 0, 0.8}), (Numbers{1, 0, 1})) << "never above 1";
  for (double bad : {not_a_number, -0.1, 1.1, infinity}) {
    EXPECT_FALSE(benjamini_hochberg(Numbers{0.5, bad}));
    EXPECT_FALSE(holm(Numbers{0.5, bad}));
  }
}

}  // namespace
}  // namespace torchgate::stats
