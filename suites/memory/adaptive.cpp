// SPDX-License-Identifier: Apache-2.0
// Adaptive checkpointing: as many segments as a memory budget demands, and no more.
#include <ATen/Context.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/expected.hpp"
#include "suites/memory/deep_model.hpp"

namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::DeepModel;
using torchgate::suites::distance_of_halves;

constexpr std::int64_t layers = 20;
constexpr std::int64_t layers_per_segment = 2;

/// Decides before a training step how many segments are checkpointed. How much memory is in use is a function that is passed
/// in: on a GPU the statistics of its allocator, on the CPU, whose allocator has none, what the model itself holds.
class CheckpointPolicy {
 public:
  CheckpointPolicy(std::int64_t budget_bytes, std::function<std::int64_t()> bytes_in_use)
      : budget_bytes_(budget_bytes), bytes_in_use_(std::move(bytes_in_use)) {}

  /// The least number of segments with which the step fits into the budget; all but the last if none does.
  [[nodiscard]] std::int64_t segments(const DeepModel& model) const {
    const std::int64_t available_bytes = budget_bytes_ - bytes_in_use_();
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
  std::function<std::int64_t()> bytes_in_use_;
};

// A limit of 4 MB stands for a device's memory; the step without checkpoints does not fit.
constexpr std::int64_t limit_bytes = 4'000'000;

std::int64_t budget_bytes(const std::string& percent) {
  if (percent == "none") return std::numeric_limits<std::int64_t>::max();
  return limit_bytes * std::stoll(percent) / 100;
}

/// What the first call must return: the same step without checkpoints, with the same random numbers.
std::vector<Tensor> step_without_checkpoints(DeepModel& model, const at::Device& device) {
  at::Generator generator = at::globalContext().defaultGenerator(device);
  const Tensor state = generator.get_state();
  std::vector<Tensor> expected = model.step(/*checkpointed=*/0);
  generator.set_state(state);
  return expected;
}

Timed adaptive(const Args& args) {
  DeepModel model(layers, layers_per_segment, args);
  const std::vector<Tensor> expected = step_without_checkpoints(model, device_of(args));
  const std::int64_t held_bytes = model.parameter_bytes() + model.activation_bytes();
  const CheckpointPolicy policy(budget_bytes(args.text("budget")), [held_bytes] { return held_bytes; });
  return [=](Recorder& recorder) mutable {
    const std::int64_t checkpointed = policy.segments(model);
    recorder.put("segments", static_cast<double>(checkpointed));
    std::vector<Tensor> results = model.step(checkpointed);
    results.insert(results.end(), expected.begin(), expected.end());
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

TORCHGATE_GROUP("adaptive") {
  const Axis budget = group.axis("budget", {"none", "80", "50"});
  group.devices().training().quick(budget("80")).gates("peak_bytes").measures(count("segments"));

  group.sweep("policy", adaptive)
      .checks(same_gradients)
      .proves(metric("segments") == 0, budget("none"))
      .claims(metric("peak_bytes") <= absolute(3'200'000), where(cpu, budget("80")))
      .claims(metric("peak_bytes") <= absolute(2'000'000), where(cpu, budget("50")))
      .claims(time() <= 2.0 * case_with(budget("none")), where(cpu, budget("50")));
}

}  // namespace
