// SPDX-License-Identifier: Apache-2.0
// For a Google Benchmark program that stays one: the time of every call, where Google Benchmark keeps only their mean.
//
//     for (auto _ : torchgate::bench::each(state)) work();      instead of      for (auto _ : state) work();
//
// Started by torchgate, the samples reach the record; started in any other way, nothing is written and nothing is
// printed. This header needs only Google Benchmark and C++17: no torchgate library and no special main(). It may be
// copied.
#pragma once

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace torchgate {
namespace bench {

/// A clock reading takes about 25 ns: 0.1 % of a sample. Shorter calls are timed in blocks of 2^k.
constexpr std::int64_t shortest_sample_ns = 20000;

/// More samples of one run are joined in pairs: their number is bounded, whatever --benchmark_min_time is.
constexpr std::size_t most_samples = 4096;

/// One loop over a State. Not for loops that call PauseTiming() (the pause would be in the samples) or SetIterationTime():
/// torchgate detects that such samples disagree with Google Benchmark's time, and ignores them. Loops of several
/// threads have none.
class Each {
 public:
  explicit Each(benchmark::State& state)
      : state_(state), file_(state.threads() == 1 ? std::getenv("TORCHGATE_SAMPLES") : nullptr) {
    if (file_ != nullptr) samples_.reserve(most_samples);
  }
  Each(const Each&) = delete;
  Each& operator=(const Each&) = delete;
  ~Each() {
    if (file_ != nullptr && !samples_.empty()) write();
  }

  class Iterator {
   public:
    struct __attribute__((unused)) Value {};  // the loop's variable is not used
    Iterator(benchmark::State::StateIterator base, Each* each) : base_(base), each_(each) {}
    Value operator*() const { return Value(); }
    Iterator& operator++() {
      ++base_;
      if (__builtin_expect(--each_->left_ == 0, 0)) each_->end_block();
      return *this;
    }
    bool operator!=(const Iterator& end) const { return base_ != end.base_; }

   private:
    benchmark::State::StateIterator base_;
    Each* each_;
  };

  Iterator begin() {
    Iterator first(state_.begin(), this);    // starts Google Benchmark's own clock
    left_ = file_ != nullptr ? block_ : -1;  // -1: never reaches 0
    last_ = std::chrono::steady_clock::now();
    return first;
  }
  Iterator end() { return Iterator(state_.end(), this); }

 private:
  void end_block() {
    const auto now = std::chrono::steady_clock::now();
    const std::int64_t ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now - last_).count();
    last_ = now;
    samples_.push_back(static_cast<double>(ns) / static_cast<double>(block_));
    if (ns < shortest_sample_ns || samples_.size() == most_samples) join_pairs();
    left_ = block_;
  }

  /// Doubles the block. An odd sample at the end is dropped: it is one of thousands, or of the first calls.
  void join_pairs() {
    for (std::size_t i = 1; i < samples_.size(); i += 2) samples_[i / 2] = (samples_[i - 1] + samples_[i]) / 2;
    samples_.resize(samples_.size() / 2);
    block_ *= 2;
  }

  /// One line: a number of this run within the process, calls per sample, times per call in ns. The number is in Google
  /// Benchmark's own file too, as a counter: so the two find each other.
  void write() {
    static std::int64_t runs = 0;
    std::FILE* const file = std::fopen(file_, "a");
    if (file == nullptr) return;
    std::fprintf(file, "%lld %lld", static_cast<long long>(++runs), static_cast<long long>(block_));
    for (const double ns : samples_) std::fprintf(file, " %.9g", ns);
    std::fprintf(file, "\n");
    std::fclose(file);
    state_.counters["torchgate_run"] = static_cast<double>(runs);
  }

  benchmark::State& state_;
  const char* file_;
  std::int64_t block_ = 1;
  std::int64_t left_ = -1;
  std::chrono::steady_clock::time_point last_;
  std::vector<double> samples_;
};

/// `for (auto _ : each(state))`
inline Each each(benchmark::State& state) {
  return Each(state);
}

}  // namespace bench
}  // namespace torchgate
