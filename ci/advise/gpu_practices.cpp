// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <map>

#include "ci/advise/operator_inputs.hpp"
#include "ci/advise/practices.hpp"

namespace torchgate::advise {
namespace {

/// What the host needs to launch a kernel: 4 to 6 us through LibTorch's dispatcher.
constexpr double launch_ns = 5000;
/// The host's time beyond the device's, as a share of it: queue and wait for the device overlap otherwise.
constexpr double host_beyond_device = 0.5;
/// Inputs go to the device, a result comes back.
constexpr double needed_copies = 2;

constexpr std::string_view no_device =
    "no case has times and counts of a CUDA device: add .devices() to the group, and measure on a machine with one";

std::optional<CaseAnswer> launches_amortised(const CaseFacts& facts, const RunFacts&) {
  const auto launches = facts.value("kernel_launches");
  const auto device_ns = facts.value("gpu_time_hot");
  if (!launches || !device_ns || !(*device_ns > 0)) return std::nullopt;
  const double ratio = *launches * launch_ns / *device_ns;
  return CaseAnswer{ratio <= 1, fmt::format("{:.0f} launches for {:.0f} us of work", *launches, *device_ns / 1e3),
                    ratio, ratio > 1 ? 1 - 1 / ratio : 0};
}

std::optional<CaseAnswer> not_host_bound(const CaseFacts& facts, const RunFacts&) {
  const auto host_ns = facts.value("time");
  const auto device_ns = facts.value("gpu_time_hot");
  if (!host_ns || !device_ns || !(*device_ns > 0)) return std::nullopt;
  const double beyond = *host_ns / *device_ns - 1;
  return CaseAnswer{beyond <= host_beyond_device,
                    fmt::format("a call takes {:.0f} % longer than its work on the device", beyond * 100), beyond,
                    beyond / (1 + beyond)};
}

struct Crossings {
  double to_device = 0;
  double to_host = 0;
};

// Between host and device, by the sizes of the tensor. A number alone is not data that could stay.
std::map<Sizes, Crossings> crossings_of(const record::OperatorProfile& profile) {
  std::map<Sizes, Crossings> crossings;
  for (const record::OperatorUse& use : profile.operators) {
    if (use.name != "aten::copy_") continue;
    const auto inputs = inputs_of(use);
    if (inputs.size() < 2 || inputs[0].on_cuda == inputs[1].on_cuda || inputs[0].elements() < 2) continue;
    Crossings& of_sizes = crossings[*inputs[0].sizes];
    (inputs[0].on_cuda ? of_sizes.to_device : of_sizes.to_host) += use.calls;
  }
  return crossings;
}

std::optional<CaseAnswer> stays_on_device(const CaseFacts& facts, const RunFacts&) {
  if (!facts.on_cuda() || facts.profile == nullptr) return std::nullopt;
  double copies = 0;
  bool round_trip = false;
  for (const auto& [sizes, crossings] : crossings_of(*facts.profile)) {
    copies += crossings.to_device + crossings.to_host;
    round_trip = round_trip || (crossings.to_device > 0 && crossings.to_host > 0);
  }
  return CaseAnswer{copies <= needed_copies && !round_trip,
                    fmt::format("{:.0f} copies between host and device in a call{}", copies,
                                round_trip ? ", of one size in both directions" : ""),
                    copies};
}

std::optional<CaseAnswer> convolutions_in_cudnn(const CaseFacts& facts, const RunFacts&) {
  if (!facts.on_cuda()) return std::nullopt;
  const double in_cudnn = facts.calls_of({"aten::cudnn_convolution", "aten::cudnn_convolution_transpose",
                                          "aten::cudnn_convolution_relu", "aten::cudnn_convolution_add_relu"});
  const double elsewhere =
      facts.calls_of({"aten::_slow_conv2d_forward", "aten::slow_conv3d_forward", "aten::slow_conv_dilated2d",
                      "aten::slow_conv_dilated3d", "aten::slow_conv_transpose2d", "aten::slow_conv_transpose3d"});
  if (in_cudnn + elsewhere == 0) return std::nullopt;
  return CaseAnswer{elsewhere == 0,
                    fmt::format("{:.0f} of {:.0f} convolutions run without cuDNN", elsewhere, in_cudnn + elsewhere),
                    elsewhere};
}

constexpr std::array gpu_rows{
    Practice{"launches_amortised", category::computation, "Kernels do more work than launching them costs",
             "replay the call as an at::cuda::CUDAGraph, or use larger batches", "gpu/graphs", of_a_call, no_device,
             launches_amortised},
    Practice{"not_host_bound", category::computation, "The host does not hold up the device",
             "read results once at the end: each item() and each cpu() waits for the device", "gpu/async", of_a_call,
             no_device, not_host_bound},
    Practice{"stays_on_device", category::computation, "Data stays on the device within a call",
             "keep inputs and activations on the device: to(device) once, when the case is built", "gpu/stay",
             of_a_call, no_device, stays_on_device},
    Practice{"convolutions_in_cudnn", category::computation, "Convolutions on a GPU run in cuDNN",
             "at::globalContext().setUserEnabledCuDNN(true), with tensors of FP32, FP16 or BF16", "gpu/cudnn",
             of_a_call, "no case calls a convolution on a CUDA device", convolutions_in_cudnn},
    Practice{"cudnn_autotuned", category::computation, "cuDNN has tried its algorithms for the sizes of the model",
             "at::globalContext().setBenchmarkCuDNN(true), where sizes do not change", "gpu/cudnn", of_a_call,
             "no record has cuDNN's benchmark mode: compare a variant that calls "
             "at::globalContext().setBenchmarkCuDNN(true) on a CUDA device, as gpu/cudnn does",
             not_recorded},
};

}  // namespace

std::span<const Practice> gpu_practices() {
  return gpu_rows;
}

}  // namespace torchgate::advise
