// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ci/advise/practices.hpp"

namespace torchgate::advise {
namespace {

/// What the host needs to launch a kernel: 4 to 6 us through LibTorch's dispatcher.
constexpr double launch_ns = 5000;
/// The host's time beyond the device's, as a share of it: queue and wait for the device overlap otherwise.
constexpr double host_beyond_device = 0.5;
/// Below this ratio of times another element type is a gain that one sees.
constexpr double faster_sibling = 0.8;

std::optional<CaseAnswer> launches_amortised(const CaseFacts& facts, const RunFacts&) {
  const auto launches = facts.value("kernel_launches");
  const auto device_ns = facts.value("gpu_time_hot");
  if (!launches || !device_ns) return std::nullopt;
  const double ratio = *launches * launch_ns / *device_ns;
  return CaseAnswer{ratio <= 1, fmt::format("{:.0f} launches for {:.0f} us of work", *launches, *device_ns / 1e3),
                    ratio};
}

std::optional<CaseAnswer> not_host_bound(const CaseFacts& facts, const RunFacts&) {
  const auto host_ns = facts.value("time");
  const auto device_ns = facts.value("gpu_time_hot");
  if (!host_ns || !device_ns) return std::nullopt;
  const double beyond = *host_ns / *device_ns - 1;
  return CaseAnswer{beyond <= host_beyond_device,
                    fmt::format("a call takes {:.0f} % longer than its work on the device", beyond * 100), beyond};
}

std::optional<CaseAnswer> stays_on_device(const CaseFacts& facts, const RunFacts&) {
  const auto copies = facts.value("device_copies");
  if (!facts.on_cuda() || !copies) return std::nullopt;
  return CaseAnswer{*copies <= 1, fmt::format("{:.0f} copies and fills in a call", *copies), *copies};
}

bool has_products(const CaseFacts& facts, std::string_view dtype) {
  if (facts.profile == nullptr) return false;
  return std::any_of(facts.profile->operators.begin(), facts.profile->operators.end(), [&](const auto& use) {
    const bool product = use.name == "aten::addmm" || use.name == "aten::mm" || use.name == "aten::bmm" ||
                         use.name == "aten::convolution" || use.name == "aten::mkldnn_convolution" ||
                         use.name == "aten::_convolution" || use.name == "aten::linear";
    return product && std::string_view(use.inputs).starts_with(dtype);
  });
}

bool same_parameters(const CaseFacts& a, const CaseFacts& b) {
  return a.definition->group == b.definition->group && a.definition->parameters == b.definition->parameters;
}

// On a GPU the setting says it; on a CPU another variant of the group, measured on this machine, does.
std::optional<CaseAnswer> fast_element_types(const CaseFacts& facts, const RunFacts& run) {
  if (!has_products(facts, "Float ")) return std::nullopt;
  if (facts.on_cuda()) {
    const auto setting = run.fact("cuda_float32_matmul");
    if (!setting) return std::nullopt;
    return CaseAnswer{*setting != "ieee", "FP32 products with TF32 off", 1};
  }
  const auto own = facts.value("time");
  if (!own) return std::nullopt;
  std::optional<CaseAnswer> answer;
  for (const CaseFacts& other : run.cases) {
    if (!same_parameters(facts, other) || !has_products(other, "BFloat16 ")) continue;
    const auto time = other.value("time");
    if (!time) continue;
    const double ratio = *time / *own;
    if (!answer) answer.emplace();
    if (ratio < faster_sibling)
      answer = CaseAnswer{false,
                          fmt::format("the BF16 variant {} takes {:.2f} of its time", other.definition->variant, ratio),
                          1 / ratio};
  }
  return answer;
}

constexpr std::array gpu_rows{
    Practice{"launches_amortised", "gpu", "Kernels do more work than launching them costs",
             "replay a CUDA graph, or use larger batches", "gpu/graphs", launches_amortised},
    Practice{"not_host_bound", "gpu", "The host does not hold up the device",
             "wait once instead of after each operator", "gpu/async", not_host_bound},
    Practice{"stays_on_device", "gpu", "Data stays on the device within a call",
             "keep inputs and activations on the device", "gpu/stay", stays_on_device},
    Practice{"fast_element_types", "gpu", "Products use the element types that this machine multiplies fast",
             "use BF16 or autocast, on a GPU at least TF32, and check the error", "precision/linear",
             fast_element_types},
};

}  // namespace

std::span<const Practice> gpu_practices() {
  return gpu_rows;
}

}  // namespace torchgate::advise
