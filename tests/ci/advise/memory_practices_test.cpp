// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/ci/advise/advised_run.hpp"

namespace torchgate::advise {
namespace {

using testing::AdvisedRun;
using testing::backward;
using testing::na;
using testing::no;
using testing::one_case;
using testing::OperatorUse;
using testing::yes;

TEST(MemoryPractices, Released) {
  EXPECT_EQ(one_case().exact("retained_bytes", 0).answer("released"), yes);
  const AdvisedRun kept = one_case().exact("retained_bytes", 4096);
  EXPECT_EQ(kept.answer("released"), no);
  EXPECT_EQ(kept.evidence("released"), "a call keeps 4096 bytes");
  EXPECT_DOUBLE_EQ(kept.saves("released"), 1);
}

TEST(MemoryPractices, InPlace) {
  const auto answer = [](const char* name, const char* inputs, double self_ns) {
    return one_case().profile({{name, inputs, 2, self_ns}}).answer("in_place");
  };
  EXPECT_EQ(answer("aten::mul", "Float 256x256, Float 256x256", 40'000), no);
  EXPECT_EQ(answer("aten::mul", "cuda Float 256x256, cuda Float 256x256", 40'000), no);
  EXPECT_EQ(answer("aten::mul_", "Float 256x256, Float 256x256", 40'000), yes);
  EXPECT_EQ(answer("aten::mul", "Float 256x256, Float 256x256", 20'000), yes) << "a fifth of the call";
  EXPECT_EQ(one_case().profile({{"aten::mul", "Float 256x256", 1, 90'000}}).answer("in_place"), yes)
      << "the only one: its result may be the output";
  EXPECT_EQ(answer("aten::mul", "Float 16x16, Float 16x16", 40'000), na) << "small tensors stay in the cache";
  EXPECT_EQ(one_case().profile({{"aten::mul", "Float 256x256", 1, 40'000}, backward()}).answer("in_place"), na)
      << "a backward pass needs the operands";
  EXPECT_DOUBLE_EQ(one_case().profile({{"aten::mul", "Float 256x256", 2, 60'000}}).saves("in_place"), 0.2);
}

TEST(MemoryPractices, ContiguousInputs) {
  const auto answer = [](const char* inputs, double self_ns) {
    return one_case().profile({{"aten::copy_", inputs, 1, self_ns}}).answer("contiguous_inputs");
  };
  EXPECT_EQ(answer("Float 8x8, Float 8x8 strided", 11'000), no);
  EXPECT_EQ(answer("Float 8x8, Float 8x8", 50'000), yes);
  EXPECT_EQ(answer("Float 8x8, Float 8x8 strided", 9'000), yes);
}

TEST(MemoryPractices, GradientsToNone) {
  const auto answer = [](std::vector<OperatorUse> operators) {
    return one_case().profile(std::move(operators)).answer("gradients_to_none");
  };
  EXPECT_EQ(answer({backward(), {"aten::zero_", "Float 8", 4, 1}}), no);
  EXPECT_EQ(answer({backward()}), yes);
  EXPECT_EQ(answer({backward(), {"aten::zero_", "Float 8", 4, 1}, {"aten::zeros", "", 3, 1}}), yes)
      << "three of them are new";
  const OperatorUse gradients{"torch::autograd::AccumulateGrad", "", 9, 1};
  EXPECT_EQ(answer({backward(), gradients, {"aten::zero_", "Float 8", 4, 1}}), yes)
      << "of nine gradients: what a loss or a reducer sets to zero";
  EXPECT_EQ(answer({backward(), gradients, {"aten::zero_", "Float 8", 5, 1}}), no);
  EXPECT_EQ(answer({{"aten::zero_", "Float 8", 4, 1}}), na);
}

TEST(MemoryPractices, ActivationsDropped) {
  const auto step = [](double peak_bytes, const char* gradient, double gradients) {
    return one_case()
        .exact("peak_bytes", peak_bytes)
        .profile({backward(), {"torch::autograd::AccumulateGrad", gradient, gradients, 1}});
  };
  const AdvisedRun large = step(2e9, "Float 1000x1000", 10);  // 40 MB
  EXPECT_EQ(large.answer("activations_dropped"), no);
  EXPECT_EQ(large.evidence("activations_dropped"), "of a peak of 2 GB, gradients take 0.04 GB");
  EXPECT_DOUBLE_EQ(large.saves("activations_dropped"), 0.49);
  EXPECT_EQ(large.row("activations_dropped").saves_of, "the peak");
  EXPECT_EQ(step(1e9, "Float 1000x1000", 10).answer("activations_dropped"), yes) << "less than a gigabyte";
  EXPECT_EQ(step(2e9, "Float 10000x10000", 2).answer("activations_dropped"), yes) << "40 % are gradients";
  EXPECT_EQ(step(2e9, "BFloat16 10000x10000", 2).answer("activations_dropped"), no) << "20 % are";
  EXPECT_EQ(step(2e9, "", 10).answer("activations_dropped"), na) << "gradients of unknown sizes";
  EXPECT_EQ(one_case().exact("peak_bytes", 2e9).profile({{"aten::mm", "", 1, 1}}).answer("activations_dropped"), na)
      << "inference";
}

}  // namespace
}  // namespace torchgate::advise
