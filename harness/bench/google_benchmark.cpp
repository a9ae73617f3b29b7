// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/google_benchmark.hpp"

#include <benchmark/benchmark.h>

#include <numeric>

#include "harness/bench/case_runner.hpp"

namespace torchgate::bench {
namespace {

struct Registered {
  const Group* group;
  Group::Instance instance;
  const std::vector<Group::Instance>* all;
};

void report(benchmark::State& state, const record::CaseResult& result, const record::Case& definition) {
  for (const record::Measurement& m : result.measurements) {
    if (m.value) state.counters[m.metric] = *m.value;
  }
  for (const record::Measurement& m : result.measurements) {
    if (m.metric != "time" || !m.summary) continue;
    const auto calls = static_cast<benchmark::IterationCount>(m.summary->n * result.calls_per_sample);
    // One pass over all samples counts as that many iterations; its manual time is what they took.
    while (state.KeepRunningBatch(calls)) {
      constexpr double ns_per_s = 1e9;
      state.SetIterationTime(m.summary->mean * static_cast<double>(calls) / ns_per_s);
    }
    state.counters["median_ns"] = m.summary->median;
    state.counters["samples"] = static_cast<double>(m.summary->n);
    state.counters["calls_per_sample"] = static_cast<double>(result.calls_per_sample);
    if (m.summary->p95) state.counters["p95_ns"] = *m.summary->p95;
    if (definition.items_per_call)
      state.SetItemsProcessed(static_cast<std::int64_t>(*definition.items_per_call * static_cast<double>(calls)));
  }
}

}  // namespace

int run_google_benchmark(const std::vector<Group>& groups, Backend& backend, const SuiteOptions& options) {
  static std::vector<std::vector<Group::Instance>> instances;  // benchmarks keep pointers until the program ends
  instances.clear();
  for (const Group& group : groups) instances.push_back(group.instances());

  CaseRunner runner(backend, options.sampler(), real_clock());
  std::size_t skipped = 0;
  std::string first_reason;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const Group::Instance& instance : instances[g]) {
      if (const auto why = cannot_run(groups[g], instance, backend)) {
        if (skipped++ == 0) first_reason = *why;
        continue;
      }
      const Registered entry{&groups[g], instance, &instances[g]};
      benchmark::RegisterBenchmark(instance.definition.name.c_str(),
                                   [entry, &runner](benchmark::State& state) {
                                     const record::CaseResult result =
                                         runner.run(*entry.group, entry.instance, *entry.all);
                                     if (result.status != record::CaseStatus::ok) {
                                       state.SkipWithError(result.message.c_str());
                                       return;
                                     }
                                     report(state, result, entry.instance.definition);
                                   })
          ->UseManualTime()
          ->Unit(benchmark::kMicrosecond);
    }
  }
  for (const auto& fact : backend.facts()) benchmark::AddCustomContext(fact.name, fact.value);
  if (skipped > 0)
    benchmark::AddCustomContext("torchgate_skipped", std::to_string(skipped) + " cases, the first: " + first_reason);

  // Our sampling ends by itself: Google Benchmark must not ask for a second, longer pass.
  std::vector<std::string> arguments = options.rest;
  arguments.emplace_back("--benchmark_min_time=0");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  int argc = static_cast<int>(argv.size());
  benchmark::Initialize(&argc, argv.data());
  if (benchmark::ReportUnrecognizedArguments(argc, argv.data())) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace torchgate::bench
