// SPDX-License-Identifier: Apache-2.0
// A suite of kernels that take a known number of cycles, for comparisons on a GPU whose answer is known: those of a program that is called
// "known_kernel-plus10" take 10 % more.
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/Sleep.h>

#include <cerrno>
#include <string>

#include "harness/bench/torch/suite.hpp"

namespace {

using namespace torchgate::bench;

std::int64_t planted_percent() {
  const std::string name = program_invocation_short_name;
  const auto plus = name.find("-plus");
  return plus == std::string::npos ? 0 : std::stoll(name.substr(plus + 5));
}

std::int64_t cycles_of(std::int64_t kilocycles) {
  return kilocycles * 1'000 * (100 + planted_percent()) / 100;
}

Timed spin(const Args& args) {
  return [cycles = cycles_of(args.number("kilocycles"))] { at::cuda::sleep(cycles); };
}

/// There is not enough memory for both sides of a pair at once.
Timed spin_beside_memory(const Args& args) {
  constexpr double share = 0.6;
  const auto bytes =
      static_cast<std::int64_t>(share * static_cast<double>(at::cuda::getCurrentDeviceProperties()->totalGlobalMem));
  const torch::Tensor memory = torch::empty({bytes}, torch::dtype(torch::kByte).device(device_of(args)));
  return [memory, cycles = cycles_of(1'000)] { at::cuda::sleep(cycles); };
}

TORCHGATE_GROUP("spin") {
  group.axis("device", {"cuda"});
  group.axis("kilocycles", {100, 1'000, 5'000});  // 0.05 to 3 ms
  group.sweep("kernel", spin);
}
TORCHGATE_GROUP("memory") {
  group.axis("device", {"cuda"});
  group.sweep("kernel", spin_beside_memory);
}

}  // namespace

TORCHGATE_TORCH_SUITE("known_kernel")
