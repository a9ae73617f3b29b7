// SPDX-License-Identifier: Apache-2.0
#include "suites/models/gpt2_block.hpp"

#include <torch/torch.h>

#include <optional>

#include "suites/models/script.hpp"

namespace torchgate::suites {
namespace {

constexpr const char* block_source = R"(
def forward(self, x, keys, values, start: int):
    tokens = x.size(1)
    end = start + tokens
    normal = torch.layer_norm(x, [768], self.attention_norm_scale, self.attention_norm_shift, 1e-5)
    all = torch.linear(normal, self.query_key_value_weight, self.query_key_value_bias)
    query, key, value = torch.chunk(all.view([1, tokens, 36, 64]).transpose(1, 2), 3, 1)
    torch.copy_(torch.slice(keys, 2, start, end), key)
    torch.copy_(torch.slice(values, 2, start, end), value)
    seen = torch.scaled_dot_product_attention(query, torch.slice(keys, 2, 0, end), torch.slice(values, 2, 0, end),
                                              None, 0.0, tokens > 1)
    x = x + torch.linear(seen.transpose(1, 2).reshape(x.size()), self.output_weight, self.output_bias)
    normal = torch.layer_norm(x, [768], self.inner_norm_scale, self.inner_norm_shift, 1e-5)
    inner = torch.gelu(torch.linear(normal, self.expand_weight, self.expand_bias), approximate="tanh")
    return x + torch.linear(inner, self.contract_weight, self.contract_bias)
)";

constexpr std::int64_t position_dimension = 2;  // of keys and values

}  // namespace

using torch::Tensor;

KeyValueCache::KeyValueCache() {
  const std::vector<std::int64_t> shape{1, Gpt2Block::heads, positions, Gpt2Block::width / Gpt2Block::heads};
  keys = torch::randn(shape);
  values = torch::randn(shape);
}

void KeyValueCache::to(torch::Dtype dtype) {
  keys = keys.to(dtype);
  values = values.to(dtype);
}

Tensor Gpt2Block::operator()(const Tensor& x, const KeyValueCache& cache, std::int64_t start) const {
  const std::int64_t tokens = x.size(1);
  constexpr std::int64_t parts = 3;
  constexpr std::int64_t head_dimension = 1;
  const std::vector<Tensor> part =
      split_heads(query_key_value(attention_norm(x)), parts * heads).chunk(parts, head_dimension);
  cache.keys.narrow(position_dimension, start, tokens).copy_(part[1]);
  cache.values.narrow(position_dimension, start, tokens).copy_(part[2]);
  const Tensor keys = cache.keys.narrow(position_dimension, 0, start + tokens);
  const Tensor values = cache.values.narrow(position_dimension, 0, start + tokens);
  const Tensor seen = at::scaled_dot_product_attention(part[0], keys, values, /*attn_mask=*/std::nullopt,
                                                       /*dropout_p=*/0.0, /*is_causal=*/tokens > 1);
  const Tensor attended = x + output(join_heads(seen));
  return attended + contract(at::gelu(expand(inner_norm(attended)), "tanh"));
}

void Gpt2Block::to(torch::Dtype dtype) {
  for (LinearLayer* layer : {&query_key_value, &output, &expand, &contract}) layer->to(dtype);
  for (LayerNorm* norm : {&attention_norm, &inner_norm}) norm->to(dtype);
}

void Gpt2Block::to_int8() {
  for (LinearLayer* layer : {&query_key_value, &output, &expand, &contract}) layer->to_int8();
}

torch::jit::Module Gpt2Block::script() const {
  ScriptModule module("Gpt2Block");
  module.add("attention_norm", attention_norm);
  module.add("query_key_value", query_key_value);
  module.add("output", output);
  module.add("inner_norm", inner_norm);
  module.add("expand", expand);
  module.add("contract", contract);
  return module.defined_by(block_source);
}

}  // namespace torchgate::suites
