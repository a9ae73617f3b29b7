// SPDX-License-Identifier: Apache-2.0
// Adaptive checkpointing: as many segments as a memory budget demands, and no more.
#include <ATen/Context.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/expected.hpp"
#include "suites/memory/bytes_in_use.hpp"
#include "suites/memory/deep_model.hpp"

namespace torchgate::suites::adaptive {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::BytesInUse;
using torchgate::suites::DeepModel;
using torchgate::suites::distance_of_halves;

constexpr std::int64_t layers = 20;
constexpr std::int64_t layers_per_segment = 2;

/// Decides before a training step how many segments are checkpointed, from the memory that is in use at that moment.
class CheckpointPolicy {
 public:
  CheckpointPolicy(std::int64_t budget_bytes, std::shared_ptr<const BytesInUse> in_use)
      : budget_bytes_(budget_bytes), in_use_(std::move(in_use)) {}

  /// The least number of segments with which the step fits into the budget; all but the last if none does.
  [[nodiscard]] std::int64_t segments(const DeepModel& model) const {
    const std::int64_t available_bytes = budget_bytes_ - (*in_use_)();
    std::int64_t checkpointed = 0;
    while (checkpointed + 1 < model.segments() && peak_bytes(model, checkpointed) > available_bytes) ++checkpointed;
    return checkpointed;
  }

 private:
  /// When the forward pass has ended, a checkpointed segment holds its input and any other its activations. The backward
  /// pass adds the gradients of the parameters and of three activations: of the output, of the input, and between them.
  static std::int64_t peak_bytes(const DeepModel& model, std::int64_t checkpointed) {
    constexpr std::int64_t gradients_of_activations = 3;
    return checkpointed * model.activation_bytes() + (model.segments() - checkpointed) * model.kept_bytes() +
           model.parameter_bytes() + gradients_of_activations * model.activation_bytes();
  }

  std::int64_t budget_bytes_;
  std::shared_ptr<const BytesInUse> in_use_;
};

// --- adaptive: budgets of one device ------------------------------------------------------------------------------------

// A limit of 4 MB stands for a device's memory; the step without checkpoints does not fit.
constexpr std::int64_t limit_bytes = 4'000'000;

std::int64_t budget_bytes(const std::string& percent) {
  if (percent == "none") return std::numeric_limits<std::int64_t>::max();
  return limit_bytes * std::stoll(percent) / 100;
}

// The outputs of the first two calls are checked.
constexpr std::size_t checked_calls = 2;

Timed adaptive(const Args& args) {
  const auto in_use = std::make_shared<const BytesInUse>(device_of(args));
  std::optional<BytesInUse::Scope> while_built(std::in_place, *in_use);
  DeepModel model(layers, layers_per_segment, args);
  // What each call must return: the same step without checkpoints, with the same random numbers.
  at::Generator generator = at::globalContext().defaultGenerator(device_of(args));
  const Tensor state = generator.get_state();
  std::vector<std::vector<Tensor>> expected{model.step(/*checkpointed=*/0)};
  while_built.reset();  // what only the checks of later calls need does not count as in use
  while (expected.size() < checked_calls) {
    expected.push_back(model.step(/*checkpointed=*/0));
    for (Tensor& each : expected.back()) each = each.cpu();
  }
  generator.set_state(state);
  const CheckpointPolicy policy(budget_bytes(args.text("budget")), in_use);
  return [=, calls = std::size_t{0}](Recorder& recorder) mutable {
    const BytesInUse::Scope while_called(*in_use);
    const std::int64_t checkpointed = policy.segments(model);
    recorder.put("segments", static_cast<double>(checkpointed));
    std::vector<Tensor> results = model.step(checkpointed);
    const std::vector<Tensor>& of_call = expected[std::min(calls++, checked_calls - 1)];
    results.insert(results.end(), of_call.begin(), of_call.end());
    return results;
  };
}

/// The first half of the output is the step's, the second half the expected one.
std::optional<std::string> same_gradients(const Output& output) {
  constexpr double tolerance = 1e-5;
  const double distance = distance_of_halves(output);
  if (distance <= tolerance) return std::nullopt;
  return "the gradients differ from those without checkpoints: relative L2 distance " + std::to_string(distance);
}

// Without the model's own bytes in use the policy would checkpoint 4 and 8 segments.
constexpr std::int64_t segments_at_80 = 6;
constexpr std::int64_t segments_at_50 = 9;

TORCHGATE_GROUP("adaptive") {
  const Axis budget = group.axis("budget", {"none", "80", "50"});
  group.devices().training().quick(budget("80")).gates("peak_bytes").measures(count("segments"));

  group.sweep("policy", adaptive)
      .checks(same_gradients)
      .proves(metric("segments") == 0, budget("none"))
      .proves(metric("segments") == segments_at_80, where(cpu, budget("80")))
      .proves(metric("segments") == segments_at_50, where(cpu, budget("50")))
      .claims(metric("peak_bytes") <= absolute(3'200'000), where(cpu, budget("80")))
      .claims(metric("peak_bytes") <= absolute(2'000'000), where(cpu, budget("50")))
      .claims(time() <= 2.0 * case_with(budget("none")), where(cpu, budget("50")));
}

// --- in_use: one device, shared with other tensors ----------------------------------------------------------------------

// The model alone fits into it without checkpoints.
constexpr std::int64_t device_bytes = 5'000'000;
// Of these the model and its batch hold 398,336 before a call begins, and a peak is above what is in use then.
constexpr std::int64_t left_for_call = 4'600'000;
constexpr std::int64_t bytes_of_megabyte = 1'000'000;

/// Each step runs beside tensors of another part of the program: a cache, the batch of an evaluation. They are made before the
/// step and released after it.
Factory beside_other_tensors(bool decides_each_step) {
  return [decides_each_step](const Args& args) -> Timed {
    const torch::Device device = device_of(args);
    const auto in_use = std::make_shared<const BytesInUse>(device);
    const BytesInUse::Scope while_built(*in_use);
    DeepModel model(layers, layers_per_segment, args);
    const CheckpointPolicy policy(device_bytes, in_use);
    const std::int64_t other_bytes = args.number("other_mb") * bytes_of_megabyte;
    return [=, decided_once = policy.segments(model)](Recorder& recorder) mutable {
      const BytesInUse::Scope while_called(*in_use);
      const Tensor others = torch::ones({other_bytes}, torch::TensorOptions().dtype(torch::kByte).device(device));
      const std::int64_t checkpointed = decides_each_step ? policy.segments(model) : decided_once;
      recorder.put("bytes_in_use", static_cast<double>((*in_use)()));
      recorder.put("segments", static_cast<double>(checkpointed));
      return model.step(checkpointed);
    };
  };
}

constexpr std::int64_t segments_beside_1_mb = 3;
constexpr std::int64_t segments_beside_3_mb = 9;

TORCHGATE_GROUP("in_use") {
  const Axis other_mb = group.axis("other_mb", {1, 3});
  group.devices().training().quick(other_mb(3)).only_full(other_mb(1)).gates("peak_bytes");
  group.measures(count("segments")).measures(bytes("bytes_in_use"));

  group.reference("decided_once", beside_other_tensors(false)).proves(metric("segments") == 0, cpu);
  group.variant("decided_each_step", beside_other_tensors(true))
      .proves(metric("bytes_in_use") >= bytes_of_megabyte, other_mb(1))
      .proves(metric("bytes_in_use") >= 3 * bytes_of_megabyte, other_mb(3))
      .proves(metric("segments") == segments_beside_1_mb, where(cpu, other_mb(1)))
      .proves(metric("segments") == segments_beside_3_mb, where(cpu, other_mb(3)))
      .proves(metric("segments") >= 1, cuda)
      .claims(metric("peak_bytes") <= absolute(left_for_call), cpu)
      .claims(metric("peak_bytes") <= 0.8 * reference(), where(cpu, other_mb(3)))
      .claims(time() <= 2.5 * reference(), where(cpu, other_mb(3)));
}

}  // namespace
}  // namespace torchgate::suites::adaptive
