// SPDX-License-Identifier: Apache-2.0
// LibTorch's own profiler (Kineto) round ten training steps: off, on for one step in ten, for six by a schedule as
// torch.profiler has it (LibTorch does not), and on for all.
#include <memory>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/expected.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"
#include "suites/training/kineto.hpp"

namespace torchgate::suites::profiler {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;
using torchgate::suites::is_close;
using torchgate::suites::Mlp;
using torchgate::suites::start_recording;

constexpr int steps = 10;

/// Which steps are recorded: after `wait` steps without, `active` steps with; `repeat` times.
struct Schedule {
  int wait;
  int active;
  int repeat;
  [[nodiscard]] bool starts_before(int step) const { return within(step) && step % period() == wait; }
  [[nodiscard]] bool ends_after(int step) const { return within(step) && step % period() == period() - 1; }

 private:
  [[nodiscard]] int period() const { return wait + active; }
  [[nodiscard]] bool within(int step) const { return active > 0 && step < repeat * period(); }
};

/// What all recordings of a call have seen.
struct Seen {
  double events = 0;
  double flops = 0;
};

void end_recording(Seen& seen) {
  const auto result = torch::autograd::profiler::disableProfiler();
  for (const auto& event : result->events()) {
    seen.events += 1;
    seen.flops += static_cast<double>(event.flops());
  }
}

struct Network {
  Mlp model;
  Tensor x;
  std::vector<Tensor> parameters;

  explicit Network(const Args& args) : model({width, width, width}, args), x(Inputs(args).normal({rows, width})) {
    parameters = model.parameters();
  }
  double step() {
    const Tensor loss = model(x).pow(2).mean();
    loss.backward();
    for (const Tensor& parameter : parameters) parameter.mutable_grad().reset();
    return loss.item<double>();
  }

  static constexpr std::int64_t width = 192;
  static constexpr std::int64_t rows = 64;
};

// Of one step: two products forward, and backward one more for each weight and one for the inputs of the second layer. Kineto counts pointwise operators, too,
// of which each version of LibTorch may have others.
constexpr std::int64_t products = 5;
constexpr std::int64_t flops_of_products = products * 2 * Network::rows * Network::width * Network::width;
constexpr std::int64_t six = 6;

// By the number of steps that are recorded.
Schedule schedule_of(const Args& args) {
  switch (args.number("recorded")) {
    case 1:
      return {9, 1, 1};
    case six:  // torch.profiler.schedule(wait=1, warmup=1, active=3, repeat=2); its warm-up is a step without recording
      return {2, 3, 2};
    case steps:
      return {0, steps, 1};
    default:
      return {steps, 0, 0};
  }
}

// The losses, then what they must be.
Timed ten_steps(const Args& args) {
  const auto network = std::make_shared<Network>(args);
  const std::vector<double> expected(steps, network->step());
  return [=, schedule = schedule_of(args)](Recorder& recorder) {
    Seen seen;
    std::vector<double> losses;
    for (int step = 0; step < steps; ++step) {
      if (schedule.starts_before(step))
        start_recording(/*with_stack=*/false, /*with_flops=*/true, /*with_modules=*/false);
      losses.push_back(network->step());
      if (schedule.ends_after(step)) end_recording(seen);
    }
    recorder.put("events", seen.events);
    recorder.put("flops", seen.flops);
    losses.insert(losses.end(), expected.begin(), expected.end());
    return losses;
  };
}

std::optional<std::string> losses_are_those_without_profiler(const Output& output) {
  constexpr double float_error = 1e-5;
  for (std::size_t i = 0; i < steps; ++i) {
    const double expected = output.values.at(steps + i);
    if (!is_close(output.values.at(i), expected, float_error)) {
      return "step " + std::to_string(i) + " has another loss than without a profiler";
    }
  }
  return std::nullopt;
}

// Counts of the profiler, exact, so that the claims on them are equalities: ten recorded steps are ten times one.
TORCHGATE_GROUP("profiler") {
  const Axis recorded = group.axis("recorded", {0, 1, six, steps});
  group.training()
      .only_full(recorded(six, steps))
      .quick(recorded(0, 1))
      .measures(count("events"))
      .measures(count("flops"));

  group.sweep("ten_steps", ten_steps)
      .checks(losses_are_those_without_profiler)
      .proves(metric("events") == 0, recorded(0))
      .proves(metric("events") >= 50, recorded(1))
      .proves(metric("flops") == 0, recorded(0))
      .proves(metric("flops") >= flops_of_products, recorded(1))
      .proves(metric("flops") >= six * flops_of_products, recorded(six))
      .claims(time() <= 5.0 * case_with(recorded(0)), recorded(1))
      .claims(time() <= 8.0 * case_with(recorded(0)), recorded(six))
      .claims(time() <= 14.0 * case_with(recorded(0)), recorded(steps))
      .claims(metric("flops") <= 10.0 * case_with(recorded(1)), recorded(steps))
      .claims(metric("flops") >= 10.0 * case_with(recorded(1)), recorded(steps))
      .claims(metric("events") <= 10.0 * case_with(recorded(1)), recorded(steps))
      .claims(metric("events") >= 10.0 * case_with(recorded(1)), recorded(steps));
}

}  // namespace
}  // namespace torchgate::suites::profiler
