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

TEST(ProductPractices, FastElementTypes) {
  const std::vector<OperatorUse> fp32{{"aten::addmm", "Float 8, Float 8x8, Float 8x8", 1, 1}};
  const std::vector<OperatorUse> bf16{{"aten::addmm", "BFloat16 8, BFloat16 8x8, BFloat16 8x8", 1, 1}};
  const auto with_sibling = [&](double time_ns) {
    AdvisedRun made;
    made.add("g/one/fp32").timed("time", 100).profile(fp32);
    made.add("g/one/bf16").timed("time", time_ns).profile(bf16);
    return made;
  };
  EXPECT_EQ(with_sibling(50).answer("fast_element_types"), no);
  EXPECT_EQ(with_sibling(50).evidence("fast_element_types"), "the BF16 variant bf16 takes 0.50 of its time");
  EXPECT_DOUBLE_EQ(with_sibling(50).saves("fast_element_types"), 0.5);
  AdvisedRun two_siblings = with_sibling(30);
  two_siblings.add("g/one/slower_bf16").timed("time", 74).profile(bf16);
  EXPECT_DOUBLE_EQ(two_siblings.saves("fast_element_types"), 0.7) << "with the fastest one";
  EXPECT_EQ(with_sibling(90).answer("fast_element_types"), yes) << "this machine multiplies BF16 no faster";
  EXPECT_EQ(one_case().timed("time", 100).profile(fp32).answer("fast_element_types"), na);

  const auto on_cuda = [](const char* setting) {
    return one_case("cuda")
        .profile({{"aten::addmm", "cuda Float 8, cuda Float 8x8, cuda Float 8x8", 1, 1}})
        .fact("cuda_float32_matmul", setting)
        .answer("fast_element_types");
  };
  EXPECT_EQ(on_cuda("ieee"), no);
  EXPECT_EQ(on_cuda("tf32"), yes);
}

TEST(ProductPractices, FewRows) {
  const auto layer = [](const char* name, const char* inputs, double self_ns) {
    return one_case().profile({{name, inputs, 1, self_ns}});
  };
  const AdvisedRun one_row = layer("aten::addmm", "Float 512, Float 1x512, Float 512x512 strided", 60'000);
  EXPECT_EQ(one_row.evidence("batch_large_enough"), "products of fewer than 8 rows take 60 % of a call");
  EXPECT_DOUBLE_EQ(one_row.saves("batch_large_enough"), 0.6 * 7 / 8);
  EXPECT_EQ(one_row.row("batch_large_enough").saves_of, "the time of an item");
  const auto answer = [&](const char* name, const char* inputs, double self_ns) {
    return layer(name, inputs, self_ns).answer("batch_large_enough");
  };
  EXPECT_EQ(answer("aten::addmm", "Float 512, Float 8x512, Float 512x512 strided", 90'000), yes);
  EXPECT_EQ(answer("aten::addmm", "Float 512, Float 1x512, Float 512x512 strided", 40'000), yes)
      << "less than half of the call";
  EXPECT_EQ(answer("quantized::linear_dynamic", "Float 1x4x512", 60'000), no) << "four rows";
  EXPECT_EQ(answer("quantized::linear_dynamic", "Float 2x4x512", 60'000), yes);
  EXPECT_EQ(answer("aten::mv", "Float 512x512, Float 512", 60'000), no);
  EXPECT_EQ(answer("aten::mkldnn_convolution", "Float 1x3x8x8, Float 4x3x3x3", 90'000), na)
      << "its weights are read for each pixel";
}

TEST(ProductPractices, LargerCalls) {
  const auto two_sizes = [](double larger_ns) {
    AdvisedRun made;
    made.add_sized(2).timed("time", 100);
    made.add_sized(8).timed("time", larger_ns);
    return made;
  };
  EXPECT_EQ(two_sizes(100).evidence("batch_large_enough"), "an item takes 0.25 of its time in calls of 8 items");
  EXPECT_DOUBLE_EQ(two_sizes(100).saves("batch_large_enough"), 0.75);
  EXPECT_EQ(two_sizes(100).row("batch_large_enough").applicable, 1) << "of the largest call nothing is known";
  EXPECT_EQ(two_sizes(240).answer("batch_large_enough"), yes) << "0.6 of its time";

  AdvisedRun other_variant = two_sizes(100);
  other_variant.run.cases.back().variant = "w";
  EXPECT_EQ(other_variant.answer("batch_large_enough"), na);
  AdvisedRun other_work = two_sizes(100);
  other_work.run.cases.front().parameters.push_back({"width", "8"});
  other_work.run.cases.back().parameters.push_back({"width", "16"});
  EXPECT_EQ(other_work.answer("batch_large_enough"), na) << "two parameters differ";
}

}  // namespace
}  // namespace torchgate::advise
