// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/outcome.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "ci/gate/decided.hpp"
#include "ci/gate/finding.hpp"
#include "ci/gate/why_undecided.hpp"
#include "reports/case_group.hpp"
#include "reports/facts/about_counts.hpp"
#include "reports/facts/about_outcome.hpp"
#include "reports/facts/about_settings.hpp"
#include "reports/facts/about_tests.hpp"
#include "reports/families.hpp"
#include "stats/rules.hpp"

namespace torchgate::gate {
namespace {

using reports::GateAction;
using reports::Verdict;

facts::Facts change_of(const Judged& judged, double gate_of_all) {
  if (!judged.decision.change) return {};
  const double gate = reports::worse_change(judged.own_gate.value_or(gate_of_all), judged.metric);
  return {(decided_by_count(judged) ? facts::by_counted_change : facts::by_change)({*judged.decision.change, gate})};
}

bool counts_are_judged(const reports::Report& report) {
  return stats::rule_reads(report.rule, stats::Reads::counts);
}

facts::Facts and_more(std::size_t others) {
  return others == 0 ? facts::Facts() : facts::Facts{facts::and_more(others)};
}

// The headline so far, about the worst case, and what the changed cases have in common, which a reader wants to know first.
facts::Fact with_families(facts::Fact headline, const std::optional<reports::Families>& families,
                          bool worst_is_slower) {
  if (!families) return headline;
  std::string common = reports::family_words(*families);
  return worst_is_slower ? facts::common_and_worst(std::move(common), std::move(headline))
                         : facts::with_common(std::move(headline), std::move(common));
}

facts::Facts metric_of(const Judged& judged) {
  return judged_beside_primary(judged) ? facts::Facts{facts::metric_of_worst(judged.metric.name)} : facts::Facts();
}

bool is_slower(Verdict verdict) {
  return verdict == Verdict::regressed || verdict == Verdict::suspected;
}

facts::Fact failing_headline(const std::vector<Judged>& cases, const std::vector<reports::ClaimFinding>& claims,
                             double gate_of_all) {
  std::vector<const Judged*> failing;
  for (const Judged& judged : cases) {
    if (judged.action == GateAction::fail) failing.push_back(&judged);
  }
  if (!failing.empty()) {
    const Judged& worst = *failing.front();
    if (worst.decision.verdict == Verdict::over_budget)  // its change is not why it fails
      return facts::over_budget(worst.case_name(), worst.metric.name, and_more(failing.size() - 1));
    const auto others = std::count_if(failing.begin() + 1, failing.end(), [&](const Judged* each) {
      return !decided_by_count(worst) || each->case_name() != worst.case_name();  // its time is not another one
    });
    return facts::worst_case(worst.case_name(), metric_of(worst), worst.decision.verdict, change_of(worst, gate_of_all),
                             and_more(static_cast<std::size_t>(others)));
  }
  for (const auto& claim : claims) {
    if (claim.action == GateAction::fail) return facts::claim_broken(claim.case_name, claim.text);
  }
  return facts::failed;
}

// A reader of a failure, too, has to know what was let through.
facts::Fact with_waived(facts::Fact headline, const std::vector<Judged>& cases) {
  const auto waived = std::count_if(cases.begin(), cases.end(), [](const Judged& judged) { return judged.waived; });
  return waived == 0 ? headline : facts::with_waived(std::move(headline), waived);
}

// ", 91 decided and 7 undecided; a 5 % slow-down would have been seen in 93". NAMED: of how many cases the headline is. One that is judged and not
// compared, as a suspect that is waived, is not decided.
void add_decided(const reports::Decided& decided, std::int64_t named, double gate_ratio, bool counts_only,
                 facts::Facts& more) {
  if (decided.undecided() == 0) {
    if (decided.cases > 1 && decided.cases == named) more.emplace_back(facts::all_decided());
    return;
  }
  if (counts_only) return more.push_back(facts::counts_decided(decided.decided, decided.undecided()));
  facts::Facts counted;
  if (decided.no_more_instructions > 0)
    counted.push_back(facts::with_no_more_instructions(decided.no_more_instructions));
  more.push_back(
      facts::some_decided(decided.decided, decided.undecided(), std::move(counted), gate_ratio, decided.sensitive));
}

// Faster than a stored baseline counts as undecided until pairs confirm it.
bool is_faster_unconfirmed(const Judged& judged) {
  const facts::Fact unconfirmed = facts::test(stats::Reason::improvement_unconfirmed);
  return judged.decision.verdict == Verdict::inconclusive && judged.metric.primary &&
         std::any_of(judged.reasons.begin(), judged.reasons.end(),
                     [&](const Reason& reason) { return reason.fact == unconfirmed; });
}

// Those that do not fail. Beyond its gate one passes only because of what the policy says of it: it is not small.
facts::Fact regressions_that_pass(std::size_t beyond, std::size_t below) {
  if (beyond > 0)
    return below > 0 ? facts::regressions_partly_gated(beyond, below) : facts::regressions_not_gated(beyond);
  return below == 1 ? facts::regression_below_gate() : facts::regressions_below_gate(below);
}

facts::Fact passing_headline(const std::vector<Judged>& cases, const reports::Report& report) {
  std::size_t beyond_gate = 0;
  std::size_t below_gate = 0;
  std::size_t waived = 0;
  std::size_t suspected = 0;
  std::size_t not_judged = 0;
  std::size_t unchanged = 0;
  std::size_t moved = 0;
  std::size_t of_other_machines = 0;  // of those not judged
  facts::Fact other_machine;
  const Judged* named = nullptr;
  for (const Judged& judged : cases) {
    const Verdict verdict = judged.decision.verdict;
    const bool is_not_judged = verdict == Verdict::inconclusive && !judged.decision.p;
    if (is_not_judged) ++not_judged;
    if (is_not_judged && !judged.other_machine.empty()) {
      ++of_other_machines;
      other_machine = judged.other_machine;
    }
    if (verdict == Verdict::unchanged) ++unchanged;
    if (verdict == Verdict::layout && judged.metric.primary) ++moved;
    if (judged.waived) ++waived;
    if (judged.waived) continue;
    const bool is_below = !report.informs && worse_ratio(judged) < 1 + judged.own_gate.value_or(report.gate_ratio);
    if (verdict == Verdict::regressed) ++(is_below ? below_gate : beyond_gate);
    if (verdict == Verdict::suspected) ++suspected;
    if (named == nullptr && (verdict == Verdict::regressed || verdict == Verdict::suspected)) named = &judged;
  }
  const facts::Fact what = beyond_gate + below_gate > 0 ? regressions_that_pass(beyond_gate, below_gate)
                           : suspected > 0              ? facts::no_confirmed_regression()
                                                        : facts::no_regression();
  facts::Facts more;
  const std::int64_t all = std::max(report.cases_judged, report.decided.cases);
  add_decided(report.decided, all, report.gate_ratio, counts_are_judged(report), more);
  if (named != nullptr) {
    more.push_back(facts::named_case(named->case_name(), metric_of(*named), named->decision.verdict,
                                     change_of(*named, report.gate_ratio)));
  }
  const auto faster = std::count_if(cases.begin(), cases.end(), is_faster_unconfirmed);
  if (faster > 0) more.push_back(facts::faster_unconfirmed(faster));
  if (moved > 0) more.push_back(facts::moved_without_code(moved));
  const auto counts = std::count_if(cases.begin(), cases.end(), [&](const Judged& judged) {
    return counts_are_judged(report) && judged.decision.verdict == Verdict::changed && !judged.waived;
  });
  if (counts > 0) more.push_back(facts::counts_moved(counts));
  if (unchanged > 0) more.push_back(facts::unchanged_cases(unchanged));
  if (waived > 0) more.push_back(facts::waived_cases(waived));
  if (of_other_machines > 0)
    more.push_back(facts::cases_not_judged_because(of_other_machines, std::move(other_machine)));
  if (not_judged > of_other_machines) more.push_back(facts::cases_not_judged(not_judged - of_other_machines));
  return facts::what_cases_show(what, all, std::move(more));
}

// Where only counts are judged, a case without one has no finding: it is named here.
void mention_uncounted(const std::vector<Judged>& cases, std::vector<std::string> uncounted, reports::Report& report) {
  std::set<std::string_view> judged;
  if (!uncounted.empty()) {
    for (const Judged& each : cases) judged.insert(each.case_name());
  }
  std::erase_if(uncounted, [&](const std::string& name) { return judged.contains(name); });
  if (!uncounted.empty()) report.notes.push_back(facts::no_count_known(std::move(uncounted)));
}

// The cases of which the baseline has no usable numbers: what they would have shown is not known.
facts::Fact uncompared_headline(const std::vector<Judged>& cases, const reports::Report& report) {
  const auto forbids = [](const Judged& judged) { return judged.forbids_pass; };
  const auto first = std::find_if(cases.begin(), cases.end(), forbids);
  if (first == cases.end()) return {};
  const auto others = static_cast<std::size_t>(std::count_if(cases.begin(), cases.end(), forbids)) - 1;
  facts::Facts why;
  if (!first->reasons.empty()) why.push_back(facts::because_of({first->reasons.front().fact}));
  return facts::what_was_compared_shows(first->case_name(), and_more(others), std::move(why),
                                        passing_headline(cases, report));
}

bool any_fails(const std::vector<Judged>& cases, const std::vector<reports::ClaimFinding>& claims) {
  const auto fails = [](const auto& one) { return one.action == GateAction::fail; };
  return std::any_of(cases.begin(), cases.end(), fails) || std::any_of(claims.begin(), claims.end(), fails);
}

// Each case goes when its finding is made: of ten thousand, both at once are a quarter of all memory.
void make_findings(std::vector<Judged> cases, reports::Report& report) {
  std::deque<Judged> left(std::make_move_iterator(cases.begin()), std::make_move_iterator(cases.end()));
  cases = std::vector<Judged>();
  report.findings.reserve(left.size());
  for (; !left.empty(); left.pop_front()) report.findings.push_back(finding_of(std::move(left.front())));
}

// As in the tables of the report, so that they begin with the case of the headline.
double size_of(const Judged& judged) {
  if (const auto size = reports::size_of_change(judged.decision.change)) return *size;
  const auto [before, after] = shown_values(judged);
  return reports::size_in_order(std::nullopt, before, after);
}

}  // namespace

// The places are sorted and each case is moved once: its logarithm is not asked for at each comparison.
void sort_by_urgency(std::vector<Judged>& cases) {
  struct Place {
    int severity;
    double size;
    std::size_t from;
  };
  std::vector<Place> places;
  places.reserve(cases.size());
  for (const Judged& judged : cases) {
    places.push_back({static_cast<int>(judged.action) * 100 + static_cast<int>(judged.decision.verdict),
                      size_of(judged), places.size()});
  }
  std::stable_sort(places.begin(), places.end(), [&](const Place& a, const Place& b) {
    if (a.severity != b.severity) return a.severity < b.severity;
    if (a.size != b.size) return a.size > b.size;
    return cases[a.from].case_name() < cases[b.from].case_name();
  });
  std::vector<Judged> sorted;
  sorted.reserve(cases.size());
  for (const Place& place : places) sorted.push_back(std::move(cases[place.from]));
  cases = std::move(sorted);
}

void conclude(reports::Report& report, std::vector<Judged> cases, Remarks remarks, const facts::Fact& incomplete,
              double min_decided) {
  std::move(remarks.notes.begin(), remarks.notes.end(), std::back_inserter(report.notes));
  std::move(remarks.doubts.begin(), remarks.doubts.end(), std::back_inserter(report.doubts));
  std::stable_sort(report.doubts.begin(), report.doubts.end(),
                   [](const reports::Doubt& a, const reports::Doubt& b) { return a.kind < b.kind; });
  report.identical = remarks.identical;
  mention_uncounted(cases, remarks.uncounted, report);
  sort_by_urgency(cases);
  report.cases_judged = cases_judged(cases, counts_are_judged(report));
  report.decided = count_decided(cases, remarks.uncounted, counts_are_judged(report), report.gate_ratio);
  const reports::Decided& decided = report.decided;
  if (any_fails(cases, report.claims)) {
    report.outcome = reports::Outcome::fail;
    report.headline = with_waived(failing_headline(cases, report.claims, report.gate_ratio), cases);
  } else if (report.cases_judged == 0) {
    report.outcome = reports::Outcome::no_verdict;
    if (report.headline.empty()) report.headline = why_undecided(cases);
    if (!incomplete.empty()) report.headline = facts::what_was_measured_shows(incomplete, report.headline);
    if (decided.no_more_instructions > 0)
      report.headline = facts::undecided_but_no_more(report.headline, decided.no_more_instructions);
  } else if (!incomplete.empty()) {
    report.outcome = reports::Outcome::no_verdict;
    report.headline = facts::what_was_measured_shows(incomplete, passing_headline(cases, report));
  } else if (const facts::Fact uncompared = uncompared_headline(cases, report); !uncompared.empty()) {
    report.outcome = reports::Outcome::no_verdict;
    report.headline = uncompared;
  } else if (static_cast<double>(decided.decided) < min_decided * static_cast<double>(decided.cases)) {
    report.outcome = reports::Outcome::no_verdict;
    report.too_few_decided = true;
    report.headline = facts::too_few_decided(min_decided, passing_headline(cases, report));
  } else {
    report.outcome = reports::Outcome::pass;
    report.headline = passing_headline(cases, report);
  }
  const bool slower_first = !cases.empty() && report.outcome == reports::Outcome::fail &&
                            cases.front().action == GateAction::fail && is_slower(cases.front().decision.verdict);
  make_findings(std::move(cases), report);
  report.families = reports::families_of(report.findings);
  report.headline = with_families(std::move(report.headline), report.families, slower_first);
}

}  // namespace torchgate::gate
