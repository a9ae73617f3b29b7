// SPDX-License-Identifier: Apache-2.0
// Many requests in one process, at a rate at which they seldom meet: jitter, and memory that grows from request to request. Memory is counted by the
// server's own thread while it answers a request: it has released everything of the requests before by then.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "harness/bench/torch/counting_allocator.hpp"
#include "harness/bench/torch/suite.hpp"
#include "suites/common/requirements.hpp"
#include "suites/serving/model_server.hpp"
#include "suites/serving/server/arrivals.hpp"

namespace torchgate::suites::soak {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites::serving;
using torchgate::serving::poisson_arrivals;

// A service time is added to the wait of one request in sixteen, whatever the machine: the rate is a sixteenth of what one worker can answer.
constexpr std::int64_t soak_rate = 250;
constexpr int soak_samples = 5;
constexpr int settling_requests = 100;  // what LibTorch keeps of its first calls is not a leak

/// Answers whose memory has not been released; none is kept. Used by the server's thread only.
class Answers {
 public:
  void add(const torch::Tensor& answer) { storages_.push_back(answer.storage().getWeakStorageImpl()); }
  void forget() { storages_.clear(); }
  [[nodiscard]] std::int64_t alive() const {
    return std::count_if(storages_.begin(), storages_.end(), [](const auto& storage) { return !storage.expired(); });
  }

 private:
  std::vector<c10::weak_intrusive_ptr<c10::StorageImpl>> storages_;
};

ModelServer::Model watched(ModelServer::Model model, std::shared_ptr<Answers> answers) {
  return [model = std::move(model), answers = std::move(answers)](std::span<torch::Tensor> inputs) {
    std::vector<torch::Tensor> outputs = model(inputs);
    for (const torch::Tensor& output : outputs) answers->add(output);
    return outputs;
  };
}

/// Sends one more request, and waits until the server's thread has called `work` with the answer in hand.
void with_an_answer_in_hand(Requests& requests, const std::function<void()>& work) {
  std::atomic<bool> done{false};
  requests.send(0, [&](const RequestSeen&) {
    work();
    done.store(true);
  });
  while (!done.load()) std::this_thread::yield();
}

struct Left {
  AllocationCounts counted;
  std::int64_t answers = 0;
};

// There was an answer in hand when counting began, which has been released since, and there is one of the same size now: their bytes cancel out.
void put(const Left& left, double requests, Recorder& recorder) {
  constexpr std::int64_t in_hand = 1;
  recorder.put("bytes_kept", static_cast<double>(left.counted.retained_bytes));
  recorder.put("answers_kept", static_cast<double>(left.answers - in_hand));
  recorder.put("request_allocations",
               static_cast<double>(left.counted.allocations) / (requests + static_cast<double>(in_hand)));
}

Timed soak(const Args& args) {
  const auto answers = std::make_shared<Answers>();
  const auto count = static_cast<std::size_t>(args.number("seconds") * soak_rate / soak_samples);
  // Room for all: none is refused, however long the machine stalls.
  const auto requests =
      std::make_shared<Requests>(args, torchgate::serving::ServerOptions{.batches = {1, {}}, .queue_limit = count + 1},
                                 watched(model_of(network(args)), answers));
  (void)requests->closed_loop(settling_requests, {});
  return [answers, requests, arrivals = poisson_arrivals(count, soak_rate, args.seed())](Recorder& recorder) {
    with_an_answer_in_hand(*requests, [&] {
      answers->forget();
      start_counting_allocations();
    });
    double answered = 0;
    for (const double ns : requests->open_loop(arrivals, Requests::Keep::nothing).latencies) {
      recorder.each("latency", ns);
      answered += 1;
    }
    Left left;
    with_an_answer_in_hand(*requests, [&] { left = {stop_counting_allocations(), answers->alive()}; });
    recorder.put("answered", answered);
    put(left, answered, recorder);
    return answered;
  };
}

// The metrics that the harness counts are those of the whole process between two moments of the caller's thread.
TORCHGATE_GROUP("soak") {
  constexpr int few = 2;
  constexpr int many = 60;
  const Axis seconds = group.axis("seconds", {few, many});
  group.only_full()
      .needs("two CPUs", torchgate::suites::two_cpus)
      .samples(soak_samples)
      .without({"operator_calls", "allocations", "allocated_bytes", "peak_bytes", "retained_bytes"})
      .measures(ns("latency").pooled().primary())
      .measures(count("answered"))
      .measures(bytes("bytes_kept"))
      .measures(count("answers_kept"))
      .measures(count("request_allocations"));

  group.sweep("open_loop", soak)
      .proves(metric("answered") == few * soak_rate / soak_samples, seconds(few))
      .proves(metric("answered") == many * soak_rate / soak_samples, seconds(many))
      .proves(metric("bytes_kept") == 0)
      .proves(metric("answers_kept") == 0)
      .claims(p99("latency") <= 4.0 * own(metric("latency")));
}

}  // namespace
}  // namespace torchgate::suites::soak
