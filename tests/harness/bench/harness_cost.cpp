// SPDX-License-Identifier: Apache-2.0
// What measuring costs: a case of about 1 ms, by our sampler and by plain Google Benchmark, in alternation. Prints; asserts
// nothing. ci/scripts/bench.sh harness runs it.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

#include "harness/bench/sampling/sampler.hpp"

namespace {

namespace bench = torchgate::bench;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t iterations = 200;  // of a round, for both
constexpr int rounds = 40;
constexpr double call_s = 1e-3;

[[gnu::noinline]] double work(std::int64_t steps) {
  double x = 1;
  for (std::int64_t i = 0; i < steps; ++i) {
    x = x * 0.999999 + 1e-6;
    asm volatile("" : "+x"(x));  // no step may be left out
  }
  return x;
}

double seconds_of(const auto& call) {
  const auto start = Clock::now();
  call();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::int64_t steps_for_one_call() {
  constexpr std::int64_t trial = 1'000'000;
  double fastest = 1;
  for (int i = 0; i < 10; ++i) fastest = std::min(fastest, seconds_of([] { benchmark::DoNotOptimize(work(trial)); }));
  return static_cast<std::int64_t>(static_cast<double>(trial) * call_s / fastest);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

class Keep final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    call_s = runs.front().real_accumulated_time / static_cast<double>(runs.front().iterations);
  }
  double call_s = 0;
};

struct Round {
  double call_s = 0;  // mean
  double wall_s = 0;  // of everything
};

Round by_google_benchmark() {
  Keep reporter;
  const double wall_s = seconds_of([&] { benchmark::RunSpecifiedBenchmarks(&reporter); });
  return {reporter.call_s, wall_s};
}

// Two calls of warm-up, as few as the sampler can do with: Google Benchmark does none when the iterations are given.
Round by_torchgate(std::int64_t steps) {
  bench::SamplerSettings settings = bench::series_settings();
  settings.samples_least = settings.samples_most = iterations;
  bench::Timed timed([steps] { return work(steps); });
  bench::Samples samples;
  const double wall_s = seconds_of([&] {
    samples = bench::sample(
        timed, [] {}, settings, bench::real_clock());
  });
  const double sum_ns = std::accumulate(samples.wall_ns.begin(), samples.wall_ns.end(), 0.0);
  return {sum_ns / static_cast<double>(samples.wall_ns.size()) * 1e-9, wall_s};
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const std::int64_t steps = steps_for_one_call();
  benchmark::RegisterBenchmark("work",
                               [steps](benchmark::State& state) {
                                 for (auto _ : state) benchmark::DoNotOptimize(work(steps));
                               })
      ->Iterations(iterations)
      ->UseRealTime();
  std::vector<double> theirs;
  std::vector<double> ours;
  std::vector<double> call_ratio;
  std::vector<double> wall_ratio;
  for (int i = 0; i < rounds; ++i) {
    const Round google = by_google_benchmark();
    const Round gate = by_torchgate(steps);
    theirs.push_back(google.call_s);
    ours.push_back(gate.call_s);
    call_ratio.push_back(gate.call_s / google.call_s);
    wall_ratio.push_back(gate.wall_s / google.wall_s);
  }
  std::printf("one call, median of %d rounds of %lld: Google Benchmark %.4f ms, torchgate %.4f ms\n", rounds,
              static_cast<long long>(iterations), median(theirs) * 1e3, median(ours) * 1e3);
  std::printf("torchgate / Google Benchmark, median over rounds: %.4f of the time of a call, %.4f of the wall time\n",
              median(call_ratio), median(wall_ratio));
  return 0;
}
