// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ci/advise/operator_inputs.hpp"
#include "ci/advise/practices.hpp"

namespace torchgate::advise {
namespace {

/// A tenth of a call: what a copy costs is then worth a look at the layout.
constexpr double copies_matter = 0.10;
/// A quarter of a call in operators that only read and write memory.
constexpr double pointwise_matters = 0.25;
/// In place a pointwise operator moves two streams in place of three: the operand, the result, and the lines of the result before they are
/// written.
constexpr double in_place_saves = 1.0 / 3;
/// 64 Ki floats, 256 KiB: larger tensors leave the second-level cache, and a new result costs as much as reading an operand.
constexpr double large_elements = 65536;

/// Of the gradients of a step: fewer tensors that are set to zero are not those of an optimizer.
constexpr double share_of_gradients = 0.5;

/// Computing activations again costs time, so that it is advised for what limits a batch: a peak of 1 GiB, mostly activations.
constexpr double large_peak_bytes = 1024.0 * 1024 * 1024;
constexpr double mostly_activations = 0.75;
/// Every second block kept (memory/checkpoint: 0.28 to 0.49 of the peak is left).
constexpr double recomputing_saves = 0.5;

std::optional<CaseAnswer> released(const CaseFacts& facts, const RunFacts&) {
  const auto retained = facts.value("retained_bytes");
  if (!retained) return std::nullopt;
  // All of it, whatever the peak is: it grows with each call.
  return CaseAnswer{*retained <= 0, fmt::format("a call keeps {:.10g} bytes", *retained), *retained, 1.0};
}

std::optional<CaseAnswer> in_place(const CaseFacts& facts, const RunFacts&) {
  if (facts.profile == nullptr || facts.is_training()) return std::nullopt;  // a backward pass needs the operands
  double self_ns = 0;
  double calls = 0;
  bool any = false;
  for (const record::OperatorUse& use : facts.profile->operators) {
    for (const std::string_view name : {"aten::add", "aten::sub", "aten::mul", "aten::div", "aten::relu",
                                        "aten::sigmoid", "aten::tanh", "aten::gelu", "aten::silu", "aten::clamp"}) {
      const bool out_of_place = use.name == name;
      const bool same = out_of_place || use.name == std::string(name) + "_";
      if (!same || first_elements(use) < large_elements) continue;
      any = true;
      if (!out_of_place) continue;
      self_ns += use.self_ns;
      calls += use.calls;
    }
  }
  if (!any || !(facts.profile->call_ns > 0)) return std::nullopt;
  const double share = self_ns / facts.profile->call_ns;
  // The result of a single one may be what the caller wants.
  return CaseAnswer{share < pointwise_matters || calls < 2,
                    fmt::format("pointwise operators that allocate their results take {:.0f} % of a call", share * 100),
                    share, share * in_place_saves};
}

std::optional<CaseAnswer> contiguous_inputs(const CaseFacts& facts, const RunFacts&) {
  if (facts.profile == nullptr || !(facts.profile->call_ns > 0)) return std::nullopt;
  double self_ns = 0;
  for (const record::OperatorUse& use : facts.profile->operators) {
    const bool copies = use.name == "aten::copy_" || use.name == "aten::contiguous" || use.name == "aten::clone";
    if (copies && use.inputs.find("strided") != std::string::npos) self_ns += use.self_ns;
  }
  const double share = self_ns / facts.profile->call_ns;
  return CaseAnswer{share < copies_matter,
                    fmt::format("copies of strided tensors take {:.0f} % of a call", share * 100), share, share};
}

std::optional<CaseAnswer> gradients_to_none(const CaseFacts& facts, const RunFacts&) {
  if (!facts.is_training()) return std::nullopt;
  // New tensors of zeros are filled by the same operator.
  const double made = facts.calls_of({"aten::zeros", "aten::zeros_like", "aten::new_zeros"});
  const double zeroed = facts.calls("aten::zero_") - made;
  // Losses and reducers set tensors of their own to zero: a few, where an optimizer does it to each gradient.
  const double gradients = facts.calls("torch::autograd::AccumulateGrad");
  return CaseAnswer{zeroed < 2 || zeroed < gradients * share_of_gradients,
                    fmt::format("{:.0f} tensors are set to zero in a training step", zeroed), zeroed,
                    facts.share({"aten::zero_", "aten::fill_"})};
}

std::optional<CaseAnswer> activations_dropped(const CaseFacts& facts, const RunFacts&) {
  const auto peak = facts.value("peak_bytes");
  if (!peak || !(*peak > 0) || !facts.is_training()) return std::nullopt;
  double gradients = 0;
  for (const record::OperatorUse& use : facts.profile->operators) {
    if (use.name != "torch::autograd::AccumulateGrad") continue;
    const auto inputs = inputs_of(use);
    const auto bytes = inputs.empty() ? std::nullopt : element_bytes(inputs.front().type);
    if (bytes) gradients += use.calls * inputs.front().elements() * *bytes;
  }
  if (!(gradients > 0)) return std::nullopt;
  // Several steps in a call count their gradients several times: the share of the activations is then too low, never too high.
  const double share = std::max(0.0, 1 - gradients / *peak);
  constexpr double gigabyte = 1e9;
  return CaseAnswer{
      *peak < large_peak_bytes || share < mostly_activations,
      fmt::format("of a peak of {:.3g} GB, gradients take {:.3g} GB", *peak / gigabyte, gradients / gigabyte), *peak,
      share * recomputing_saves};
}

constexpr std::array memory_rows{
    Practice{"released", category::memory, "Calls release what they allocate",
             "release intermediates, detach() what is kept, or keep it outside of the call", "memory/lifetime",
             "what calls leave behind",
             "no case has retained_bytes: cases on LibTorch have it, unless the group leaves it out with without()",
             released},
    Practice{"in_place", category::memory, "Large pointwise results overwrite an operand that is no longer needed",
             "use the operators that end in _, such as relu_(), or a fused one", "fusion/gelu", of_a_call,
             "no case calls a pointwise operator on 65,536 elements or more without a backward pass", in_place},
    Practice{"contiguous_inputs", category::memory, "Operators get their inputs without a copy",
             "store the tensor in the layout that its reader wants; images and weights of convolutions with "
             "contiguous(torch::MemoryFormat::ChannelsLast)",
             "memory/channels_last", of_a_call, "no case has an operator profile: cases on LibTorch have it",
             contiguous_inputs},
    Practice{"gradients_to_none", category::memory, "Gradients are released between steps, not set to zero",
             "call zero_grad(true), which is the default", "memory/training_state", of_a_call,
             "no case has a backward pass: measure a training step in a group with .training()", gradients_to_none},
    Practice{
        "activations_dropped", category::memory, "Activations are computed again where they fill most of a large peak",
        "keep every second block only: a torch::autograd::Function that saves its input and runs the block again in "
        "backward(); a step takes about half longer",
        "memory/checkpoint", "the peak",
        "no case has a backward pass and peak_bytes: measure a training step in a group with .training()",
        activations_dropped},
};

}  // namespace

std::span<const Practice> memory_practices() {
  return memory_rows;
}

}  // namespace torchgate::advise
