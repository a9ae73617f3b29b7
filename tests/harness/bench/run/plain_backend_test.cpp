// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "harness/bench/run/backend.hpp"

namespace torchgate::bench {
namespace {

TEST(PlainBackend, CountsNothingAndCallsOnce) {
  const auto backend = plain_backend();
  backend->start(1);
  int calls = 0;
  EXPECT_EQ(backend->observe("cpu", {[] {}, [&] { ++calls; }}), Observation{}) << "not counted is absent, not zero";
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(backend->facts().empty());
}

TEST(PlainBackend, KnowsCpuFeaturesAndNothingElse) {
  const auto backend = plain_backend();
  EXPECT_EQ(backend->unmet("cuda"), "no CUDA device: this suite is built without LibTorch");
  EXPECT_EQ(backend->unmet("no_such_feature"), "this CPU has no no_such_feature");
#ifdef __x86_64__
  EXPECT_FALSE(backend->unmet("sse2").has_value()) << "every x86-64 has it";
#endif
}

}  // namespace
}  // namespace torchgate::bench
