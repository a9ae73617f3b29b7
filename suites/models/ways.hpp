// SPDX-License-Identifier: Apache-2.0
// What the groups of all models share.
#pragma once

#include <torch/torch.h>

#include <optional>
#include <string>
#include <utility>

#include "harness/bench/timed.hpp"

namespace torchgate::suites {

/// Exact metric of the variants `inference_mode`: 1 if the output was made in that mode.
inline constexpr const char* inference_outputs = "inference_outputs";

/// The call in inference mode: the same operators, whose results have no version counters and no record of views.
template <class Call>
bench::Timed in_inference_mode(Call call) {
  return [call = std::move(call)](bench::Recorder& recorder) mutable {
    const c10::InferenceMode guard;
    torch::Tensor output = call();
    recorder.put(inference_outputs, output.is_inference() ? 1 : 0);
    return output;
  };
}

/// Absent if this CPU has instructions for BF16 numbers, otherwise the reason; for needs().
std::optional<std::string> missing_bf16();

// A model in FP32 against itself in another order of operations; in BF16, whose mantissa of 8 bits makes an error of 0.4 % in
// each rounding.
inline constexpr double fp32_error = 1e-5;
inline constexpr double bf16_error = 1e-2;

}  // namespace torchgate::suites
