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

TEST(FusionPractices, BiasInProduct) {
  const OperatorUse product{"aten::mm", "Float 8x8, Float 8x8", 1, 1};
  const auto answer = [](std::vector<OperatorUse> operators) {
    return one_case().profile(std::move(operators)).answer("bias_in_product");
  };
  EXPECT_EQ(answer({product, {"aten::add", "Float 8x8, Float 8", 1, 6'000}}), no);
  EXPECT_EQ(answer({product, {"aten::add", "Float 8x8, Float 8", 1, 1'000}}), yes) << "one per cent";
  EXPECT_EQ(answer({product, {"aten::add", "Float 8x8, Float 8x8", 1, 6'000}}), yes) << "a residual connection";
  EXPECT_EQ(answer({product, backward(), {"aten::add", "Float 8x8, Float 8", 1, 6'000}}), yes);
  EXPECT_EQ(answer({{"aten::addmm", "Float 8x8", 1, 1}}), yes);
  EXPECT_EQ(answer({product}), yes);
  EXPECT_EQ(answer({{"aten::add", "Float 8x8, Float 8", 1, 6'000}}), na);
}

TEST(FusionPractices, BatchNormFolded) {
  const OperatorUse convolution{"aten::mkldnn_convolution", "Float 1", 1, 1};
  const OperatorUse norm{"aten::native_batch_norm", "Float 1", 1, 20'000};
  EXPECT_EQ(one_case().profile({norm, convolution}).answer("batch_norm_folded"), no);
  EXPECT_DOUBLE_EQ(one_case().profile({norm, convolution}).saves("batch_norm_folded"), 0.2);
  EXPECT_EQ(one_case().profile({convolution}).answer("batch_norm_folded"), yes);
  EXPECT_EQ(one_case().profile({norm}).answer("batch_norm_folded"), na);
  EXPECT_EQ(one_case().profile({norm, convolution, backward()}).answer("batch_norm_folded"), na);
}

TEST(FusionPractices, ChainsFused) {
  const AdvisedRun chain =
      one_case().profile({{"aten::mul", "Float 8", 2, 20'000}, {"aten::tanh", "Float 8", 1, 10'000}});
  EXPECT_EQ(chain.answer("chains_fused"), no);
  EXPECT_DOUBLE_EQ(chain.saves("chains_fused"), 0.2) << "two passes of three";
  EXPECT_EQ(one_case().profile({{"aten::mul", "Float 8", 2, 50'000}}).answer("chains_fused"), yes)
      << "two are not a chain";
  EXPECT_EQ(one_case().profile({{"aten::mul", "Float 8", 9, 20'000}}).answer("chains_fused"), yes)
      << "a fifth of the call";
  EXPECT_EQ(one_case().profile({{"aten::mm", "Float 8", 1, 1}}).answer("chains_fused"), na);
}

TEST(FusionPractices, AttentionFused) {
  const AdvisedRun separate =
      one_case().profile({{"aten::bmm", "Float 8", 2, 30'000}, {"aten::_softmax", "Float 8", 1, 20'000}});
  EXPECT_EQ(separate.answer("attention_fused"), no);
  EXPECT_DOUBLE_EQ(separate.saves("attention_fused"), 0.3);
  EXPECT_EQ(one_case()
                .profile({{"aten::_scaled_dot_product_flash_attention_for_cpu", "Float 8", 1, 1}})
                .answer("attention_fused"),
            yes);
  EXPECT_EQ(one_case().profile({{"aten::bmm", "Float 8", 2, 1}}).answer("attention_fused"), na);
}

TEST(FusionPractices, UpdateFused) {
  const auto adam = [](double tensors, double self_ns) {
    return one_case().profile({{"aten::mul_", "Float 9x9", 9, 50'000},
                               {"aten::addcdiv_", "Float 64x64, Float 64x64, Float 64x64", tensors, self_ns},
                               {"aten::mul_", "Float 64x64", 8, 5'000}});
  };
  EXPECT_EQ(adam(4, 7'000).evidence("update_fused"), "4 tensors are updated one by one, 12 % of a call")
      << "not the product of other sizes";
  EXPECT_DOUBLE_EQ(adam(4, 7'000).saves("update_fused"), 0.09);
  EXPECT_EQ(adam(4, 4'000).answer("update_fused"), yes);
  EXPECT_EQ(adam(3, 7'000).answer("update_fused"), na);
  EXPECT_EQ(one_case().profile({{"aten::_fused_adam_", "[8 x Float 64x64]", 1, 1}}).answer("update_fused"), yes);
}

}  // namespace
}  // namespace torchgate::advise
