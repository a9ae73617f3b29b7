// SPDX-License-Identifier: Apache-2.0
// What follows the gradients: Adam's update of every parameter, and the loss scaler that looks for overflow first. Both go
// over all tensors one by one, or take the whole list in one call.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <tuple>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace torchgate::suites::update {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;

constexpr std::size_t tensors = 32;
constexpr std::int64_t side = 64;

struct Parameters {
  std::vector<Tensor> values;  // start at zero, so that what the first call returns is its update alone
  std::vector<Tensor> gradients;

  explicit Parameters(const Args& args) {
    Inputs inputs(args);
    for (std::size_t i = 0; i < tensors; ++i) {
      gradients.push_back(inputs.normal({side, side}));
      values.push_back(torch::zeros_like(gradients.back()));
    }
  }
};

// --- adam -----------------------------------------------------------------------------------------------------------------

constexpr double learning_rate = 1e-3;
constexpr double beta1 = 0.9;
constexpr double beta2 = 0.999;
constexpr double epsilon = 1e-8;

/// The moments of all parameters, for updates that are not an object of torch::optim.
struct Moments {
  std::vector<Tensor> first;
  std::vector<Tensor> second;

  explicit Moments(const Parameters& parameters) {
    for (const Tensor& value : parameters.values) {
      first.push_back(torch::zeros_like(value));
      second.push_back(torch::zeros_like(value));
    }
  }
};

/// Adam's first update depends on the signs of the gradients alone. So two updates with other gradients come before the
/// one that is checked.
Timed from_the_third_step(std::shared_ptr<Parameters> parameters, const std::function<void()>& step) {
  const torch::NoGradGuard no_gradients;
  for (const double factor : {-0.5, -2.0}) {  // together 1: the measured gradients are those that the inputs are
    for (const Tensor& gradient : parameters->gradients) gradient.mul_(factor);
    step();
  }
  for (const Tensor& value : parameters->values) value.zero_();
  return [=] {
    step();
    return parameters->values;
  };
}

Timed adam_per_tensor(const Args& args) {
  const auto parameters = std::make_shared<Parameters>(args);
  for (std::size_t i = 0; i < tensors; ++i) parameters->values[i].mutable_grad() = parameters->gradients[i];
  const auto options = torch::optim::AdamOptions(learning_rate).betas({beta1, beta2}).eps(epsilon);
  const auto adam = std::make_shared<torch::optim::Adam>(parameters->values, options);
  return from_the_third_step(parameters, [adam] { adam->step(); });
}

// The formula of torch::optim::Adam; each line is one call for all tensors.
Timed adam_foreach(const Args& args) {
  const auto parameters = std::make_shared<Parameters>(args);
  const auto update = [parameters, moments = Moments(*parameters), steps = 0]() mutable {
    ++steps;
    at::_foreach_mul_(moments.first, beta1);
    at::_foreach_add_(moments.first, parameters->gradients, 1 - beta1);
    at::_foreach_mul_(moments.second, beta2);
    at::_foreach_addcmul_(moments.second, parameters->gradients, parameters->gradients, 1 - beta2);
    const std::vector<Tensor> denominators = at::_foreach_sqrt(moments.second);
    at::_foreach_div_(denominators, std::sqrt(1 - std::pow(beta2, steps)));
    at::_foreach_add_(denominators, epsilon);
    at::_foreach_addcdiv_(parameters->values, moments.first, denominators,
                          -learning_rate / (1 - std::pow(beta1, steps)));
  };
  return from_the_third_step(parameters, update);
}

Timed adam_fused(const Args& args) {
  const auto parameters = std::make_shared<Parameters>(args);
  std::vector<Tensor> steps;  // on the device of the parameters, counted by the caller
  for (const Tensor& value : parameters->values) steps.push_back(torch::zeros({}, value.options()));
  const auto update = [parameters, moments = Moments(*parameters), steps] {
    at::_foreach_add_(steps, 1);
    at::_fused_adam_(parameters->values, parameters->gradients, moments.first, moments.second, /*max_exp_avg_sqs=*/{},
                     steps, learning_rate, beta1, beta2, /*weight_decay=*/0, epsilon, /*amsgrad=*/false,
                     /*maximize=*/false);
  };
  return from_the_third_step(parameters, update);
}

// --- scaler: LibTorch has the operators of torch.amp.GradScaler, but not the class ----------------------------------------

constexpr double first_scale = 65536;
constexpr double growth = 2;
constexpr double backoff = 0.5;
constexpr int growth_interval = 2000;
constexpr double sgd_rate = 0.01;

struct ScaledStep {
  Parameters parameters;
  std::vector<Tensor> from_backward;  // gradients of the scaled loss

  ScaledStep(const Args& args, bool overflows) : parameters(args) {
    for (const Tensor& gradient : parameters.gradients) from_backward.push_back(gradient * first_scale);
    if (overflows) from_backward.back()[0][0] = std::numeric_limits<float>::infinity();
  }
  /// Unscaling happens in place, so each call starts from a copy: what a backward pass writes anew.
  void receive_gradients() { at::_foreach_copy_(parameters.gradients, from_backward); }
  void update() { at::_foreach_add_(parameters.values, parameters.gradients, -sgd_rate); }
};

using Scaled = std::tuple<std::vector<Tensor>, double>;  // the parameters, and by how much the scale has changed

Timed scaler_per_tensor(const Args& args) {
  return [step = ScaledStep(args, /*overflows=*/false)]() mutable {
    step.receive_gradients();
    bool is_finite = true;
    for (const Tensor& gradient : step.parameters.gradients) {
      gradient.mul_(1 / first_scale);
      is_finite = torch::isfinite(gradient).all().item<bool>() && is_finite;
    }
    if (is_finite) step.update();
    return Scaled{step.parameters.values, is_finite ? 1 : backoff};
  };
}

Factory scaler_foreach(bool overflows) {
  return [overflows](const Args& args) -> Timed {
    const auto on_device = torch::TensorOptions(device_of(args));
    Tensor scale = torch::full({1}, first_scale, on_device);
    Tensor found_inf = torch::zeros({1}, on_device);
    Tensor steps_without_overflow = torch::zeros({1}, on_device.dtype(torch::kInt));
    return [=, step = ScaledStep(args, overflows)]() mutable {
      scale.fill_(first_scale);  // each call does the same, also after an overflow
      found_inf.zero_();
      steps_without_overflow.zero_();
      step.receive_gradients();
      at::_amp_foreach_non_finite_check_and_unscale_(step.parameters.gradients, found_inf, scale.reciprocal());
      if (found_inf.item<float>() == 0) step.update();
      at::_amp_update_scale_(scale, steps_without_overflow, found_inf, growth, backoff, growth_interval);
      return Scaled{step.parameters.values, scale.item<double>() / first_scale};
    };
  };
}

std::optional<std::string> step_is_skipped_and_scale_halved(const Output& reference, const Output& output) {
  const auto moved = [](const Output& of) {
    return std::any_of(of.values.begin(), of.values.end() - 1, [](double value) { return value != 0; });
  };
  if (!moved(reference)) return "the step without an overflow did not change the parameters";
  if (moved(output)) return "the parameters changed in spite of an infinite gradient";
  if (output.values.back() != backoff) return "the scale was not halved";
  return std::nullopt;
}

Timed per_tensor(const Args& args) {
  return args.text("op") == "adam" ? adam_per_tensor(args) : scaler_per_tensor(args);
}

Timed foreach (const Args& args) {
  return args.text("op") == "adam" ? adam_foreach(args) : scaler_foreach(/*overflows=*/false)(args);
}

TORCHGATE_GROUP("update") {
  const Axis op = group.axis("op", {"adam", "scaler"});
  group.devices().training();

  group.reference("per_tensor", per_tensor);
  group.variant("foreach", foreach)
      .within(1e-6)
      .quick(op("scaler"))
      .proves(calls("aten::_foreach_addcdiv_") == 1, op("adam"))
      .proves(calls("aten::_amp_foreach_non_finite_check_and_unscale_") == 1, op("scaler"))
      .proves(calls("aten::isfinite") == 0, op("scaler"))
      .claims(metric("allocated_bytes") <= 0.6 * reference(), where(cpu, op("adam")))
      .claims(time() <= 0.3 * reference(), where(cpu, op("scaler")));
  // Its CUDA kernel computes the bias corrections 1 - beta^step in FP32: a distance of 3e-6 on an H200.
  group.variant("fused", adam_fused)
      .within(1e-5)
      .only(op("adam"))
      .proves(calls("aten::_fused_adam_") == 1)
      .claims(time() <= 0.5 * reference(), cpu)
      .claims(metric("allocated_bytes") <= 0.01 * reference(), cpu);
  group.variant("overflow", scaler_foreach(/*overflows=*/true))
      .only(op("scaler"))
      .quick(cuda)
      .checks(step_is_skipped_and_scale_halved)
      .proves(calls("aten::_amp_update_scale_") == 1)
      .proves(calls("aten::_foreach_add_") == 0)
      .claims(metric("operator_calls") <= 0.9 * variant_named("foreach"), cpu);
}

}  // namespace
}  // namespace torchgate::suites::update
