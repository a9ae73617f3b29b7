// SPDX-License-Identifier: Apache-2.0
// Low-rank adapters: several tasks share the weights of a layer and differ by the product of two thin matrices, instead of each having a full copy.
// A call serves one of the tasks.
#include <cmath>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace torchgate::suites::lora {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;

constexpr std::int64_t rows = 32;
constexpr std::int64_t width = 512;
constexpr std::int64_t rank = 8;
constexpr double scale = 2;       // of the adapters: alpha / rank
constexpr double up_size = 0.05;  // an adapter then adds about a third to the output of the layer

struct Adapter {
  Tensor down;  ///< [width, rank]
  Tensor up;    ///< [rank, width]
};

/// Matrices are stored as [inputs, outputs], so that rows are multiplied by them as they are.
struct AdaptedLayer {
  Tensor x;
  Tensor weight;
  std::vector<Adapter> adapters;  ///< one for each task; the first one's is served

  explicit AdaptedLayer(const Args& args) {
    Inputs inputs(args);
    const double unit = 1 / std::sqrt(static_cast<double>(width));
    x = inputs.normal({rows, width});
    weight = inputs.normal({width, width}) * unit;
    for (std::int64_t task = 0; task < args.number("tasks"); ++task) {
      const Tensor down = inputs.normal({width, rank}) * unit;
      adapters.push_back({down, inputs.normal({rank, width}) * up_size});
    }
  }

  [[nodiscard]] Tensor weight_with(const Adapter& adapter) const {
    return torch::addmm(weight, adapter.down, adapter.up, /*beta=*/1, /*alpha=*/scale);
  }

  /// What is stored to serve any of the tasks.
  [[nodiscard]] double parameter_bytes() const {
    std::size_t sum = weight.nbytes();
    for (const Adapter& adapter : adapters) sum += adapter.down.nbytes() + adapter.up.nbytes();
    return static_cast<double>(sum);
  }
};

Timed full_copies(const Args& args) {
  const AdaptedLayer layer(args);
  std::vector<Tensor> weights;
  for (const Adapter& adapter : layer.adapters) weights.push_back(layer.weight_with(adapter));
  return [x = layer.x, weights](Recorder& recorder) {
    std::size_t sum = 0;
    for (const Tensor& weight : weights) sum += weight.nbytes();
    recorder.put("parameter_bytes", static_cast<double>(sum));
    return torch::mm(x, weights.front());
  };
}

Timed unmerged(const Args& args) {
  return [layer = AdaptedLayer(args)](Recorder& recorder) {
    recorder.put("parameter_bytes", layer.parameter_bytes());
    const Adapter& adapter = layer.adapters.front();
    const Tensor y = torch::mm(layer.x, layer.weight);
    return torch::addmm(y, torch::mm(layer.x, adapter.down), adapter.up, /*beta=*/1, /*alpha=*/scale);
  };
}

// The adapters are kept: to serve another task, this one's product is subtracted from the weights, and the other's added.
Timed merged(const Args& args) {
  AdaptedLayer layer(args);
  layer.weight = layer.weight_with(layer.adapters.front());
  return [layer](Recorder& recorder) {
    recorder.put("parameter_bytes", layer.parameter_bytes());
    return torch::mm(layer.x, layer.weight);
  };
}

TORCHGATE_GROUP("lora") {
  const Axis tasks = group.axis("tasks", {2, 8});
  group.quick(tasks(8)).devices().measures(bytes("parameter_bytes")).gates("parameter_bytes");

  group.reference("full_copies", full_copies);
  group.variant("unmerged", unmerged)
      .proves(calls("aten::mm") == 2)
      .proves(calls("aten::addmm") == 1)
      .claims(metric("parameter_bytes") <= 0.3 * reference(), where(cpu, tasks(8)));
  group.variant("merged", merged)
      .proves(calls("aten::mm") == 1)
      .proves(calls("aten::addmm") == 0)
      .claims(metric("parameter_bytes") <= 0.3 * reference(), where(cpu, tasks(8)))
      .claims(metric("operator_calls") <= 0.5 * variant_named("unmerged"), cpu);
}

}  // namespace
}  // namespace torchgate::suites::lora
