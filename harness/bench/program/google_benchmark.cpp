// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/program/google_benchmark.hpp"

#include <benchmark/benchmark.h>

#include <cstdio>

#include "harness/base/counted.hpp"
#include "harness/base/mean.hpp"
#include "harness/bench/program/case_filter.hpp"
#include "harness/bench/ranks/world.hpp"
#include "harness/bench/run/case_runner.hpp"

namespace torchgate::bench {
namespace {

// Our samples are one batch of iterations of Google Benchmark's; its CPU timer runs while a sample is taken, so that
// its cpu_time is of the same calls as its real_time.
class BatchOfSamples final : public SampleObserver {
 public:
  explicit BatchOfSamples(benchmark::State& state) : state_(state) {}

  void on_start(std::int64_t samples, std::int64_t calls_per_sample) override {
    calls_ = samples * calls_per_sample;
    state_.KeepRunningBatch(calls_);
    state_.PauseTiming();
  }
  void on_sample_begin() override { state_.ResumeTiming(); }
  void on_sample_end() override { state_.PauseTiming(); }

  /// `mean_ns`: of one call.
  void finish(double mean_ns) {
    constexpr double ns_per_s = 1e9;
    state_.SetIterationTime(mean_ns * static_cast<double>(calls_) / ns_per_s);
    state_.ResumeTiming();
    state_.KeepRunningBatch(calls_);  // ends the loop of the benchmark
  }
  [[nodiscard]] double calls() const { return static_cast<double>(calls_); }

 private:
  benchmark::State& state_;
  benchmark::IterationCount calls_ = 0;
};

void report(benchmark::State& state, const record::CaseResult& result, const record::Case& definition,
            BatchOfSamples& batch) {
  for (const record::Measurement& m : result.measurements) {
    if (m.value) state.counters[m.metric] = *m.value;
    if (!m.summary || m.metric == "cpu_time") continue;
    if (m.metric != "time") {
      state.counters[m.metric] = m.summary->median;
      continue;
    }
    batch.finish(base::mean(m.samples));
    state.counters["median_ns"] = m.summary->median;
    state.counters["samples"] = static_cast<double>(m.summary->n);
    state.counters["calls_per_sample"] = static_cast<double>(result.calls_per_sample);
    if (m.summary->p95) state.counters["p95_ns"] = *m.summary->p95;
  }
  if (definition.items_per_call) {
    state.counters["items_per_second"] =
        benchmark::Counter(*definition.items_per_call * batch.calls(), benchmark::Counter::kIsRate);
  }
  if (definition.bytes_per_call) {
    state.counters["bytes_per_second"] =
        benchmark::Counter(*definition.bytes_per_call * batch.calls(), benchmark::Counter::kIsRate);
  }
}

void run_case(benchmark::State& state, CaseRunner& runner, const GroupCases& group, const CaseInstance& instance,
              const std::vector<CaseInstance>& all) {
  BatchOfSamples batch(state);
  const record::CaseResult result = runner.run(group, instance, all, &batch);
  if (result.status == record::CaseStatus::ok) {
    report(state, result, instance.definition, batch);
  } else {
    state.SkipWithError(result.message.text().c_str());
  }
}

// Our sampler decides when to end: Google Benchmark must not run a second, longer pass.
int run_registered(std::vector<std::string> arguments) {
  if (this_world().rank() > 0) {
    // Only rank 0 prints and writes the results of all ranks.
    std::erase_if(arguments, [](const std::string& argument) { return argument.rfind("--benchmark_out", 0) == 0; });
    if (std::freopen("/dev/null", "w", stdout) == nullptr) return exit_bad_input;
  }
  arguments.emplace_back("--benchmark_min_time=0");
  std::vector<char*> argv;
  argv.reserve(arguments.size());
  for (std::string& argument : arguments) argv.push_back(argument.data());
  int argc = static_cast<int>(argv.size());
  benchmark::Initialize(&argc, argv.data());
  if (benchmark::ReportUnrecognizedArguments(argc, argv.data())) return exit_bad_input;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace

int run_google_benchmark(const std::vector<GroupCases>& groups, Backend& backend, const SuiteOptions& options) {
  const auto wanted = case_filter(options.filter);
  if (!wanted) {
    std::fprintf(stderr, "%s\n", wanted.error().message.c_str());
    return exit_bad_input;
  }
  std::vector<std::vector<CaseInstance>> instances;
  for (const GroupCases& group : groups) {
    instances.push_back(group.instances());
    (void)group.definition(instances.back());  // also reports mistakes in claims
  }
  SelfProcess self(options.of_own_process(), options.threads);
  CaseRunner runner(backend, options.sampler(), real_clock(), {}, this_world(), &self);
  std::size_t skipped = 0;
  std::string first_reason;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const CaseInstance& instance : instances[g]) {
      if (!groups[g].is_in(options.profile, instance) || !(*wanted)(instance.definition.name)) continue;
      if (const auto why = cannot_run(groups[g], instance, backend)) {
        if (skipped++ == 0) first_reason = *why;
        continue;
      }
      const auto run = [&runner, &group = groups[g], &instance, &all = instances[g]](benchmark::State& state) {
        run_case(state, runner, group, instance, all);
      };
      benchmark::RegisterBenchmark(instance.definition.name.c_str(), run)
          ->UseManualTime()
          ->MeasureProcessCPUTime()
          ->Unit(benchmark::kMicrosecond);
    }
  }
  for (const auto& fact : backend.facts()) benchmark::AddCustomContext(fact.name, fact.value);
  if (skipped > 0)
    benchmark::AddCustomContext("torchgate_skipped",
                                base::counted(skipped, "case", "cases") + ", the first because: " + first_reason);
  const int exit_code = run_registered(options.rest);
  benchmark::ClearRegisteredBenchmarks();  // they refer to local variables
  return exit_code;
}

}  // namespace torchgate::bench
