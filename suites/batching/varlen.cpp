// SPDX-License-Identifier: Apache-2.0
// A batch of sequences of different lengths: padded to the longest one, or their rows one after another without padding.
#include <torch/nested.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace torchgate::suites::varlen {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;

constexpr std::array<std::int64_t, 8> lengths{128, 24, 64, 40, 16, 96, 32, 56};
constexpr std::int64_t longest = *std::max_element(lengths.begin(), lengths.end());
constexpr std::int64_t all_rows = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});

constexpr std::int64_t width = 128;
constexpr std::int64_t inner_width = 512;  // of the MLP
constexpr std::int64_t heads = 4;
constexpr std::int64_t projections = 3;  // queries, keys and values

struct LinearWeights {
  Tensor weight;
  Tensor bias;

  LinearWeights(std::int64_t outputs, std::int64_t inputs, Inputs& values)
      : weight(values.normal({outputs, inputs}) / std::sqrt(static_cast<double>(inputs))),
        bias(values.normal({outputs})) {}
  Tensor operator()(const Tensor& x) const { return at::linear(x, weight, bias); }
};

/// The rows of all sequences, and an MLP or self-attention; both begin and end with a linear layer.
struct SequenceLayer {
  bool is_attention;
  Tensor rows;  ///< [all rows, width], one sequence after another
  LinearWeights first;
  LinearWeights last;

  explicit SequenceLayer(const Args& args) : SequenceLayer(args.text("layer") == "attention", Inputs(args)) {}

  [[nodiscard]] std::vector<Tensor> sequences() const { return rows.split_with_sizes(lengths); }
  /// For rows in any form: padded, packed or nested.
  [[nodiscard]] Tensor mlp(const Tensor& x) const { return last(torch::relu(first(x))); }

 private:
  SequenceLayer(bool attention, Inputs inputs)
      : is_attention(attention),
        rows(inputs.normal({all_rows, width})),
        first(attention ? projections * width : inner_width, width, inputs),
        last(width, attention ? width : inner_width, inputs) {}
};

/// Attention of sequences of one length: [batch, tokens, projections * width] to [batch, tokens, width].
Tensor attend(const Tensor& projected, const std::optional<Tensor>& mask) {
  const std::int64_t batch = projected.size(0);
  const std::int64_t tokens = projected.size(1);
  const std::vector<Tensor> of_heads =
      projected.view({batch, tokens, projections, heads, width / heads}).permute({2, 0, 3, 1, 4}).unbind(0);
  return at::scaled_dot_product_attention(of_heads[0], of_heads[1], of_heads[2], mask)
      .transpose(1, 2)
      .reshape({batch, tokens, width});
}

// Rows for which the linear layers are computed, padding included.
void record_rows(Recorder& recorder, const Tensor& x) {
  recorder.put("computed_rows", static_cast<double>(x.numel() / width));
}

/// [sequences, longest]: true where a sequence has a row, false where it is padded.
Tensor padding_mask(const torch::Device& device) {
  const Tensor length = torch::tensor(at::IntArrayRef(lengths), torch::kLong).unsqueeze(1);
  return torch::arange(longest, torch::kLong).lt(length).to(device);
}

Timed padded(const Args& args) {
  const SequenceLayer layer(args);
  const Tensor x = at::pad_sequence(layer.sequences(), /*batch_first=*/true);
  const Tensor mask = padding_mask(x.device());
  const Tensor key_mask = mask.unsqueeze(1).unsqueeze(1);  // for all heads and queries of a sequence
  const Tensor kept = mask.flatten().nonzero().squeeze(1);
  return [=](Recorder& recorder) {
    record_rows(recorder, x);
    const Tensor y = layer.is_attention ? layer.last(attend(layer.first(x), key_mask)) : layer.mlp(x);
    return y.flatten(0, 1).index_select(0, kept);
  };
}

Timed packed(const Args& args) {
  return [layer = SequenceLayer(args)](Recorder& recorder) {
    record_rows(recorder, layer.rows);
    if (!layer.is_attention) return layer.mlp(layer.rows);
    const Tensor projected = layer.first(layer.rows);
    std::vector<Tensor> attended;
    std::int64_t start = 0;
    for (const std::int64_t length : lengths) {
      attended.push_back(attend(projected.narrow(0, start, length).unsqueeze(0), std::nullopt).squeeze(0));
      start += length;
    }
    return layer.last(torch::cat(attended));
  };
}

// LibTorch's own form of a packed batch. Its parts, one after another, are the output that is compared.
Timed nested(const Args& args) {
  const SequenceLayer layer(args);
  const Tensor x = torch::nested::as_nested_tensor(layer.sequences());
  return [=](Recorder& recorder) {
    record_rows(recorder, x);
    return layer.mlp(x);
  };
}

TORCHGATE_GROUP("varlen") {
  const Axis layer = group.axis("layer", {"mlp", "attention"});
  group.quick(layer("mlp")).only_full(layer("attention")).devices().measures(count("computed_rows"));

  group.reference("padded", padded);
  group.variant("packed", packed)
      .proves(metric("computed_rows") == all_rows)
      .proves(calls("aten::addmm") == 2)
      .proves(calls("aten::scaled_dot_product_attention") == static_cast<std::int64_t>(lengths.size()),
              layer("attention"))
      .claims(metric("computed_rows") <= 0.6 * reference(), cpu)
      .claims(time() <= 0.75 * reference(), where(cpu, layer("mlp")));
  group.variant("nested", nested)
      .only(layer("mlp"))
      .quick(none)
      .proves(metric("computed_rows") == all_rows)
      .proves(calls("aten::addmm") == 2)
      .claims(metric("computed_rows") <= 0.6 * reference(), cpu)
      .claims(time() <= 0.75 * reference(), cpu);
}

}  // namespace
}  // namespace torchgate::suites::varlen
