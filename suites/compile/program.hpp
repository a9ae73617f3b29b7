// SPDX-License-Identifier: Apache-2.0
// An exported program that nativert interprets. The wheels of LibTorch 2.15 have its header and not the library behind it.
#pragma once

#include <torch/types.h>

#include <memory>
#include <optional>
#include <string>

namespace torch::nativert {
class ModelRunnerHandle;
}

namespace torchgate::suites::compile {

/// For needs("nativert", has_nativert): absent if this LibTorch has it.
std::optional<std::string> has_nativert();

class Program {
 public:
  /// The exported program in the file PATH. Throws c10::Error without nativert.
  explicit Program(const std::string& path);
  torch::Tensor operator()(const torch::Tensor& x) const;

 private:
  std::shared_ptr<torch::nativert::ModelRunnerHandle> runner_;
};

}  // namespace torchgate::suites::compile
