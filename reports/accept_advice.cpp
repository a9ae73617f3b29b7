// SPDX-License-Identifier: Apache-2.0
#include "reports/accept_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "harness/record/imported.hpp"
#include "harness/record/sampling.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::reports {
namespace {

bool is_slower(const Finding& finding) {
  return finding.verdict == Verdict::regressed || finding.verdict == Verdict::suspected;
}

bool fails_over_budget(const Finding& finding) {
  return finding.over_budget && finding.action == GateAction::fail;
}

/// From 0 there is none, and a rate that fell to 0 became worse by more than any ceiling.
bool has_share(const Finding& finding) {
  if (finding.metric.kind == record::MetricKind::exact) return true;  // its ceiling is a count
  if (!finding.change || !std::isfinite(*finding.change)) return false;
  return finding.metric.direction == record::Direction::lower_is_better || *finding.change > -1;
}

template <class IsIt>
bool any_of(const Report& report, const IsIt& is_it) {
  return std::any_of(report.findings.begin(), report.findings.end(), is_it);
}

/// A reader pastes it into a shell.
bool is_commit(const std::optional<std::string>& commit) {
  return commit && record::is_full_commit(*commit);
}

/// What fails and cannot be accepted: what to change instead.
void add_steps_for_unacceptable(const Report& report, std::vector<std::string>& steps) {
  if (any_of(report, fails_over_budget))
    steps.emplace_back(
        "A case over its budget cannot be accepted with a waiver: bring it below the budget, or change `budget` in its "
        "[[case]] table.");
  if (any_of(report, [](const Finding& finding) {
        return is_slower(finding) && finding.action == GateAction::fail && !finding.over_budget && !finding.waived &&
               !has_share(finding);
      }))
    steps.emplace_back(
        "A change from 0, or of a rate to 0, is not a share that a waiver can accept: if it is intended, set what its "
        "metric does in a [[case]] table (`metrics = { METRIC = \"warn\" }`).");
}

}  // namespace

bool can_be_accepted(const Finding& finding) {
  return is_slower(finding) && !fails_over_budget(finding) && has_share(finding);
}

std::int64_t count_acceptable(const Report& report, Verdict verdict) {
  return std::count_if(report.findings.begin(), report.findings.end(), [&](const Finding& finding) {
    return finding.verdict == verdict && !finding.waived && can_be_accepted(finding);
  });
}

std::vector<std::string> steps_for_slower(const Report& report) {
  std::vector<std::string> steps;
  const bool to_accept = count_acceptable(report, Verdict::regressed) > 0;
  if (report.since &&
      any_of(report, [](const Finding& finding) { return finding.verdict == Verdict::regressed && !finding.waived; })) {
    steps.push_back(
        fmt::format("`torchgate bisect CASE --good {} --bad HEAD --build COMMAND --suites PATH{}` finds the commit.",
                    is_commit(report.since->commit) ? record::short_commit(*report.since->commit) : "COMMIT",
                    record::options_of(report.after.sampling)));
    steps.push_back(fmt::format(
        "`torchgate history CASE` shows steps of more than about 1 %; for smaller ones pin a stored commit in between "
        "(`torchgate baseline pin NAME --commit COMMIT`) and judge since that. If the slow-down is intended, pin a "
        "newer commit{}",
        to_accept ? ", raise `since` of the case, or accept it (`torchgate accept CASE --reason ...`): that waiver is "
                    "for `gate --since` this pin alone."
                  : " or raise `since` of the case."));
  } else if (!report.since && to_accept) {
    const bool files = report.after.sampling.profile == record::imported_profile;
    steps.push_back(fmt::format("If the slow-down is intended, {}{}.", how_to_accept,
                                files ? "" : "; after merging, add a new baseline with `torchgate baseline add`"));
  }
  add_steps_for_unacceptable(report, steps);
  return steps;
}

}  // namespace torchgate::reports
