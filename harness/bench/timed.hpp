// SPDX-License-Identifier: Apache-2.0
// What a variant's factory returns: the call that is timed, with everything it needs already built.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/bench/output.hpp"
#include "harness/bench/sampling/clock.hpp"

namespace torchgate::bench {

/// Values a case measures itself, beside its time: a percentile of a load test, the share of time a consumer waited,
/// the time of one phase. Each name must be declared with measures(), and recorded in every sample. A sample's
/// value is the sum of the values of its calls, divided by their number.
class Recorder {
 public:
  explicit Recorder(Clock& clock = real_clock()) : clock_(&clock) {}

  /// Costs a look-up in a small map inside the timed call: about 30 ns.
  void put(std::string_view metric, double value);

  /// One observation of a metric that is declared pooled(): the latency of one request of many in a call. Costs a look-up
  /// and an append. std::runtime_error above most_observations in one process.
  void each(std::string_view metric, double value);

  /// Times a phase of the call into the metric `name` (declare it in ns): { auto p = r.phase("forward"); ... }. Host
  /// time: work queued on a GPU belongs to the phase that waits for it.
  class Phase {
   public:
    Phase(Recorder& recorder, std::string_view name);
    ~Phase();
    Phase(const Phase&) = delete;
    Phase& operator=(const Phase&) = delete;

   private:
    Recorder& recorder_;
    std::string_view name_;
    std::int64_t start_ns_;
  };
  /// REQUIRES: `name` outlives the phase (a literal does).
  [[nodiscard]] Phase phase(std::string_view name) { return {*this, name}; }

  struct Sum {
    double value = 0;
    std::int64_t puts = 0;
  };
  using Sums = std::map<std::string, Sum, std::less<>>;
  [[nodiscard]] const Sums& sums() const { return sums_; }
  using Observations = std::map<std::string, std::vector<double>, std::less<>>;
  [[nodiscard]] const Observations& observations() const { return observations_; }
  /// Removes all values. Names are kept, so that a later sample does not allocate them.
  void clear();

 private:
  Clock* clock_;
  Sums sums_;
  Observations observations_;
};

/// Of one metric between two clear()s, and in one process: 8 MB.
inline constexpr std::size_t most_observations = std::size_t{1} << 20U;

/// A nullary call (or one that takes a Recorder&), type-erased twice: once to be timed, discarding its result,
/// once to be checked, keeping its result. Both are the same object, so what is checked is what is timed; it need not
/// be copyable. What the call returns is destroyed inside the timed region, as it would be in the user's program.
class Timed {
 public:
  template <class F, std::enable_if_t<std::is_invocable_v<F&>, int> = 0>
  Timed(F call) {  // NOLINT(google-explicit-constructor): a factory returns its lambda
    using R = std::invoke_result_t<F&>;
    const auto shared = std::make_shared<F>(std::move(call));
    run_ = [shared](Recorder&) { discard<R>(*shared); };
    if constexpr (!std::is_void_v<R>) {
      keep_ = [shared](Recorder&) { return kept<R>((*shared)()); };
    }
  }

  template <class F, std::enable_if_t<std::is_invocable_v<F&, Recorder&> && !std::is_invocable_v<F&>, int> = 0>
  Timed(F call) {  // NOLINT(google-explicit-constructor)
    using R = std::invoke_result_t<F&, Recorder&>;
    const auto shared = std::make_shared<F>(std::move(call));
    run_ = [shared](Recorder& recorder) {
      auto bound = [&]() -> R { return (*shared)(recorder); };
      discard<R>(bound);
    };
    if constexpr (!std::is_void_v<R>) {
      keep_ = [shared](Recorder& recorder) { return kept<R>((*shared)(recorder)); };
    }
  }

  void run(Recorder& recorder) { run_(recorder); }

  /// Runs before each call and is not timed: see each_time().
  void set_up() {
    if (set_up_) set_up_();
  }
  [[nodiscard]] bool has_set_up() const { return static_cast<bool>(set_up_); }

  [[nodiscard]] bool has_output() const { return static_cast<bool>(keep_); }
  /// What a call returned, before it is converted.
  using Kept = std::function<Output()>;
  /// One call that keeps its result. REQUIRES: has_output().
  [[nodiscard]] Kept run_and_keep(Recorder& recorder) { return keep_(recorder); }
  /// One more, untimed call, with its set-up. REQUIRES: has_output().
  [[nodiscard]] Output output() {
    Recorder unused;
    set_up();
    return keep_(unused)();
  }

 private:
  friend Timed each_time(std::function<void()> set_up, Timed call);

  template <class R>
  static Kept kept(R&& result) {
    return [held = std::make_shared<std::decay_t<R>>(std::forward<R>(result))] {
      return OutputOf<std::decay_t<R>>::get(*held);
    };
  }

  template <class R, class F>
  static void discard(F& call) {
    if constexpr (std::is_void_v<R>) {
      call();
    } else {
      auto&& result = call();  // a reference stays one: copying what it refers to would be timed
      // Makes the compiler treat the result as used; otherwise it may remove the work.
      asm volatile("" : : "g"(&result) : "memory");
    }
  }

  std::function<void(Recorder&)> run_;
  std::function<void()> set_up_;
  std::function<Kept(Recorder&)> keep_;
};

/// A call with an untimed set-up before each one: each_time([=] { drop_from_cache(file); }, [=] { return load(file); }). Every
/// call is timed on its own, also where several make one sample: each has the cost of reading the clock, about 25 ns. CPU only.
inline Timed each_time(std::function<void()> set_up, Timed call) {
  call.set_up_ = std::move(set_up);
  return call;
}

}  // namespace torchgate::bench
