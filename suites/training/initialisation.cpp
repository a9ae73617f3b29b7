// SPDX-License-Identifier: Apache-2.0
// Which initialisation a deep network needs: the same training from three beginnings, judged by the loss that is left after a few steps.
#include <torch/nn/init.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"

namespace torchgate::suites::initialisation {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;
using torchgate::suites::Mlp;

constexpr std::int64_t rows = 64;
constexpr std::int64_t width = 64;
constexpr std::size_t hidden_layers = 10;
constexpr int steps = 20;
constexpr double learning_rate = 0.002;

struct Kind {
  const char* name;
  void (*fill)(Tensor weight);
};

// Ten layers with ReLU: each halves the variance of what it is given, which Kaiming's initialisation makes up for and Xavier's does not. With equal weights
// all units of a layer stay the same.
const Kind kinds[] = {
    {"constant",
     [](Tensor weight) {
       constexpr double every_weight = 0.01;
       torch::nn::init::constant_(std::move(weight), every_weight);
     }},
    {"xavier", [](Tensor weight) { torch::nn::init::xavier_uniform_(std::move(weight)); }},
    {"kaiming",
     [](Tensor weight) { torch::nn::init::kaiming_normal_(std::move(weight), /*a=*/0, torch::kFanIn, torch::kReLU); }},
};

const Kind& kind_of(const Args& args) {
  for (const Kind& each : kinds) {
    if (args.text("kind") == each.name) return each;
  }
  throw std::logic_error("no initialisation " + args.text("kind"));
}

/// A deep network that learns the sine of the sum of the features.
struct Task {
  Mlp model;
  Tensor x;
  Tensor y;

  explicit Task(const Args& args) : model(widths(), args), x(Inputs(args).normal({rows, width})) {
    y = torch::sin(x.sum(/*dim=*/1, /*keepdim=*/true));
  }
  static std::vector<std::int64_t> widths() {
    std::vector<std::int64_t> all(hidden_layers + 1, width);
    all.push_back(1);
    return all;
  }
  void begin(const Kind& kind) {
    const torch::NoGradGuard no_gradients;
    for (const auto& layer : model.layers) {
      kind.fill(layer->weight);
      layer->bias.zero_();
    }
  }
  /// Layers whose weights are one number: training fills tensors too, so that calls of the operator tell nothing of the beginning.
  [[nodiscard]] int layers_of_equal_weights() const {
    const torch::NoGradGuard no_gradients;
    return static_cast<int>(std::count_if(model.layers.begin(), model.layers.end(), [](const auto& layer) {
      const auto [least, largest] = layer->weight.aminmax();
      return least.equal(largest);
    }));
  }
  Tensor loss() { return torch::mse_loss(model(x), y); }
};

/// To three digits: more would depend on the order of a sum.
double rounded(double ratio) {
  constexpr double resolution = 1e3;
  return std::round(ratio * resolution) / resolution;
}

Timed train(const Args& args) {
  const auto task = std::make_shared<Task>(args);
  // Of a network that always answers 0.
  const double idle_loss = task->y.square().mean().item<double>();
  const auto seed = args.seed();
  return [task, idle_loss, seed, kind = kind_of(args)](Recorder& recorder) {
    torch::manual_seed(seed);  // the same numbers in each call
    task->begin(kind);
    recorder.put("equal_layers", task->layers_of_equal_weights());
    torch::optim::SGD sgd(task->model.parameters(), torch::optim::SGDOptions(learning_rate).momentum(0.9));
    for (int step = 0; step < steps; ++step) {
      sgd.zero_grad();
      task->loss().backward();
      sgd.step();
    }
    const double left = task->loss().item<double>() / idle_loss;
    recorder.put("loss_left", rounded(left));
    return std::vector<double>{left};
  };
}

std::optional<std::string> loss_is_a_number(const Output& output) {
  if (std::isfinite(output.values.at(0))) return std::nullopt;
  return "the training diverged";
}

TORCHGATE_GROUP("initialisation") {
  const Axis kind = group.axis("kind", {"constant", "xavier", "kaiming"});
  group.devices().training().only_full().measures(ratio("loss_left").exact()).measures(count("equal_layers"));

  group.sweep("twenty_steps", train)
      .checks(loss_is_a_number)
      .proves(metric("equal_layers") == hidden_layers + 1, kind("constant"))
      .proves(metric("equal_layers") == 0, kind("xavier", "kaiming"))
      .proves(calls("aten::uniform_") >= hidden_layers, kind("xavier"))
      .proves(calls("aten::normal_") >= hidden_layers, kind("kaiming"))
      .claims(metric("loss_left") <= 0.8 * case_with(kind("constant")), where(cpu, kind("kaiming")))
      .claims(metric("loss_left") <= 0.8 * case_with(kind("xavier")), where(cpu, kind("kaiming")));
}

}  // namespace
}  // namespace torchgate::suites::initialisation
