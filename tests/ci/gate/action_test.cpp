// SPDX-License-Identifier: Apache-2.0
// How much more memory is more than the gate allows. What the policy makes of verdicts is tested by their judges.
#include "ci/gate/action.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace torchgate::gate {
namespace {

bool grew(double before, std::optional<double> after, std::optional<double> most = {},
          const std::string& metric = "peak_bytes") {
  const record::Case definition;
  Judged judged;
  judged.definition = &definition;
  judged.metric = {metric, "bytes", record::Direction::lower_is_better, record::MetricKind::exact, false};
  judged.counts = Counts{before, after, most};
  policy::CaseSettings own;
  own.peak_memory = 0.25;
  return memory_grew(judged, own);
}

TEST(MemoryGrew, ByTheShareOfThePolicy) {
  EXPECT_FALSE(grew(1024, 1024));
  EXPECT_FALSE(grew(1024, 512));
  EXPECT_FALSE(grew(1024, 1279));
  EXPECT_TRUE(grew(1024, 1280));
  EXPECT_FALSE(grew(1024, 4096, {}, "output_bytes")) << "another metric";
}

TEST(MemoryGrew, FromNothingByAnyByte) {
  EXPECT_FALSE(grew(0, 0));
  EXPECT_TRUE(grew(0, 1));
}

TEST(MemoryGrew, WhereProcessesDisagreeTheLargestCounts) {
  EXPECT_TRUE(grew(1024, {}, 1280));
  EXPECT_FALSE(grew(1024, {}, 1024));
  EXPECT_TRUE(grew(1024, {}, {})) << "no longer counted";
}

}  // namespace
}  // namespace torchgate::gate
