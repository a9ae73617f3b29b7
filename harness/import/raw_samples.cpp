// SPDX-License-Identifier: Apache-2.0
#include "harness/import/raw_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "harness/base/limits.hpp"
#include "harness/base/mean.hpp"
#include "harness/import/google_benchmark_name.hpp"
#include "harness/record/sample_summary.hpp"

namespace torchgate::import {
namespace {

/// The next word of TEXT as a number; false where there is none.
template <class T>
bool take(std::string_view& text, T& value) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return text.empty() || text.front() == ' ';
}

/// Means of neighbours; one that is left over is dropped.
void halve(RawRun& run) {
  std::vector<double> pairs;
  for (std::size_t i = 1; i < run.ns.size(); i += 2) pairs.push_back((run.ns[i - 1] + run.ns[i]) / 2);
  run.ns = std::move(pairs);
  run.calls_per_sample *= 2;
}

// Work per call that differs by less is the same (ci/gate/evidence/work.cpp).
constexpr double same_work = 0.01;

// Of each repetition; empty where it is not the same in all of them.
std::vector<double> constant_work(const ImportedMetric& rate, const std::vector<double>& time_ns) {
  if (!rate.metric.judged || rate.samples.size() != time_ns.size()) return {};
  std::vector<double> work;
  for (std::size_t i = 0; i < time_ns.size(); ++i) {
    const bool per_time = rate.metric.direction == record::Direction::higher_is_better;
    work.push_back(per_time ? rate.samples[i] * time_ns[i] : rate.samples[i] / time_ns[i]);
    if (!(work.back() > 0) || !std::isfinite(work.back())) return {};
  }
  const auto [low, high] = std::minmax_element(work.begin(), work.end());
  return *high <= *low * (1 + same_work) ? work : std::vector<double>();
}

double median(const std::vector<double>& values) {
  return record::summarize_samples(values).median;
}

// A rate is of the mean of its repetition, the time will be the median of the samples NS: the more they are skewed, the more work a call would seem to
// do. So a rate of constant work becomes that of the median; one by CPU time stays beside that.
void follow_samples(ImportedCase& each, const std::vector<double>& ns) {
  if (!parse_google_benchmark_name(each.run_name).real_time && !each.cpu_ns.empty()) return;
  const double time = median(ns);
  if (!(time > 0)) return;
  for (ImportedMetric& rate : each.metrics) {
    const std::vector<double> work = constant_work(rate, each.time_ns);
    if (work.empty()) continue;
    const bool per_time = rate.metric.direction == record::Direction::higher_is_better;
    const double factor = median(work) * (per_time ? 1 / time : time) / median(rate.samples);
    for (double& value : rate.samples) value *= factor;
  }
}

}  // namespace

base::Result<std::map<std::int64_t, RawRun>> read_raw_samples(std::string_view text, const std::string& where) {
  std::map<std::int64_t, RawRun> runs;
  for (std::int64_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::int64_t id = 0;
    RawRun run;
    bool good = take(line, id) && take(line, run.calls_per_sample) && run.calls_per_sample > 0 &&
                run.calls_per_sample <= base::max_count;
    while (good && line.find_first_not_of(' ') != std::string_view::npos) {
      double ns = 0;
      good = take(line, ns) && std::isfinite(ns) && ns >= 0;
      run.ns.push_back(ns);
    }
    if (!good)
      return base::Error{
          base::ErrorCode::bad_input,
          fmt::format("{}:{}: expected the number of a run, the calls per sample, and times", where, number)};
    runs[id] = std::move(run);
  }
  return runs;
}

std::string use_raw_samples(ImportedCase& each, const std::map<std::int64_t, RawRun>& runs) {
  if (each.sample_runs.empty() || each.sample_runs.size() != each.time_ns.size()) return "";
  std::vector<RawRun> found;
  std::int64_t largest = 1;
  for (std::size_t i = 0; i < each.sample_runs.size(); ++i) {
    const auto run = runs.find(each.sample_runs[i]);
    if (run == runs.end() || run->second.ns.empty())
      return fmt::format("The raw samples of {} are incomplete; its means are used", each.name);
    const double raw = base::mean(run->second.ns);
    if (std::abs(raw - each.time_ns[i]) > most_disagreement * each.time_ns[i])
      return fmt::format(
          "The raw samples of {} have a mean of {:.4g} ns, but Google Benchmark measured {:.4g} ns: the benchmark "
          "pauses "
          "the clock or sets the time itself; its means are used",
          each.name, raw, each.time_ns[i]);
    found.push_back(run->second);
    largest = std::max(largest, run->second.calls_per_sample);
  }
  std::vector<double> all;
  for (RawRun& run : found) {
    while (run.calls_per_sample < largest && !run.ns.empty()) halve(run);
    all.insert(all.end(), run.ns.begin(), run.ns.end());
  }
  if (all.empty()) return fmt::format("{} has too few calls for raw samples; its means are used", each.name);
  follow_samples(each, all);
  each.time_ns = std::move(all);
  each.calls_per_sample = largest;
  return "";
}

}  // namespace torchgate::import
