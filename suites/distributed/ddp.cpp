// SPDX-License-Identifier: Apache-2.0
#include "suites/distributed/ddp.hpp"

#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/distributed/c10d/comm.hpp>
#include <torch/csrc/distributed/c10d/logger.hpp>
#include <torch/csrc/distributed/c10d/reducer.hpp>

#include <algorithm>
#include <numeric>

#include "harness/bench/ranks/world.hpp"
#include "suites/common/inputs.hpp"
#include "suites/distributed/hooks.hpp"
#include "suites/distributed/process_group.hpp"
#include "suites/distributed/wait_clock.hpp"

namespace torchgate::suites {
namespace {

using torch::Tensor;
using ProcessGroup = c10::intrusive_ptr<c10d::ProcessGroup>;

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

std::vector<Tensor> rows_of(const Tensor& batch, Rows rows) {
  bench::World& world = bench::this_world();
  if (rows == Rows::equal) return batch.chunk(world.size());
  TORCH_CHECK(world.size() == 2, "uneven rows are those of two ranks");
  const std::int64_t first = batch.size(0) * 3 / 4;
  return batch.split_with_sizes({first, batch.size(0) - first});
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
      parameters, buckets, group, dense, static_cast<std::int64_t>(options.bucket_bytes), options.find_unused,
      options.gradients_as_views, std::unordered_map<std::size_t, std::string>{}, static_cast<std::int64_t>(first),
      /*skip_all_reduce_unused_params=*/false, /*use_python_reducer=*/false, std::vector<std::int64_t>{});
  if (options.static_graph) reducer->set_static_graph();
  if (options.compression) reducer->register_comm_hook(compressing_hook(group, *options.compression));
  if (options.sparse != DdpOptions::Sparse::no) {
    const bool feedback = options.sparse == DdpOptions::Sparse::largest_with_feedback;
    reducer->register_comm_hook(sparsifying_hook(group, feedback));
  }
  return reducer;
}

}  // namespace

DdpOptions options_of_large_batch(Rows rows) {
  constexpr std::int64_t rows_of_all_ranks = 512;
  DdpOptions options;
  options.rows_of_ranks = rows;
  options.rows = rows_of_all_ranks;
  options.gradients_as_views = true;  // no second copy of the gradients
  return options;
}

struct DdpStep::State {
  DdpOptions options;
  torch::nn::Sequential model;
  torch::nn::Linear unused{nullptr};
  std::vector<Tensor> parameters;  // those that the step uses
  std::vector<Tensor> buffers;
  Tensor batch;     // of all ranks
  Tensor rows;      // this rank's
  Tensor expected;  // gradients of the first step
  WaitClock clock;
  ProcessGroup group;
  std::shared_ptr<c10d::Reducer> reducer;
  std::shared_ptr<c10d::Logger> logger;
  torch::optim::SGD optimizer;
  bool sunk = false;

  State(const bench::Args& args, const DdpOptions& chosen)
      : options(chosen),
        model(network(chosen.shape)),
        parameters(model->parameters()),
        buffers(model->buffers()),
        clock(parameters.front()),
        optimizer(parameters, chosen.learning_rate) {
    batch = Inputs(args).normal({options.rows, options.shape.width});
    const auto parts = rows_of(batch, options.rows_of_ranks);
    rows = parts.at(static_cast<std::size_t>(bench::this_world().rank())).clone();
    expected = averaged_gradients(model, parts);
    if (options.unused_layer) unused = torch::nn::Linear(options.shape.width, options.shape.width);
    group = connect_ranks();
    c10d::broadcast_coalesced(group, parameters_without_history(), options.bucket_bytes);
    reducer = make_reducer(reduced_parameters(), group, options);
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

  // The first step fails if they include an unused one that the reducer does not look for.
  [[nodiscard]] std::vector<Tensor> reduced_parameters() const {
    std::vector<Tensor> result = parameters;
    if (options.find_unused && unused) {
      for (const Tensor& parameter : unused->parameters()) result.push_back(parameter);
    }
    return result;
  }

  // This rank's rows of this step.
  [[nodiscard]] Tensor balanced_rows() const {
    const std::int64_t share = options.rows / group->getSize();
    if (group->getRank() == 0) {
      std::vector<Tensor> surplus{rows.narrow(0, share, rows.size(0) - share)};
      group->send(surplus, /*dstRank=*/1, /*tag=*/0)->wait();
      return rows.narrow(0, 0, share);
    }
    std::vector<Tensor> surplus{torch::empty({share - rows.size(0), rows.size(1)})};
    group->recv(surplus, /*srcRank=*/0, /*tag=*/0)->wait();
    return torch::cat({rows, surplus.front()});
  }

  std::vector<Tensor> step() {
    reducer->prepare_for_forward();
    reducer->rebuild_buckets();  // after the first step, in the order in which gradients came; else nothing
    if (options.broadcast_buffers && !buffers.empty()) c10d::broadcast_coalesced(group, buffers, options.bucket_bytes);
    const Tensor x = options.rows_of_ranks == Rows::balanced ? balanced_rows() : rows;
    Tensor y = model->forward(x);
    if (options.static_graph && options.sinks_static_graph && !sunk) {
      y = Sink::apply(y, reinterpret_cast<std::int64_t>(reducer.get()));
      sunk = true;
    }
    reducer->prepare_for_backward({y});
    // The reducer averages over ranks: with uneven rows the loss of a rank counts as much as its share of the batch.
    const double ranks_of_rows = static_cast<double>(x.size(0) * group->getSize()) / static_cast<double>(options.rows);
    const Tensor loss = loss_of(y);
    (ranks_of_rows == 1 ? loss : loss * ranks_of_rows).backward();
    clock.done();
    optimizer.step();
    // Released here and not before the next step, so that their memory is counted in the call that allocated it.
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

void DdpStep::set_learning_rate(double rate) {
  for (auto& parameters : state_->optimizer.param_groups())
    static_cast<torch::optim::SGDOptions&>(parameters.options()).lr(rate);
}

double DdpStep::wait_ns() const {
  return state_->clock.wait_ns();
}

std::int64_t DdpStep::bucket_bytes() const {
  const std::vector<std::int64_t> buckets = state_->logger->get_bucket_sizes();
  return std::accumulate(buckets.begin(), buckets.end(), std::int64_t{0});
}

double DdpStep::loss() const {
  const at::NoGradGuard no_grad;
  return loss_of(state_->model->forward(state_->batch)).item<double>();
}

const Tensor& DdpStep::expected() const {
  return state_->expected;
}

double DdpStep::error_of(const std::vector<Tensor>& first) const {
  return relative_distance(flat(first), state_->expected);
}

}  // namespace torchgate::suites
