// SPDX-License-Identifier: Apache-2.0
// The optimizers of LibTorch on the same problem: what a step costs, and what is left of the loss after eight of them.
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace torchgate::suites::optimizer {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;

constexpr std::int64_t tensors = 8;
constexpr std::int64_t side = 64;
constexpr int steps = 8;

/// sum(c p^2) / 2, with curvatures c between 1 and 100: a problem that a gradient takes two operators for, so that the
/// time is the optimizer's. Parameters and gradients are views of one buffer each.
class Quadratic {
 public:
  explicit Quadratic(const Args& args) {
    constexpr double least_exponent = 0;
    constexpr double most_exponent = 2;
    start_ = Inputs(args).normal({tensors, side, side});
    curvature_ = torch::logspace(least_exponent, most_exponent, start_.numel()).view_as(start_).to(start_.device());
    values_ = start_.clone();
    gradients_ = torch::empty_like(start_);
    parameters_ = values_.unbind();
    const std::vector<Tensor> gradients = gradients_.unbind();
    for (std::size_t i = 0; i < parameters_.size(); ++i) parameters_[i].mutable_grad() = gradients[i];
  }
  [[nodiscard]] const std::vector<Tensor>& parameters() const { return parameters_; }
  void restart() {
    values_.copy_(start_);
    evaluations_ = 0;
  }
  /// The closure of Optimizer::step().
  Tensor evaluate() {
    ++evaluations_;
    torch::mul_out(gradients_, curvature_, values_);
    return torch::dot(gradients_.view(-1), values_.view(-1)) / 2;
  }
  [[nodiscard]] int evaluations() const { return evaluations_; }

 private:
  Tensor start_;
  Tensor curvature_;
  Tensor values_;
  Tensor gradients_;
  std::vector<Tensor> parameters_;
  int evaluations_ = 0;
};

using Optimizer = std::unique_ptr<torch::optim::Optimizer>;

struct Kind {
  const char* name;
  Optimizer (*make)(const std::vector<Tensor>& parameters);
};

// Learning rates that lower this loss; LBFGS makes all its evaluations in one step.
const Kind kinds[] = {
    {"sgd",
     [](const std::vector<Tensor>& parameters) -> Optimizer {
       return std::make_unique<torch::optim::SGD>(parameters, torch::optim::SGDOptions(0.01));
     }},
    {"adam",
     [](const std::vector<Tensor>& parameters) -> Optimizer {
       return std::make_unique<torch::optim::Adam>(parameters, torch::optim::AdamOptions(0.1));
     }},
    {"adamw",
     [](const std::vector<Tensor>& parameters) -> Optimizer {
       return std::make_unique<torch::optim::AdamW>(parameters, torch::optim::AdamWOptions(0.1));
     }},
    {"rmsprop",
     [](const std::vector<Tensor>& parameters) -> Optimizer {
       return std::make_unique<torch::optim::RMSprop>(parameters, torch::optim::RMSpropOptions(0.05));
     }},
    {"adagrad",
     [](const std::vector<Tensor>& parameters) -> Optimizer {
       return std::make_unique<torch::optim::Adagrad>(parameters, torch::optim::AdagradOptions(0.2));
     }},
    {"lbfgs",
     [](const std::vector<Tensor>& parameters) -> Optimizer {
       return std::make_unique<torch::optim::LBFGS>(
           parameters, torch::optim::LBFGSOptions(1).max_iter(steps).tolerance_grad(0).tolerance_change(0));
     }},
};

const Kind& kind_of(const Args& args) {
  for (const Kind& each : kinds) {
    if (args.text("kind") == each.name) return each;
  }
  throw std::logic_error("no optimizer " + args.text("kind"));
}

/// Loss after the steps over the loss before them, to four digits: more would depend on the order of a sum.
double rounded(double ratio) {
  constexpr double resolution = 1e4;
  return std::round(ratio * resolution) / resolution;
}

Timed optimize(const Args& args) {
  const auto problem = std::make_shared<Quadratic>(args);
  const double first_loss = problem->evaluate().item<double>();
  return [problem, first_loss, make = kind_of(args).make](Recorder& recorder) {
    const torch::NoGradGuard no_gradients;
    problem->restart();
    const Optimizer optimizer = make(problem->parameters());
    while (problem->evaluations() < steps) optimizer->step([&] { return problem->evaluate(); });
    const int evaluations = problem->evaluations();
    const double left = problem->evaluate().item<double>() / first_loss;
    recorder.put("loss_left", rounded(left));
    return std::vector<double>{static_cast<double>(evaluations), left};
  };
}

std::optional<std::string> loss_falls_in_eight_evaluations(const Output& output) {
  if (output.values.at(0) != steps) return "took " + std::to_string(output.values[0]) + " gradients";
  if (!(output.values.at(1) < 1)) return "the loss did not fall";
  return std::nullopt;
}

TORCHGATE_GROUP("optimizer") {
  const Axis kind = group.axis("kind", {"sgd", "adam", "adamw", "rmsprop", "adagrad", "lbfgs"});
  group.devices()
      .training()
      .only_full(kind("adamw", "rmsprop", "adagrad"))
      .quick(kind("sgd"))
      .measures(ratio("loss_left").exact());

  group.sweep("eight_steps", optimize)
      .checks(loss_falls_in_eight_evaluations)
      .proves(calls("aten::addcdiv_") >= steps, kind("adam", "adamw", "rmsprop", "adagrad"))
      .proves(calls("aten::addcdiv_") == 0, kind("sgd"))
      .proves(calls("aten::cat") >= steps, kind("lbfgs"))
      .claims(time() <= 0.4 * case_with(kind("adam")), where(cpu, kind("sgd")))
      .claims(metric("loss_left") <= 0.5 * case_with(kind("sgd")), where(cpu, kind("lbfgs")));
}

}  // namespace
}  // namespace torchgate::suites::optimizer
