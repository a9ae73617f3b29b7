// SPDX-License-Identifier: Apache-2.0
// What a suite with LibTorch includes:
//
//   #include "harness/bench/torch/suite.hpp"
//   using namespace torchgate::bench;
//   TORCHGATE_GROUP("relu") {
//     group.axis("size", {1000});
//     group.reference("out_of_place", a);
//     group.variant("in_place", b);
//   }
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
