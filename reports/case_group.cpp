// SPDX-License-Identifier: Apache-2.0
#include "reports/case_group.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace torchgate::reports {
namespace {

std::int64_t& count_of(CaseGroup& group, const Finding& finding) {
  // The report of the two sides calls it slower.
  if (finding.verdict == Verdict::suspected && finding.action == GateAction::fail) return group.slower;
  switch (finding.verdict) {
    case Verdict::regressed:
      return group.slower;
    case Verdict::improved:
      return group.faster;
    case Verdict::equivalent:
    case Verdict::unchanged:
    case Verdict::layout:
      return group.equal;
    case Verdict::inconclusive:
    case Verdict::suspected:
    case Verdict::over_budget:  // says nothing about the other side
      return group.undecided;
    case Verdict::failed:
    case Verdict::wrong:
    case Verdict::missing:
    case Verdict::not_comparable:
    case Verdict::claim_broken:
    case Verdict::changed:
    case Verdict::new_case:
    case Verdict::skipped:
      break;
  }
  return group.not_compared;
}

}  // namespace

std::optional<double> time_ratio(const Finding& finding) {
  if (!finding.change || !std::isfinite(*finding.change) || *finding.change <= -1) return std::nullopt;
  const double ratio = 1 + *finding.change;
  return finding.metric.direction == record::Direction::lower_is_better ? ratio : 1 / ratio;
}

std::optional<double> size_of_change(const std::optional<double>& change) {
  if (!change || !std::isfinite(*change)) return std::nullopt;
  return std::abs(std::log1p(std::max(*change, -1.0)));
}

double size_in_order(const std::optional<double>& change, const std::optional<double>& before,
                     const std::optional<double>& after) {
  if (const auto size = size_of_change(change)) return *size;
  return before && after && *before == 0 && *after != 0 ? std::numeric_limits<double>::infinity() : 0.0;
}

CaseGroup group_of(std::string name, const std::vector<const Finding*>& findings) {
  CaseGroup group;
  group.name = std::move(name);
  double logs = 0;
  std::int64_t with_ratio = 0;
  for (const Finding* finding : findings) {
    std::int64_t& count = count_of(group, *finding);
    ++count;
    const auto ratio = time_ratio(*finding);
    if (&count == &group.not_compared || !ratio) continue;
    logs += std::log(*ratio);
    ++with_ratio;
  }
  if (with_ratio > 0) group.mean_change = std::expm1(logs / static_cast<double>(with_ratio));
  return group;
}

}  // namespace torchgate::reports
