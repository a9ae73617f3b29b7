// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/copied_samples.hpp"

#include <algorithm>
#include <cmath>
#include <span>
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

using Samples = std::span<const double>;

Samples samples_of(const CaseProcess& one, const record::Metric& metric) {
  const record::Measurement* const found = measurement_of(*one.result, metric.name);
  if (found == nullptr || !found->summary) return {};
  const auto counted = static_cast<std::size_t>(std::max<std::int64_t>(0, found->summary->n));
  return counted > found->samples.size() ? Samples() : Samples(found->samples).last(counted);
}

bool before_in_order(Samples a, Samples b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

// The digits of VALUE that noise fills. A clock counts nanoseconds at best: a block of CALLS calls has as many digits as its whole time.
double noisy_digits(double value, const record::Metric& metric, std::int64_t calls) {
  double known = std::min(static_cast<double>(base::significant_digits(value)), most_digits);
  if (metric.unit == "ns")
    known = std::min(known, std::log10(std::max(1.0, std::abs(value) * static_cast<double>(calls))));
  return std::max(0.0, known - common_digits);
}

bool varies(const std::vector<Samples>& all) {
  const auto first = std::find_if(all.begin(), all.end(), [](Samples samples) { return !samples.empty(); });
  return first != all.end() && std::any_of(all.begin(), all.end(), [&](Samples samples) {
           return std::any_of(samples.begin(), samples.end(), [&](double value) { return value != first->front(); });
         });
}

}  // namespace

std::size_t copied_processes(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric) {
  std::vector<Samples> known;
  known.reserve(before.measured.size());
  for (const CaseProcess& one : before.measured) known.push_back(samples_of(one, metric));
  std::sort(known.begin(), known.end(), before_in_order);
  std::size_t copied = 0;
  double digits = 0;
  for (const CaseProcess& one : after.measured) {
    const Samples samples = samples_of(one, metric);
    if (samples.empty() || !std::binary_search(known.begin(), known.end(), samples, before_in_order)) continue;
    ++copied;
    double here = -std::log10(static_cast<double>(known.size()));  // any of them may be the same
    for (const double value : samples) here += noisy_digits(value, metric, one.result->calls_per_sample);
    digits += std::max(0.0, here);
  }
  return digits >= needed_digits && varies(known) ? copied : 0;
}

}  // namespace torchgate::gate
