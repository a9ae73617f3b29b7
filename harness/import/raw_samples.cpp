// SPDX-License-Identifier: Apache-2.0
#include "harness/import/raw_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

#include "harness/base/limits.hpp"

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

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
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
    const double raw = mean(run->second.ns);
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
  each.time_ns = std::move(all);
  each.calls_per_sample = largest;
  return "";
}

}  // namespace torchgate::import
