// SPDX-License-Identifier: Apache-2.0
// Products in other number formats, and with half of the weights. Which library multiplies: blas.cpp.
#include <ATen/Context.h>

#include <optional>
#include <string>

#include "harness/bench/torch/suite.hpp"
#include "suites/gpu/cuda_calls.hpp"
#include "suites/gpu/operands.hpp"

namespace torchgate::suites::multiplication {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

// --- tf32: FP32 numbers, multiplied with 10 bits of mantissa ------------------------------------------------------------

Timed product_or_convolution(const Args& args) {
  if (args.text("op") == "mm") {
    return [factors = Factors(args)] { return torch::mm(factors.left, factors.right); };
  }
  return [convolution = Convolution(args)] { return convolution(); };
}

Timed in_tf32(const Args& args) {
  at::globalContext().setFloat32MatmulPrecision("high");
  at::globalContext().setAllowTF32CuDNN(true);
  return product_or_convolution(args);
}

constexpr double tf32_error = 2e-3;
// Each factor is rounded by up to 5e-4: about 3e-4 of the result. Other orders of the same sums in FP32 differ by 1e-6, other algorithms by 1e-5.
constexpr double least_tf32_error = 1e-4;

// No operator shows that the switch worked, but the result does.
std::optional<std::string> rounded_as_tf32(const Output& expected, const Output& found) {
  const double error = compare(expected, found, within(tf32_error), "fp32").relative_l2;
  if (!(error <= tf32_error)) return "error " + std::to_string(error) + " is above that of TF32";
  if (error < least_tf32_error) return "error " + std::to_string(error) + " is that of FP32: nothing was rounded";
  return std::nullopt;
}

// How much less time it takes depends on the device: some multiply FP32 as fast.
TORCHGATE_GROUP("tf32") {
  const Axis op = group.axis("op", {"mm", "conv2d"});
  group.axis("device", {"cuda"});
  group.needs("compute capability 8.0", compute_capability(80));

  group.reference("fp32", product_or_convolution);
  group.variant("tf32", in_tf32).only(op("mm")).checks(rounded_as_tf32).claims(time() <= 1.2 * reference());
  // cuDNN may choose an algorithm that does not use the permission.
  group.variant("permitted", in_tf32).only(op("conv2d")).within(tf32_error).claims(time() <= 1.2 * reference());
}

/// Calls `multiply` and records how many bytes its second factor has.
template <class Multiply>
Timed with_weight(Multiply multiply, const Tensor& weight) {
  return [multiply, bytes_of_weight = static_cast<double>(weight.nbytes())](Recorder& recorder) {
    Tensor result = multiply();
    recorder.put("weight_bytes", bytes_of_weight);
    return result;
  };
}

// --- fp8: products of 8-bit floating-point numbers ----------------------------------------------------------------------

Timed in_bf16(const Args& args) {
  Factors factors(args);
  factors.to(torch::kBFloat16);
  return with_weight([factors] { return torch::mm(factors.left, factors.right); }, factors.right);
}

// One scale for each matrix: its largest number becomes the largest of the format.
Tensor scale_of(const Tensor& x) {
  constexpr double largest_e4m3 = 448;
  return x.abs().max() / largest_e4m3;
}

Timed in_fp8(const Args& args) {
  const Factors factors(args);
  const Tensor left_scale = scale_of(factors.left);
  const Tensor right_scale = scale_of(factors.right);
  const Tensor left = (factors.left / left_scale).to(torch::kFloat8_e4m3fn);
  // The second matrix has to be stored by columns.
  const Tensor right = (factors.right / right_scale).to(torch::kFloat8_e4m3fn).t().contiguous().t();
  const auto multiply = [=] {
    return at::_scaled_mm(left, right, left_scale, right_scale, /*bias=*/{}, /*scale_result=*/{}, torch::kBFloat16);
  };
  return with_weight(multiply, right);
}

constexpr double fp8_error = 6e-2;  // 3 bits of mantissa: up to 6 % a rounding

TORCHGATE_GROUP("fp8") {
  group.axis("device", {"cuda"});
  group.needs("compute capability 8.9", compute_capability(89));
  group.measures(bytes("weight_bytes"));

  group.reference("bf16", in_bf16);
  group.variant("fp8", in_fp8)
      .within(fp8_error)
      .proves(calls("aten::_scaled_mm").on("Float8_e4m3fn") == 1)
      .claims(metric("weight_bytes") <= 0.5 * reference())
      .claims(metric("gpu_time_hot") <= 0.9 * reference());
}

// --- sparse24: two of four weights are zero -----------------------------------------------------------------------------

// Keeps the two largest of each four numbers of a row.
Tensor pruned(const Tensor& weight) {
  constexpr std::int64_t group = 4;
  constexpr std::int64_t kept = 2;
  const Tensor grouped = weight.reshape({-1, group});
  const Tensor largest = std::get<1>(grouped.abs().topk(kept, /*dim=*/1));
  const Tensor mask = torch::zeros_like(grouped).scatter(/*dim=*/1, largest, /*value=*/1);
  return (grouped * mask).reshape(weight.sizes());
}

struct PrunedFactors {
  Tensor weight;
  Tensor x;

  explicit PrunedFactors(const Args& args) {
    const Factors factors(args);
    weight = pruned(factors.right).to(torch::kHalf);
    x = factors.left.to(torch::kHalf);
  }
};

Timed dense(const Args& args) {
  const PrunedFactors factors(args);
  return with_weight([factors] { return torch::mm(factors.weight, factors.x); }, factors.weight);
}

Timed sparse(const Args& args) {
  const PrunedFactors factors(args);
  const Tensor weight = at::_cslt_compress(factors.weight);
  return with_weight([weight, x = factors.x] { return at::_cslt_sparse_mm(weight, x); }, weight);
}

constexpr double fp16_error = 2e-3;

// Half of the weights, and two bits for the place of each.
TORCHGATE_GROUP("sparse24") {
  group.axis("device", {"cuda"});
  group.needs("compute capability 8.0", compute_capability(80));
  group.measures(bytes("weight_bytes"));

  group.reference("dense", dense);
  group.variant("sparse", sparse)
      .within(fp16_error)
      .proves(calls("aten::_cslt_sparse_mm") == 1)
      .claims(metric("weight_bytes") <= 0.65 * reference());
}

}  // namespace
}  // namespace torchgate::suites::multiplication
