// SPDX-License-Identifier: Apache-2.0
#include "reports/overview.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "reports/case_group.hpp"
#include "reports/facts/about_tests.hpp"
#include "stats/rules.hpp"

namespace torchgate::reports {
namespace {

bool needs_attention(const Finding& finding) {
  if (finding.action == GateAction::fail || finding.action == GateAction::warn) return true;
  // A count that differs because LibTorch differs is listed by the hundred: it belongs to the rest.
  return finding.verdict < Verdict::changed;
}

double size_of(const Finding& finding) {
  const auto value = [](const auto& side) { return side ? std::optional(side->value) : std::nullopt; };
  return size_in_order(finding.change, value(finding.before), value(finding.after));
}

/// Smallest first: what fails the build, the worse verdict, the larger change; an unknown change comes last.
auto urgency(const Finding* finding) {
  return std::make_tuple(finding->action, finding->verdict, -size_of(*finding));
}

auto urgency_of_claim(const ClaimFinding* claim) {
  // The enumeration starts with the state that needs no attention.
  const bool kept = claim->state == ClaimState::holds;
  return std::make_tuple(kept, claim->state, claim->action);
}

/// " (fails)", " (waived)"; of regressions that instructions show: " (counted, fails)".
std::string action_words(GateAction action, std::int64_t count, bool counted, bool waived) {
  const char* const word = action == GateAction::fail   ? (count == 1 ? "fails" : "fail")
                           : action == GateAction::warn ? (count == 1 ? "warns" : "warn")
                           : waived                     ? "waived"
                                                        : "";
  if (*word == '\0') return counted ? " (counted)" : "";
  return fmt::format(" ({}{})", counted ? "counted, " : "", word);
}

/// "2 cases not in the baseline, 1 case skipped in the baseline".
std::string new_words(const Group& group, std::int64_t cases) {
  const auto skipped = std::count_if(group.findings.begin(), group.findings.end(),
                                     [](const Finding* finding) { return finding->skipped_before; });
  const std::string of_skipped = counted(skipped, "case ", "cases ") + "skipped in the baseline";
  if (skipped == cases) return of_skipped;
  return counted(cases - skipped, "case ", "cases ") + "not in the baseline" + (skipped > 0 ? ", " + of_skipped : "");
}

std::int64_t faster_unconfirmed(const Group& group) {
  return std::count_if(group.findings.begin(), group.findings.end(),
                       [&](const Finding* finding) { return is_faster_unconfirmed(*finding); });
}

/// How many findings each case has.
using FindingsOfCases = std::map<std::string_view, std::size_t>;

/// Cases that are counted in a group with FINDINGS: those whose time, or whose only finding, is in it. The others are counted where that is.
std::int64_t cases_counted_in(const std::vector<const Finding*>& findings, const FindingsOfCases& in_report) {
  FindingsOfCases here;
  std::set<std::string_view> counted_here;
  for (const Finding* finding : findings) {
    const bool all_here = ++here[finding->case_name] == in_report.at(finding->case_name);
    if (finding->metric.primary || all_here) counted_here.insert(finding->case_name);
  }
  return static_cast<std::int64_t>(counted_here.size());
}

}  // namespace

bool is_faster_unconfirmed(const Finding& finding) {
  const facts::Fact unconfirmed = facts::test(stats::Reason::improvement_unconfirmed);
  return finding.verdict == Verdict::inconclusive && finding.metric.primary &&
         std::find(finding.reasons.begin(), finding.reasons.end(), unconfirmed) != finding.reasons.end();
}

Overview overview_of(const Report& report) {
  Overview overview;
  std::map<Verdict, std::vector<const Finding*>> rest;
  for (const Finding& finding : report.findings) {
    if (needs_attention(finding)) {
      overview.listed.push_back(&finding);
    } else if (finding.verdict == Verdict::improved) {
      overview.improved.push_back(&finding);
    } else {
      rest[finding.verdict].push_back(&finding);
    }
  }
  for (auto* const findings : {&overview.listed, &overview.improved}) {
    std::stable_sort(findings->begin(), findings->end(),
                     [](const Finding* a, const Finding* b) { return urgency(a) < urgency(b); });
  }
  for (const ClaimFinding& claim : report.claims) overview.claims.push_back(&claim);
  std::stable_sort(overview.claims.begin(), overview.claims.end(), [](const ClaimFinding* a, const ClaimFinding* b) {
    return urgency_of_claim(a) < urgency_of_claim(b);
  });
  FindingsOfCases in_report;
  for (const Finding& finding : report.findings) ++in_report[finding.case_name];
  for (auto& [verdict, findings] : rest) {
    const std::int64_t cases = cases_counted_in(findings, in_report);
    overview.rest.push_back({verdict, std::move(findings), cases});
  }
  return overview;
}

bool is_of_one_run(const Report& report) {
  return report.before.run_ids.empty() && !report.since &&
         std::none_of(report.findings.begin(), report.findings.end(), [](const Finding& one) { return one.before; });
}

std::int64_t cases_in(const std::vector<const Finding*>& findings) {
  std::set<std::string_view> names;
  for (const Finding* finding : findings) names.insert(finding->case_name);
  return static_cast<std::int64_t>(names.size());
}

bool judged_by_counts(const Report& report) {
  return stats::rule_reads(report.rule, stats::Reads::counts);
}

std::string verdict_words(Verdict verdict, const Report& report, const Format& format) {
  if (verdict == Verdict::equivalent && judged_by_counts(report)) return "same counts";
  if (verdict == Verdict::equivalent) return "within " + format.plus_minus() + format.share(report.equivalence_ratio);
  return verdict_words(verdict);
}

std::string verdict_words(const Finding& finding, const Report& report, const Format& format) {
  return verdict_words(finding.verdict, report, format) + (is_counted_regression(finding) ? " (counted)" : "");
}

std::string group_words(const Group& group, const Report& report, const Format& format) {
  const bool only_metrics = group.cases == 0;
  const auto all = static_cast<std::int64_t>(group.findings.size());
  const std::int64_t cases = only_metrics ? all : group.cases;
  const std::int64_t further = all - cases;
  std::string words;
  if (group.verdict == Verdict::new_case && is_of_one_run(report)) {
    words = counted(cases, "case measured", "cases measured");
  } else if (group.verdict == Verdict::new_case && !report.since) {
    words = new_words(group, cases);
  } else {
    words = only_metrics ? counted(cases, "metric ", "metrics ") : counted(cases, "case ", "cases ");
    words += group.verdict == Verdict::new_case  ? "not measured at the pin"
             : group.verdict == Verdict::changed ? "changed (listed only)"
             : group.verdict == Verdict::equivalent && judged_by_counts(report)
                 ? "with the same counts"
                 : verdict_words(group.verdict, report, format);
  }
  if (further > 0) words += " (with " + counted(further, "further metric", "further metrics") + ")";
  const std::int64_t faster = faster_unconfirmed(group);
  if (faster > 0) words += fmt::format(" ({} faster, not confirmed)", grouped(faster));
  return words;
}

std::string tally(const Report& report, const Format& format) {
  const Overview overview = overview_of(report);
  std::map<std::tuple<Verdict, bool, GateAction, bool>, std::int64_t>
      counts;  // by verdict, whether instructions show it, action, whether it is waived
  for (const auto* const findings : {&overview.listed, &overview.improved}) {
    for (const Finding* finding : *findings)
      ++counts[{finding->verdict, is_counted_regression(*finding), finding->action, finding->waived}];
  }
  const auto broken = std::count_if(report.claims.begin(), report.claims.end(),
                                    [](const ClaimFinding& claim) { return claim.state == ClaimState::broken; });
  // A claim has a table of its own: a finding that repeats it is not a second one.
  if (broken > 0)
    std::erase_if(counts, [](const auto& entry) { return std::get<Verdict>(entry.first) == Verdict::claim_broken; });
  for (const ClaimFinding& claim : report.claims) {
    if (claim.state == ClaimState::broken) ++counts[{Verdict::claim_broken, false, claim.action, false}];
  }
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  for (const auto& [key, count] : counts) {
    const auto [verdict, counted, action, waived] = key;
    add(grouped(count) + " " + verdict_words(verdict, report, format) + action_words(action, count, counted, waived));
  }
  for (const Group& group : overview.rest) add(group_words(group, report, format));
  return text.empty() ? "nothing was judged" : text;
}

std::string outcome_word(const Report& report) {
  return outcome_word(report.outcome, report.decided.weak());
}

std::string outcome_word(Outcome outcome, bool weak) {
  switch (outcome) {
    case Outcome::pass:
      return weak ? "PASS (weak)" : "PASS";
    case Outcome::fail:
      return "FAIL";
    case Outcome::no_verdict:
      return "NO VERDICT";
  }
  return "NO VERDICT";
}

bool is_clear_pass(const Report& report) {
  return report.outcome == Outcome::pass && !report.decided.weak();
}

std::string headline_of(const Report& report, const Format& format) {
  return report.headline.empty() ? tally(report, format) : report.headline.words();
}

}  // namespace torchgate::reports
