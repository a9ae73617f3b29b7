// SPDX-License-Identifier: Apache-2.0
// FP32 tensors multiplied as BF16: what TF32 is on a GPU, by one switch and without touching the model. oneDNN rounds the
// factors, adds in FP32 and returns FP32.
#include <ATen/Context.h>

#include <optional>
#include <string>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"

namespace torchgate::suites::fp32_as_bf16 {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

constexpr std::int64_t width = 512;

bool rounding_is_permitted() {
  const auto precision = at::globalContext().float32Precision(at::Float32Backend::MKLDNN, at::Float32Op::MATMUL);
  return precision == at::Float32Precision::BF16;
}

Timed as_fp32(const Args& args) {
  return [mlp = Mlp({width, width, width}, args),
          x = Inputs(args).normal({args.number("batch"), width})](Recorder& recorder) mutable {
    recorder.put("permitted", rounding_is_permitted() ? 1 : 0);
    return mlp(x);
  };
}

Timed as_bf16(const Args& args) {
  at::globalContext().setFloat32Precision(at::Float32Backend::MKLDNN, at::Float32Op::MATMUL,
                                          at::Float32Precision::BF16);
  return as_fp32(args);
}

constexpr double bf16_error = 1e-2;  // 8 bits of mantissa: 0.4 % a rounding
constexpr double fp32_error = 1e-4;  // of the same sums in another order: about 1e-6

// No operator shows that the switch worked, but the result does: it has the error of BF16, not that of FP32.
std::optional<std::string> rounded_as_bf16(const Output& expected, const Output& found) {
  const double error = compare(expected, found, within(bf16_error), "fp32").relative_l2;
  if (!(error <= bf16_error)) return "error " + std::to_string(error) + " is above that of BF16";
  if (error < fp32_error) return "error " + std::to_string(error) + " is that of FP32: nothing was rounded";
  return std::nullopt;
}

// oneDNN rounds only where it has a reason to: with AMX. With avx512_bf16 alone it takes the permission and multiplies FP32.
// `permitted` proves on any CPU that the switch is on while the layers are called; `as_bf16` that products are rounded.
TORCHGATE_GROUP("fp32_as_bf16") {
  const Axis batch = group.axis("batch", {64, 128});
  group.quick(batch(128)).only_full(batch(64)).items(batch).measures(count("permitted"));

  group.reference("fp32", as_fp32).proves(metric("permitted") == 0);
  group.variant("permitted", as_bf16).within(bf16_error).quick(none).proves(metric("permitted") == 1);
  group.variant("as_bf16", as_bf16)
      .needs("amx_bf16")
      .checks(rounded_as_bf16)
      .claims(time() <= 0.6 * reference(), batch(128));
}

}  // namespace
}  // namespace torchgate::suites::fp32_as_bf16
