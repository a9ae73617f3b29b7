// SPDX-License-Identifier: Apache-2.0
// What a suite with LibTorch includes:
//
//   #include "harness/bench/torch/suite.hpp"
//   using namespace torchgate::bench;
//   TORCHGATE_GROUP("mine/relu").axis("size", {1000}).reference("out_of_place", a).variant("in_place", b)...;
//   TORCHGATE_TORCH_SUITE("mine")
#pragma once

#include <torch/torch.h>

#include "harness/bench/bench.hpp"                // IWYU pragma: export
#include "harness/bench/torch/tensor_output.hpp"  // IWYU pragma: export
#include "harness/bench/torch/torch_backend.hpp"  // IWYU pragma: export

namespace torchgate::bench {

/// The case's device.
inline torch::Device device_of(const Args& args) {
  return args.device() == "cuda" ? torch::Device(torch::kCUDA) : torch::Device(torch::kCPU);
}

}  // namespace torchgate::bench

/// Defines main() of a suite with LibTorch. Once, in one file of the suite.
#define TORCHGATE_TORCH_SUITE(name)                                                              \
  int main(int argc, char** argv) {                                                              \
    return ::torchgate::bench::run_suite(argc, argv, name, ::torchgate::bench::torch_backend()); \
  }
