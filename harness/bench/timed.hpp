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

#include "harness/bench/output.hpp"
#include "harness/bench/sampling/clock.hpp"

namespace torchgate::bench {

/// Values a case measures itself, beside its time: a percentile of a load test, the share of time a consumer waited,
/// the time of one phase. Each name must be declared with Group::measures(), and recorded in every sample. A sample's
/// value is the sum of the values of its calls, divided by their number.
class Recorder {
 public:
  explicit Recorder(Clock& clock = real_clock()) : clock_(&clock) {}

  /// Costs a look-up in a small map inside the timed call: about 30 ns.
  void put(std::string_view metric, double value);

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
  /// Removes all values. Names are kept, so that a later sample does not allocate them.
  void clear();

 private:
  Clock* clock_;
  Sums sums_;
};

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
      output_ = [shared] { return OutputOf<std::decay_t<R>>::get((*shared)()); };
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
      output_ = [shared] {
        Recorder unused;
        return OutputOf<std::decay_t<R>>::get((*shared)(unused));
      };
    }
  }

  void run(Recorder& recorder) { run_(recorder); }

  [[nodiscard]] bool has_output() const { return static_cast<bool>(output_); }
  /// One more, untimed call. REQUIRES: has_output().
  [[nodiscard]] Output output() { return output_(); }

 private:
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
  std::function<Output()> output_;
};

}  // namespace torchgate::bench
