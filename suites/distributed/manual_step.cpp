// SPDX-License-Identifier: Apache-2.0
#include "suites/distributed/manual_step.hpp"

#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <thread>
#include <utility>

#include "harness/bench/ranks/world.hpp"
#include "suites/common/inputs.hpp"
#include "suites/distributed/network.hpp"
#include "suites/distributed/process_group.hpp"
#include "suites/distributed/wait_clock.hpp"

namespace torchgate::suites {
namespace {

using torch::Tensor;
using ProcessGroup = c10::intrusive_ptr<c10d::ProcessGroup>;

constexpr double learning_rate = 1e-4;  // so small that thousands of steps stay where numbers are ordinary
/// LibTorch 2.11 has std::shared_ptr here, 2.15 its own.
using Accumulator = decltype(torch::autograd::impl::grad_accumulator(std::declval<Tensor>()));

}  // namespace

/// Calls a function after a gradient has been accumulated.
class AfterGradient final : public torch::autograd::FunctionPostHook {
 public:
  explicit AfterGradient(std::function<void()> call) : call_(std::move(call)) {}
  torch::autograd::variable_list operator()(const torch::autograd::variable_list& outputs,
                                            const torch::autograd::variable_list& /*inputs*/) override {
    call_();
    return outputs;
  }

 private:
  std::function<void()> call_;
};

/// Parameters whose gradients are sent as one message.
struct ParameterGroup {
  std::vector<Tensor> parameters;
  std::size_t missing_gradients = 0;  // in this step
  std::vector<Tensor> message;        // one tensor, of all steps: Gloo's thread releases it at a time of its own
  c10::intrusive_ptr<c10d::Work> work;

  void send(const ProcessGroup& group) {
    std::vector<Tensor> parts;
    for (const Tensor& parameter : parameters) parts.push_back(parameter.grad().flatten());
    if (message.empty()) {
      message = {torch::cat(parts)};
    } else {
      torch::cat_out(message.front(), parts);
    }
    work = group->allreduce(message);
  }

  /// Waits for the sum, and makes the averages the gradients of the parameters.
  void receive(int ranks) {
    work->wait();
    work.reset();
    message.front().div_(ranks);
    std::int64_t begin = 0;
    for (const Tensor& parameter : parameters) {
      const Tensor part = message.front().narrow(0, begin, parameter.numel());
      parameter.mutable_grad().copy_(part.view_as(parameter));
      begin += parameter.numel();
    }
  }
};

namespace {

/// From the last parameter to the first, as gradients are computed; like the Reducer's, a group is full when it reaches the
/// size. PyTorch's is 25 MB: here it is divided by the same as the model, so that there are several groups.
std::vector<ParameterGroup> groups_of(const std::vector<Tensor>& parameters) {
  constexpr std::size_t group_bytes = std::size_t{200} << 10;
  std::vector<ParameterGroup> groups(1);
  std::size_t bytes = 0;
  for (auto parameter = parameters.rbegin(); parameter != parameters.rend(); ++parameter) {
    if (bytes >= group_bytes) {
      groups.emplace_back();
      bytes = 0;
    }
    groups.back().parameters.push_back(*parameter);
    bytes += parameter->nbytes();
  }
  return groups;
}

}  // namespace

struct ManualStep::State {
  bool overlapped;
  torch::nn::Sequential model = network({});
  std::vector<Tensor> parameters = model->parameters();
  WaitClock clock{parameters.front()};
  ProcessGroup group;
  std::vector<ParameterGroup> groups = groups_of(parameters);
  std::vector<Accumulator> accumulators;  // a parameter does not keep its own alive
  torch::optim::SGD optimizer{parameters, learning_rate};
  Tensor rows;      // this rank's
  Tensor expected;  // gradients of the first step
  std::int64_t early_messages = 0;
  double backward_ns = 0;

  State(const bench::Args& args, bool overlaps) : overlapped(overlaps) {
    bench::World& world = bench::this_world();
    const auto parts = Inputs(args).normal({batch_rows, NetworkShape{}.width}).chunk(world.size());
    rows = parts.at(static_cast<std::size_t>(world.rank())).clone();
    expected = averaged_gradients(model, parts);
    group = connect_ranks();
    if (overlapped) send_when_computed();
  }

  void send_when_computed() {
    for (ParameterGroup& part : groups) {
      for (const Tensor& parameter : part.parameters) {
        accumulators.push_back(torch::autograd::impl::grad_accumulator(parameter));
        accumulators.back()->add_post_hook(std::make_unique<AfterGradient>([this, &part] {
          if (--part.missing_gradients > 0) return;
          part.send(group);
          ++early_messages;
        }));
      }
    }
  }

  std::vector<Tensor> step() {
    early_messages = 0;
    for (ParameterGroup& part : groups) part.missing_gradients = part.parameters.size();
    if (bench::this_world().rank() > 0) std::this_thread::sleep_for(straggler_delay);
    const Tensor loss = loss_of(model->forward(rows));
    const auto begin = std::chrono::steady_clock::now();
    loss.backward();
    backward_ns = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
    for (ParameterGroup& part : groups) {
      if (!overlapped) part.send(group);
    }
    for (ParameterGroup& part : groups) part.receive(group->getSize());
    clock.done();
    optimizer.step();
    std::vector<Tensor> gradients = gradients_of(parameters);
    forget_gradients(parameters);
    return gradients;
  }
};

ManualStep::ManualStep(const bench::Args& args, bool overlapped) : state_(std::make_unique<State>(args, overlapped)) {}
ManualStep::~ManualStep() = default;
ManualStep::ManualStep(ManualStep&&) noexcept = default;

std::vector<Tensor> ManualStep::operator()() {
  return state_->step();
}

double ManualStep::wait_ns() const {
  return state_->clock.wait_ns();
}

std::int64_t ManualStep::early_messages() const {
  return state_->early_messages;
}

double ManualStep::backward_ns() const {
  return state_->backward_ns;
}

double ManualStep::error_of(const std::vector<Tensor>& first) const {
  return relative_distance(flat(first), state_->expected);
}

}  // namespace torchgate::suites
