// SPDX-License-Identifier: Apache-2.0
// How long records take: cases x 5 processes, each with two timed metrics (full-length doubles, the worst case) and three
// exact ones. nlohmann_json's tree of the same text is the yardstick.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "harness/record/codec.hpp"
#include "harness/record/internal/samples_file.hpp"

namespace torchgate::record {
namespace {

constexpr std::int64_t processes_of_a_side = 5;
constexpr std::int64_t cases_of_a_group = 4;
constexpr int samples_of_a_process = 30;

Measurement timed(const std::string& metric, std::mt19937_64& random) {
  std::lognormal_distribution<double> distribution(12, 1);
  std::vector<double> values(8);
  for (double& value : values) value = distribution(random);
  std::sort(values.begin(), values.end());
  Measurement m{metric,
                SampleSummary{samples_of_a_process, values[3], values[0], values[0], values[1], values[2], values[4],
                              values[5], std::nullopt, values[7], 1 / values[7]},
                std::nullopt,
                {}};
  m.samples.resize(samples_of_a_process);
  for (double& sample : m.samples) sample = distribution(random);
  return m;
}

Run large_run(std::int64_t cases) {
  std::mt19937_64 random(1);
  Run run;
  run.id = "0123456789abcdef";
  run.created = "2026-01-31T23:59:59.999Z";
  run.sides.resize(1);
  const Metric bytes{"peak_bytes", "bytes", Direction::lower_is_better, MetricKind::exact, false};
  for (std::int64_t i = 0; i < cases; ++i) {
    Case c;
    const std::string batch = std::to_string(i);
    c.name = "fusion/conv_bn/folded/device:cpu/batch:" + batch;
    c.suite = "fusion";
    c.group = "fusion/conv_bn_" + std::to_string(i / cases_of_a_group);
    c.variant = "folded";
    c.parameters = {{"device", "cpu"}, {"batch", batch}};
    c.protocol = "cpu-wall/1";
    c.input_seed = 1234567;
    c.metrics = {{"time", "ns", Direction::lower_is_better, MetricKind::timed, true},
                 {"cpu_time", "ns", Direction::lower_is_better, MetricKind::timed, false},
                 bytes,
                 {"allocations", "1", Direction::lower_is_better, MetricKind::exact, false},
                 {"operator_calls", "1", Direction::lower_is_better, MetricKind::exact, false}};
    run.cases.push_back(c);
  }
  run.objects.resize(150);
  for (LoadedObject& object : run.objects) {
    object = {
        "/opt/libtorch/lib/libsomething.so", "libsomething.so", 1234567, 42, 1767225600000000000, std::string(64, 'a')};
  }
  for (std::int64_t index = 0; index < processes_of_a_side; ++index) {
    for (std::int64_t first = 0; first < cases; first += cases_of_a_group) {
      Process process;
      process.index = index;
      process.suite = "fusion";
      process.group = run.cases[static_cast<std::size_t>(first)].group;
      process.started = run.created;
      process.wall_ns = 1500000000;
      for (std::int64_t object = 0; object < 150; ++object) process.objects.push_back(object);
      for (std::int64_t i = first; i < std::min(cases, first + cases_of_a_group); ++i) {
        CaseResult result;
        result.name = run.cases[static_cast<std::size_t>(i)].name;
        result.calls_per_sample = 64;
        result.warmup_calls = 640;
        result.steady = true;
        result.measurements = {timed("time", random),
                               timed("cpu_time", random),
                               {"peak_bytes", {}, 12345678, {}},
                               {"allocations", {}, 123, {}},
                               {"operator_calls", {}, 17, {}}};
        process.cases.push_back(result);
      }
      run.processes.push_back(process);
    }
  }
  return run;
}

void describe(benchmark::State& state, const std::string& bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(bytes.size()));
  state.counters["file_MB"] = static_cast<double>(bytes.size()) / 1e6;
}

void read_record(benchmark::State& state) {
  const std::string text = to_json(large_run(state.range(0)));
  for (auto _ : state) {
    auto run = run_from_json(text, "run.json");
    if (!run) state.SkipWithError(run.error().message.c_str());
    benchmark::DoNotOptimize(run);
  }
  describe(state, text);
}

void read_tree_of_nlohmann(benchmark::State& state) {
  const std::string text = to_json(large_run(state.range(0)));
  for (auto _ : state) {
    auto tree = nlohmann::json::parse(text);
    benchmark::DoNotOptimize(tree);
  }
  describe(state, text);
}

void write_record(benchmark::State& state) {
  const Run run = large_run(state.range(0));
  std::string text;
  for (auto _ : state) benchmark::DoNotOptimize(text = to_json(run));
  describe(state, text);
}

void read_samples(benchmark::State& state) {
  Run run = large_run(state.range(0));
  const std::string bytes = internal::encode_samples(run);
  for (auto _ : state) {
    if (const auto filled = internal::decode_samples(bytes, "x.samples", run); !filled) {
      state.SkipWithError(filled.error().message.c_str());
    }
  }
  describe(state, bytes);
}

BENCHMARK(read_record)->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMillisecond);
BENCHMARK(read_tree_of_nlohmann)->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMillisecond);
BENCHMARK(write_record)->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMillisecond);
BENCHMARK(read_samples)->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace torchgate::record

BENCHMARK_MAIN();
