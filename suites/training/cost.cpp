// SPDX-License-Identifier: Apache-2.0
// What a training step costs more, when it is done in parts to save memory, with quantization as it will be at inference,
// or with a teacher: bounds on a cost, not gains.
#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/expected.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"

namespace torchgate::suites::cost {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;
using torchgate::suites::is_close;
using torchgate::suites::Mlp;

/// The gradients, taken from the parameters: the next call starts without any.
std::vector<Tensor> take_gradients(const std::vector<Tensor>& parameters) {
  std::vector<Tensor> gradients;
  for (const Tensor& parameter : parameters) {
    gradients.push_back(parameter.grad());
    parameter.mutable_grad().reset();
  }
  return gradients;
}

// --- accumulate: a batch whole, or in parts whose gradients add up ---------------------------------------------------------

Factory accumulated(std::int64_t parts) {
  return [parts](const Args& args) -> Timed {
    constexpr std::int64_t rows = 512;
    constexpr std::int64_t width = 64;
    Mlp model({width, width, width, width, width}, args);
    const Tensor x = Inputs(args).normal({rows, width});
    return [=, parameters = model.parameters()]() mutable {
      for (const Tensor& part : x.chunk(parts)) {
        const Tensor loss = torch::mse_loss(model(part), part);
        (loss / static_cast<double>(parts)).backward();
      }
      return take_gradients(parameters);
    };
  };
}

// --- qat: a layer that computes with the rounding of INT8 in training, as it will at inference ------------------------------

enum class Rounding { none, fixed, observed };

class RoundedLinear {
 public:
  RoundedLinear(const Args& args, Rounding rounding) : rounding_(rounding) {
    constexpr std::int64_t rows = 128;
    constexpr std::int64_t width = 256;
    layer_ = torch::nn::Linear(width, width);
    layer_->to(device_of(args));
    x_ = Inputs(args).normal({rows, width});
    const auto one = x_.options();
    on_ = torch::ones({1}, one.dtype(torch::kLong));
    least_ = torch::full({1}, -range, one);
    most_ = torch::full({1}, range, one);
    scale_ = torch::full({1}, activation_scale, one);
    zero_point_ = torch::zeros({1}, one.dtype(torch::kInt));
  }
  std::vector<Tensor> step() {
    const Tensor y = torch::linear(activations(), weight(), layer_->bias);
    y.pow(2).mean().backward();
    return take_gradients({layer_->weight, layer_->bias});
  }

 private:
  static constexpr std::int64_t least_int = -128;
  static constexpr std::int64_t most_int = 127;
  static constexpr double range = 4;  // of standard normal values
  static constexpr double activation_scale = range / most_int;
  static constexpr double weight_scale = 0.0625 / most_int;  // initial weights are below 1 / sqrt(256)

  [[nodiscard]] Tensor weight() const {
    if (rounding_ == Rounding::none) return layer_->weight;
    return at::fake_quantize_per_tensor_affine(layer_->weight, weight_scale, 0, least_int, most_int);
  }
  Tensor activations() {
    constexpr double averaging = 0.01;
    if (rounding_ == Rounding::none) return x_;
    if (rounding_ == Rounding::fixed) {
      return at::fake_quantize_per_tensor_affine(x_, activation_scale, 0, least_int, most_int);
    }
    return at::fused_moving_avg_obs_fake_quant(x_, on_, on_, least_, most_, scale_, zero_point_, averaging, least_int,
                                               most_int, /*ch_axis=*/0);
  }

  Rounding rounding_;
  torch::nn::Linear layer_{nullptr};
  Tensor x_;
  Tensor on_;  // of the observer, and of the rounding
  Tensor least_;
  Tensor most_;
  Tensor scale_;
  Tensor zero_point_;
};

Factory rounded(Rounding rounding) {
  return [rounding](const Args& args) -> Timed {
    return [layer = std::make_shared<RoundedLinear>(args, rounding)] { return layer->step(); };
  };
}

// --- distil: a small network that learns from labels, or from a larger network too -----------------------------------------

constexpr double temperature = 2;

/// Kullback-Leibler divergence of softened outputs, times the temperature squared, which keeps its gradients as large as
/// those of the labels.
Tensor divergence(const Tensor& student, const Tensor& teacher) {
  return torch::kl_div(torch::log_softmax(student / temperature, 1), torch::softmax(teacher / temperature, 1),
                       at::Reduction::Sum) *
         (temperature * temperature / static_cast<double>(student.size(0)));
}

/// The same in double precision, written out.
double divergence_by_hand(const Tensor& student, const Tensor& teacher) {
  const auto probabilities = [](const Tensor& logits) {
    const Tensor exponentials = torch::exp(logits.to(torch::kDouble) / temperature);
    return exponentials / exponentials.sum(1, /*keepdim=*/true);
  };
  const Tensor p = probabilities(teacher);
  return temperature * temperature * (p * (p / probabilities(student)).log()).sum(1).mean().item<double>();
}

Tensor answer_of(Mlp& teacher, const Tensor& x, bool with_graph) {
  const torch::AutoGradMode recorded(with_graph);
  return teacher(x);
}

enum class Teacher { none, without_graph, with_graph };

Factory distilled(Teacher from) {
  return [from](const Args& args) -> Timed {
    constexpr std::int64_t rows = 64;
    constexpr std::int64_t features = 128;
    constexpr std::int64_t classes = 10;
    Mlp student({features, 64, classes}, args);
    Mlp teacher({features, 512, classes}, args);
    const Tensor x = Inputs(args).normal({rows, features});
    const Tensor labels = torch::arange(rows, x.options().dtype(torch::kLong)) % classes;
    const double expected = divergence_by_hand(student(x), teacher(x));
    return [=, of_student = student.parameters(), of_teacher = teacher.parameters()]() mutable {
      const Tensor logits = student(x);
      Tensor by_labels = torch::nn::functional::cross_entropy(logits, labels);
      Tensor by_teacher = torch::zeros_like(by_labels);
      if (from != Teacher::none) by_teacher = divergence(logits, answer_of(teacher, x, from == Teacher::with_graph));
      (by_labels + by_teacher).backward();
      (void)take_gradients(of_teacher);  // with a graph it has some, and no step uses them
      return std::tuple{by_labels.detach(), by_teacher.detach(), expected, take_gradients(of_student)};
    };
  };
}

std::optional<std::string> learns_from_teacher_too(const Output& reference, const Output& output) {
  constexpr double float_error = 1e-5;
  if (!is_close(output.values.at(0), reference.values.at(0), float_error)) return "another loss of the labels";
  if (!is_close(output.values.at(1), output.values.at(2), float_error)) return "another divergence from the teacher";
  if (!std::all_of(output.values.begin(), output.values.end(), [](double value) { return std::isfinite(value); }))
    return "a gradient is not a number";
  if (output.values.back() == reference.values.back()) return "the teacher did not change the gradients";
  return std::nullopt;
}

Timed plain(const Args& args) {
  const std::string op = args.text("op");
  if (op == "accumulate") return accumulated(1)(args);
  return op == "qat" ? rounded(Rounding::none)(args) : distilled(Teacher::none)(args);
}

constexpr double int8_error = 2e-2;

TORCHGATE_GROUP("cost") {
  const Axis op = group.axis("op", {"accumulate", "qat", "distil"});
  group.devices().training().quick(op("accumulate")).only_full(op("qat"));

  group.reference("plain", plain);
  group.variant("in_2", accumulated(2))
      .only(op("accumulate"))
      .only_full()
      .proves(calls("aten::mse_loss") == 2)
      .claims(time() <= 2.0 * reference(), cpu)
      .claims(metric("peak_bytes") <= 0.75 * reference(), cpu);
  group.variant("in_4", accumulated(4))
      .only(op("accumulate"))
      .proves(calls("aten::mse_loss") == 4)
      .claims(time() <= 3.0 * reference(), cpu)
      .claims(metric("peak_bytes") <= 0.5 * reference(), cpu);
  group.variant("fake_quantize", rounded(Rounding::fixed))
      .within(int8_error)
      .only(op("qat"))
      .proves(calls("aten::fake_quantize_per_tensor_affine") == 2)
      .claims(time() <= 5.0 * reference(), cpu);
  group.variant("moving_observer", rounded(Rounding::observed))
      .within(int8_error)
      .only(op("qat"))
      .proves(calls("aten::fake_quantize_per_tensor_affine") == 1)
      .proves(calls("aten::fused_moving_avg_obs_fake_quant") == 1)
      .claims(time() <= 5.0 * reference(), cpu);
  group.variant("teacher", distilled(Teacher::without_graph))
      .only(op("distil"))
      .checks(learns_from_teacher_too)
      .proves(calls("aten::kl_div") == 1)
      .claims(time() <= 5.5 * reference(), cpu)
      .claims(time() <= 0.85 * variant_named("teacher_with_graph"), cpu)
      .claims(metric("peak_bytes") <= 0.8 * variant_named("teacher_with_graph"), cpu);
  group.variant("teacher_with_graph", distilled(Teacher::with_graph))
      .only(op("distil"))
      .checks(learns_from_teacher_too)
      .proves(calls("aten::kl_div") == 1)
      .claims(time() <= 10.0 * reference(), cpu);
}

}  // namespace
}  // namespace torchgate::suites::cost
