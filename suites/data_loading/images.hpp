// SPDX-License-Identifier: Apache-2.0
// Images as a decoder leaves them, and what is done to each before a network sees it.
#pragma once

#include <torch/data/datasets/base.h>
#include <torch/data/example.h>

#include <cstdint>
#include <vector>

#include "harness/bench/args.hpp"

namespace torchgate::suites {

/// (value / 255 - 0.5) / 0.25, into 32-bit floats.
torch::Tensor normalized(const torch::Tensor& bytes);

/// Tells threads apart.
std::int64_t current_thread();

/// Images in memory, so that no disk is measured. Loading one resizes it, mirrors every other one, and normalises it:
/// about 40 us of work.
class Images : public torch::data::datasets::Dataset<Images> {
 public:
  Images(std::int64_t count, const bench::Args& args);

  /// Target: the image's index, and current_thread() of the thread that loaded it.
  torch::data::Example<> get(std::size_t index) override;
  [[nodiscard]] std::optional<std::size_t> size() const override { return bytes_.size(); }

 private:
  std::vector<torch::Tensor> bytes_;
};

}  // namespace torchgate::suites
