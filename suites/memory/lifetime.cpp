// SPDX-License-Identifier: Apache-2.0
// Tensors that live longer than they are needed: by a variable, by a graph, or by a cycle of owners. Everything happens
// within one call, which releases it at its end: a leak that lasts would make each call slower than the one before.
#include <algorithm>
#include <memory>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"

namespace torchgate::suites::lifetime {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;
using torchgate::suites::Mlp;

constexpr std::int64_t rows = 256;
constexpr std::int64_t width = 64;
constexpr std::int64_t steps_per_call = 16;

constexpr const char* alive = "storages_alive";

/// Counts tensors whose memory has not been released, without keeping any.
class Watch {
 public:
  void add(const Tensor& tensor) { storages_.push_back(tensor.storage().getWeakStorageImpl()); }
  /// Call it where the result is known and nothing else is needed any more.
  void put(Recorder& recorder) const {
    const auto left =
        std::count_if(storages_.begin(), storages_.end(), [](const auto& storage) { return !storage.expired(); });
    recorder.put(alive, static_cast<double>(left));
  }

 private:
  std::vector<c10::weak_intrusive_ptr<c10::StorageImpl>> storages_;
};

// --- scope: the activations of a forward pass ---------------------------------------------------------------------------

constexpr std::size_t scope_layers = 8;

Timed activations(const Args& args, bool kept) {
  Mlp model(std::vector<std::int64_t>(scope_layers + 1, width), args);
  return [=, x = Inputs(args).normal({rows, width})](Recorder& recorder) mutable {
    const at::NoGradGuard not_recorded;
    Watch watch;
    std::vector<Tensor> variables;  // those of a long function, which all live to its end
    Tensor y = x;
    for (auto& layer : model.layers) {
      if (!y.is_same(x)) watch.add(y);
      if (kept) variables.push_back(y);
      y = layer->forward(y).relu_();
    }
    watch.put(recorder);
    return y;
  };
}

// --- history: the sum of the losses of a validation pass ----------------------------------------------------------------

Timed losses(const Args& args, bool kept) {
  Mlp model({width, width, 1}, args);
  return [=, x = Inputs(args).normal({rows, width})](Recorder& recorder) mutable {
    Watch watch;
    Tensor sum = torch::zeros({}, x.options());
    double total = 0;
    for (std::int64_t step = 0; step < steps_per_call; ++step) {
      const Tensor hidden = torch::relu(model.layers.front()->forward(x));
      watch.add(hidden);
      const Tensor loss = model.layers.back()->forward(hidden).pow(2).mean();
      if (kept) {
        sum = sum + loss;  // with the graph of each loss
      } else {
        total += loss.item<double>();
      }
    }
    watch.put(recorder);
    return kept ? sum.item<double>() : total;
  };
}

// --- cycle: two stages of a model that refer to each other --------------------------------------------------------------

struct Stage {
  Tensor activation;
  std::shared_ptr<Stage> next;
  std::shared_ptr<Stage> owned_previous;
  std::weak_ptr<Stage> previous;
};

/// Ends the cycles of stages that nothing else refers to, as the garbage collector of Python does.
void collect(const std::vector<std::weak_ptr<Stage>>& stages) {
  for (const auto& weak : stages) {
    if (const auto stage = weak.lock()) stage->next.reset();
  }
}

Timed stages(const Args& args, bool kept) {
  Mlp model({width, width, width}, args);
  return [=, x = Inputs(args).normal({rows, width})](Recorder& recorder) mutable {
    const at::NoGradGuard not_recorded;
    Watch watch;
    std::vector<std::weak_ptr<Stage>> made;
    double total = 0;
    for (std::int64_t step = 0; step < steps_per_call; ++step) {
      const auto encoder = std::make_shared<Stage>();
      const auto decoder = std::make_shared<Stage>();
      encoder->activation = torch::relu(model.layers.front()->forward(x));
      decoder->activation = model.layers.back()->forward(encoder->activation);
      encoder->next = decoder;
      if (kept) {
        decoder->owned_previous = encoder;
      } else {
        decoder->previous = encoder;
      }
      watch.add(encoder->activation);
      made.push_back(encoder);
      total += decoder->activation.sum().item<double>();
    }
    watch.put(recorder);
    collect(made);
    return total;
  };
}

Factory with_lifetimes(bool kept) {
  return [kept](const Args& args) -> Timed {
    const std::string of = args.text("of");
    if (of == "scope") return activations(args, kept);
    if (of == "history") return losses(args, kept);
    return stages(args, kept);
  };
}

TORCHGATE_GROUP("lifetime") {
  const Axis of = group.axis("of", {"scope", "history", "cycle"});
  group.devices().training().quick(of("history")).only_full(of("scope")).gates("peak_bytes").measures(count(alive));

  group.reference("kept", with_lifetimes(true));
  group.variant("released", with_lifetimes(false))
      .proves(metric(alive) == 0)
      .claims(metric("peak_bytes") <= 0.6 * reference(), where(cpu, of("scope")))
      .claims(metric("peak_bytes") <= 0.2 * reference(), where(cpu, of("history", "cycle")));
}

}  // namespace
}  // namespace torchgate::suites::lifetime
