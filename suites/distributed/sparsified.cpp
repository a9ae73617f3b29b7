// SPDX-License-Identifier: Apache-2.0
// Gradients of which only the largest 1 % are sent. The outputs differ from the reference's by design: what is checked is that
// training with them reduces the loss.
#include <string>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/distributed/checked_step.hpp"
#include "suites/distributed/ddp.hpp"

namespace torchgate::suites::sparsified {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

constexpr int trained_steps = 30;
constexpr double training_rate = 0.1;

/// Trains first, untimed. The call is one more step, at a rate so small that the model stays the same. It returns the losses
/// before and after the training, then its gradients.
Timed trained(DdpStep step) {
  const double before = step.loss();
  step.set_learning_rate(training_rate);
  for (int i = 0; i < trained_steps; ++i) step();
  step.set_learning_rate(DdpOptions{}.learning_rate);
  const Tensor losses = torch::tensor({before, step.loss()});
  return [step = std::move(step), losses]() mutable {
    std::vector<Tensor> result = step();
    result.insert(result.begin(), losses);
    return result;
  };
}

Timed plain(const Args& args) {
  return trained(checked_by_one_process(DdpStep(args, {})));
}

Factory largest_only(DdpOptions::Sparse sparse) {
  return [sparse](const Args& args) {
    DdpOptions options;
    options.sparse = sparse;
    return trained(after_first_step(DdpStep(args, options)));
  };
}

std::optional<std::string> loss_falls(const Output& reference, const Output& output) {
  constexpr double least_share = 0.5;  // of the reference's reduction
  const double reduction = output.values.at(0) - output.values.at(1);
  const double expected = reference.values.at(0) - reference.values.at(1);
  if (expected > 0 && reduction >= least_share * expected) return std::nullopt;
  return "training reduced the loss by " + std::to_string(reduction) + ", the reference's by " +
         std::to_string(expected);
}

TORCHGATE_GROUP("sparsified") {
  group.ranks(2).only_full().training();
  group.without({"peak_bytes", "retained_bytes"});  // Gloo's thread releases the messages at a time of its own

  group.reference("plain", plain);
  group.variant("largest", largest_only(DdpOptions::Sparse::largest))
      .checks(loss_falls)
      .proves(calls("c10d::_allgather_base_") >= 1)
      .proves(calls("aten::index_fill_") == 0)
      .claims(metric("collective_bytes") <= 0.05 * reference());
  group.variant("largest_with_feedback", largest_only(DdpOptions::Sparse::largest_with_feedback))
      .checks(loss_falls)
      .proves(calls("c10d::_allgather_base_") >= 1)
      .proves(calls("aten::index_fill_") >= 1)  // what was sent is no longer in the sum of the unsent
      .claims(metric("collective_bytes") <= 0.05 * reference());
}

}  // namespace
}  // namespace torchgate::suites::sparsified
