// SPDX-License-Identifier: Apache-2.0
// Sharded training, as FSDP does it: a rank keeps its part of each weight and its momentum, and gathers a weight to use it.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/bench/ranks/world.hpp"
#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/distributed/checked_step.hpp"
#include "suites/distributed/gather.hpp"
#include "suites/distributed/network.hpp"
#include "suites/distributed/process_group.hpp"

namespace torchgate::suites::sharded {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;
using ProcessGroup = c10::intrusive_ptr<c10d::ProcessGroup>;

constexpr std::size_t sharded_layers = 3;
constexpr std::int64_t sharded_width = 256;  // a weight has 256 KB
constexpr double sharded_weight_size = 0.08;
constexpr std::int64_t rows_of_rank = 32;
constexpr double momentum_factor = 0.9;
// Of the steps before the one that is compared: they change the weights noticeably.
constexpr double first_rate = 0.5;
constexpr double measured_rate = 1e-5;  // so small that thousands of steps stay where numbers are ordinary
constexpr int steps_before_comparison = 3;

/// What a rank keeps of a layer between steps.
struct KeptLayer {
  Tensor weight;  ///< [out, in]; of a sharded layer this rank's rows
  Tensor momentum;
};

/// One rank's part of training linear layers with ReLU between them by SGD. The backward pass is written out: what is gathered
/// and dropped, and when, is then visible.
class ShardedStep {
 public:
  ShardedStep(const Args& args, bool sharded) : sharded_(sharded), group_(connect_ranks()) {
    World& world = this_world();
    Inputs inputs(args);
    const std::int64_t part_rows = sharded_width / world.size();
    for (std::size_t i = 0; i < sharded_layers; ++i) {
      const Tensor weight = inputs.normal({sharded_width, sharded_width}) * sharded_weight_size;
      const Tensor mine = sharded ? weight.narrow(0, world.rank() * part_rows, part_rows) : weight;
      // A copy: the rows of the other ranks are released, and the first weights stay as they are.
      layers_.push_back({mine.clone(), torch::zeros_like(mine)});
      whole_at_first_.push_back(weight);
    }
    all_rows_ = inputs.normal({rows_of_rank * world.size(), sharded_width});
    rows_ = all_rows_.narrow(0, world.rank() * rows_of_rank, rows_of_rank);
    probe_ = inputs.normal({sharded_width});
  }

  /// Returns the averaged gradient of each layer times the same vector on all ranks: what a rank keeps differs between them.
  std::vector<Tensor> operator()() {
    std::vector<Tensor> products;
    const auto weight_of = [this](std::size_t layer) { return whole_weight(layer); };
    backward(rows_, weight_of, [&](std::size_t layer, const Tensor& gradient) {
      average(gradient);
      products.push_back(torch::mv(gradient, probe_));
      update(layers_.at(layer), gradient);
    });
    return products;
  }

  void set_rate(double rate) { rate_ = rate; }

  /// Relative L2 distance of the FIRST step's result to that of all ranks' rows, computed by this rank alone.
  [[nodiscard]] double error_of(const std::vector<Tensor>& first) const {
    std::vector<Tensor> expected;
    const auto weight_of = [this](std::size_t layer) { return whole_at_first_.at(layer); };
    backward(all_rows_, weight_of,
             [&](std::size_t, const Tensor& gradient) { expected.push_back(torch::mv(gradient, probe_)); });
    return relative_distance(flat(first), flat(expected));
  }

  /// Training begins: the first weights are no longer needed.
  void forget_first_weights() { whole_at_first_.clear(); }

  /// Of the memory behind what is kept: a view of a whole weight counts as a whole one.
  [[nodiscard]] double kept_bytes() const {
    std::size_t bytes = 0;
    for (const KeptLayer& layer : layers_) {
      bytes += layer.weight.storage().nbytes() + layer.momentum.storage().nbytes();
    }
    return static_cast<double>(bytes);
  }

 private:
  /// Calls use(layer, gradient) from the last layer to the first. The loss is the mean of (y - 1)^2.
  template <class WeightOf, class Use>
  static void backward(const Tensor& x, const WeightOf& weight_of, const Use& use) {
    std::vector<Tensor> inputs{x};  // of each layer, then the output of the last one
    for (std::size_t i = 0; i < sharded_layers; ++i) {
      const Tensor y = torch::mm(inputs.back(), weight_of(i).t());
      inputs.push_back(i + 1 < sharded_layers ? torch::relu(y) : y);
    }
    Tensor slope = (inputs.back() - 1).mul_(2.0 / static_cast<double>(inputs.back().numel()));
    for (std::size_t i = sharded_layers; i-- > 0;) {
      const Tensor gradient = torch::mm(slope.t(), inputs.at(i));
      // The weights of the first layer are not needed here: its input has no gradient.
      if (i > 0) slope = torch::mm(slope, weight_of(i)).mul_(inputs.at(i) > 0);
      use(i, gradient);
    }
  }

  [[nodiscard]] Tensor whole_weight(std::size_t layer) const {
    const Tensor& kept = layers_.at(layer).weight;
    return sharded_ ? gathered(group_, kept) : kept;
  }

  void average(const Tensor& gradient) const {
    std::vector<Tensor> message{gradient};
    group_->allreduce(message)->wait();
    gradient.div_(group_->getSize());
  }

  void update(KeptLayer& layer, const Tensor& gradient) const {
    const std::int64_t kept_rows = layer.weight.size(0);
    const Tensor mine = sharded_ ? gradient.narrow(0, this_world().rank() * kept_rows, kept_rows) : gradient;
    layer.momentum.mul_(momentum_factor).add_(mine);
    layer.weight.sub_(layer.momentum, rate_);
  }

  bool sharded_;
  ProcessGroup group_;
  std::vector<KeptLayer> layers_;
  std::vector<Tensor> whole_at_first_;
  Tensor all_rows_;  // of all ranks
  Tensor rows_;      // this rank's
  Tensor probe_;
  double rate_ = first_rate;
};

// After the first steps the gradients that are compared differ from the reference's if a rank updated the wrong rows.
Factory training_step(bool sharded) {
  return [sharded](const Args& args) -> Timed {
    ShardedStep step(args, sharded);
    const double error = step.error_of(step());
    TORCH_CHECK(error <= order_error, "its gradients are not the average over all ranks: they differ by ", error,
                " (relative L2)");
    step.forget_first_weights();
    for (int i = 1; i < steps_before_comparison; ++i) step();
    step.set_rate(measured_rate);
    return [step = std::move(step)](Recorder& recorder) mutable {
      std::vector<Tensor> products = step();
      recorder.put("kept_bytes", step.kept_bytes());
      return products;
    };
  };
}

TORCHGATE_GROUP("sharded") {
  constexpr auto layers = static_cast<std::int64_t>(sharded_layers);
  group.ranks(2).only_full();
  group.without({"peak_bytes", "retained_bytes"});  // Gloo's thread releases the messages at a time of its own
  group.measures(bytes("kept_bytes").of_all_ranks()).gates("kept_bytes");

  group.reference("replicated", training_step(false)).proves(metric("collective_calls") == layers);
  group.variant("sharded", training_step(true))
      .within(order_error)
      .proves(calls("c10d::_allgather_base_") == 2 * layers - 1)  // forward all, backward all but the first
      .proves(calls("c10d::allreduce_") == layers)
      .claims(metric("kept_bytes") <= 0.55 * reference())
      // What it costs: eight messages in place of three.
      .claims(metric("collective_bytes") >= 1.5 * reference())
      .claims(metric("collective_bytes") <= 2.7 * reference());
}

}  // namespace
}  // namespace torchgate::suites::sharded
