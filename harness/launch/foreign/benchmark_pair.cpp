// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/foreign/benchmark_pair.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/import/google_benchmark_name.hpp"
#include "harness/launch/turns/alternation.hpp"

namespace torchgate::launch {
namespace {

// A call, or a few of them where they are short; three times, as one may be disturbed.
constexpr BenchmarkTimes probe_times{0.001, 0.0, 3};

// One of four repetitions is stopped: those of 5 ms, or of a long call.
constexpr std::chrono::milliseconds shortest_turn{20};
constexpr double repetitions_of_a_turn = 4;

/// Whether threads beside the main one work, at any look at it: at the start of a program only one may.
class ThreadWatch {
 public:
  void look(pid_t pid) {
    const auto now = thread_times(pid);
    if (!now) return;
    if (last_) others_ = others_ || other_threads_worked(*last_, *now);
    seen_ = seen_ || last_.has_value();
    last_ = now;
  }
  [[nodiscard]] bool one_thread() const { return seen_ && !others_; }

 private:
  std::optional<ThreadTimes> last_;
  bool seen_ = false;
  bool others_ = false;
};

std::optional<double> shortest_s(const record::CaseResult& result, std::string_view metric) {
  for (const record::Measurement& each : result.measurements)
    if (each.metric == metric && each.summary) return each.summary->min / 1e9;
  return std::nullopt;
}

/// Of one benchmark, by what the probe measured of it. Absent: no time.
std::optional<BenchmarkProbe> probe_of(const record::CaseResult& result, const import::GoogleBenchmarkName& name) {
  const std::optional<double> real_s = shortest_s(result, "time");
  if (!real_s) return std::nullopt;
  const double cpu_s = shortest_s(result, "cpu_time").value_or(*real_s);
  BenchmarkProbe probe;
  probe.one_thread = true;  // its process knows better
  // What it measures itself may be a part of its work.
  probe.longest_call_s = name.manual_time ? std::max(*real_s, cpu_s) : *real_s;
  probe.longest_repetition_s = probe.longest_call_s * static_cast<double>(result.calls_per_sample);
  const double measured_s = name.real_time ? *real_s : cpu_s;
  probe.wall_ratio = measured_s > 0 ? std::max(1.0, probe.longest_call_s / measured_s) : HUGE_VAL;
  return probe;
}

}  // namespace

BenchmarkProbe joined(const BenchmarkProbe& one, const BenchmarkProbe& other) {
  return {std::max(one.longest_call_s, other.longest_call_s),
          std::max(one.longest_repetition_s, other.longest_repetition_s), std::max(one.wall_ratio, other.wall_ratio),
          one.one_thread && other.one_thread};
}

double longest_repetition_s(const BenchmarkProbe& probe, const BenchmarkTimes& times) {
  return std::max({probe.longest_call_s, probe.longest_repetition_s, times.min_time_s * probe.wall_ratio});
}

std::optional<BenchmarkProbe> probe_benchmarks(const process::Command& command, BenchmarkJob job,
                                               const std::filesystem::path& scratch) {
  job.times = probe_times;
  job.in_turns = false;
  machine::ObjectsOfProcess objects;
  process::Command with_job = benchmark_command(command, job, scratch);
  ThreadWatch watch;
  with_job.look = [&](pid_t pid) { watch.look(pid); };
  const SuiteAnswer answer = ask_suite(with_job, benchmark_report(scratch), benchmark_reader(job, objects, scratch));
  if (!answer.report) return std::nullopt;
  BenchmarkProbe probe;
  probe.one_thread = watch.one_thread();
  for (const record::CaseResult& result : answer.report->results) {
    const auto known = job.program->run_names.find(result.name);
    if (known == job.program->run_names.end()) continue;
    if (const auto one = probe_of(result, import::parse_google_benchmark_name(known->second)))
      probe = joined(probe, *one);
  }
  return probe;
}

std::array<SuiteAnswer, 2> run_benchmark_pair(std::array<BenchmarkSide, 2> sides, const BenchmarkProbe& probe,
                                              std::uint64_t seed) {
  std::array<machine::ObjectsOfProcess, 2> objects;
  std::vector<process::Command> commands;
  std::vector<ReportFile> files;
  std::vector<AnswerReader> readers;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    BenchmarkSide& side = sides[i];
    side.command = benchmark_command(std::move(side.command), side.job, side.scratch);
    side.command.look = [&seen = objects[i]](pid_t pid) { seen.look(pid); };
    commands.push_back(side.command);
    commands.back().time_limit.reset();
    files.emplace_back(benchmark_report(side.scratch));
    readers.push_back(benchmark_reader(side.job, objects[i], side.scratch));
  }
  std::optional<SharedCpu> cpu;
  if (probe.one_thread) cpu.emplace(allowed_cpus(), seed);
  const std::chrono::duration<double> repetitions(repetitions_of_a_turn *
                                                  longest_repetition_s(probe, sides[0].job.times));
  const auto turn = std::max<std::chrono::nanoseconds>(
      shortest_turn, std::chrono::duration_cast<std::chrono::nanoseconds>(repetitions));
  Alternation alternation(std::move(cpu), turn, {sides[0].command.time_limit, sides[1].command.time_limit});
  auto outcomes = process::run_together(commands, std::chrono::milliseconds(0), &alternation);
  std::array<SuiteAnswer, 2> answers;
  std::array<bool, 2> abandoned{};
  for (std::size_t i = 0; i < answers.size(); ++i) {
    outcomes[i].wall = std::max(alternation.worked(i), outcomes[i].wall - alternation.worked(1 - i));
    abandoned[i] = outcomes[i].ending == process::Ending::abandoned;
    answers[i] = answer_of(sides[i].command, std::move(outcomes[i]), files[i], readers[i]);
    tell_full_disk(benchmark_report(sides[i].scratch), answers[i]);
  }
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (abandoned[i] && !abandoned[1 - i] && !answers[1 - i].interrupted)
      lose_by_other(answers[i], sides[1 - i].label, answers[1 - i]);
  return answers;
}

}  // namespace torchgate::launch
