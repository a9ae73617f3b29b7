// SPDX-License-Identifier: Apache-2.0
#include "suites/compile/program.hpp"

#include <torch/nativert/ModelRunnerHandle.h>

namespace torchgate::suites::compile {

#ifdef TORCHGATE_HAS_NATIVERT

std::optional<std::string> has_nativert() {
  return std::nullopt;
}

Program::Program(const std::string& path)
    : runner_(std::make_shared<torch::nativert::ModelRunnerHandle>(path, "model")) {}

torch::Tensor Program::operator()(const torch::Tensor& x) const {
  return runner_->run({x}, {}).toTensor();
}

#else

namespace {

constexpr const char* no_nativert = "this LibTorch is built without nativert";

}  // namespace

std::optional<std::string> has_nativert() {
  return no_nativert;
}

Program::Program(const std::string& /*path*/) {
  TORCH_CHECK(false, no_nativert);
}

torch::Tensor Program::operator()(const torch::Tensor& x) const {
  return x;
}

#endif

}  // namespace torchgate::suites::compile
