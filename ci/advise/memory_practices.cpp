// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "ci/advise/practices.hpp"

namespace torchgate::advise {
namespace {

/// A tenth of a call: what a copy costs is then worth a look at the layout.
constexpr double copies_matter = 0.10;
/// A quarter of a call in operators that only read and write memory.
constexpr double pointwise_matters = 0.25;
/// 64 Ki floats, 256 KiB: larger tensors leave the second-level cache, and a new result costs as much as reading an operand.
constexpr double large_elements = 65536;

/// Of the gradients of a step: fewer tensors that are set to zero are not those of an optimizer.
constexpr double share_of_gradients = 0.5;

std::optional<CaseAnswer> released(const CaseFacts& facts, const RunFacts&) {
  const auto retained = facts.value("retained_bytes");
  if (!retained) return std::nullopt;
  return CaseAnswer{*retained <= 0, fmt::format("a call keeps {:.10g} bytes", *retained), *retained};
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
                    share};
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
                    fmt::format("copies of strided tensors take {:.0f} % of a call", share * 100), share};
}

std::optional<CaseAnswer> gradients_to_none(const CaseFacts& facts, const RunFacts&) {
  if (!facts.is_training()) return std::nullopt;
  // New tensors of zeros are filled by the same operator.
  const double made = facts.calls("aten::zeros") + facts.calls("aten::zeros_like") + facts.calls("aten::new_zeros");
  const double zeroed = facts.calls("aten::zero_") - made;
  // Losses and reducers set tensors of their own to zero: a few, where an optimizer does it to each gradient.
  const double gradients = facts.calls("torch::autograd::AccumulateGrad");
  return CaseAnswer{zeroed < 2 || zeroed < gradients * share_of_gradients,
                    fmt::format("{:.0f} tensors are set to zero in a training step", zeroed), zeroed};
}

constexpr std::array memory_rows{
    Practice{"released", "memory", "Calls release what they allocate",
             "release intermediates, or keep them outside of the call", "memory/lifetime", released},
    Practice{"in_place", "memory", "Large pointwise results overwrite an operand that is no longer needed",
             "use the operators that end in _, or a fused one", "fusion/gelu", in_place},
    Practice{"contiguous_inputs", "memory", "Operators get their inputs without a copy",
             "store the tensor in the layout that its reader wants, or use channels_last throughout",
             "memory/channels_last", contiguous_inputs},
    Practice{"gradients_to_none", "memory", "Gradients are released between steps, not set to zero",
             "call zero_grad(set_to_none = true)", "memory/training_state", gradients_to_none},
};

}  // namespace

std::span<const Practice> memory_practices() {
  return memory_rows;
}

}  // namespace torchgate::advise
