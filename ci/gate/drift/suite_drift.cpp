// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/drift/suite_drift.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "ci/gate/pairs/pair_plan.hpp"
#include "harness/base/fnv1a.hpp"
#include "stats/hodges_lehmann.hpp"
#include "stats/quantile.hpp"

namespace torchgate::gate {
namespace {

constexpr std::size_t probe_count = 5;
constexpr std::size_t fewest_probes = 3;  // two cannot outvote a third
constexpr double moved_with_the_suite = 0.5;

// The same on every machine; the names of cases alone, without the run's id, do not decide the draw.
std::uint64_t draw(const std::string& run_id, const std::string& name) {
  return base::fnv1a(name, base::fnv1a(run_id));
}

std::vector<std::string> draw_probes(const std::vector<CaseSeries>& cases, const std::string& run_id) {
  std::vector<std::string> names;
  names.reserve(cases.size());
  for (const CaseSeries& one : cases) names.push_back(one.name);
  std::sort(names.begin(), names.end(),
            [&](const auto& a, const auto& b) { return draw(run_id, a) < draw(run_id, b); });
  names.resize(std::min(names.size(), probe_count));
  return names;
}

}  // namespace

std::optional<SuiteDrift> suite_drift(const std::vector<CaseSeries>& cases, const std::string& run_id) {
  std::vector<stats::RunSeries> series;
  series.reserve(cases.size());
  for (const CaseSeries& one : cases) series.push_back(one.values);
  if (series.size() < suite_from_cases) return std::nullopt;
  auto shifts = stats::drift_of_controls(series);
  if (!shifts) return std::nullopt;
  SuiteDrift found;
  if (std::abs(shifts->back()) > std::log1p(suite_shift_worth_a_probe)) found.probes = draw_probes(cases, run_id);
  found.shifts = std::move(*shifts);
  return found;
}

std::optional<double> probed_shift(const std::vector<std::string>& probes, const record::Run& pairs) {
  const SideEvidence before(pairs, 0);
  const SideEvidence after(pairs, 1);
  std::vector<double> effects;
  for (const std::string& name : probes) {
    const CaseEvidence* was = before.find(name);
    const CaseEvidence* is = after.find(name);
    if (was == nullptr || is == nullptr) continue;
    const record::Metric* metric = primary_metric(*is->definition);
    if (metric == nullptr) continue;
    const PairValues values = pair_values(*was, *is, *metric);
    if (const auto effect = stats::hodges_lehmann(values.differences)) effects.push_back(*effect);
  }
  if (effects.size() < fewest_probes) return std::nullopt;
  return stats::median(effects);
}

bool shift_is_real(double shift, double probed) {
  return probed / shift >= moved_with_the_suite;
}

}  // namespace torchgate::gate
