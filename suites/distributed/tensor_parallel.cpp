// SPDX-License-Identifier: Apache-2.0
// Tensor parallelism: each rank has half of the weights of a block, and one all-reduce of the result joins the halves.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/bench/ranks/world.hpp"
#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/distributed/checked_step.hpp"
#include "suites/distributed/process_group.hpp"

namespace torchgate::suites::tensor_parallel {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

constexpr std::int64_t block_width = 256;
constexpr std::int64_t hidden_width = 4 * block_width;  // as in a transformer
constexpr double block_weight_size = 0.05;              // activations stay near 1

/// Two linear layers with ReLU between them: whole, or one rank's part.
struct FeedForward {
  Tensor into;       ///< weight of the first layer, [hidden, width]
  Tensor into_bias;  ///< [hidden]
  Tensor back;       ///< weight of the second layer, [width, hidden]
  Tensor back_bias;  ///< [width], added once: to the sum of the parts

  explicit FeedForward(Inputs& inputs)
      : into(inputs.normal({hidden_width, block_width}) * block_weight_size),
        into_bias(inputs.normal({hidden_width})),
        back(inputs.normal({block_width, hidden_width}) * block_weight_size),
        back_bias(inputs.normal({block_width})) {}

  /// Keeps the hidden features of one rank: outputs of the first layer, inputs of the second. ReLU is applied to each of them
  /// alone, so that ranks exchange nothing before the sum. Copies, so that the other part is released.
  void keep_part(std::int64_t rank, std::int64_t ranks) {
    const std::int64_t features = hidden_width / ranks;
    into = into.narrow(0, rank * features, features).clone();
    into_bias = into_bias.narrow(0, rank * features, features).clone();
    back = back.narrow(1, rank * features, features).clone(torch::MemoryFormat::Contiguous);
  }

  /// The result, or this rank's summand of it, without the last bias.
  [[nodiscard]] Tensor product(const Tensor& x) const {
    return torch::mm(torch::linear(x, into, into_bias).relu_(), back.t());
  }

  /// Of the memory behind the weights: a part that is a view keeps the whole.
  [[nodiscard]] double parameter_bytes() const {
    std::size_t bytes = 0;
    for (const Tensor* each : {&into, &into_bias, &back, &back_bias}) bytes += each->storage().nbytes();
    return static_cast<double>(bytes);
  }
};

Timed whole_block(const Args& args) {
  Inputs inputs(args);
  const FeedForward block(inputs);
  return [block, x = inputs.normal({args.number("rows"), block_width})](Recorder& recorder) {
    recorder.put("parameter_bytes", block.parameter_bytes());
    return block.product(x).add_(block.back_bias);
  };
}

Timed half_of_each_layer(const Args& args) {
  Inputs inputs(args);
  FeedForward block(inputs);
  block.keep_part(this_world().rank(), this_world().size());
  return [block, group = connect_ranks(), x = inputs.normal({args.number("rows"), block_width})](Recorder& recorder) {
    recorder.put("parameter_bytes", block.parameter_bytes());
    std::vector<Tensor> summand{block.product(x)};
    group->allreduce(summand)->wait();
    return summand.front().add_(block.back_bias);
  };
}

constexpr std::int64_t bytes_of_result(std::int64_t rows) {
  return rows * block_width * static_cast<std::int64_t>(sizeof(float));
}

TORCHGATE_GROUP("tensor_parallel") {
  constexpr int few = 16;
  constexpr int many = 128;
  const Axis rows = group.axis("rows", {few, many});
  group.ranks(2).items(rows).quick(rows(few)).only_full(rows(many));
  group.without({"peak_bytes", "retained_bytes"});  // Gloo's thread releases the message at a time of its own
  group.measures(bytes("parameter_bytes").of_all_ranks());

  group.reference("whole", whole_block).proves(metric("collective_calls") == 0);
  group.variant("split", half_of_each_layer)
      .within(order_error)
      .proves(calls("c10d::allreduce_") == 1)
      .proves(metric("collective_calls") == 1)
      .proves(metric("collective_bytes") == bytes_of_result(few), rows(few))
      .proves(metric("collective_bytes") == bytes_of_result(many), rows(many))
      .claims(metric("parameter_bytes") <= 0.55 * reference())
      .claims(metric("allocated_bytes") <= 0.7 * reference());  // half of the hidden activations, the whole result
}

}  // namespace
}  // namespace torchgate::suites::tensor_parallel
