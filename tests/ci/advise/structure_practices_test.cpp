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

TEST(StructurePractices, ProductsBatched) {
  const OperatorUse products{"aten::mm", "Float 16x32, Float 32x8", 64, 20'000};
  const auto of_slices = [&](const char* whole, double slices) {
    return one_case().profile({products, {"aten::select", whole, slices, 1}});
  };
  EXPECT_EQ(of_slices("Float 64x16x32", 64).evidence("products_batched"),
            "64 products of 16x32 and 32x8 whose operands are parts of one tensor");
  EXPECT_DOUBLE_EQ(of_slices("Float 64x16x32", 64).saves("products_batched"), 0.2);
  EXPECT_EQ(of_slices("Float 64x32x8", 64).answer("products_batched"), no) << "the right operands";
  EXPECT_EQ(of_slices("Float 64x16x32", 63).answer("products_batched"), yes) << "one operand is from elsewhere";
  EXPECT_EQ(of_slices("Float 64x16x16", 64).answer("products_batched"), yes) << "parts of other sizes";
  EXPECT_EQ(of_slices("Float 16x32", 64).answer("products_batched"), yes) << "rows, not matrices";
  EXPECT_EQ(one_case().profile({products}).answer("products_batched"), yes);
  EXPECT_EQ(one_case().profile({{"aten::mm", "Float 16x32, Float 32x8", 7, 1}}).answer("products_batched"), na);
}

TEST(StructurePractices, ActivationsCheap) {
  const AdvisedRun tanh =
      one_case().profile({{"aten::tanh", "Float 8", 1, 25'000}, {"aten::sigmoid_backward", "Float 8", 1, 10'000}});
  EXPECT_EQ(tanh.evidence("activations_cheap"), "activations take 35 % of a call, tanh the most");
  EXPECT_DOUBLE_EQ(tanh.saves("activations_cheap"), 0.35);
  EXPECT_EQ(one_case().profile({{"aten::gelu", "Float 8", 1, 19'000}}).answer("activations_cheap"), yes);
  EXPECT_EQ(one_case().profile({{"aten::silu_", "Float 8", 1, 20'000}}).answer("activations_cheap"), no);
  EXPECT_EQ(one_case().profile({{"aten::relu", "Float 8", 1, 90'000}}).answer("activations_cheap"), yes);
  EXPECT_EQ(one_case().profile({{"aten::mm", "Float 8x8", 1, 1}}).answer("activations_cheap"), na);
  EXPECT_EQ(one_case("cuda").profile({{"aten::tanh", "cuda Float 8", 1, 90'000}}).answer("activations_cheap"), na);
}

TEST(StructurePractices, LayersWide) {
  const auto layers = [](double products, double self_ns, double time_ns) {
    return one_case()
        .timed("time", time_ns)
        .exact("operator_calls", 100)
        .profile({{"aten::addmm", "Float 64, Float 16x64, Float 64x64", products, self_ns}});
  };
  EXPECT_EQ(layers(16, 48'000, 80'000).evidence("layers_wide"),
            "16 products of 3.0 us each; calling operators takes 25 % of a call");
  EXPECT_DOUBLE_EQ(layers(16, 48'000, 80'000).saves("layers_wide"), 0.25);
  EXPECT_EQ(layers(16, 48'000, 200'000).answer("layers_wide"), yes) << "calling takes a tenth";
  EXPECT_EQ(layers(16, 160'000, 80'000).answer("layers_wide"), yes) << "10 us each";
  EXPECT_EQ(layers(7, 21'000, 80'000).answer("layers_wide"), na);
}

TEST(StructurePractices, InitialisedOnce) {
  const auto answer = [](const char* name, double self_ns) {
    return one_case().profile({{name, "Float 256x256", 1, self_ns}}).answer("initialised_once");
  };
  EXPECT_EQ(answer("aten::normal_", 10'000), no);
  EXPECT_EQ(answer("aten::uniform_", 9'000), yes);
  EXPECT_EQ(answer("aten::bernoulli_", 90'000), na) << "dropout";
}

}  // namespace
}  // namespace torchgate::advise
