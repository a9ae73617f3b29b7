// SPDX-License-Identifier: Apache-2.0
#include "harness/record/sample_summary.hpp"

#include <stdexcept>

#include "stats/summary.hpp"
#include "stats/turns.hpp"

namespace torchgate::record {
namespace {

// Below these the type-7 quantile lies between the two largest samples.
constexpr std::size_t least_for_p95 = 21;
constexpr std::size_t least_for_p99 = 101;

}  // namespace

record::SampleSummary summarize_samples(std::span<const double> samples) {
  const auto s = stats::summarize(samples);
  if (!s) throw std::runtime_error("no samples, or a sample that is not a finite number");
  record::SampleSummary summary;
  summary.n = static_cast<std::int64_t>(s->n);
  summary.mean = s->mean;
  summary.sd = s->sd;
  summary.min = s->min;
  summary.p25 = s->p25;
  summary.median = s->median;
  summary.p75 = s->p75;
  if (s->n >= least_for_p95) summary.p95 = s->p95;
  if (s->n >= least_for_p99) summary.p99 = s->p99;
  summary.max = s->max;
  summary.lag1 = s->lag1;
  return summary;
}

std::optional<TurnTimes> turns_of_one_sample(std::span<const double> means) {
  const auto floor = stats::floor_of(means);
  if (!floor || !stats::turn_mean(means)) return std::nullopt;
  TurnTimes turns;
  turns.floor = *floor;
  turns.means.assign(means.begin(), means.end());
  turns.counts.assign(means.size(), 1);
  return turns;
}

}  // namespace torchgate::record
