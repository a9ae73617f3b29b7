// SPDX-License-Identifier: Apache-2.0
// Pruning: what weights of zero save. Dense kernels multiply them like any other number; smaller layers and compressed rows
// no longer store them.
#include <cmath>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace torchgate::suites::pruning {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;

// --- pruning: two layers with ReLU between them, pruned in one of four ways (axis "kind") ---------------------------------
//
// structured_20, _30  whole output channels of the first layer, those of the smallest L2 norm (n=2, dim=0)
// magnitude_50        the smallest half of all weights of both layers together
// l1_conv_20          a fifth of the weights of two convolutions, for each layer the smallest

/// A layer as torch.nn.utils.prune leaves it: all weights, and a mask that is multiplied in by every call.
struct PrunedLayer {
  Tensor weight;
  Tensor mask;  ///< undefined: not pruned

  Tensor masked() const { return mask.defined() ? weight * mask : weight; }
};

struct PrunedModel {
  PrunedLayer first;
  PrunedLayer second;
  Tensor x;
};

constexpr std::int64_t rows = 32;
constexpr std::int64_t width = 256;
constexpr std::int64_t hidden = 512;
constexpr std::int64_t conv_channels = 32;
constexpr std::int64_t conv_size = 16;
constexpr double weight_size = 0.05;  // of trained layers of this width

std::int64_t share_of(std::int64_t whole, double share) {
  return std::llround(static_cast<double>(whole) * share);
}

// Channels of the largest L2 norm, in their order.
Tensor kept_channels(const Tensor& weight, double pruned) {
  const std::int64_t channels = weight.size(0);
  const std::int64_t kept = channels - share_of(channels, pruned);
  return std::get<0>(std::get<1>(weight.norm(2, {1}).topk(kept)).sort());
}

// Largest magnitude among the smallest `pruned` of these weights.
Tensor threshold(const Tensor& weights, double pruned) {
  return std::get<0>(weights.abs().flatten().kthvalue(share_of(weights.numel(), pruned)));
}

Tensor larger_than(const Tensor& least, const Tensor& weight) {
  return (weight.abs() > least).to(torch::kFloat);
}

double structured_share(const std::string& kind) {
  return kind == "structured_20" ? 0.2 : 0.3;
}

PrunedModel pruned_convolutions(Inputs& inputs) {
  constexpr double pruned = 0.2;
  constexpr std::int64_t kernel = 3;
  const std::vector<std::int64_t> shape{conv_channels, conv_channels, kernel, kernel};
  PrunedModel model{{inputs.normal(shape) * weight_size, {}},
                    {inputs.normal(shape) * weight_size, {}},
                    inputs.normal({1, conv_channels, conv_size, conv_size})};
  for (PrunedLayer* layer : {&model.first, &model.second})
    layer->mask = larger_than(threshold(layer->weight, pruned), layer->weight);
  return model;
}

PrunedModel pruned_linear_layers(const std::string& kind, Inputs& inputs) {
  PrunedModel model{{inputs.normal({hidden, width}) * weight_size, {}},
                    {inputs.normal({width, hidden}) * weight_size, {}},
                    inputs.normal({rows, width})};
  if (kind == "magnitude_50") {
    constexpr double pruned = 0.5;
    const Tensor least = threshold(torch::cat({model.first.weight.flatten(), model.second.weight.flatten()}), pruned);
    for (PrunedLayer* layer : {&model.first, &model.second}) layer->mask = larger_than(least, layer->weight);
    return model;
  }
  const Tensor kept = kept_channels(model.first.weight, structured_share(kind));
  model.first.mask = torch::zeros_like(model.first.weight).index_fill_(0, kept, 1);
  return model;
}

PrunedModel pruned_model(const Args& args) {
  Inputs inputs(args);
  const std::string kind = args.text("kind");
  return kind == "l1_conv_20" ? pruned_convolutions(inputs) : pruned_linear_layers(kind, inputs);
}

Tensor layer(const Tensor& x, const Tensor& weight) {
  constexpr std::int64_t image_dimensions = 4;
  return weight.dim() == image_dimensions ? torch::conv2d(x, weight, {}, /*stride=*/1, /*padding=*/1)
                                          : torch::linear(x, weight);
}

Tensor forward(const Tensor& x, const Tensor& first, const Tensor& second) {
  return layer(torch::relu(layer(x, first)), second);
}

double bytes_of(const Tensor& tensor) {
  return tensor.defined() ? static_cast<double>(tensor.nbytes()) : 0;
}

/// What a variant keeps of the weights. Both numbers are the same in every call: `record` puts them there because a
/// metric of a case is what its calls record.
struct Kept {
  double sparsity;         ///< share of the weights that are zero or no longer stored
  double parameter_bytes;  ///< of weights, masks and indices

  void record(Recorder& recorder) const {
    recorder.put("sparsity", sparsity);
    recorder.put("parameter_bytes", parameter_bytes);
  }
};

double sparsity(const PrunedModel& model, std::int64_t nonzero) {
  const std::int64_t all = model.first.weight.numel() + model.second.weight.numel();
  return 1 - static_cast<double>(nonzero) / static_cast<double>(all);
}

std::int64_t nonzero_weights(const Tensor& weight) {
  return weight.count_nonzero().item<std::int64_t>();
}

Timed masked(const Args& args) {
  const PrunedModel m = pruned_model(args);
  const Kept kept{
      sparsity(m, nonzero_weights(m.first.masked()) + nonzero_weights(m.second.masked())),
      bytes_of(m.first.weight) + bytes_of(m.first.mask) + bytes_of(m.second.weight) + bytes_of(m.second.mask)};
  return [m, kept](Recorder& recorder) {
    kept.record(recorder);
    return forward(m.x, m.first.masked(), m.second.masked());
  };
}

// torch.nn.utils.prune.remove: the mask is multiplied in for good. Zeros are stored and multiplied like any other number.
Timed removed(const Args& args) {
  const PrunedModel m = pruned_model(args);
  const Tensor first = m.first.masked();
  const Tensor second = m.second.masked();
  const Kept kept{sparsity(m, nonzero_weights(first) + nonzero_weights(second)), bytes_of(first) + bytes_of(second)};
  return [x = m.x, first, second, kept](Recorder& recorder) {
    kept.record(recorder);
    return forward(x, first, second);
  };
}

// Smaller dense layers: without the pruned rows of the first, and without the columns of the second that read their zeros.
Timed without_channels(const PrunedModel& m, const Tensor& channels) {
  const Tensor first = m.first.weight.index_select(0, channels);
  const Tensor second = m.second.weight.index_select(1, channels);
  const Kept kept{sparsity(m, first.numel() + second.numel()), bytes_of(first) + bytes_of(second)};
  return [x = m.x, first, second, kept](Recorder& recorder) {
    kept.record(recorder);
    return forward(x, first, second);
  };
}

double stored_bytes(const Tensor& compressed) {
  return bytes_of(compressed.values()) + bytes_of(compressed.col_indices()) + bytes_of(compressed.crow_indices());
}

// Indices of 32 bits: MKL, which multiplies these matrices, takes no others, and LibTorch would convert them in every call.
Tensor compressed_rows(const Tensor& weight) {
  const Tensor wide = weight.to_sparse_csr();
  return torch::sparse_compressed_tensor(wide.crow_indices().to(torch::kInt), wide.col_indices().to(torch::kInt),
                                         wide.values(), wide.sizes(), wide.options());
}

// Compressed sparse rows: only what is not zero, each with its column. LibTorch multiplies such a matrix from the left, so
// x is transposed.
Timed in_compressed_rows(const PrunedModel& m) {
  const Tensor first = compressed_rows(m.first.masked());
  const Tensor second = compressed_rows(m.second.masked());
  const Kept kept{sparsity(m, first._nnz() + second._nnz()), stored_bytes(first) + stored_bytes(second)};
  return [x = m.x.t().contiguous(), first, second, kept](Recorder& recorder) {
    kept.record(recorder);
    return torch::mm(second, torch::relu(torch::mm(first, x))).t();
  };
}

// The zeros are no longer stored.
Timed compact(const Args& args) {
  const std::string kind = args.text("kind");
  const PrunedModel m = pruned_model(args);
  if (kind == "magnitude_50") return in_compressed_rows(m);
  return without_channels(m, kept_channels(m.first.weight, structured_share(kind)));
}

TORCHGATE_GROUP("pruning") {
  const Axis kind = group.axis("kind", {"structured_20", "structured_30", "magnitude_50", "l1_conv_20"});
  group.quick(kind("structured_30"))
      .only_full(kind("structured_20"))
      .measures(ratio("sparsity").higher().exact())
      .measures(bytes("parameter_bytes"));

  group.reference("masked", masked);
  group.variant("removed", removed)
      .within(1e-6)
      .proves(calls("aten::mul") == 0)
      .claims(metric("allocations") <= 0.8 * reference())
      .claims(metric("parameter_bytes") <= 0.7 * reference());
  group.variant("compact", compact)
      .only(kind("structured_20", "structured_30", "magnitude_50"))  // LibTorch has no sparse convolution
      .proves(calls("aten::mul") == 0)
      .proves(calls("aten::crow_indices") >= 2, kind("magnitude_50"))
      .claims(time() <= 0.9 * variant_named("removed"), kind("structured_20"))
      .claims(time() <= 0.85 * variant_named("removed"), kind("structured_30"))
      .claims(metric("parameter_bytes") <= 0.85 * variant_named("removed"), kind("structured_20"))
      .claims(metric("parameter_bytes") <= 0.75 * variant_named("removed"), kind("structured_30"))
      .claims(metric("parameter_bytes") <= 1.05 * variant_named("removed"), kind("magnitude_50"));
}

}  // namespace
}  // namespace torchgate::suites::pruning
