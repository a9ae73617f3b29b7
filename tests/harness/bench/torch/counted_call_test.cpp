// SPDX-License-Identifier: Apache-2.0
// What LibTorch's backend counts of a call that is set up each time.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <memory>

#include "harness/bench/torch/counting_allocator.hpp"
#include "harness/bench/torch/torch_backend.hpp"

namespace torchgate::bench {
namespace {

TEST(TorchObservation, EveryCountedCallIsSetUpAndItsSetUpIsNotCounted) {
  install_counting_allocator();
  const std::unique_ptr<Backend> backend = torch_backend();
  torch::Tensor input;
  int calls = 0;
  const auto set_up = [&] { input = torch::ones({1000}).add(1); };
  const auto call = [&] {
    ASSERT_TRUE(input.defined()) << "call " << calls << " was not set up";
    (void)input.neg();
    input = torch::Tensor();
    ++calls;
  };
  const Observation observed = backend->observe("cpu", {set_up, call});
  EXPECT_EQ(calls, 2) << "memory and operators are counted in calls of their own";
  EXPECT_EQ(observed.operator_calls.count("aten::add"), 0U);
  EXPECT_EQ(observed.operator_calls.at("aten::neg"), 1);
  EXPECT_EQ(observed.allocations, 1);
  EXPECT_EQ(observed.allocated_bytes, 4000);
}

}  // namespace
}  // namespace torchgate::bench
