// SPDX-License-Identifier: Apache-2.0
// A recommender as DLRM [Naumov et al. 2019] without its dot products: bags of embeddings and an MLP over the dense features,
// joined and given to a second MLP, which returns the probability of a click.
#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/types.h>

#include <vector>

#include "suites/models/layers.hpp"

namespace torchgate::suites {

/// What a request asks about: `batch` rows of dense features, and a bag of ids for each row and table.
struct Interactions {
  torch::Tensor dense;                 ///< [batch, dense_features]
  std::vector<torch::Tensor> indices;  ///< of each table: the ids of all bags, one after the other
  torch::Tensor offsets;               ///< where each bag begins: the same in all tables
};

struct Recommender {
  static constexpr std::int64_t tables = 8;
  static constexpr std::int64_t rows = 20'000;  // of a table: 5 MB in FP32, 41 MB in all, more than a core's caches
  static constexpr std::int64_t width = 64;     // of an embedding
  static constexpr std::int64_t bag_size = 20;  // ids in a bag
  static constexpr std::int64_t dense_features = 13;
  static constexpr std::int64_t hidden = 512;
  static constexpr std::int64_t last_hidden = 256;

  std::vector<torch::Tensor> embeddings;
  bool has_packed_embeddings = false;  ///< after to_int8()
  LinearLayer dense_hidden{dense_features, hidden};
  LinearLayer dense_output{hidden, width};
  LinearLayer joined_hidden{(tables + 1) * width, hidden};
  LinearLayer joined_last_hidden{hidden, last_hidden};
  LinearLayer click{last_hidden, 1};

  Recommender();
  torch::Tensor operator()(const Interactions& interactions) const;
  void to(torch::Dtype dtype);
  void to_int8();
  /// The same model in TorchScript: forward(dense, indices, offsets).
  [[nodiscard]] torch::jit::Module script() const;
};

}  // namespace torchgate::suites
