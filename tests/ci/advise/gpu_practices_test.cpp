// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/ci/advise/advised_run.hpp"

namespace torchgate::advise {
namespace {

using testing::AdvisedRun;
using testing::na;
using testing::no;
using testing::one_case;
using testing::OperatorUse;
using testing::yes;

TEST(GpuPractices, LaunchesAndTheHost) {
  const auto device = [](double time_ns, double launches) {
    return one_case("cuda").timed("time", time_ns).timed("gpu_time_hot", 100'000).exact("kernel_launches", launches);
  };
  EXPECT_EQ(device(120'000, 20).answer("launches_amortised"), yes);
  EXPECT_EQ(device(120'000, 21).answer("launches_amortised"), no);
  EXPECT_DOUBLE_EQ(device(120'000, 40).saves("launches_amortised"), 0.5) << "200 us of launches for 100 us of work";
  EXPECT_EQ(device(150'000, 1).answer("not_host_bound"), yes);
  EXPECT_EQ(device(151'000, 1).answer("not_host_bound"), no);
  EXPECT_DOUBLE_EQ(device(200'000, 1).saves("not_host_bound"), 0.5);
}

TEST(GpuPractices, StaysOnDevice) {
  const auto copies = [](std::vector<OperatorUse> operators) { return one_case("cuda").profile(std::move(operators)); };
  const OperatorUse input{"aten::copy_", "cuda Float 8x32, Float 8x32", 1, 1};
  const OperatorUse result{"aten::copy_", "Float 8x10, cuda Float 8x10", 1, 1};
  EXPECT_EQ(copies({input, result}).answer("stays_on_device"), yes) << "an input and a result";
  EXPECT_EQ(copies({input, result, {"aten::copy_", "cuda Float 9, Float 9", 1, 1}}).answer("stays_on_device"), no);
  const AdvisedRun back = copies({input, {"aten::copy_", "Float 8x32, cuda Float 8x32", 1, 1}});
  EXPECT_EQ(back.evidence("stays_on_device"),
            "2 copies between host and device in a call, of one size in both directions");
  EXPECT_EQ(copies({{"aten::copy_", "cuda Float scalar, Double scalar", 9, 1}}).answer("stays_on_device"), yes)
      << "numbers";
  EXPECT_EQ(copies({{"aten::copy_", "cuda Float 8x8, cuda Float 8x8 strided", 9, 1}}).answer("stays_on_device"), yes)
      << "within the device";
  EXPECT_EQ(one_case().profile({input, input, input}).answer("stays_on_device"), na) << "a case on the CPU";
}

TEST(GpuPractices, ConvolutionsInCudnn) {
  const OperatorUse cudnn{"aten::cudnn_convolution", "cuda Float 8x3x8x8", 20, 1};
  const OperatorUse elsewhere{"aten::_slow_conv2d_forward", "cuda Float 8x3x8x8", 1, 1};
  EXPECT_EQ(one_case("cuda").profile({cudnn}).answer("convolutions_in_cudnn"), yes);
  EXPECT_EQ(one_case("cuda").profile({cudnn, elsewhere}).evidence("convolutions_in_cudnn"),
            "1 of 21 convolutions run without cuDNN");
  EXPECT_EQ(one_case("cuda").profile({{"aten::mm", "cuda Float 8x8", 1, 1}}).answer("convolutions_in_cudnn"), na);
  EXPECT_EQ(one_case().profile({elsewhere}).answer("convolutions_in_cudnn"), na) << "a case on the CPU";
}

}  // namespace
}  // namespace torchgate::advise
