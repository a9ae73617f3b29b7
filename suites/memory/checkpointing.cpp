// SPDX-License-Identifier: Apache-2.0
#include "suites/memory/checkpointing.hpp"

#include <ATen/Context.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include <mutex>

namespace torchgate::suites {
namespace {

using torch::Tensor;

Tensor random_state(const at::Device& device) {
  at::Generator generator = at::globalContext().defaultGenerator(device);
  const std::lock_guard lock(generator.mutex());
  return generator.get_state();
}

void set_random_state(const at::Device& device, const Tensor& state) {
  at::Generator generator = at::globalContext().defaultGenerator(device);
  const std::lock_guard lock(generator.mutex());
  generator.set_state(state);
}

/// While it lives, the default generator repeats the numbers that followed `state`; afterwards it continues where it was.
class ReplayedRandomNumbers {
 public:
  ReplayedRandomNumbers(at::Device device, const Tensor& state) : device_(device), interrupted_(random_state(device)) {
    set_random_state(device_, state);
  }
  ~ReplayedRandomNumbers() { set_random_state(device_, interrupted_); }
  ReplayedRandomNumbers(const ReplayedRandomNumbers&) = delete;
  ReplayedRandomNumbers& operator=(const ReplayedRandomNumbers&) = delete;

 private:
  at::Device device_;
  Tensor interrupted_;
};

class Checkpoint : public torch::autograd::Function<Checkpoint> {
 public:
  static Tensor forward(torch::autograd::AutogradContext* context, const c10::intrusive_ptr<Segment>& segment,
                        const Tensor& x) {
    context->save_for_backward({x});
    context->saved_data["segment"] = c10::IValue::make_capsule(segment);
    context->saved_data["random_state"] = random_state(x.device());
    return segment->run(x);  // LibTorch has switched the recording of gradients off here
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    const auto segment = c10::static_intrusive_pointer_cast<Segment>(context->saved_data["segment"].toCapsule());
    // Detached: the inner backward pass ends at the segment's input.
    const Tensor x = context->get_saved_variables().front().detach().requires_grad_();
    Tensor y;
    {
      const ReplayedRandomNumbers replayed(x.device(), context->saved_data["random_state"].toTensor());
      const at::AutoGradMode recorded(true);
      y = segment->run(x);
    }
    torch::autograd::backward({y}, {gradients.front()});
    return {Tensor(), x.grad()};
  }
};

}  // namespace

Tensor checkpoint(const c10::intrusive_ptr<Segment>& segment, const Tensor& x) {
  return Checkpoint::apply(segment, x);
}

}  // namespace torchgate::suites
