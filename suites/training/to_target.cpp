// SPDX-License-Identifier: Apache-2.0
// How many steps a training needs until its loss is below a target: a faster step is a gain only if there are not more.
#include <memory>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"

namespace torchgate::suites::to_target {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;
using torchgate::suites::Mlp;

constexpr std::int64_t rows = 32;
constexpr std::int64_t features = 32;
constexpr std::int64_t hidden = 64;
constexpr double learning_rate = 0.05;
constexpr double momentum = 0.9;
constexpr double target = 0.5;  // of the loss before the first step
constexpr int most_steps = 200;

/// A network that learns to give the first feature back.
struct Task {
  Mlp model;
  Tensor x;
  Tensor y;
  std::vector<Tensor> parameters;
  std::vector<Tensor> start;

  explicit Task(const Args& args)
      : model({features, hidden, hidden, 1}, args),
        x(Inputs(args).normal({rows, features})),
        y(x.narrow(/*dim=*/1, /*start=*/0, /*length=*/1).contiguous()) {
    parameters = model.parameters();
    for (const Tensor& parameter : parameters) start.push_back(parameter.detach().clone());
  }
  void restart() {
    const torch::NoGradGuard no_gradients;
    at::_foreach_copy_(parameters, start);
  }
  Tensor loss() { return torch::mse_loss(model(x), y); }
};

/// Trains from the start until the target is reached. Returns the number of steps and the loss before each.
template <class Step>
std::vector<double> train(Task& task, Recorder& recorder, Step&& step) {
  task.restart();
  std::vector<double> losses;
  for (;;) {
    Tensor loss = task.loss();
    losses.push_back(loss.item<double>());
    const auto steps = static_cast<double>(losses.size()) - 1;
    if (losses.back() <= target * losses.front() || steps >= most_steps) {
      recorder.put("steps", steps);
      return losses;
    }
    loss.backward();
    step();
  }
}

Timed sgd(const Args& args) {
  const auto task = std::make_shared<Task>(args);
  return [task](Recorder& recorder) {
    torch::optim::SGD sgd(task->parameters, torch::optim::SGDOptions(learning_rate).momentum(momentum));
    return train(*task, recorder, [&] {
      sgd.step();
      sgd.zero_grad();
    });
  };
}

Timed fused_sgd(const Args& args) {
  const auto task = std::make_shared<Task>(args);
  return [task](Recorder& recorder) {
    std::vector<Tensor> momenta;
    for (const Tensor& parameter : task->parameters) momenta.push_back(torch::empty_like(parameter));
    bool is_first = true;
    return train(*task, recorder, [&] {
      const torch::NoGradGuard no_gradients;
      std::vector<Tensor> gradients;
      for (const Tensor& parameter : task->parameters) gradients.push_back(parameter.grad());
      at::_fused_sgd_(task->parameters, gradients, momenta, /*weight_decay=*/0, momentum, learning_rate,
                      /*dampening=*/0, /*nesterov=*/false, /*maximize=*/false, is_first);
      is_first = false;
      for (const Tensor& parameter : task->parameters) parameter.mutable_grad().reset();
    });
  };
}

TORCHGATE_GROUP("to_target") {
  group.devices().training().measures(count("steps")).gates("steps");
  group.reference("sgd", sgd);
  group.variant("fused_sgd", fused_sgd)
      .proves(calls("aten::_fused_sgd_") >= 1)
      .claims(metric("steps") <= 1.0 * reference(), cpu)
      .claims(metric("steps") >= 1.0 * reference(), cpu)
      .claims(metric("operator_calls") <= 0.85 * reference(), cpu);
}

}  // namespace
}  // namespace torchgate::suites::to_target
