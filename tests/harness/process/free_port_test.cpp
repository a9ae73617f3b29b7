// SPDX-License-Identifier: Apache-2.0
#include "harness/process/free_port.hpp"

#include <gtest/gtest.h>

#include <set>

namespace torchgate::process {
namespace {

// A connection of another program gets a port from 32,768 on, on any Linux that keeps its default.
TEST(FreePort, IsNoneThatTheKernelAssigns) {
  constexpr int draws = 100;
  std::set<int> ports;
  for (int i = 0; i < draws; ++i) {
    const auto port = free_port();
    ASSERT_TRUE(port.has_value());
    EXPECT_GE(*port, 20'000);
    EXPECT_LT(*port, 32'768);
    ports.insert(*port);
  }
  EXPECT_GT(ports.size(), 50U) << "two runs at once would choose the same";
}

}  // namespace
}  // namespace torchgate::process
