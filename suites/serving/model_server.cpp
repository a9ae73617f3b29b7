// SPDX-License-Identifier: Apache-2.0
#include "suites/serving/model_server.hpp"

#include <torch/torch.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "suites/common/inputs.hpp"
#include "suites/serving/server/open_loop.hpp"

namespace torchgate::suites::serving {

/// LibTorch's first calls are slow: no request pays for them.
constexpr int warm_up_batches = 10;
/// More than a batch of any group: a batch has no row twice, and an answer that went to another request is a wrong one.
constexpr std::int64_t different_rows = 64;

Mlp network(const bench::Args& args) {
  return Mlp({features, 1024, 1024, 10}, args);
}

Mlp lite_network(const bench::Args& args) {
  return Mlp({features, 64, 10}, args);
}

ModelServer::Model slowed(ModelServer::Model model, double factor) {
  return [model = std::move(model), factor](std::span<torch::Tensor> inputs) {
    const auto start = std::chrono::steady_clock::now();
    auto outputs = model(inputs);
    const auto end = start + (std::chrono::steady_clock::now() - start) * factor;
    while (std::chrono::steady_clock::now() < end) continue;
    return outputs;
  };
}

ModelServer::Model served(std::function<torch::Tensor(const torch::Tensor&)> network) {
  const auto shared = std::make_shared<std::function<torch::Tensor(const torch::Tensor&)>>(std::move(network));
  const auto run = [shared](std::span<torch::Tensor> inputs) {
    const torch::NoGradGuard no_gradients;  // of this thread
    const torch::Tensor outputs = (*shared)(torch::stack(std::vector<torch::Tensor>(inputs.begin(), inputs.end())));
    return outputs.unbind();
  };
  std::vector<torch::Tensor> zero{torch::zeros({features})};
  for (int i = 0; i < warm_up_batches; ++i) (void)run(zero);
  return run;
}

ModelServer::Model model_of(Mlp network) {
  return served([network = std::move(network)](const torch::Tensor& rows) mutable { return network(rows); });
}

namespace {

// Not by unbind(), with which answers are told apart: a fault of it would be in both.
std::vector<torch::Tensor> rows_of(const torch::Tensor& all) {
  std::vector<torch::Tensor> rows;
  for (std::int64_t i = 0; i < all.size(0); ++i) rows.push_back(all.select(0, i));
  return rows;
}

}  // namespace

Requests::Requests(const bench::Args& args, torchgate::serving::ServerOptions options)
    : Requests(args, std::move(options), model_of(network(args))) {}

Requests::Requests(const bench::Args& args, torchgate::serving::ServerOptions options, ModelServer::Model full)
    : rows_(rows_of(Inputs(args).normal({different_rows, features}))),
      server_(std::move(full), model_of(lite_network(args)), std::move(options)) {}

double Requests::closed_loop(int count, const std::function<void(const RequestSeen&)>& seen) {
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    std::atomic<bool> answered{false};
    torch::Tensor output;
    server_.submit(next_id_++, row_of(static_cast<std::size_t>(i)), std::chrono::steady_clock::now(),
                   [&](const RequestSeen& request, std::optional<torch::Tensor> answer) {
                     if (seen) seen(request);
                     if (answer) output = *std::move(answer);
                     answered.store(true);
                   });
    while (!answered.load()) std::this_thread::yield();
    sum += output.sum().item<double>();
  }
  return sum;
}

OpenLoop Requests::open_loop(const std::vector<std::chrono::nanoseconds>& arrivals, Keep keep) {
  OpenLoop found;
  found.latencies.resize(arrivals.size());
  if (keep == Keep::answers) found.answers.resize(arrivals.size());
  std::atomic<std::size_t> ended{0};  // answered, or failed
  std::size_t failed = 0;             // of the worker
  std::size_t shed = 0;
  torchgate::serving::send_open_loop(arrivals, {}, [&](std::size_t i, torchgate::serving::SteadyTime scheduled) {
    const bool accepted =
        server_.submit(i, row_of(i), scheduled, [&](const RequestSeen& seen, std::optional<torch::Tensor> answer) {
          found.latencies[ended.load()] = static_cast<double>(seen.latency().count());
          if (!answer) ++failed;
          if (answer && keep == Keep::answers) found.answers[seen.id] = *std::move(answer);
          answer.reset();  // before the caller is told
          ended.fetch_add(1);
        });
    if (!accepted) ++shed;
  });
  while (ended.load() + shed < arrivals.size()) std::this_thread::yield();
  if (failed + shed > 0)
    throw std::runtime_error("of " + std::to_string(arrivals.size()) + " requests the model failed " +
                             std::to_string(failed) + " and the server refused " + std::to_string(shed));
  return found;
}

void Requests::send(std::uint64_t id, const std::function<void(const RequestSeen&)>& seen) {
  const bool accepted =
      server_.submit(id, row_of(id), std::chrono::steady_clock::now(),
                     [seen](const RequestSeen& request, std::optional<torch::Tensor>) { seen(request); });
  if (!accepted) throw std::runtime_error("the server refused a request");
}

void Requests::burst(int count, const std::function<void(const RequestSeen&)>& seen) {
  std::atomic<int> answered{0};
  int failed = 0;  // of the worker
  int shed = 0;
  for (int i = 0; i < count; ++i) {
    const bool accepted = server_.submit(static_cast<std::uint64_t>(i), row_of(static_cast<std::size_t>(i)),
                                         std::chrono::steady_clock::now(),
                                         [&](const RequestSeen& request, std::optional<torch::Tensor> answer) {
                                           if (seen) seen(request);
                                           if (!answer) ++failed;
                                           answered.fetch_add(1);
                                         });
    if (!accepted) ++shed;
  }
  while (answered.load() + shed < count) std::this_thread::yield();
  if (failed > 0) throw std::runtime_error("the model failed " + std::to_string(failed) + " requests");
}

}  // namespace torchgate::suites::serving
