// SPDX-License-Identifier: Apache-2.0
// Operators: what the author of a model chooses between. Here: the activation, the initialisation, depth against width.
#include <cmath>
#include <functional>
#include <tuple>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/expected.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"

namespace torchgate::suites::choice {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;
using torchgate::suites::Mlp;
using torchgate::suites::result_is_expected;

/// One choice: the timed call, and what it must return, computed in another way. Each call returns both: a sweep has no
/// reference to compare with.
struct Choice {
  std::function<Tensor()> call;
  Tensor expected;
};

// --- activations ----------------------------------------------------------------------------------------------------------

struct Activation {
  const char* kind;
  Tensor (*apply)(const Tensor& x);
  Tensor (*formula)(const Tensor& x);
};

const Activation activations[] = {
    {"relu", [](const Tensor& x) { return torch::relu(x); }, [](const Tensor& x) { return (x + x.abs()) / 2; }},
    {"gelu", [](const Tensor& x) { return torch::gelu(x); },
     [](const Tensor& x) { return x * (1 + torch::erf(x / std::sqrt(2.0))) / 2; }},
    {"silu", [](const Tensor& x) { return torch::silu(x); }, [](const Tensor& x) { return x / (1 + torch::exp(-x)); }},
    {"hardswish", [](const Tensor& x) { return torch::hardswish(x); },
     [](const Tensor& x) { return x * (x + 3).clamp(0, 6) / 6; }},
    {"sigmoid", [](const Tensor& x) { return torch::sigmoid(x); },
     [](const Tensor& x) { return 1 / (1 + torch::exp(-x)); }},
    {"tanh", [](const Tensor& x) { return torch::tanh(x); },
     [](const Tensor& x) { return (1 - torch::exp(-2 * x)) / (1 + torch::exp(-2 * x)); }},
};

Choice activation(const Activation& chosen, const Args& args) {
  constexpr std::int64_t elements = 100'000;  // which stay in the cache: else the time of `relu` is the memory's
  const Tensor x = Inputs(args).normal({elements});
  return {[apply = chosen.apply, x] { return apply(x); }, chosen.formula(x.to(torch::kDouble))};
}

// --- initialisations ------------------------------------------------------------------------------------------------------

struct Initialisation {
  const char* kind;
  void (*fill)(Tensor weight);
  /// The same numbers from LibTorch's standard distributions, of a generator with the same seed.
  Tensor (*formula)(const Tensor& weight);
};

constexpr std::int64_t fan = 256;  // in and out
constexpr double constant = 0.01;

const Initialisation initialisations[] = {
    {"init_constant", [](Tensor weight) { torch::nn::init::constant_(std::move(weight), constant); },
     [](const Tensor& weight) { return torch::full_like(weight, constant); }},
    {"init_xavier", [](Tensor weight) { torch::nn::init::xavier_uniform_(std::move(weight)); },
     [](const Tensor& weight) { return (2 * torch::rand_like(weight) - 1) * std::sqrt(6.0 / (fan + fan)); }},
    {"init_kaiming",
     [](Tensor weight) { torch::nn::init::kaiming_normal_(std::move(weight), /*a=*/0, torch::kFanIn, torch::kReLU); },
     [](const Tensor& weight) { return torch::randn_like(weight) * std::sqrt(2.0 / fan); }},
};

Choice initialisation(const Initialisation& chosen, const Args& args) {
  const Tensor weight = torch::empty({fan, fan}, device_of(args));
  const auto seed = args.seed();
  torch::manual_seed(seed);
  Tensor expected = chosen.formula(weight);
  return {[fill = chosen.fill, weight, seed] {
            torch::manual_seed(seed);  // the same work and the same numbers in each call
            fill(weight);
            return weight;
          },
          std::move(expected)};
}

// --- shapes: 65,536 weights as 16 layers of 64x64, or as two with 512 units between them ---------------------------------

constexpr std::int64_t narrow_width = 64;
constexpr std::int64_t deep_layers = 16;

std::vector<std::int64_t> widths_of(const std::string& kind) {
  constexpr std::int64_t hidden_width = 512;
  if (kind == "wide") return {narrow_width, hidden_width, narrow_width};
  return std::vector<std::int64_t>(deep_layers + 1, narrow_width);
}

Choice shape(const std::string& kind, const Args& args) {
  constexpr std::int64_t rows = 16;
  Mlp model(widths_of(kind), args);
  const Tensor x = Inputs(args).normal({rows, narrow_width});
  model.to(torch::kDouble);
  Tensor expected = model(x.to(torch::kDouble));
  model.to(torch::kFloat);  // exact: the weights were floats before
  return {[=]() mutable { return model(x); }, std::move(expected)};
}

Choice choice_of(const Args& args) {
  const std::string kind = args.text("kind");
  for (const Activation& each : activations) {
    if (each.kind == kind) return activation(each, args);
  }
  for (const Initialisation& each : initialisations) {
    if (each.kind == kind) return initialisation(each, args);
  }
  return shape(kind, args);
}

Timed choice(const Args& args) {
  return [choice = choice_of(args)] { return std::tuple{choice.call(), choice.expected}; };
}

TORCHGATE_GROUP("choice") {
  const Axis kind = group.axis("kind", {"relu", "gelu", "silu", "hardswish", "sigmoid", "tanh", "init_constant",
                                        "init_xavier", "init_kaiming", "deep", "wide"});
  group.devices().only_full(kind("hardswish", "sigmoid")).quick(kind("relu", "tanh", "deep", "wide"));

  group.sweep("call", choice)
      .checks(result_is_expected)
      .proves(calls("aten::relu") == 1, kind("relu"))
      .proves(calls("aten::gelu") == 1, kind("gelu"))
      .proves(calls("aten::silu") == 1, kind("silu"))
      .proves(calls("aten::hardswish") == 1, kind("hardswish"))
      .proves(calls("aten::sigmoid") == 1, kind("sigmoid"))
      .proves(calls("aten::tanh") == 1, kind("tanh"))
      .proves(calls("aten::fill_") == 1, kind("init_constant"))
      .proves(calls("aten::uniform_") == 1, kind("init_xavier"))
      .proves(calls("aten::normal_") == 1, kind("init_kaiming"))
      .proves(calls("aten::addmm") == deep_layers, kind("deep"))
      .proves(calls("aten::addmm") == 2, kind("wide"))
      .claims(time() <= 0.9 * case_with(kind("tanh")), where(cpu, kind("relu")))
      .claims(time() <= 0.7 * case_with(kind("deep")), where(cpu, kind("wide")))
      .claims(metric("operator_calls") <= 0.2 * case_with(kind("deep")), where(cpu, kind("wide")));
}

}  // namespace
}  // namespace torchgate::suites::choice
