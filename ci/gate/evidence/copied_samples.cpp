// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/copied_samples.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/base/significant_digits.hpp"

namespace torchgate::gate {
namespace {

// Of measurements that differ in nothing but noise the first digits agree: noise is at least some thousandths.
constexpr double common_digits = 3;
// A double has 16; what is behind these is rounding of the tool's own arithmetic.
constexpr double most_digits = 12;
// 1e-9 for one case: among a million cases the probability of one false copy is 0.1 %.
constexpr double needed_digits = 9;
// Of a summary: median, mean, least and largest sample. The quartiles between them repeat more easily.
constexpr std::size_t measured_of_summary = 4;

enum class Compared : std::uint8_t { samples, summaries };

// Of one process. A process that is copied has the same seed.
struct Numbers {
  std::vector<double> values;
  std::uint64_t seed = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang 14 reports the implicit 0 of a defaulted comparison
  auto operator<=>(const Numbers&) const = default;
};

std::vector<double> samples_of(const record::Measurement& measured) {
  const auto counted = std::max<std::int64_t>(0, measured.summary->n);
  if (static_cast<std::size_t>(counted) > measured.samples.size()) return {};
  return {measured.samples.end() - counted, measured.samples.end()};
}

std::vector<double> values_of(const record::SampleSummary& summary) {
  constexpr double none = -2;  // no standard deviation, percentile of a time or correlation
  return {summary.median,
          summary.mean,
          summary.min,
          summary.max,
          summary.p25,
          summary.p75,
          summary.sd.value_or(none),
          summary.p95.value_or(none),
          summary.p99.value_or(none),
          summary.lag1.value_or(none),
          static_cast<double>(summary.n)};
}

Numbers numbers_of(const CaseProcess& one, const record::Metric& metric, Compared what) {
  const record::Measurement* const found = measurement_of(*one.result, metric.name);
  if (found == nullptr || !found->summary) return {};
  return {what == Compared::samples ? samples_of(*found) : values_of(*found->summary), one.process->seed};
}

bool lacks_samples(const CaseEvidence& side, const record::Metric& metric) {
  return std::any_of(side.measured.begin(), side.measured.end(),
                     [&](const CaseProcess& one) { return numbers_of(one, metric, Compared::samples).values.empty(); });
}

double digits_of(double value) {
  return std::min(static_cast<double>(base::significant_digits(value)), most_digits);
}

// What a clock counted for VALUE, in ns. Of a mean or median of unknown calls the least number of them that makes it whole nanoseconds; absent:
// more than a thousand.
std::optional<double> counted_ns(double value, const record::CaseResult& result) {
  constexpr int most_calls = 1000;
  constexpr double rounding = 1e-12;
  const double ns = std::abs(value);
  if (!result.only_summary) return ns * static_cast<double>(result.calls_per_sample);
  for (int calls = 1; calls <= most_calls; ++calls) {
    const double whole = ns * calls;
    if (std::abs(whole - std::round(whole)) <= rounding * whole) return whole;
  }
  return std::nullopt;
}

// The digits of VALUE that noise fills. A clock counts nanoseconds at best, some milliseconds: a block of calls has as many digits as its whole
// time.
double noisy_digits(double value, const record::Metric& metric, const record::CaseResult& result) {
  double known = digits_of(value);
  if (metric.unit == "ns") {
    if (const auto whole = counted_ns(value, result))
      known = std::min({known, digits_of(*whole), std::log10(std::max(1.0, *whole))});
  }
  return std::max(0.0, known - common_digits);
}

// What noise filled when they were measured: of a summary, in which one sample may stand several times, each value once.
std::vector<double> measured_values(const Numbers& numbers, Compared what) {
  std::vector<double> values = numbers.values;
  if (what == Compared::samples) return values;
  values.resize(std::min(values.size(), measured_of_summary));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// Of a process that has the numbers of one of KNOWN others.
double noisy_digits(const Numbers& numbers, Compared what, const record::Metric& metric,
                    const record::CaseResult& result, std::size_t known) {
  double digits = -std::log10(static_cast<double>(known));
  for (const double value : measured_values(numbers, what)) digits += noisy_digits(value, metric, result);
  return std::max(0.0, digits);
}

bool varies(const std::vector<Numbers>& all, Compared what) {
  std::vector<double> values;
  for (const Numbers& numbers : all)
    for (const double value : measured_values(numbers, what)) values.push_back(value);
  return std::any_of(values.begin(), values.end(), [&](double value) { return value != values.front(); });
}

// An entry of a list of results that a tool appends to: with its time and its numbers it is the same entry, however few digits they have.
std::size_t same_entries(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric,
                         Compared what) {
  std::set<std::pair<std::string_view, std::vector<double>>> known;
  const auto entry_of = [&](const CaseProcess& one) {
    return std::pair(std::string_view(one.result->measured_at.text()), numbers_of(one, metric, what).values);
  };
  for (const CaseProcess& one : before.measured) known.insert(entry_of(one));
  return static_cast<std::size_t>(
      std::count_if(after.measured.begin(), after.measured.end(), [&](const CaseProcess& one) {
        if (one.result->measured_at.empty()) return false;
        const auto entry = entry_of(one);
        return !entry.second.empty() && known.contains(entry);
      }));
}

// What a process has of one case, and the metric that it is of.
struct OfCase {
  std::string_view name;
  const CaseProcess* measured = nullptr;
  const record::Metric* metric = nullptr;
};

// In the order of the names.
using CasesOfProcesses = std::map<const record::Process*, std::vector<OfCase>>;

CasesOfProcesses cases_of_processes(const SideEvidence& side) {
  CasesOfProcesses all;
  for (const auto& [name, evidence] : side.cases()) {
    const record::Metric* const metric = primary_metric(*evidence.definition);
    if (metric == nullptr) continue;
    for (const CaseProcess& one : evidence.measured) all[one.process].push_back({name, &one, metric});
  }
  return all;
}

bool side_lacks_samples(const SideEvidence& side) {
  return std::any_of(side.cases().begin(), side.cases().end(), [](const auto& each) {
    const record::Metric* const metric = primary_metric(*each.second.definition);
    return metric != nullptr && lacks_samples(each.second, *metric);
  });
}

// What tells one process from another: the names and numbers of its cases.
using Content = std::vector<std::pair<std::string_view, Numbers>>;

Content content_of(const std::vector<OfCase>& cases, Compared what) {
  Content content;
  content.reserve(cases.size());
  for (const OfCase& each : cases) content.emplace_back(each.name, numbers_of(*each.measured, *each.metric, what));
  return content;
}

std::uint64_t content_key(const Content& content) {
  constexpr std::uint64_t odd = 1099511628211U;
  std::uint64_t key = content.size();
  for (const auto& [name, numbers] : content) {
    key = key * odd + std::hash<std::string_view>()(name);
    key = key * odd + (numbers.values.empty() ? 0 : std::bit_cast<std::uint64_t>(numbers.values.front()));
  }
  return key;
}

// Some of many processes are equal by chance: in how many ways they can be chosen, as digits.
double digits_of_choice(std::size_t of, std::size_t chosen) {
  const auto log_factorial = [](std::size_t n) { return std::lgamma(static_cast<double>(n) + 1); };
  return (log_factorial(of) - log_factorial(chosen) - log_factorial(of - chosen)) / std::log(10.0);
}

// Only of these cases digits say that something was measured.
std::set<std::string_view> varying_cases(const SideEvidence& side, Compared what) {
  std::set<std::string_view> names;
  for (const auto& [name, evidence] : side.cases()) {
    const record::Metric* const metric = primary_metric(*evidence.definition);
    if (metric == nullptr) continue;
    std::vector<Numbers> all;
    all.reserve(evidence.measured.size());
    for (const CaseProcess& one : evidence.measured) all.push_back(numbers_of(one, *metric, what));
    if (varies(all, what)) names.insert(name);
  }
  return names;
}

}  // namespace

CopiedProcesses::CopiedProcesses(const SideEvidence& before, const SideEvidence& after) {
  const Compared what =
      side_lacks_samples(before) || side_lacks_samples(after) ? Compared::summaries : Compared::samples;
  const CasesOfProcesses stored = cases_of_processes(before);
  std::unordered_multimap<std::uint64_t, const std::vector<OfCase>*> known;
  for (const auto& [process, cases] : stored) known.emplace(content_key(content_of(cases, what)), &cases);
  const std::set<std::string_view> varying = varying_cases(before, what);
  double digits = 0;
  const CasesOfProcesses current = cases_of_processes(after);
  for (const auto& [process, cases] : current) {
    const Content content = content_of(cases, what);
    const auto [first, last] = known.equal_range(content_key(content));
    if (std::none_of(first, last, [&](const auto& each) { return content_of(*each.second, what) == content; }))
      continue;
    double of_process = -std::log10(static_cast<double>(stored.size()));
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (content[i].second.values.empty() || !varying.contains(cases[i].name)) continue;
      of_process += noisy_digits(content[i].second, what, *cases[i].metric, *cases[i].measured->result, 1);
    }
    if (of_process <= 0) continue;
    digits += of_process;
    copies_.insert(process);
  }
  if (digits - digits_of_choice(current.size(), copies_.size()) < needed_digits) copies_.clear();
}

std::size_t CopiedProcesses::among(const CaseEvidence& after) const {
  if (copies_.empty()) return 0;
  return static_cast<std::size_t>(std::count_if(after.measured.begin(), after.measured.end(),
                                                [&](const CaseProcess& one) { return copies_.contains(one.process); }));
}

bool has_seeds(const CaseEvidence& side) {
  return std::all_of(side.measured.begin(), side.measured.end(),
                     [](const CaseProcess& one) { return one.process->seed != 0; });
}

std::size_t copied_processes(const CaseEvidence& before, const CaseEvidence& after) {
  const record::Metric* const metric = primary_metric(*after.definition);
  if (metric == nullptr) return 0;
  const Compared what =
      lacks_samples(before, *metric) || lacks_samples(after, *metric) ? Compared::summaries : Compared::samples;
  if (const std::size_t same = same_entries(before, after, *metric, what); same > 0) return same;
  std::vector<Numbers> known;
  known.reserve(before.measured.size());
  for (const CaseProcess& one : before.measured) known.push_back(numbers_of(one, *metric, what));
  std::sort(known.begin(), known.end());
  std::size_t copied = 0;
  double digits = 0;
  for (const CaseProcess& one : after.measured) {
    const Numbers numbers = numbers_of(one, *metric, what);
    if (numbers.values.empty() || !std::binary_search(known.begin(), known.end(), numbers)) continue;
    ++copied;
    digits += noisy_digits(numbers, what, *metric, *one.result, known.size());
  }
  return digits >= needed_digits && varies(known, what) ? copied : 0;
}

bool has_repeated_process(const CaseEvidence& side) {
  const record::Metric* const metric = primary_metric(*side.definition);
  if (metric == nullptr || !has_seeds(side)) return false;
  const Compared what = lacks_samples(side, *metric) ? Compared::summaries : Compared::samples;
  std::vector<Numbers> known;
  double digits = 0;
  for (const CaseProcess& one : side.measured) {
    Numbers numbers = numbers_of(one, *metric, what);
    numbers.seed = 0;
    const auto place = std::lower_bound(known.begin(), known.end(), numbers);
    if (!numbers.values.empty() && place != known.end() && *place == numbers) {
      digits += noisy_digits(numbers, what, *metric, *one.result, known.size());
      continue;
    }
    known.insert(place, std::move(numbers));
  }
  return digits >= needed_digits && varies(known, what);
}

}  // namespace torchgate::gate
