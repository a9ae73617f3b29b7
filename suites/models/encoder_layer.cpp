// SPDX-License-Identifier: Apache-2.0
#include "suites/models/encoder_layer.hpp"

#include <torch/torch.h>

#include "suites/models/script.hpp"

namespace torchgate::suites {
namespace {

constexpr const char* source = R"(
def forward(self, x):
    heads = [x.size(0), x.size(1), 12, 64]
    query = torch.linear(x, self.query_weight, self.query_bias).view(heads).transpose(1, 2)
    key = torch.linear(x, self.key_weight, self.key_bias).view(heads).transpose(1, 2)
    value = torch.linear(x, self.value_weight, self.value_bias).view(heads).transpose(1, 2)
    seen = torch.scaled_dot_product_attention(query, key, value).transpose(1, 2).reshape(x.size())
    x = torch.layer_norm(x + torch.linear(seen, self.output_weight, self.output_bias), [768],
                         self.attention_norm_scale, self.attention_norm_shift, 1e-12)
    inner = torch.gelu(torch.linear(x, self.expand_weight, self.expand_bias))
    return torch.layer_norm(x + torch.linear(inner, self.contract_weight, self.contract_bias), [768],
                            self.output_norm_scale, self.output_norm_shift, 1e-12)
)";

}  // namespace

using torch::Tensor;

Tensor EncoderLayer::operator()(const Tensor& x) const {
  const Tensor seen = at::scaled_dot_product_attention(split_heads(query(x), heads), split_heads(key(x), heads),
                                                       split_heads(value(x), heads));
  const Tensor attended = attention_norm(x + output(join_heads(seen)));
  return output_norm(attended + contract(torch::gelu(expand(attended))));
}

void EncoderLayer::to(torch::Dtype dtype) {
  for (LinearLayer* layer : {&query, &key, &value, &output, &expand, &contract}) layer->to(dtype);
  for (LayerNorm* norm : {&attention_norm, &output_norm}) norm->to(dtype);
}

void EncoderLayer::to_int8() {
  for (LinearLayer* layer : {&query, &key, &value, &output, &expand, &contract}) layer->to_int8();
}

torch::jit::Module EncoderLayer::script() const {
  ScriptModule module("EncoderLayer");
  module.add("query", query);
  module.add("key", key);
  module.add("value", value);
  module.add("output", output);
  module.add("expand", expand);
  module.add("contract", contract);
  module.add("attention_norm", attention_norm);
  module.add("output_norm", output_norm);
  return module.defined_by(source);
}

}  // namespace torchgate::suites
