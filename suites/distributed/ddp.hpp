// SPDX-License-Identifier: Apache-2.0
// Data-parallel training as torch.nn.parallel.DistributedDataParallel does it, from C++: the same Reducer of LibTorch, and
// the few lines around it that exist in Python only.
#pragma once

#include <torch/torch.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "harness/bench/args.hpp"
#include "suites/distributed/network.hpp"

namespace torchgate::suites {

/// Which rank has how many rows of the batch.
enum class Rows {
  equal,
  three_to_one,  ///< rank 0 has three of four rows: the others wait for it
  balanced,      ///< as three_to_one, but in each step rank 0 sends the others what is above their equal share
};

/// Defaults are those of PyTorch, except for the buckets: 25 MB and a first one of 1 MB are divided by the same as the
/// network, which has half a megabyte of gradients.
struct DdpOptions {
  NetworkShape shape;
  std::int64_t rows = batch_rows;
  Rows rows_of_ranks = Rows::equal;
  double learning_rate = 1e-4;  ///< so small that thousands of steps stay where numbers are ordinary
  std::size_t bucket_bytes = std::size_t{512} << 10;
  std::size_t first_bucket_bytes = std::size_t{128} << 10;  ///< smaller, so that communication begins early
  bool gradients_as_views = false;  ///< gradients are parts of the buckets that are sent, not copies of them
  bool static_graph = false;        ///< every step uses the same parameters in the same order
  /// Whether the first step of a static graph is told to reduce. PyTorch does it by an autograd function on the output
  /// (DDPSink); without it no gradient is ever reduced, and nothing reports it. For the test that shows this.
  bool sinks_static_graph = true;
  std::optional<torch::Dtype> compression;  ///< kHalf, kBFloat16: what gradients are sent as
  /// Only the largest elements of gradients are sent (sparsifying_hook()), with or without error feedback.
  enum class Sparse { no, largest, largest_with_feedback } sparse = Sparse::no;
  /// The model has a layer that no step uses. The reducer finds that out in every step (find_unused), or it is not given
  /// the layer's parameters.
  bool unused_layer = false;
  bool find_unused = false;
  bool broadcast_buffers = true;
};

/// A step whose activations need more memory than its gradients, for ranks with equal or unequal work.
DdpOptions options_of_large_batch(Rows rows);

/// One rank's part of training a small network: its rows of the batch, its copy of the model. All ranks of this_world()
/// make and call it together.
class DdpStep {
 public:
  DdpStep(const bench::Args& args, const DdpOptions& options);
  ~DdpStep();
  DdpStep(DdpStep&&) noexcept;

  /// Forward, backward with reduction, optimizer, and the gradients are released. Returns those that the optimizer used; they
  /// are valid until the next step.
  std::vector<torch::Tensor> operator()();

  /// Of the next steps.
  void set_learning_rate(double rate);

  /// Time of the last step from its last gradient to the end of the reduction.
  [[nodiscard]] double wait_ns() const;
  /// Bytes of the gradients in all buckets, as the Reducer's logger states them.
  [[nodiscard]] std::int64_t bucket_bytes() const;
  /// Loss over the whole batch of all ranks: the same on each rank as long as their models are.
  [[nodiscard]] double loss() const;
  /// The FIRST step's gradients as they must be: the average over all ranks' rows, computed by this rank alone.
  [[nodiscard]] const torch::Tensor& expected() const;
  /// Relative L2 distance of the FIRST step's gradients to them.
  [[nodiscard]] double error_of(const std::vector<torch::Tensor>& first) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace torchgate::suites
