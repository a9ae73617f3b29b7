// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/much_faster.hpp"

#include <cmath>
#include <cstdint>
#include <string>

#include "ci/gate/evidence/numbers.hpp"
#include "harness/record/imported.hpp"
#include "reports/facts/about_inputs.hpp"

namespace torchgate::gate {
namespace {

// Between two units there is at least as much.
constexpr double usual_factor = 1000;

bool is_much_better(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric) {
  if (metric.kind != record::MetricKind::timed || !(metric.primary || metric.judged)) return false;
  const auto change = change_between(process_values(before, metric), process_values(after, metric), metric);
  return change && record::orientation(metric) * std::log1p(*change) < -std::log(usual_factor);
}

}  // namespace

facts::Fact much_faster(const SideEvidence& before, const SideEvidence& after) {
  if (!record::is_imported(before.run()) || !record::is_imported(after.run())) return {};
  std::int64_t cases = 0;
  std::string first;
  std::string of_first;
  for (const auto& [name, evidence] : after.cases()) {
    const CaseEvidence* const stored = before.find(name);
    if (stored == nullptr) continue;
    for (const record::Metric& metric : evidence.definition->metrics) {
      if (!is_much_better(*stored, evidence, metric)) continue;
      if (cases++ == 0) {
        first = name;
        of_first = metric.name;
      }
      break;
    }
  }
  return cases == 0 ? facts::Fact() : facts::much_faster(cases, first, of_first);
}

}  // namespace torchgate::gate
