// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/copied_samples.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
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

// The digits of VALUE that noise fills. A clock counts nanoseconds at best, some milliseconds: a block of CALLS calls has as many digits as its
// whole time.
double noisy_digits(double value, const record::Metric& metric, std::int64_t calls) {
  double known = digits_of(value);
  if (metric.unit == "ns") {
    const double whole = std::abs(value) * static_cast<double>(calls);
    known = std::min({known, digits_of(whole), std::log10(std::max(1.0, whole))});
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
double noisy_digits(const Numbers& numbers, Compared what, const record::Metric& metric, std::int64_t calls,
                    std::size_t known) {
  double digits = -std::log10(static_cast<double>(known));
  for (const double value : measured_values(numbers, what)) digits += noisy_digits(value, metric, calls);
  return std::max(0.0, digits);
}

bool varies(const std::vector<Numbers>& all, Compared what) {
  std::vector<double> values;
  for (const Numbers& numbers : all)
    for (const double value : measured_values(numbers, what)) values.push_back(value);
  return std::any_of(values.begin(), values.end(), [&](double value) { return value != values.front(); });
}

}  // namespace

bool has_seeds(const CaseEvidence& side) {
  return std::all_of(side.measured.begin(), side.measured.end(),
                     [](const CaseProcess& one) { return one.process->seed != 0; });
}

std::size_t copied_processes(const CaseEvidence& before, const CaseEvidence& after) {
  const record::Metric* const metric = primary_metric(*after.definition);
  if (metric == nullptr) return 0;
  const Compared what =
      lacks_samples(before, *metric) || lacks_samples(after, *metric) ? Compared::summaries : Compared::samples;
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
    digits += noisy_digits(numbers, what, *metric, one.result->calls_per_sample, known.size());
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
      digits += noisy_digits(numbers, what, *metric, one.result->calls_per_sample, known.size());
      continue;
    }
    known.insert(place, std::move(numbers));
  }
  return digits >= needed_digits && varies(known, what);
}

}  // namespace torchgate::gate
