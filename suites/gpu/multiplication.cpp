// SPDX-License-Identifier: Apache-2.0
// Products and convolutions: which number format, which library, which algorithm.
#include <ATen/Context.h>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/gpu/cuda_calls.hpp"

namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::compute_capability;
using torchgate::suites::Inputs;

constexpr std::int64_t size = 2048;  // of the matrices

struct Factors {
  Tensor left;
  Tensor right;

  explicit Factors(const Args& args) {
    Inputs inputs(args);
    left = inputs.normal({size, size});
    right = inputs.normal({size, size}) / std::sqrt(static_cast<double>(size));
  }
  void to(torch::Dtype dtype) {
    left = left.to(dtype);
    right = right.to(dtype);
  }
};

struct Images {
  Tensor images;
  Tensor weight;

  explicit Images(const Args& args) {
    constexpr std::int64_t batch = 32;
    constexpr std::int64_t channels = 64;
    constexpr std::int64_t width = 56;
    constexpr std::int64_t kernel = 3;
    Inputs inputs(args);
    images = inputs.normal({batch, channels, width, width});
    weight = inputs.normal({channels, channels, kernel, kernel}) /
             std::sqrt(static_cast<double>(channels * kernel * kernel));
  }
  [[nodiscard]] Tensor operator()() const {
    return torch::conv2d(images, weight, /*bias=*/{}, /*stride=*/1, /*padding=*/1);
  }
};

Timed convolution(const Args& args) {
  return [images = Images(args)] { return images(); };
}

Timed product(const Args& args) {
  return [factors = Factors(args)] { return torch::mm(factors.left, factors.right); };
}

// --- cudnn: how it chooses a convolution --------------------------------------------------------------------------------

Timed benchmarked(const Args& args) {
  at::globalContext().setBenchmarkCuDNN(true);
  return convolution(args);
}

Timed without_cudnn(const Args& args) {
  at::globalContext().setUserEnabledCuDNN(false);
  return convolution(args);
}

constexpr double fp32_error = 1e-5;

TORCHGATE_GROUP("cudnn") {
  group.axis("device", {"cuda"});
  group.reference("default", convolution).proves(calls("aten::cudnn_convolution") == 1);
  group.variant("benchmark", benchmarked).within(fp32_error).proves(calls("aten::cudnn_convolution") == 1);
  group.variant("disabled", without_cudnn).within(fp32_error).proves(calls("aten::cudnn_convolution") == 0);
}

// --- tf32: FP32 numbers, multiplied with 10 bits of mantissa ------------------------------------------------------------

Timed product_or_convolution(const Args& args) {
  return args.text("op") == "mm" ? product(args) : convolution(args);
}

Timed in_tf32(const Args& args) {
  at::globalContext().setFloat32MatmulPrecision("high");
  at::globalContext().setAllowTF32CuDNN(true);
  return product_or_convolution(args);
}

constexpr double tf32_error = 2e-3;

TORCHGATE_GROUP("tf32") {
  group.axis("op", {"mm", "conv2d"});
  group.axis("device", {"cuda"});
  group.needs("compute capability 8.0", compute_capability(80));

  group.reference("fp32", product_or_convolution);
  group.variant("tf32", in_tf32).within(tf32_error);
}

// --- blas: which library multiplies -------------------------------------------------------------------------------------

Timed by_library(const Args& args, at::BlasBackend backend) {
  at::globalContext().setBlasPreferredBackend(backend);
  Factors factors(args);
  factors.to(torch::kBFloat16);
  return [factors, bias = Inputs(args).normal({size}).to(torch::kBFloat16)] {
    return torch::addmm(bias, factors.left, factors.right);
  };
}

Timed cublas(const Args& args) {
  return by_library(args, at::BlasBackend::Cublas);
}

Timed cublaslt(const Args& args) {
  return by_library(args, at::BlasBackend::Cublaslt);
}

constexpr double bf16_error = 1e-2;

TORCHGATE_GROUP("blas") {
  group.axis("device", {"cuda"});
  group.reference("cublas", cublas);
  group.variant("cublaslt", cublaslt).within(bf16_error).proves(calls("aten::addmm") == 1);
}

// --- fp8: products of 8-bit floating-point numbers ----------------------------------------------------------------------

Timed in_bf16(const Args& args) {
  Factors factors(args);
  factors.to(torch::kBFloat16);
  return [factors] { return torch::mm(factors.left, factors.right); };
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
  return [=] {
    return at::_scaled_mm(left, right, left_scale, right_scale, /*bias=*/{}, /*scale_result=*/{}, torch::kBFloat16);
  };
}

constexpr double fp8_error = 6e-2;  // 3 bits of mantissa: up to 6 % a rounding

TORCHGATE_GROUP("fp8") {
  group.axis("device", {"cuda"});
  group.needs("compute capability 8.9", compute_capability(89));

  group.reference("bf16", in_bf16);
  group.variant("fp8", in_fp8).within(fp8_error).proves(calls("aten::_scaled_mm") == 1);
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
  return [factors = PrunedFactors(args)] { return torch::mm(factors.weight, factors.x); };
}

Timed sparse(const Args& args) {
  const PrunedFactors factors(args);
  return [weight = at::_cslt_compress(factors.weight), x = factors.x] { return at::_cslt_sparse_mm(weight, x); };
}

constexpr double fp16_error = 2e-3;

TORCHGATE_GROUP("sparse24") {
  group.axis("device", {"cuda"});
  group.needs("compute capability 8.0", compute_capability(80));

  group.reference("dense", dense);
  group.variant("sparse", sparse).within(fp16_error).proves(calls("aten::_cslt_sparse_mm") == 1);
}

}  // namespace
