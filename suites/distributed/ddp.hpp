// SPDX-License-Identifier: Apache-2.0
// Data-parallel training as torch.nn.parallel.DistributedDataParallel does it, from C++: the same Reducer of LibTorch, and
// the few lines around it that exist in Python only.
#pragma once

#include <torch/torch.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "harness/bench/args.hpp"

namespace torchgate::suites {

/// Defaults are those of PyTorch, but for the buckets: 25 MB and a first one of 1 MB are divided by the same as models are
/// that have many of them.
struct DdpOptions {
  std::size_t bucket_bytes = std::size_t{512} << 10;
  std::size_t first_bucket_bytes = std::size_t{128} << 10;  ///< smaller, so that communication begins early
  bool gradients_as_views = false;  ///< gradients are parts of the buckets that are sent, not copies of them
  bool static_graph = false;        ///< every step uses the same parameters in the same order
  /// Whether the first step of a static graph is told to reduce. PyTorch does it by an autograd function on the output
  /// (DDPSink); without it no gradient is ever reduced, and nothing says so. For the test that shows this.
  bool sinks_static_graph = true;
  std::optional<torch::Dtype> compression;  ///< kHalf, kBFloat16: what gradients are sent as
  bool batch_norm = false;                  ///< the model has buffers
  bool broadcast_buffers = true;
};

/// One rank's part of training a small network: its rows of the batch, its copy of the model. All ranks of this_world()
/// make and call it together.
class DdpStep {
 public:
  DdpStep(const bench::Args& args, const DdpOptions& options);
  ~DdpStep();
  DdpStep(DdpStep&&) noexcept;

  /// Forward, backward with reduction, optimizer, and the gradients are let go. Returns those that the optimizer used; they
  /// hold until the next step.
  std::vector<torch::Tensor> operator()();

  /// Relative L2 distance of the FIRST step's gradients to the average over all parts of the batch, which this rank has
  /// computed alone before.
  [[nodiscard]] double error_of(const std::vector<torch::Tensor>& first) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Rows of a batch of all ranks together.
inline constexpr std::int64_t batch_rows = 32;

}  // namespace torchgate::suites
