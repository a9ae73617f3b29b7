// SPDX-License-Identifier: Apache-2.0
// The whole step of training in mixed precision: two micro-batches under FP16 autocast, on a GPU copied from pinned memory without a wait, backward passes
// of the scaled loss, gradients that are unscaled and checked, an update that is left out after an overflow, a scale that follows, and gradients that are
// dropped.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/autocast.hpp"
#include "suites/common/expected.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"

namespace torchgate::suites::amp_step {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Autocast;
using torchgate::suites::Inputs;
using torchgate::suites::is_close;
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
// So large that gradients do not fit into FP16, whose largest number is 65504, until it has been halved twice: the other two steps show that the
// training goes on after an overflow. The largest scale that fits is 1.4 times the one that is left, so that other kernels skip as many steps.
constexpr double too_large_a_scale = 1 << 19;
constexpr std::size_t overflowing_steps = 2;

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

  /// The loss before each step, and how far the weights of the last layer have moved after each of them: one row per step.
  std::tuple<std::vector<double>, Tensor> run(Recorder& recorder) {
    restart();
    pinned_copies_ = 0;  // a call that throws, as under the capture of a CUDA graph, leaves its count
    std::optional<Scaler> scaler;
    if (scale_) scaler.emplace(*scale_, parameters_.front().options().requires_grad(false));
    const std::size_t head = parameters_.size() - 2;  // its weight; the bias is last
    std::vector<double> losses;
    std::vector<Tensor> moved;
    int skipped = 0;
    for (int step = 0; step < steps; ++step) {
      losses.push_back(accumulate(scaler));
      skipped += update(scaler) ? 0 : 1;
      moved.push_back(parameters_[head].detach() - start_[head]);
    }
    recorder.put("skipped_steps", skipped);
    recorder.put("pinned_copies", pinned_copies_);
    recorder.put("scale", scaler ? scaler->scale() / *scale_ : 1);
    return {losses, torch::stack(moved)};
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
    for (const Tensor& parameter : parameters_) parameter.mutable_grad().reset();  // those of a call that threw
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

constexpr double fp16_error = 1e-2;  // of four steps

/// What step STEP (from 0) of OUTPUT left behind: how far the weights have moved.
Output moved_after(std::size_t step, const Output& output) {
  const auto begin = output.values.begin() + steps + static_cast<std::ptrdiff_t>(step * width);
  return {{begin, begin + width}, output.dtype};
}

/// What step STEP of OUTPUT does otherwise than step EARLIER of the reference. Loss and weights apart: in one vector the losses would hide what the
/// weights, whose numbers are small, do in one step.
std::optional<std::string> differs(const Output& reference, std::size_t earlier, const Output& output,
                                   std::size_t step) {
  const std::string name = "step " + std::to_string(step + 1);
  const std::string other = "step " + std::to_string(earlier + 1) + " of the reference";
  if (!is_close(output.values.at(step), reference.values.at(earlier), fp16_error))
    return name + " begins with another loss than " + other;
  if (!compare(moved_after(earlier, reference), moved_after(step, output), within(fp16_error), "fp32").within)
    return name + " does not move the weights as " + other;
  return std::nullopt;
}

std::optional<std::string> steps_are_those_of_the_reference(const Output& reference, const Output& output) {
  for (std::size_t step = 0; step < steps; ++step) {
    if (auto problem = differs(reference, step, output, step)) return problem;
  }
  return std::nullopt;
}

// A step that overflows leaves the weights as they are, so that every step after the last overflow is one that the reference made earlier.
std::optional<std::string> overflow_is_left_out(const Output& reference, const Output& output) {
  for (std::size_t step = 0; step < overflowing_steps; ++step) {
    const std::string name = "step " + std::to_string(step + 1);
    if (!is_close(output.values.at(step), reference.values.at(0), fp16_error))
      return name + " begins with another loss than step 1 of the reference";
    const Output moved = moved_after(step, output);
    const bool stayed = std::all_of(moved.values.begin(), moved.values.end(), [](double by) { return by == 0; });
    if (!stayed) return name + " overflowed, and changed the weights";
  }
  for (std::size_t step = overflowing_steps; step < steps; ++step) {
    if (auto problem = differs(reference, step - overflowing_steps, output, step)) return problem;
  }
  return std::nullopt;
}

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
      .checks(steps_are_those_of_the_reference)
      .proves(calls("aten::addmm").on("Half") == layers * micro_batches * steps)
      .proves(calls("aten::_amp_foreach_non_finite_check_and_unscale_") == steps)
      .proves(calls("aten::_amp_update_scale_") == steps)
      .proves(metric("skipped_steps") == 0)
      .proves(metric("scale") == 4);  // it grew after the second and after the fourth step
  group.variant("fp16_overflow", training(too_large_a_scale))
      .checks(overflow_is_left_out)
      .proves(metric("skipped_steps") == overflowing_steps)
      .claims(metric("scale") <= 0.5 * reference())  // halved twice, and doubled after two steps without an overflow
      .claims(metric("scale") >= 0.5 * reference());
}

}  // namespace
}  // namespace torchgate::suites::amp_step
