// SPDX-License-Identifier: Apache-2.0
#include "suites/distributed/ddp.hpp"

#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/distributed/c10d/comm.hpp>
#include <torch/csrc/distributed/c10d/logger.hpp>
#include <torch/csrc/distributed/c10d/reducer.hpp>

#include <algorithm>

#include "harness/bench/ranks/world.hpp"
#include "suites/common/inputs.hpp"
#include "suites/distributed/process_group.hpp"

namespace torchgate::suites {
namespace {

using torch::Tensor;
using ProcessGroup = c10::intrusive_ptr<c10d::ProcessGroup>;

constexpr std::int64_t width = 160;
constexpr int layers = 5;               // half a megabyte of gradients
constexpr double learning_rate = 1e-4;  // so small that thousands of steps stay where numbers are ordinary

/// Sends gradients in 16 bits, as fp16_compress_hook and bf16_compress_hook do in Python. LibTorch's own hook for FP16
/// widens the result on Gloo's thread: how much memory is in use at most is chance there, and here it repeats.
class CompressingHook final : public c10d::CommHookInterface {
 public:
  CompressingHook(ProcessGroup group, torch::Dtype dtype) : group_(std::move(group)), dtype_(dtype) {}
  c10::intrusive_ptr<c10::ivalue::Future> runHook(c10d::GradBucket& bucket) override {
    std::vector<Tensor> compressed{bucket.getBufferRef().to(dtype_).div_(group_->getSize())};
    return group_->allreduce(compressed)->getFuture();
  }
  Tensor parseHookResult(const c10::IValue& result) override {
    return (result.isTensor() ? result.toTensor() : result.toTensorVector().front()).to(torch::kFloat);
  }

 private:
  ProcessGroup group_;
  torch::Dtype dtype_;
};

/// The identity; going back through it for the first time tells the reducer of a static graph to reduce at the end.
struct Sink : torch::autograd::Function<Sink> {
  static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& x, std::int64_t reducer) {
    context->saved_data["reducer"] = reducer;
    return x.view_as(x);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    auto* reducer = reinterpret_cast<c10d::Reducer*>(context->saved_data["reducer"].toInt());
    torch::autograd::Engine::get_default_engine().queue_callback([reducer] { reducer->delay_all_reduce(); });
    return {gradients[0], Tensor()};
  }
};

torch::nn::Sequential network(bool batch_norm) {
  torch::nn::Sequential model;
  for (int i = 0; i < layers; ++i) {
    model->push_back(torch::nn::Linear(width, width));
    if (batch_norm) model->push_back(torch::nn::BatchNorm1d(width));
    model->push_back(torch::nn::ReLU());
  }
  return model;
}

Tensor loss_of(const Tensor& y) {
  return (y - 1).pow(2).mean();
}

// LibTorch's optimizer.zero_grad() detaches gradients, which a view of a bucket does not allow.
void forget_gradients(const std::vector<Tensor>& parameters) {
  for (const Tensor& parameter : parameters) parameter.mutable_grad().reset();
}

std::vector<Tensor> gradients_of(const std::vector<Tensor>& parameters) {
  std::vector<Tensor> gradients;
  for (const Tensor& parameter : parameters) gradients.push_back(parameter.grad());
  return gradients;
}

Tensor flat(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> parts;
  for (const Tensor& tensor : tensors) parts.push_back(tensor.detach().flatten());
  return torch::cat(parts);
}

// The gradients that all ranks have to come to, by one process.
Tensor averaged_gradients(torch::nn::Sequential& model, const std::vector<Tensor>& parts) {
  const auto parameters = model->parameters();
  for (const Tensor& part : parts) (loss_of(model->forward(part)) / static_cast<double>(parts.size())).backward();
  Tensor result = flat(gradients_of(parameters));
  forget_gradients(parameters);
  return result;
}

std::shared_ptr<c10d::Reducer> make_reducer(const std::vector<Tensor>& parameters, const ProcessGroup& group,
                                            const DdpOptions& options) {
  // Gradients are ready in about the opposite order of the parameters.
  const std::vector<Tensor> reversed(parameters.rbegin(), parameters.rend());
  const std::vector<bool> dense(parameters.size(), false);
  const std::size_t first = std::min(options.first_bucket_bytes, options.bucket_bytes);
  std::vector<std::vector<std::size_t>> buckets =
      std::get<0>(c10d::compute_bucket_assignment_by_size(reversed, {first, options.bucket_bytes}, dense));
  for (auto& bucket : buckets) {
    for (std::size_t& index : bucket) index = parameters.size() - 1 - index;
  }
  auto reducer = std::make_shared<c10d::Reducer>(
      parameters, buckets, group, dense, static_cast<std::int64_t>(options.bucket_bytes),
      /*find_unused_parameters=*/false, options.gradients_as_views, std::unordered_map<std::size_t, std::string>{},
      static_cast<std::int64_t>(first), /*skip_all_reduce_unused_params=*/false, /*use_python_reducer=*/false,
      std::vector<std::int64_t>{});
  if (options.static_graph) reducer->set_static_graph();
  if (options.compression) reducer->register_comm_hook(std::make_unique<CompressingHook>(group, *options.compression));
  return reducer;
}

}  // namespace

struct DdpStep::State {
  DdpOptions options;
  torch::nn::Sequential model;
  std::vector<Tensor> parameters;
  std::vector<Tensor> buffers;
  Tensor rows;      // this rank's
  Tensor expected;  // gradients of the first step
  ProcessGroup group;
  std::shared_ptr<c10d::Reducer> reducer;
  std::shared_ptr<c10d::Logger> logger;
  torch::optim::SGD optimizer;
  bool sunk = false;

  State(const bench::Args& args, const DdpOptions& chosen)
      : options(chosen),
        model(network(chosen.batch_norm)),
        parameters(model->parameters()),
        buffers(model->buffers()),
        optimizer(parameters, learning_rate) {
    bench::World& world = bench::this_world();
    const auto parts = Inputs(args).normal({batch_rows, width}).chunk(world.size());
    rows = parts.at(static_cast<std::size_t>(world.rank())).clone();
    expected = averaged_gradients(model, parts);
    group = connect_ranks();
    c10d::broadcast_coalesced(group, parameters_without_history(), options.bucket_bytes);
    reducer = make_reducer(parameters, group, options);
    logger = std::make_shared<c10d::Logger>(reducer);
    reducer->set_logger(logger);
  }

  ~State() {
    // Its hooks live in the parameters' graph, which may outlive it.
    if (reducer) reducer->remove_autograd_hooks();
  }

  [[nodiscard]] std::vector<Tensor> parameters_without_history() const {
    std::vector<Tensor> result;
    for (const Tensor& parameter : parameters) result.push_back(parameter.detach());
    return result;
  }

  std::vector<Tensor> step() {
    reducer->prepare_for_forward();
    reducer->rebuild_buckets();  // after the first step, in the order in which gradients came; else nothing
    if (options.broadcast_buffers && !buffers.empty()) c10d::broadcast_coalesced(group, buffers, options.bucket_bytes);
    Tensor y = model->forward(rows);
    if (options.static_graph && options.sinks_static_graph && !sunk) {
      y = Sink::apply(y, reinterpret_cast<std::int64_t>(reducer.get()));
      sunk = true;
    }
    reducer->prepare_for_backward({y});
    loss_of(y).backward();
    optimizer.step();
    // Let go here and not before the next step, so that what they take up is counted in the call that made them.
    std::vector<Tensor> gradients = gradients_of(parameters);
    forget_gradients(parameters);
    return gradients;
  }
};

DdpStep::DdpStep(const bench::Args& args, const DdpOptions& options) : state_(std::make_unique<State>(args, options)) {}
DdpStep::~DdpStep() = default;
DdpStep::DdpStep(DdpStep&&) noexcept = default;

std::vector<Tensor> DdpStep::operator()() {
  return state_->step();
}

double DdpStep::error_of(const std::vector<Tensor>& first) const {
  const Tensor reduced = flat(first);
  return ((reduced - state_->expected).norm() / state_->expected.norm()).item<double>();
}

}  // namespace torchgate::suites
