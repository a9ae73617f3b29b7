// SPDX-License-Identifier: Apache-2.0
#include "ci/advise/operator_inputs.hpp"

#include <gtest/gtest.h>

#include "ci/advise/products.hpp"

namespace torchgate::advise {
namespace {

record::OperatorUse on(const char* name, const char* inputs) {
  return {name, inputs, 1, 1};
}

TEST(OperatorInputs, HaveDeviceTypeAndSizes) {
  const record::OperatorUse use = on("aten::addmm", "cuda BFloat16 64 strided, Double scalar, [4 x Float 3x48x48]");
  const auto inputs = inputs_of(use);
  ASSERT_EQ(inputs.size(), 3U);
  EXPECT_TRUE(inputs[0].on_cuda);
  EXPECT_EQ(inputs[0].type, "BFloat16");
  EXPECT_EQ(inputs[0].sizes, std::optional(Sizes{64}));
  EXPECT_FALSE(inputs[1].on_cuda);
  EXPECT_EQ(inputs[1].sizes, std::optional(Sizes{}));
  EXPECT_EQ(inputs[1].elements(), 1);
  EXPECT_EQ(inputs[2].sizes, std::nullopt) << "a list";
  EXPECT_EQ(inputs[2].elements(), 0);
  for (const char* const text : {"none", "Float nested", "Float opaque", "Float", "Float 8x", "Float 8y8", "..."}) {
    const record::OperatorUse other = on("", text);
    ASSERT_EQ(inputs_of(other).size(), 1U) << text;
    EXPECT_EQ(inputs_of(other).front().sizes, std::nullopt) << text;
  }
  EXPECT_TRUE(inputs_of(on("", "")).empty());
}

TEST(OperatorInputs, ElementsOfTheFirstTensor) {
  EXPECT_EQ(first_elements(on("", "Float 8x64, Float 64x64 strided")), 512);
  EXPECT_EQ(first_elements(on("", "cuda Float 7")), 7);
  EXPECT_EQ(first_elements(on("", "")), 0);
  EXPECT_EQ(first_elements(on("", "Float")), 0);
}

TEST(OperatorInputs, BytesOfFloatingPointTypes) {
  EXPECT_EQ(element_bytes("Half"), 2);
  EXPECT_EQ(element_bytes("BFloat16"), 2);
  EXPECT_EQ(element_bytes("Float"), 4);
  EXPECT_EQ(element_bytes("Double"), 8);
  EXPECT_EQ(element_bytes("Long"), std::nullopt);
}

TEST(Products, OperandsAndRows) {
  const auto operands = operands_of(on("aten::addmm", "Float 8, Float 4x6, Float 6x8 strided"));
  ASSERT_TRUE(operands.has_value());
  EXPECT_EQ(operands->left, (Sizes{4, 6}));
  EXPECT_EQ(operands->right, (Sizes{6, 8}));
  EXPECT_FALSE(operands_of(on("aten::addmm", "Float 8, Float 4x6")).has_value());
  EXPECT_FALSE(operands_of(on("aten::bmm", "Float 2x4x6, Float 2x6x8")).has_value());
  EXPECT_EQ(rows_of(on("aten::addmm", "Float 8, Float 4x6, Float 6x8")), 4);
  EXPECT_EQ(rows_of(on("aten::mm", "Float 5x6, Float 6x8")), 5);
  EXPECT_EQ(rows_of(on("quantized::linear", "QUInt8 2x3x6")), 6);
  EXPECT_EQ(rows_of(on("aten::mv", "Float 5x6, Float 6")), 1);
  EXPECT_EQ(rows_of(on("aten::mm", "Float 5x0, Float 0x8")), std::nullopt);
  EXPECT_EQ(rows_of(on("aten::bmm", "Float 2x4x6, Float 2x6x8")), std::nullopt);
}

TEST(Products, OperatorsThatOnlyCallOthersAreNotCounted) {
  record::OperatorProfile profile;
  profile.operators = {{"aten::linear", "", 2, 10}, {"aten::addmm", "", 2, 30}, {"aten::bmm", "", 1, 5}};
  EXPECT_EQ(products_of(profile).calls, 3);
  EXPECT_EQ(products_of(profile).self_ns, 35);
}

}  // namespace
}  // namespace torchgate::advise
