// SPDX-License-Identifier: Apache-2.0
#include "suites/models/recommender.hpp"

#include <c10/util/StringUtil.h>
#include <torch/torch.h>

#include <cmath>
#include <string>

#include "suites/models/int8.hpp"
#include "suites/models/script.hpp"

namespace torchgate::suites {
namespace {

using torch::Tensor;

constexpr std::int64_t sum_of_rows = 0;  // the mode of an embedding bag

std::string table_name(std::int64_t table) {
  return c10::str("table_", table);
}

// One line for each table: a list of them would not be a constant after freezing.
std::string model_source() {
  std::string text = R"(
def forward(self, dense, indices: List[Tensor], offsets):
    dense = torch.relu(torch.linear(dense, self.dense_hidden_weight, self.dense_hidden_bias))
    parts = [torch.relu(torch.linear(dense, self.dense_output_weight, self.dense_output_bias))]
)";
  for (std::int64_t table = 0; table < Recommender::tables; ++table) {
    text += c10::str("    parts.append(torch.embedding_bag(self.", table_name(table), ", indices[", table,
                     "], offsets)[0])\n");
  }
  text += R"(
    joined = torch.cat(parts, 1)
    joined = torch.relu(torch.linear(joined, self.joined_hidden_weight, self.joined_hidden_bias))
    joined = torch.relu(torch.linear(joined, self.joined_last_hidden_weight, self.joined_last_hidden_bias))
    return torch.sigmoid(torch.linear(joined, self.click_weight, self.click_bias))
)";
  return text;
}

}  // namespace

Recommender::Recommender() {
  // The sum of a bag has a variance of one.
  const double deviation = 1 / std::sqrt(static_cast<double>(bag_size));
  for (std::int64_t table = 0; table < tables; ++table) embeddings.push_back(torch::randn({rows, width}) * deviation);
}

Tensor Recommender::operator()(const Interactions& interactions) const {
  std::vector<Tensor> parts{torch::relu(dense_output(torch::relu(dense_hidden(interactions.dense))))};
  for (std::size_t table = 0; table < embeddings.size(); ++table) {
    const Tensor& indices = interactions.indices[table];
    parts.push_back(has_packed_embeddings
                        ? sum_bags(embeddings[table], indices, interactions.offsets)
                        : std::get<0>(at::embedding_bag(embeddings[table], indices, interactions.offsets,
                                                        /*scale_grad_by_freq=*/false, sum_of_rows)));
  }
  const Tensor joined = torch::relu(joined_hidden(torch::cat(parts, /*dim=*/1)));
  return torch::sigmoid(click(torch::relu(joined_last_hidden(joined))));
}

void Recommender::to(torch::Dtype dtype) {
  for (Tensor& table : embeddings) table = table.to(dtype);
  for (LinearLayer* layer : {&dense_hidden, &dense_output, &joined_hidden, &joined_last_hidden, &click}) {
    layer->to(dtype);
  }
}

void Recommender::to_int8() {
  for (Tensor& table : embeddings) table = pack_embeddings(table);
  has_packed_embeddings = true;
  for (LinearLayer* layer : {&dense_hidden, &dense_output, &joined_hidden, &joined_last_hidden, &click}) {
    layer->to_int8();
  }
}

torch::jit::Module Recommender::script() const {
  ScriptModule module("Recommender");
  for (std::int64_t table = 0; table < tables; ++table) {
    module.add(table_name(table), embeddings[static_cast<std::size_t>(table)]);
  }
  module.add("dense_hidden", dense_hidden);
  module.add("dense_output", dense_output);
  module.add("joined_hidden", joined_hidden);
  module.add("joined_last_hidden", joined_last_hidden);
  module.add("click", click);
  return module.defined_by(model_source());
}

}  // namespace torchgate::suites
