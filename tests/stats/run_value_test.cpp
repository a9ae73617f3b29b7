// SPDX-License-Identifier: Apache-2.0
#include "stats/run_value.hpp"

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

TEST(RunValue, AgreesWithThePythonReference) {
  for (const auto& row : read_json("procedure.json", "run_values")) {
    EXPECT_TRUE(is_close(*run_value(row.at("processes").get<Numbers>()), row.at("value"), 1e-14));
  }
}

TEST(RunValue, EdgeTable) {
  EXPECT_FALSE(run_value({}));
  EXPECT_FALSE(run_value(Numbers{1, not_a_number}));
  EXPECT_EQ(*run_value(Numbers{6.5}), 6.5);
  EXPECT_EQ(*run_value(Numbers{1, 1, 1, 1, 9}), 1) << "one wild process does not move it";
}

}  // namespace
}  // namespace torchgate::stats
