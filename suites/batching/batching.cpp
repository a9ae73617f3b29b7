// SPDX-License-Identifier: Apache-2.0
// Batching: the cost of an item alone and in a batch.
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/expected.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"

namespace torchgate::suites::batching {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

/// The call runs the model on the whole batch. It returns, too, what the model returns for each row alone: computed here,
/// once and untimed, for the check.
template <class Model>
Timed whole_batch(Model model, const Tensor& x) {
  std::vector<Tensor> alone;
  for (const Tensor& row : x.split(1)) alone.push_back(model(row));
  return [model = std::move(model), x, alone = torch::cat(alone)]() mutable {
    return std::vector<Tensor>{model(x), alone};
  };
}

std::optional<std::string> rows_as_alone(const Output& output) {
  constexpr double rounding = 1e-5;  // relative L2: kernels of other sizes sum in another order
  const double distance = distance_of_halves(output);
  if (distance <= rounding) return std::nullopt;
  return "its rows differ from those of batch 1 by " + std::to_string(distance) + " (relative L2)";
}

Timed mlp(const Args& args) {
  constexpr std::int64_t features = 256;
  return whole_batch(Mlp({features, 512, 512, 10}, args), Inputs(args).normal({args.number("batch"), features}));
}

TORCHGATE_GROUP("mlp") {
  const Axis batch = group.axis("batch", {1, 2, 4, 8, 16, 32, 64});
  group.devices().items(batch).quick(batch(1, 8, 64)).only_full(batch(2, 16));

  group.sweep("mlp", mlp)
      .checks(rows_as_alone)
      .claims(items_per_second() >= 2 * case_with(batch(1)), where(cpu, batch(64)));
}

Timed cnn(const Args& args) {
  constexpr std::int64_t size = 16;
  return whole_batch(
      SmallCnn({3, 16, 32}, /*classes=*/10, args),
      Inputs(args).normal({args.number("batch"), 3, size, size}).contiguous(torch::MemoryFormat::ChannelsLast));
}

TORCHGATE_GROUP("cnn") {
  const Axis batch = group.axis("batch", {1, 2, 4, 8, 16, 32, 64});
  group.devices().items(batch).quick(batch(1, 8, 32)).only_full(batch(2, 16));

  group.sweep("cnn", cnn)
      .checks(rows_as_alone)
      .claims(items_per_second() >= 1.6 * case_with(batch(1)), where(cpu, batch(32)));
}

}  // namespace
}  // namespace torchgate::suites::batching
