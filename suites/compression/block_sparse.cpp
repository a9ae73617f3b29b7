// SPDX-License-Identifier: Apache-2.0
// INT8 weights of which most blocks of 1x4 are zero: FBGEMM's sparse kernel skips these blocks, its dense kernel multiplies
// them. LibTorch has no CPU kernel for the 2:4 sparsity of GPUs; this one is the substitute.
#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/int8.hpp"
#include "suites/common/operator.hpp"

namespace torchgate::suites::block_sparse {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

constexpr std::int64_t width = 1024;
constexpr std::int64_t rows = 64;
constexpr std::int64_t block = 4;

/// A layer of which `percent` of all blocks of four neighbours in a row are zero: those of the smallest norm.
struct BlockSparseLayer {
  Tensor weight;  ///< quantized
  Tensor bias;
  Tensor x;
  Quantization input;
  Quantization output;

  explicit BlockSparseLayer(const Args& args) {
    Inputs inputs(args);
    const Tensor blocks = inputs.normal({width, width / block, block});
    const Tensor norms = blocks.norm(2, {2}, /*keepdim=*/true);
    const std::int64_t zero_blocks = norms.numel() * args.number("percent") / 100;
    const Tensor least = std::get<0>(norms.flatten().kthvalue(zero_blocks));
    const Tensor pruned = (blocks * (norms > least)).view({width, width});
    weight = quantize_weight(pruned);
    bias = inputs.normal({width});
    x = inputs.normal({rows, width});
    const Tensor y = torch::linear(x, pruned, bias);
    // FBGEMM adds two products in 16 bits: 7 bits of activation, as in PyTorch's qconfig for it, are the most that never overflow.
    constexpr int most_activation = 127;
    input = bytes_for(x.min().item<double>(), x.max().item<double>(), most_activation);
    output = bytes_for(y.min().item<double>(), y.max().item<double>());
  }
};

Timed calls_of(const char* layer_operator, const BlockSparseLayer& layer, const c10::IValue& packed) {
  return [op = Operator(layer_operator), x = quantize(layer.x, layer.input), packed, output = layer.output] {
    return op({x, packed, output.scale, output.zero_point}).toTensor().dequantize();
  };
}

Timed dense(const Args& args) {
  use_quantized_engine("FBGEMM");
  const BlockSparseLayer layer(args);
  return calls_of("quantized::linear", layer, Operator("quantized::linear_prepack")({layer.weight, layer.bias}));
}

Timed blocks(const Args& args) {
  use_quantized_engine("FBGEMM");
  const BlockSparseLayer layer(args);
  constexpr std::int64_t block_rows = 1;
  const Operator prepack("sparse::qlinear_prepack");
  return calls_of("sparse::qlinear", layer, prepack({layer.weight, layer.bias, block_rows, block}));
}

TORCHGATE_GROUP("block_sparse") {
  const Axis percent = group.axis("percent", {75, 90});
  group.only_full(percent(75)).needs("qengine:FBGEMM");

  group.reference("dense", dense);
  group.variant("blocks", blocks)
      .within(1e-3)
      .proves(calls("sparse::qlinear") == 1)
      .proves(calls("quantized::linear") == 0)
      // Measured on CPUs with AVX-512 and VNNI. With AVX2 alone (an AMD EPYC of the third generation) the blocks took 1.07 to 1.46 of the dense time.
      .claims(time() <= 0.7 * reference(), percent(90), OnlyWith{"avx512_vnni"});
}

}  // namespace
}  // namespace torchgate::suites::block_sparse
