// SPDX-License-Identifier: Apache-2.0
// The whole step of training in mixed precision: two micro-batches under FP16 autocast, on a GPU copied from pinned memory without a wait, backward passes
// of the scaled loss, gradients that are unscaled and checked, an update that is left out after an overflow, a scale that follows, and gradients that are
// dropped.
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/autocast.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"

namespace torchgate::suites::amp_step {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Autocast;
using torchgate::suites::Inputs;
using torchgate::suites::Mlp;

constexpr int steps = 4;
constexpr int micro_batches = 2;  // of each step
constexpr int layers = 3;
constexpr std::int64_t rows = 32;  // of a micro-batch
constexpr std::int64_t width = 64;
constexpr double learning_rate = 0.05;

// As torch.amp.GradScaler has them, but for the first scale (65536) and the interval (2000): in four steps the scale has to grow, and nothing may overflow.
constexpr double fitting_scale = 4096;
constexpr double growth = 2;
constexpr double backoff = 0.5;
constexpr int growth_interval = 2;
// So large that the first gradients do not fit into FP16, whose largest number is 65504, and so small that halving it helps within the four steps.
constexpr double too_large_a_scale = 1 << 23;

/// LibTorch has the operators of torch.amp.GradScaler, but not the class.
class Scaler {
 public:
  Scaler(double scale, const torch::TensorOptions& options)
      : scale_(torch::full({1}, scale, options)),
        found_inf_(torch::zeros({1}, options)),
        without_overflow_(torch::zeros({1}, options.dtype(torch::kInt))) {}

  [[nodiscard]] Tensor scaled(const Tensor& loss) const { return loss * scale_; }
  /// Whether the gradients, which are unscaled, are finite. Adjusts the scale.
  bool unscale(const std::vector<Tensor>& gradients) {
    found_inf_.zero_();
    at::_amp_foreach_non_finite_check_and_unscale_(gradients, found_inf_, scale_.reciprocal());
    const bool finite = found_inf_.item<float>() == 0;
    at::_amp_update_scale_(scale_, without_overflow_, found_inf_, growth, backoff, growth_interval);
    return finite;
  }
  [[nodiscard]] double scale() const { return scale_.item<double>(); }

 private:
  Tensor scale_;
  Tensor found_inf_;
  Tensor without_overflow_;
};

class Training {
 public:
  /// SCALE: of the loss under FP16 autocast; absent: FP32.
  Training(const Args& args, std::optional<double> scale) : model_({width, width, width, 1}, args), scale_(scale) {
    Inputs inputs(args);
    for (int i = 0; i < micro_batches; ++i) {
      const Tensor x = inputs.normal({rows, width});
      x_.push_back(where_loaded(x));
      y_.push_back(where_loaded(torch::sin(x.sum(/*dim=*/1, /*keepdim=*/true))));
    }
    parameters_ = model_.parameters();
    for (const Tensor& parameter : parameters_) start_.push_back(parameter.detach().clone());
  }

  /// The loss before each step, and how far the weights of the last layer have moved.
  std::tuple<std::vector<double>, Tensor> run(Recorder& recorder) {
    restart();
    pinned_copies_ = 0;  // a call that throws, as under the capture of a CUDA graph, leaves its count
    std::optional<Scaler> scaler;
    if (scale_) scaler.emplace(*scale_, parameters_.front().options().requires_grad(false));
    std::vector<double> losses;
    int skipped = 0;
    for (int step = 0; step < steps; ++step) {
      losses.push_back(accumulate(scaler));
      skipped += update(scaler) ? 0 : 1;
    }
    recorder.put("skipped_steps", skipped);
    recorder.put("pinned_copies", pinned_copies_);
    recorder.put("scale", scaler ? scaler->scale() / *scale_ : 1);
    const std::size_t head = parameters_.size() - 2;  // its weight; the bias is last
    return {losses, parameters_[head].detach() - start_[head]};
  }

 private:
  // A loader leaves batches in pinned memory of the host.
  static Tensor where_loaded(const Tensor& batch) { return batch.is_cuda() ? batch.cpu().pin_memory() : batch; }
  Tensor on_device(const Tensor& batch) {
    const torch::Device device = parameters_.front().device();
    if (batch.device() == device) return batch;
    pinned_copies_ += batch.is_pinned() ? 1 : 0;
    return batch.to(device, /*non_blocking=*/true);
  }
  void restart() {
    const torch::NoGradGuard no_gradients;
    at::_foreach_copy_(parameters_, start_);
  }
  double accumulate(const std::optional<Scaler>& scaler) {
    double all = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const Tensor x = on_device(x_[i]);
      const Tensor y = on_device(y_[i]);
      Tensor loss;
      {
        std::optional<Autocast> autocast;
        if (scaler) autocast.emplace(x.device().type(), torch::kHalf);
        loss = torch::mse_loss(model_(x), y) / micro_batches;
      }
      (scaler ? scaler->scaled(loss) : loss).backward();
      all += loss.item<double>();
    }
    return all;
  }
  bool update(std::optional<Scaler>& scaler) {
    const torch::NoGradGuard no_gradients;
    std::vector<Tensor> gradients;
    for (const Tensor& parameter : parameters_) gradients.push_back(parameter.grad());
    const bool finite = !scaler || scaler->unscale(gradients);
    if (finite) at::_foreach_add_(parameters_, gradients, -learning_rate);
    for (const Tensor& parameter : parameters_) parameter.mutable_grad().reset();
    return finite;
  }

  Mlp model_;
  std::vector<Tensor> x_;
  std::vector<Tensor> y_;
  std::vector<Tensor> parameters_;
  std::vector<Tensor> start_;
  std::optional<double> scale_;
  int pinned_copies_ = 0;
};

Factory training(std::optional<double> scale) {
  return [scale](const Args& args) -> Timed {
    return [state = std::make_shared<Training>(args, scale)](Recorder& recorder) { return state->run(recorder); };
  };
}

// The steps that overflow leave the weights as they are, so that the first losses are equal, and the last one is not yet where FP32's is.
std::optional<std::string> overflow_is_left_out(const Output& reference, const Output& output) {
  constexpr double fp16_loss_error = 1e-2;
  const double first = reference.values.at(0);
  for (const std::size_t step : {0U, 1U}) {
    if (std::abs(output.values.at(step) - first) > fp16_loss_error * first)
      return "the loss changed, although the first step overflowed";
  }
  for (const double value : output.values)
    if (!std::isfinite(value)) return "an infinite gradient went into the weights";
  return std::nullopt;
}

constexpr double fp16_error = 1e-2;  // of four steps

TORCHGATE_GROUP("amp_step") {
  group.devices()
      .training()
      .quick(cuda)
      .items([](const Args&) { return static_cast<double>(steps * micro_batches * rows); })
      .measures(count("skipped_steps"))
      .measures(count("pinned_copies"))
      .measures(ratio("scale").exact());

  constexpr int batches_and_labels = 2 * micro_batches * steps;
  group.reference("fp32", training(std::nullopt))
      .proves(metric("skipped_steps") == 0)
      .proves(metric("pinned_copies") == batches_and_labels, cuda);
  group.variant("fp16_scaled", training(fitting_scale))
      .within(fp16_error)
      .proves(calls("aten::addmm").on("Half") == layers * micro_batches * steps)
      .proves(calls("aten::_amp_foreach_non_finite_check_and_unscale_") == steps)
      .proves(calls("aten::_amp_update_scale_") == steps)
      .proves(metric("skipped_steps") == 0)
      .proves(metric("scale") == 4);  // it grew after the second and after the fourth step
  group.variant("fp16_overflow", training(too_large_a_scale))
      .checks(overflow_is_left_out)
      .proves(metric("skipped_steps") >= 1)
      .claims(metric("scale") <= 0.5 * reference());
}

}  // namespace
}  // namespace torchgate::suites::amp_step
