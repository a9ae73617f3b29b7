// SPDX-License-Identifier: Apache-2.0
// A history of the last features of an agent. Whatever an entry refers to stays in memory with it: the graph that computed
// the features, and by it the sensor's whole frame.
#include <algorithm>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace torchgate::suites::ring {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;

constexpr std::int64_t frame_pixels = 32 * 32;
constexpr std::int64_t features_per_frame = 16;
constexpr std::size_t stacked_entries = 10;  // the input of the next decision

/// The newest `capacity` entries. A new one takes the place of the oldest.
template <class Entry>
class Ring {
 public:
  explicit Ring(std::size_t capacity) : entries_(capacity) {}

  void push(Entry entry) { entries_[pushed_++ % entries_.size()] = std::move(entry); }
  void clear() {
    std::fill(entries_.begin(), entries_.end(), Entry());
    pushed_ = 0;
  }
  [[nodiscard]] std::size_t size() const { return std::min(pushed_, entries_.size()); }
  /// Entry `age` steps ago: 0 is the newest. REQUIRES: age < size().
  [[nodiscard]] const Entry& before(std::size_t age) const { return entries_[(pushed_ - 1 - age) % entries_.size()]; }

 private:
  std::vector<Entry> entries_;
  std::size_t pushed_ = 0;
};

struct Moment {
  Tensor frame;  // undefined where only the features are kept
  Tensor features;
};

Tensor newest_features(const Ring<Moment>& ring) {
  std::vector<Tensor> newest;
  for (std::size_t age = 0; age < std::min(stacked_entries, ring.size()); ++age)
    newest.push_back(ring.before(age).features);
  return torch::stack(newest);
}

// A call is an episode of twice as many steps as the ring has places, so that a ring that does not drop its oldest entry
// shows in the peak. The ring is reused for the next episode.
Factory episode(bool detached) {
  return [detached](const Args& args) -> Timed {
    Inputs inputs(args);
    torch::nn::Linear encoder(frame_pixels, features_per_frame);
    encoder->to(device_of(args));
    const auto capacity = static_cast<std::size_t>(args.number("places"));
    return [=, sensor = inputs.normal({1, frame_pixels}), ring = Ring<Moment>(capacity)]() mutable {
      Tensor decision;
      for (std::size_t step = 0; step < 2 * capacity; ++step) {
        const Tensor frame = sensor.roll(static_cast<std::int64_t>(step), /*dims=*/1);
        const Tensor features = torch::tanh(encoder->forward(frame));
        ring.push(detached ? Moment{{}, features.detach().clone().cpu()} : Moment{frame, features});
        decision = newest_features(ring).mean(0).detach();
      }
      ring.clear();
      return decision;
    };
  };
}

TORCHGATE_GROUP("ring") {
  const Axis places = group.axis("places", {10, 100});
  group.devices().training().only_full(places(100)).gates("peak_bytes");

  group.reference("graph_and_frame", episode(false));
  group.variant("detached", episode(true))
      .proves(metric("retained_bytes") == 0)
      .claims(metric("peak_bytes") <= 0.3 * reference(), cpu);
}

}  // namespace
}  // namespace torchgate::suites::ring
