// SPDX-License-Identifier: Apache-2.0
// The optimizers of LibTorch on the same problem: what eight steps cost, the making of the optimizer and of its
// state included, and what is left of the loss after them.
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/expected.hpp"
#include "suites/common/inputs.hpp"

namespace torchgate::suites::optimizer {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::distance_of_halves;
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
  [[nodiscard]] const Tensor& start() const { return start_; }
  [[nodiscard]] const Tensor& values() const { return values_; }
  [[nodiscard]] Tensor gradient_at(const Tensor& values) const { return curvature_.to(torch::kDouble) * values; }

 private:
  Tensor start_;
  Tensor curvature_;
  Tensor values_;
  Tensor gradients_;
  std::vector<Tensor> parameters_;
  int evaluations_ = 0;
};

using Optimizer = std::unique_ptr<torch::optim::Optimizer>;

/// The numbers of an optimizer, as its formula has them.
struct State {
  Tensor values;
  Tensor mean;     ///< of the gradients
  Tensor squares;  ///< mean or sum of their squares
};

struct Kind {
  const char* name;
  Optimizer (*make)(const std::vector<Tensor>& parameters);
  /// Step STEP (from 1) written out; none: too long to be.
  void (*formula)(State& state, const Tensor& gradient, int step);
};

// Learning rates that lower this loss.
constexpr double sgd_rate = 0.01;
constexpr double adam_rate = 0.1;
constexpr double rmsprop_rate = 0.05;
constexpr double adagrad_rate = 0.2;

void adam_formula(State& state, const Tensor& gradient, int step) {
  constexpr double beta1 = 0.9;
  constexpr double beta2 = 0.999;
  constexpr double epsilon = 1e-8;
  state.mean = beta1 * state.mean + (1 - beta1) * gradient;
  state.squares = beta2 * state.squares + (1 - beta2) * gradient.square();
  const Tensor root = torch::sqrt(state.squares / (1 - std::pow(beta2, step))) + epsilon;
  state.values = state.values - adam_rate * state.mean / (1 - std::pow(beta1, step)) / root;
}

void adamw_formula(State& state, const Tensor& gradient, int step) {
  constexpr double weight_decay = 0.01;
  state.values = state.values * (1 - adam_rate * weight_decay);
  adam_formula(state, gradient, step);
}

void rmsprop_formula(State& state, const Tensor& gradient, int /*step*/) {
  constexpr double alpha = 0.99;
  constexpr double epsilon = 1e-8;
  state.squares = alpha * state.squares + (1 - alpha) * gradient.square();
  state.values = state.values - rmsprop_rate * gradient / (torch::sqrt(state.squares) + epsilon);
}

void adagrad_formula(State& state, const Tensor& gradient, int /*step*/) {
  constexpr double epsilon = 1e-10;
  state.squares = state.squares + gradient.square();
  state.values = state.values - adagrad_rate * gradient / (torch::sqrt(state.squares) + epsilon);
}

// LBFGS makes all its evaluations in one step.
const Kind kinds[] = {
    {"sgd",
     [](const std::vector<Tensor>& parameters) -> Optimizer {
       return std::make_unique<torch::optim::SGD>(parameters, torch::optim::SGDOptions(sgd_rate));
     },
     [](State& state, const Tensor& gradient, int) { state.values = state.values - sgd_rate * gradient; }},
    {"adam",
     [](const std::vector<Tensor>& parameters) -> Optimizer {
       return std::make_unique<torch::optim::Adam>(parameters, torch::optim::AdamOptions(adam_rate));
     },
     adam_formula},
    {"adamw",
     [](const std::vector<Tensor>& parameters) -> Optimizer {
       return std::make_unique<torch::optim::AdamW>(parameters, torch::optim::AdamWOptions(adam_rate));
     },
     adamw_formula},
    {"rmsprop",
     [](const std::vector<Tensor>& parameters) -> Optimizer {
       return std::make_unique<torch::optim::RMSprop>(parameters, torch::optim::RMSpropOptions(rmsprop_rate));
     },
     rmsprop_formula},
    {"adagrad",
     [](const std::vector<Tensor>& parameters) -> Optimizer {
       return std::make_unique<torch::optim::Adagrad>(parameters, torch::optim::AdagradOptions(adagrad_rate));
     },
     adagrad_formula},
    {"lbfgs",
     [](const std::vector<Tensor>& parameters) -> Optimizer {
       return std::make_unique<torch::optim::LBFGS>(
           parameters, torch::optim::LBFGSOptions(1).max_iter(steps).tolerance_grad(0).tolerance_change(0));
     },
     nullptr},
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

/// Where the formula of KIND leads in eight steps, in double precision; empty without a formula.
Tensor expected_values(const Kind& kind, const Quadratic& problem) {
  if (kind.formula == nullptr) return torch::empty({0}, torch::kDouble);
  const Tensor start = problem.start().to(torch::kDouble);
  State state{start, torch::zeros_like(start), torch::zeros_like(start)};
  for (int step = 1; step <= steps; ++step) kind.formula(state, problem.gradient_at(state.values), step);
  return state.values;
}

// Gradients and loss, then the values that the optimizer found and those that it should have found.
Timed optimize(const Args& args) {
  const auto problem = std::make_shared<Quadratic>(args);
  const Kind& kind = kind_of(args);
  const double first_loss = problem->evaluate().item<double>();
  return [problem, first_loss, make = kind.make, expected = expected_values(kind, *problem)](Recorder& recorder) {
    const torch::NoGradGuard no_gradients;
    problem->restart();
    const Optimizer optimizer = make(problem->parameters());
    while (problem->evaluations() < steps) optimizer->step([&] { return problem->evaluate(); });
    const int evaluations = problem->evaluations();
    const double left = problem->evaluate().item<double>() / first_loss;
    recorder.put("loss_left", rounded(left));
    return std::tuple{static_cast<double>(evaluations), left, problem->values(), expected};
  };
}

std::optional<std::string> steps_are_those_of_the_formula(const Output& output) {
  constexpr std::size_t values = tensors * side * side;
  constexpr std::size_t before_values = 2;
  constexpr double float_error = 1e-4;  // a tenth of what the decay of AdamW changes in a step
  if (output.values.at(0) != steps) return "took " + std::to_string(output.values[0]) + " gradients";
  if (!(output.values.at(1) < 1)) return "the loss did not fall";
  if (output.values.size() == before_values + values) return std::nullopt;  // no formula
  const double distance = distance_of_halves({{output.values.begin() + before_values, output.values.end()}, ""});
  if (distance <= float_error) return std::nullopt;
  return "the relative L2 distance to the values of its formula is " + std::to_string(distance);
}

TORCHGATE_GROUP("optimizer") {
  const Axis kind = group.axis("kind", {"sgd", "adam", "adamw", "rmsprop", "adagrad", "lbfgs"});
  group.devices()
      .training()
      .only_full(kind("adamw", "rmsprop", "adagrad"))
      .quick(kind("sgd"))
      .measures(ratio("loss_left").exact());

  group.sweep("eight_steps", optimize)
      .checks(steps_are_those_of_the_formula)
      .proves(calls("aten::addcdiv_") >= steps, kind("adam", "adamw", "rmsprop", "adagrad"))
      .proves(calls("aten::addcdiv_") == 0, kind("sgd"))
      .proves(calls("aten::cat") >= steps, kind("lbfgs"))
      .claims(time() <= 0.4 * case_with(kind("adam")), where(cpu, kind("sgd")))
      .claims(metric("loss_left") <= 0.5 * case_with(kind("sgd")), where(cpu, kind("lbfgs")));
}

}  // namespace
}  // namespace torchgate::suites::optimizer
