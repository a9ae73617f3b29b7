// SPDX-License-Identifier: Apache-2.0
// What a variant's factory returns: the call that is timed, with everything it needs already built.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "harness/bench/output.hpp"

namespace torchgate::bench {

/// Values a case measures itself, beside its time: a percentile of a load test, the share of time a consumer waited,
/// the time of one phase. Each name has to be declared with Group::measures(). Sums over the calls of one sample; the
/// harness divides by their number.
class Recorder {
 public:
  void put(const std::string& metric, double value) { sums_[metric] += value; }

  /// Times a phase of the call into the metric `name` (declare it in ns): { auto p = r.phase("forward"); ... }.
  class Phase {
   public:
    Phase(Recorder& recorder, std::string name);
    ~Phase();
    Phase(const Phase&) = delete;
    Phase& operator=(const Phase&) = delete;

   private:
    Recorder& recorder_;
    std::string name_;
    std::int64_t start_ns_;
  };
  [[nodiscard]] Phase phase(std::string name) { return {*this, std::move(name)}; }

  [[nodiscard]] const std::map<std::string, double>& sums() const { return sums_; }
  void clear() { sums_.clear(); }

 private:
  std::map<std::string, double> sums_;
};

/// A nullary call (or one that takes a Recorder&), type-erased twice: once to be timed, with its result thrown away,
/// once to be checked, with its result kept. What the call returns is destroyed inside the timed region, as it would be
/// in the user's program.
class Timed {
 public:
  template <class F, std::enable_if_t<std::is_invocable_v<F&>, int> = 0>
  Timed(F call) {  // NOLINT(google-explicit-constructor): a factory returns its lambda
    using R = std::invoke_result_t<F&>;
    run_ = [call](Recorder&) mutable { discard<R>(call); };
    if constexpr (!std::is_void_v<R>) {
      output_ = [call]() mutable { return OutputOf<std::decay_t<R>>::get(call()); };
    }
  }

  template <class F, std::enable_if_t<std::is_invocable_v<F&, Recorder&> && !std::is_invocable_v<F&>, int> = 0>
  Timed(F call) {  // NOLINT(google-explicit-constructor)
    using R = std::invoke_result_t<F&, Recorder&>;
    run_ = [call](Recorder& recorder) mutable {
      auto bound = [&]() -> R { return call(recorder); };
      discard<R>(bound);
    };
    if constexpr (!std::is_void_v<R>) {
      output_ = [call]() mutable {
        Recorder unused;
        return OutputOf<std::decay_t<R>>::get(call(unused));
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
      const auto result = call();
      // The compiler must believe that the result is looked at, or it may delete the work.
      asm volatile("" : : "g"(&result) : "memory");
    }
  }

  std::function<void(Recorder&)> run_;
  std::function<Output()> output_;
};

}  // namespace torchgate::bench
