// SPDX-License-Identifier: Apache-2.0
// A server of a small network, and calls that send it requests: what the groups of this suite measure.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "harness/bench/args.hpp"
#include "harness/bench/timed.hpp"
#include "suites/common/models.hpp"
#include "suites/serving/server/server.hpp"

namespace torchgate::suites::serving {

using ModelServer = torchgate::serving::Server<torch::Tensor, torch::Tensor>;
using torchgate::serving::RequestSeen;

/// One row of FP32 features.
inline constexpr std::int64_t features = 256;

/// Stacks a batch of rows, and gives the network's rows back. The worker's thread records no gradients.
ModelServer::Model served(std::function<torch::Tensor(const torch::Tensor&)> network);
ModelServer::Model model_of(Mlp network);

/// The network that the groups serve: 256 -> 1024 -> 1024 -> 10.
Mlp network(const bench::Args& args);
/// What answers under overload: 256 -> 64 -> 10, a hundredth of the weights.
Mlp lite_network(const bench::Args& args);
/// The same answers, `factor` times as late: what a slower release of the model looks like to its clients.
ModelServer::Model slowed(ModelServer::Model model, double factor);

/// What an open loop found.
struct OpenLoop {
  std::vector<double> latencies;       ///< in ns, in the order of the answers
  std::vector<torch::Tensor> answers;  ///< by the number of the request
};

/// A server and what it is asked. Requests have different rows, and those of the same number the same one. Requests refer to the server, and must be
/// answered before it ends.
class Requests {
 public:
  Requests(const bench::Args& args, torchgate::serving::ServerOptions options);
  /// ... that serves this model instead of network().
  Requests(const bench::Args& args, torchgate::serving::ServerOptions options, ModelServer::Model full);

  /// Sends one request after the other, each when the one before was answered; their identifiers go on where the call before ended, as what is
  /// chosen by them (a sample of the log) must not be the same in each call. `seen`: called by the worker. Returns the sum of all outputs.
  double closed_loop(int count, const std::function<void(const RequestSeen&)>& seen);

  /// Sends at the scheduled times, and waits for all answers. `Keep`: whether they are returned; otherwise none is kept. Throws std::runtime_error if
  /// a request was refused or failed: its latency is not that of an answer.
  enum class Keep : std::uint8_t { answers, nothing };
  OpenLoop open_loop(const std::vector<std::chrono::nanoseconds>& arrivals, Keep keep);

  /// Sends one request, which the server must not refuse. `seen`: called by the worker.
  void send(std::uint64_t id, const std::function<void(const RequestSeen&)>& seen);

  /// Sends `count` requests at once, and waits until each is answered or refused. Throws std::runtime_error if the model failed one.
  void burst(int count, const std::function<void(const RequestSeen&)>& seen);

  [[nodiscard]] torchgate::serving::ServerCounts counts() const { return server_.counts(); }
  [[nodiscard]] ModelServer& server() { return server_; }

 private:
  [[nodiscard]] const torch::Tensor& row_of(std::size_t request) const { return rows_[request % rows_.size()]; }

  std::vector<torch::Tensor> rows_;
  std::uint64_t next_id_ = 0;  // of closed_loop()
  ModelServer server_;
};

}  // namespace torchgate::suites::serving
