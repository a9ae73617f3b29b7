// SPDX-License-Identifier: Apache-2.0
// Whole training steps: forward, backward, optimizer. A call makes three of them from the same weights, so that it does the
// same each time, and what they come to can be compared.
#include <cmath>
#include <memory>
#include <optional>
#include <tuple>

#include "harness/bench/run/cpu_feature.hpp"
#include "harness/bench/torch/suite.hpp"
#include "suites/common/autocast.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"
#include "suites/common/requirements.hpp"

namespace torchgate::suites::step {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Autocast;
using torchgate::suites::Inputs;
using torchgate::suites::Mlp;

constexpr int steps = 3;
constexpr int forward_passes = steps + 1;  // the last one is for the loss that is left
constexpr std::int64_t rows = 128;
constexpr std::int64_t features = 256;
constexpr std::int64_t hidden = 256;
constexpr std::int64_t classes = 10;
constexpr int layers = 3;
constexpr double learning_rate = 1e-3;
constexpr double beta1 = 0.9;
constexpr double beta2 = 0.999;
constexpr double epsilon = 1e-8;

enum class Precision { fp32, autocast, bf16 };
enum class Update { per_tensor, fused };

/// torch::optim::Adam and gradients set to zero, or one operator for all parameters and gradients that are dropped.
class Adam {
 public:
  Adam(std::vector<Tensor> parameters, Update update) : parameters_(std::move(parameters)), update_(update) {
    restart();
  }

  /// Forgets the moments and the gradients. New moments are a part of the first step, as in torch::optim::Adam.
  void restart() {
    for (const Tensor& parameter : parameters_) parameter.mutable_grad().reset();
    if (update_ == Update::per_tensor) {
      const auto options = torch::optim::AdamOptions(learning_rate).betas({beta1, beta2}).eps(epsilon);
      per_tensor_ = std::make_unique<torch::optim::Adam>(parameters_, options);
      return;
    }
    first_.clear();
    second_.clear();
    steps_.clear();
  }
  void step() {
    if (update_ == Update::per_tensor) {
      per_tensor_->step();
      per_tensor_->zero_grad(/*set_to_none=*/false);
      return;
    }
    const torch::NoGradGuard no_gradients;
    if (steps_.empty()) make_moments();
    std::vector<Tensor> gradients;
    for (const Tensor& parameter : parameters_) gradients.push_back(parameter.grad());
    at::_foreach_add_(steps_, 1);
    at::_fused_adam_(parameters_, gradients, first_, second_, /*max_exp_avg_sqs=*/{}, steps_, learning_rate, beta1,
                     beta2, /*weight_decay=*/0, epsilon, /*amsgrad=*/false, /*maximize=*/false);
    for (const Tensor& parameter : parameters_) parameter.mutable_grad().reset();
  }

 private:
  void make_moments() {
    for (const Tensor& parameter : parameters_) {
      first_.push_back(torch::zeros_like(parameter));
      second_.push_back(torch::zeros_like(parameter));
      steps_.push_back(torch::zeros({}, parameter.options()));
    }
  }

  std::vector<Tensor> parameters_;
  Update update_;
  std::unique_ptr<torch::optim::Adam> per_tensor_;
  std::vector<Tensor> first_;
  std::vector<Tensor> second_;
  std::vector<Tensor> steps_;
};

class Training {
 public:
  Training(const Args& args, Precision precision, Update update) : precision_(precision), model_(widths(), args) {
    Inputs inputs(args);
    x_ = inputs.normal({rows, features});
    labels_ = torch::arange(rows, x_.options().dtype(torch::kLong)) % classes;
    if (precision == Precision::bf16) {
      model_.to(torch::kBFloat16);
      x_ = x_.to(torch::kBFloat16);
    }
    parameters_ = model_.parameters();
    for (const Tensor& parameter : parameters_) start_.push_back(parameter.detach().clone());
    adam_ = std::make_unique<Adam>(parameters_, update);
  }
  /// The loss before each step and after the last one, and how far the weights of the last layer have moved.
  std::tuple<std::vector<double>, Tensor> run(Recorder& recorder) {
    restart();
    std::vector<double> losses;
    for (int step = 0; step < steps; ++step) losses.push_back(one_step(recorder));
    losses.push_back(loss_left());
    recorder.put("final_loss", rounded(losses.back()));
    const std::size_t head = parameters_.size() - 2;  // its weight; the bias is last
    return {losses, parameters_[head].detach() - start_[head]};
  }

 private:
  static std::vector<std::int64_t> widths() { return {features, hidden, hidden, classes}; }
  /// To four digits: more would depend on the order in which the product's kernel sums.
  static double rounded(double loss) {
    constexpr double resolution = 1e4;
    return std::round(loss * resolution) / resolution;
  }
  void restart() {
    const torch::NoGradGuard no_gradients;
    at::_foreach_copy_(parameters_, start_);
    adam_->restart();
  }
  Tensor forward() {
    std::optional<Autocast> autocast;
    if (precision_ == Precision::autocast) autocast.emplace(x_.device().type(), torch::kBFloat16);
    return torch::nn::functional::cross_entropy(model_(x_), labels_);
  }
  /// After the last step: what the update of that step comes to is in no loss before it.
  double loss_left() {
    const torch::NoGradGuard no_gradients;
    return forward().item<double>();
  }
  double one_step(Recorder& recorder) {
    Tensor loss;
    {
      const auto phase = recorder.phase("forward");
      loss = forward();
    }
    {
      const auto phase = recorder.phase("backward");
      loss.backward();
    }
    const auto phase = recorder.phase("step");
    adam_->step();
    return loss.item<double>();
  }

  Precision precision_;
  Mlp model_;
  Tensor x_;
  Tensor labels_;
  std::vector<Tensor> parameters_;
  std::vector<Tensor> start_;
  std::unique_ptr<Adam> adam_;
};

Factory training(Precision precision, Update update) {
  return [=](const Args& args) -> Timed {
    return [state = std::make_shared<Training>(args, precision, update)](Recorder& recorder) {
      return state->run(recorder);
    };
  };
}

constexpr double bf16_error = 1e-2;  // 8 bits of mantissa: 0.4 % a rounding

// With AMX the products are a small part of the time: autocast's casts and what stays as it is in BF16 leave gains too close to these limits.
OnlyWith bf16_at_full_rate_without_amx() {
  const auto test = []() -> std::optional<std::string> {
    if (const auto why = bf16_at_full_rate().test()) return why;
    if (missing_cpu_feature("amx_bf16")) return std::nullopt;
    return "this CPU has AMX: less of the time is in its products";
  };
  return {"BF16 at full rate without AMX", test};
}

TORCHGATE_GROUP("step") {
  group.devices()
      .training()
      .items([](const Args&) { return static_cast<double>(steps * rows); })
      .phases({"forward", "backward", "step"})
      .measures(ratio("final_loss").exact());

  group.reference("plain", training(Precision::fp32, Update::per_tensor));
  group.variant("fused", training(Precision::fp32, Update::fused))
      .proves(calls("aten::_fused_adam_") == steps)
      .claims(metric("step") <= 0.6 * reference(), cpu)
      .claims(metric("final_loss") <= 1.001 * reference(), cpu);
  group.variant("autocast", training(Precision::autocast, Update::per_tensor))
      .within(bf16_error)
      .quick(cuda)
      .needs("avx512_bf16", cpu)
      .proves(calls("aten::addmm").on("BFloat16") == layers * forward_passes)
      .claims(metric("forward") <= 0.9 * reference(), cpu, bf16_at_full_rate_without_amx())
      .claims(metric("final_loss") <= 1.01 * reference(), cpu);
  group.variant("bf16", training(Precision::bf16, Update::per_tensor))
      .within(bf16_error)
      .quick(cuda)
      .needs("avx512_bf16", cpu)
      .proves(calls("aten::addmm").on("BFloat16") == layers * forward_passes)
      .claims(metric("forward") <= 0.8 * reference(), cpu, bf16_at_full_rate())
      .claims(metric("backward") <= 0.8 * reference(), cpu, bf16_at_full_rate_without_amx())
      .claims(metric("final_loss") <= 1.01 * reference(), cpu);
}

}  // namespace
}  // namespace torchgate::suites::step
