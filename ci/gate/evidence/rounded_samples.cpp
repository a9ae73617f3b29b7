// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/rounded_samples.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "ci/gate/evidence/copied_samples.hpp"
#include "harness/base/significant_digits.hpp"
#include "reports/facts/about_inputs.hpp"

namespace torchgate::gate {
namespace {

using Samples = std::vector<double>;

// Of measurements that differ in nothing but noise the first digits agree.
constexpr double agreeing_digits = 3;
constexpr double digits_of_noise = 12;
// 1e-9 for one case: among a million cases the probability of one false copy is 0.1 %.
constexpr double digits_of_a_copy = 9;
// Formats that round keep as many or more (Google Benchmark's CSV).
constexpr double kept_digits = 6;

Samples samples_of(const CaseProcess& one, const record::Metric& metric) {
  const record::Measurement* const found = measurement_of(*one.result, metric.name);
  if (found == nullptr || !found->summary || found->samples.size() != static_cast<std::size_t>(found->summary->n))
    return {};
  return found->samples;
}

// One step of the last of DIGITS digits of VALUE.
double last_place(double value, double digits) {
  return std::pow(10, std::floor(std::log10(value)) + 1 - digits);
}

// Of the digits that A and B have in common those that noise fills. SPREAD: of such values; MOST: digits that the clock gives. Absent: they differ.
std::optional<double> same_digits(double a, double b, double spread, double most) {
  constexpr double half = 0.51;
  if (!(a > 0) || !(b > 0)) return std::nullopt;
  auto digits = static_cast<double>(std::min(base::significant_digits(a), base::significant_digits(b)));
  if (a != b) {
    digits = std::max(digits, kept_digits);
    if (std::abs(a - b) > half * last_place(std::max(a, b), digits)) return std::nullopt;
  }
  const double of_spread = spread > 0 ? std::log10(spread / last_place(a, digits)) : 0;
  return std::max(0.0, std::min({std::min({digits, most, digits_of_noise}) - agreeing_digits, of_spread}));
}

// The same of two processes; each value counts once, as a clock of few digits repeats itself.
std::optional<double> same_digits(const Samples& before, const Samples& after, double spread, double ns_per_value) {
  double digits = 0;
  std::set<double> known;
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    const double most = ns_per_value > 0 ? std::log10(std::max(1.0, after[i] * ns_per_value)) : digits_of_noise;
    const auto same = same_digits(before[i], after[i], spread, most);
    if (!same) return std::nullopt;
    if (known.insert(after[i]).second) digits += *same;
  }
  return digits;
}

std::vector<Samples> samples_of(const CaseEvidence& side, const record::Metric& metric) {
  std::vector<Samples> all;
  all.reserve(side.measured.size());
  for (const CaseProcess& one : side.measured)
    if (Samples samples = samples_of(one, metric); !samples.empty()) all.push_back(std::move(samples));
  return all;
}

double spread_of_values(const std::vector<Samples>& all) {
  double least = all.front().front();
  double most = least;
  for (const Samples& samples : all) {
    const auto [low, high] = std::minmax_element(samples.begin(), samples.end());
    least = std::min(least, *low);
    most = std::max(most, *high);
  }
  return most - least;
}

}  // namespace

std::size_t rounded_processes(const CaseEvidence& before, const CaseEvidence& after) {
  const record::Metric* const metric = primary_metric(*after.definition);
  if (metric == nullptr) return 0;
  std::vector<Samples> known = samples_of(before, *metric);
  if (known.empty()) return 0;
  const double spread = spread_of_values(known);
  std::sort(known.begin(), known.end());
  const double chances = std::log10(static_cast<double>(known.size()) * static_cast<double>(after.measured.size()));
  std::size_t copied = 0;
  double digits = 0;
  for (const CaseProcess& one : after.measured) {
    const Samples samples = samples_of(one, *metric);
    if (samples.empty()) continue;
    const double near = std::abs(samples.front()) * std::pow(10, 1 - kept_digits);
    // A block of calls has as many digits as its whole nanoseconds; of a mean the calls are unknown.
    const bool counted = metric->unit == "ns" && !one.result->only_summary;
    const double ns_per_value = counted ? static_cast<double>(one.result->calls_per_sample) : 0;
    double best = 0;
    for (auto each = std::lower_bound(known.begin(), known.end(), Samples{samples.front() - near});
         each != known.end() && each->front() <= samples.front() + near; ++each)
      best = std::max(best, same_digits(*each, samples, spread, ns_per_value).value_or(0) - chances);
    if (best <= 0) continue;
    ++copied;
    digits += best;
  }
  return digits >= digits_of_a_copy ? copied : 0;
}

std::optional<facts::Fact> not_measured_again(const CaseEvidence& before, const CaseEvidence& after, bool are_files,
                                              std::size_t of_files) {
  const std::size_t of_case = are_files || has_seeds(after) ? copied_processes(before, after) : 0;
  if (const std::size_t copied = std::max(of_case, of_files); copied > 0)
    return facts::copied_samples(copied, after.measured.size());
  if (const std::size_t rounded = are_files ? rounded_processes(before, after) : 0; rounded > 0)
    return facts::rounded_samples(rounded, after.measured.size());
  return std::nullopt;
}

}  // namespace torchgate::gate
