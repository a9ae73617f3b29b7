// SPDX-License-Identifier: Apache-2.0
#include "suites/serving/model_server.hpp"

#include <torch/torch.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <utility>

#include "suites/common/inputs.hpp"
#include "suites/serving/server/open_loop.hpp"

namespace torchgate::suites::serving {

/// LibTorch's first calls are slow: no request pays for them.
constexpr int warm_up_batches = 10;

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

Requests::Requests(const bench::Args& args, torchgate::serving::ServerOptions options)
    : Requests(args, std::move(options), model_of(network(args))) {}

Requests::Requests(const bench::Args& args, torchgate::serving::ServerOptions options, ModelServer::Model full)
    : row_(Inputs(args).normal({features})),
      server_(std::move(full), model_of(lite_network(args)), std::move(options)) {}

double Requests::closed_loop(int count, const std::function<void(const RequestSeen&)>& seen) {
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    std::atomic<bool> answered{false};
    torch::Tensor output;
    server_.submit(next_id_++, row_, std::chrono::steady_clock::now(),
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

std::vector<double> Requests::open_loop(const std::vector<std::chrono::nanoseconds>& arrivals) {
  std::vector<double> latencies(arrivals.size());
  std::atomic<std::size_t> answered{0};
  std::size_t shed = 0;
  torchgate::serving::send_open_loop(arrivals, {}, [&](std::size_t i, torchgate::serving::SteadyTime scheduled) {
    const bool accepted =
        server_.submit(i, row_, scheduled, [&](const RequestSeen& seen, std::optional<torch::Tensor>) {
          latencies[answered.load()] = static_cast<double>(seen.latency().count());
          answered.fetch_add(1);
        });
    if (!accepted) ++shed;
  });
  while (answered.load() + shed < arrivals.size()) std::this_thread::yield();
  latencies.resize(answered.load());
  return latencies;
}

void Requests::send(std::uint64_t id, const std::function<void(const RequestSeen&)>& seen) {
  const bool accepted =
      server_.submit(id, row_, std::chrono::steady_clock::now(),
                     [seen](const RequestSeen& request, std::optional<torch::Tensor>) { seen(request); });
  if (!accepted) throw std::runtime_error("the server refused a request");
}

void Requests::burst(int count, const std::function<void(const RequestSeen&)>& seen) {
  std::atomic<int> answered{0};
  int shed = 0;
  for (int i = 0; i < count; ++i) {
    const bool accepted = server_.submit(static_cast<std::uint64_t>(i), row_, std::chrono::steady_clock::now(),
                                         [&](const RequestSeen& request, std::optional<torch::Tensor>) {
                                           if (seen) seen(request);
                                           answered.fetch_add(1);
                                         });
    if (!accepted) ++shed;
  }
  while (answered.load() + shed < count) std::this_thread::yield();
}

}  // namespace torchgate::suites::serving
