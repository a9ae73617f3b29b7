// SPDX-License-Identifier: Apache-2.0
#include "suites/models/script.hpp"

#include <torch/torch.h>

#include <utility>

#include "suites/common/interpreter.hpp"

namespace torchgate::suites {

using torch::Tensor;

ScriptModule::ScriptModule(const char* name) : module_(name) {
  // freeze() refuses a module that does not say whether it is being trained.
  module_.register_attribute("training", c10::BoolType::get(), false);
}

void ScriptModule::add(const std::string& name, const Tensor& parameter) {
  module_.register_parameter(name, parameter, /*is_buffer=*/false);
}

void ScriptModule::add(const std::string& name, const LinearLayer& layer) {
  add(name + "_weight", layer.weight);
  add(name + "_bias", layer.bias);
}

void ScriptModule::add(const std::string& name, const LayerNorm& norm) {
  add(name + "_scale", norm.scale);
  add(name + "_shift", norm.shift);
}

void ScriptModule::add(const std::string& name, const torch::jit::Module& part) {
  module_.register_module(name, part);
}

torch::jit::Module ScriptModule::defined_by(const std::string& source) {
  module_.define(source);
  return module_;
}

ScriptCalls::ScriptCalls(torch::jit::Module module, std::vector<c10::IValue> inputs)
    : module_(std::move(module)), inputs_(std::move(inputs)) {
  for (int run = 0; run < runs_until_rewritten; ++run) (void)module_.forward(inputs_);
}

Tensor ScriptCalls::operator()() {
  return module_.forward(inputs_).toTensor();
}

Tensor ScriptCalls::operator()(const Tensor& input) {
  return module_.forward({input}).toTensor();
}

}  // namespace torchgate::suites
