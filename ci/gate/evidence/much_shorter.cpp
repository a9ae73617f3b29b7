// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/much_shorter.hpp"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/record/imported.hpp"
#include "reports/facts/about_inputs.hpp"

namespace torchgate::gate {
namespace {

// Tools choose their number of calls by what a call takes; they do not choose a tenth.
constexpr double much_shorter = 0.1;

// Of a process, on average. Unknown where a file has only the median of its samples: how many there were, it need not say.
struct Effort {
  double calls = 0;
  double ns = 0;
};

std::optional<Effort> effort_of(const CaseEvidence& evidence) {
  const record::Metric* const metric = primary_metric(*evidence.definition);
  if (metric == nullptr || metric->unit != "ns" || evidence.measured.empty()) return std::nullopt;
  Effort sum;
  for (const CaseProcess& one : evidence.measured) {
    const record::Measurement* const found = measurement_of(*one.result, metric->name);
    if (found == nullptr || !found->summary || one.result->only_summary) return std::nullopt;
    const double calls = static_cast<double>(one.result->calls_per_sample) * static_cast<double>(found->summary->n);
    sum.calls += calls;
    sum.ns += calls * found->summary->mean;
  }
  const auto processes = static_cast<double>(evidence.measured.size());
  return Effort{sum.calls / processes, sum.ns / processes};
}

}  // namespace

facts::Fact measured_much_shorter(const SideEvidence& before, const SideEvidence& after) {
  if (!record::is_imported(before.run()) || !record::is_imported(after.run())) return {};
  std::int64_t cases = 0;
  std::string first;
  Effort of_first_before;
  Effort of_first_after;
  for (const auto& [name, evidence] : after.cases()) {
    const CaseEvidence* const stored = before.find(name);
    if (stored == nullptr) continue;
    const auto was = effort_of(*stored);
    const auto is = effort_of(evidence);
    if (!was || !is || !(is->calls < was->calls * much_shorter) || !(is->ns < was->ns * much_shorter)) continue;
    if (cases++ > 0) continue;
    first = name;
    of_first_before = *was;
    of_first_after = *is;
  }
  if (cases == 0) return {};
  const auto whole = [](double number) { return static_cast<std::int64_t>(std::llround(number)); };
  return facts::measured_much_shorter(cases, first, whole(of_first_after.calls), whole(of_first_before.calls));
}

}  // namespace torchgate::gate
