// SPDX-License-Identifier: Apache-2.0
// The model of this suite, as packages.py has it, written with LibTorch's operators: what the compiled ones are compared with.
#pragma once

#include <torch/types.h>

#include <string>

#include "harness/bench/args.hpp"

namespace torchgate::suites::compile {

inline constexpr const char* script_file = "gated.pt";

class Gated {
 public:
  /// The weights of the TorchScript file at `path`. Throws std::runtime_error (c10::Error) if it is not that model.
  explicit Gated(const std::string& path);

  /// x: [rows, 128], FP32. Returns [rows, 128].
  torch::Tensor operator()(const torch::Tensor& x) const;

 private:
  torch::Tensor up_weight_, up_bias_, down_weight_, down_bias_;
};

inline constexpr std::int64_t features = 128;

/// Rows for the model: [batch, 128].
torch::Tensor rows(const bench::Args& args, std::int64_t batch);

}  // namespace torchgate::suites::compile
