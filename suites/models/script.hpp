// SPDX-License-Identifier: Apache-2.0
// TorchScript without Python: a module made of tensors and of source text, and the calls of one.
#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/types.h>

#include <string>
#include <vector>

#include "suites/models/layers.hpp"

namespace torchgate::suites {

/// A TorchScript module that is being put together.
class ScriptModule {
 public:
  explicit ScriptModule(const char* name);
  void add(const std::string& name, const torch::Tensor& parameter);
  /// NAME_weight, NAME_bias
  void add(const std::string& name, const LinearLayer& layer);
  /// NAME_scale, NAME_shift
  void add(const std::string& name, const LayerNorm& norm);
  void add(const std::string& name, const torch::jit::Module& part);
  /// The finished module. Its `source` defines forward().
  torch::jit::Module defined_by(const std::string& source);

 private:
  torch::jit::Module module_;
};

/// Calls of a module. The interpreter profiles its first run and rewrites the program in the second: both have ended.
class ScriptCalls {
 public:
  ScriptCalls(torch::jit::Module module, std::vector<c10::IValue> inputs);
  torch::Tensor operator()();
  /// With another input than those it was built with, of the same shape.
  torch::Tensor operator()(const torch::Tensor& input);

 private:
  torch::jit::Module module_;
  std::vector<c10::IValue> inputs_;
};

}  // namespace torchgate::suites
