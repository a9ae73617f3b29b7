// SPDX-License-Identifier: Apache-2.0
// Tensors of every layout as arguments and as outputs: none of them may end the process or the group.
#include <ATen/ATen.h>
#include <ATen/NestedTensorImpl.h>
#include <ATen/record_function.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "harness/bench/torch/operator_counter.hpp"
#include "harness/bench/torch/operator_profiler.hpp"
#include "harness/bench/torch/tensor_output.hpp"

namespace torchgate::bench {
namespace {

constexpr const char* operator_name = "test::operator";

// Calls an operator of that name with these arguments, which does nothing.
void call_operator(const char* name, const std::vector<c10::IValue>& inputs) {
  RECORD_FUNCTION(name, inputs);
}

// How the profile describes these arguments.
std::string described(const std::vector<c10::IValue>& inputs) {
  const auto profile = profile_operators([&] { call_operator(operator_name, inputs); }, 1);
  for (const auto& one : profile.operators) {
    if (one.name == operator_name) return one.inputs;
  }
  return "the operator is missing";
}

at::Tensor matrix() {
  return at::eye(4, at::kFloat);
}
at::Tensor nested() {
  return at::_nested_tensor_from_tensor_list({at::ones({2, 3}), 2 * at::ones({1, 3})}, {}, {}, {}, {});
}

struct Layout {
  const char* name;
  at::Tensor tensor;
};

std::vector<Layout> layouts_of_a_matrix() {
  std::vector<Layout> all{{"Float 4x4", matrix()},
                          {"Float 4x4 strided", at::ones({4, 8}).narrow(1, 0, 4)},
                          {"Float 4x4 sparse_coo", matrix().to_sparse()},
                          {"Float 4x4 sparse_csr", matrix().to_sparse_csr()},
                          {"Float 4x4 sparse_csc", matrix().to_sparse_csc()},
                          {"Float 4x4 sparse_bsr", matrix().to_sparse_bsr({2, 2})},
                          {"Float 4x4 sparse_bsc", matrix().to_sparse_bsc({2, 2})}};
  if (at::globalContext().hasMKLDNN()) all.push_back({"Float 4x4 mkldnn", matrix().to_mkldnn()});
  return all;
}

TEST(TensorLayouts, AreDescribed) {
  for (const Layout& layout : layouts_of_a_matrix()) {
    EXPECT_EQ(described({layout.tensor}), layout.name);
    EXPECT_EQ(described({c10::List<at::Tensor>({layout.tensor})}), "[1 x " + std::string(layout.name) + "]");
  }
  EXPECT_EQ(described({nested()}), "Float nested");
  EXPECT_EQ(described({at::Tensor(), at::ones({})}), "none, Float scalar");
  EXPECT_EQ(described({at::ones({1, 2, 3, 3}).contiguous(at::MemoryFormat::ChannelsLast)}), "Float 1x2x3x3 nhwc");
}

// LibTorch logs exceptions of a callback and continues: an operator that could not be described would be missing.
TEST(TensorLayouts, AreProfiledInRealOperators) {
  const at::Tensor sparse = matrix().to_sparse_csr();
  const auto profile = profile_operators([&] { (void)at::mm(sparse, matrix()); }, 3);
  const auto mm = std::find_if(profile.operators.begin(), profile.operators.end(),
                               [](const auto& one) { return one.name == "aten::mm"; });
  ASSERT_NE(mm, profile.operators.end());
  EXPECT_EQ(mm->inputs, "Float 4x4 sparse_csr, Float 4x4");
  EXPECT_EQ(mm->calls, 1);
}

// A tensor whose every question about its shape throws, as one of an extension may.
struct Evasive final : at::TensorImpl {
  Evasive()
      : at::TensorImpl(c10::DispatchKeySet(c10::DispatchKey::CPU), caffe2::TypeMeta::Make<float>(),
                       c10::Device(c10::kCPU)) {
    set_custom_sizes_strides(SizesStridesPolicy::CustomSizes);
  }
  [[nodiscard]] c10::IntArrayRef sizes_custom() const override { throw std::runtime_error("it has no sizes"); }
};

TEST(TensorLayouts, OneThatCannotBeDescribedIsProfiled) {
  EXPECT_EQ(described({at::Tensor(c10::make_intrusive<Evasive>())}), "Float opaque");
}

TEST(TensorLayouts, AreCountedInCollectives) {
  constexpr std::int64_t value_bytes = 4 * 4;  // of the diagonal
  constexpr std::int64_t index_bytes = 8;
  const auto bytes_of = [](const at::Tensor& tensor) {
    const OperatorCounter counter;
    call_operator("c10d::allreduce_", {c10::List<at::Tensor>({tensor, tensor})});
    EXPECT_EQ(counter.total(), 1);
    EXPECT_EQ(counter.collectives(), 1);
    return counter.collective_bytes() / 2;
  };
  EXPECT_EQ(bytes_of(matrix()), 16 * 4);
  EXPECT_EQ(bytes_of(at::Tensor()), 0);
  EXPECT_EQ(bytes_of(matrix().to_sparse()), value_bytes + 2 * 4 * index_bytes);
  EXPECT_EQ(bytes_of(matrix().to_sparse_csr()), value_bytes + (5 + 4) * index_bytes);
  EXPECT_EQ(bytes_of(matrix().to_sparse_bsc({2, 2})), 2 * 4 * 4 + (3 + 2) * index_bytes);
  EXPECT_EQ(bytes_of(nested()), 0);
}

TEST(TensorLayouts, AreComparedAsOutputs) {
  const std::vector<double> identity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  for (const Layout& layout : layouts_of_a_matrix()) {
    if (std::string(layout.name) == "Float 4x4 strided") continue;
    const Output output = output_of_tensor(layout.tensor);
    EXPECT_EQ(output.values, identity) << layout.name;
    EXPECT_EQ(output.dtype, "Float") << layout.name;
  }
  EXPECT_EQ(output_of_tensor(nested()).values, (std::vector<double>{1, 1, 1, 1, 1, 1, 2, 2, 2}));
  const at::Tensor complex = at::complex(at::ones({2}), at::full({2}, 3.0F));
  EXPECT_EQ(output_of_tensor(complex.conj()).values, (std::vector<double>{1, -3, 1, -3}));
  EXPECT_THROW((void)output_of_tensor(at::Tensor()), std::invalid_argument);
}

}  // namespace
}  // namespace torchgate::bench
