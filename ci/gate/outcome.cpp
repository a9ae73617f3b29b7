// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "ci/gate/own_settings.hpp"
#include "ci/gate/why_undecided.hpp"
#include "stats/rules.hpp"

namespace torchgate::gate {
namespace {

using reports::Finding;
using reports::GateEffect;
using reports::Verdict;

bool judged(const Finding& finding, bool counts_only) {
  switch (finding.verdict) {
    case Verdict::changed:
      return counts_only;
    case Verdict::inconclusive:
      return finding.p.has_value();  // without a p nothing was weighed: one process a side, no history, no pairs
    case Verdict::regressed:
    case Verdict::suspected:
    case Verdict::improved:
    case Verdict::equivalent:
      return true;
    default:
      return false;
  }
}

// A case is judged once, however many of its metrics are.
std::int64_t cases_judged(const reports::Report& report) {
  const bool counts_only = stats::rule_reads(report.rule, stats::Reads::counts);
  std::vector<std::string_view> names;
  for (const Finding& finding : report.findings) {
    if (judged(finding, counts_only)) names.push_back(finding.case_name);
  }
  std::sort(names.begin(), names.end());
  return std::unique(names.begin(), names.end()) - names.begin();
}

std::string change_text(const Finding& finding) {
  if (!finding.change) return "";
  return fmt::format(" ({:+.1f} %)", *finding.change * 100);
}

std::string and_more(std::size_t others) {
  return others == 0 ? "" : fmt::format(" and {} more", others);
}

std::string failing_headline(const reports::Report& report) {
  std::vector<const Finding*> failing;
  for (const Finding& finding : report.findings) {
    if (finding.effect == GateEffect::fail) failing.push_back(&finding);
  }
  if (!failing.empty()) {
    const Finding& worst = *failing.front();
    return fmt::format("{}: {}{}{}", worst.case_name, reports::to_string(worst.verdict), change_text(worst),
                       and_more(failing.size() - 1));
  }
  for (const auto& claim : report.claims) {
    if (claim.effect == GateEffect::fail) return fmt::format("{}: claim broken: {}", claim.case_name, claim.text);
  }
  return "failed";
}

std::string passing_headline(const reports::Report& report) {
  std::size_t regressed = 0;
  std::size_t waived = 0;
  std::size_t suspected = 0;
  std::size_t inconclusive = 0;
  std::size_t not_judged = 0;
  const Finding* named = nullptr;
  for (const Finding& finding : report.findings) {
    if (finding.verdict == Verdict::inconclusive) ++(finding.p ? inconclusive : not_judged);
    if (finding.waived) ++waived;
    if (finding.waived) continue;
    if (finding.verdict == Verdict::regressed) ++regressed;
    if (finding.verdict == Verdict::suspected) ++suspected;
    if (named == nullptr && (finding.verdict == Verdict::regressed || finding.verdict == Verdict::suspected))
      named = &finding;
  }
  std::string text = regressed > 0
                         ? fmt::format("{} below the gate",
                                       regressed == 1 ? "one regression" : fmt::format("{} regressions", regressed))
                     : suspected > 0 ? "no confirmed regression"
                                     : "no regression";
  text += fmt::format(" in {} {}", report.cases_judged, report.cases_judged == 1 ? "case" : "cases");
  if (named != nullptr)
    text += fmt::format("; {}: {}{}", named->case_name, reports::to_string(named->verdict), change_text(*named));
  if (waived > 0) text += fmt::format("; {} waived", waived);
  if (inconclusive > 0) text += fmt::format("; {} inconclusive", inconclusive);
  if (not_judged > 0) text += fmt::format("; {} not judged", not_judged);
  return text;
}

// Worst first, then the larger change, then by name. The places are sorted and each finding is moved once: a finding is
// large, and its logarithm is not asked for at each comparison.
void sort_by_urgency(std::vector<Finding>& findings) {
  struct Place {
    int severity;
    double size;
    std::size_t from;
  };
  std::vector<Place> places;
  places.reserve(findings.size());
  for (const Finding& f : findings) {
    const double size = f.change ? std::abs(std::log1p(std::max(*f.change, -0.999999))) : 0.0;
    places.push_back({static_cast<int>(f.effect) * 100 + static_cast<int>(f.verdict), size, places.size()});
  }
  std::stable_sort(places.begin(), places.end(), [&](const Place& a, const Place& b) {
    if (a.severity != b.severity) return a.severity < b.severity;
    if (a.size != b.size) return a.size > b.size;
    return findings[a.from].case_name < findings[b.from].case_name;
  });
  // Along each cycle: a place is filled from the one that its finding comes from.
  for (std::size_t start = 0; start < places.size(); ++start) {
    if (places[start].from == start) continue;
    Finding first = std::move(findings[start]);
    std::size_t to = start;
    for (std::size_t from = places[to].from; from != start; from = places[to].from) {
      findings[to] = std::move(findings[from]);
      places[to].from = to;
      to = from;
    }
    findings[to] = std::move(first);
    places[to].from = to;
  }
}

}  // namespace

GateEffect effect_of(policy::Action action) {
  switch (action) {
    case policy::Action::pass:
      return GateEffect::note;
    case policy::Action::warn:
      return GateEffect::warn;
    case policy::Action::fail:
      return GateEffect::fail;
  }
  return GateEffect::fail;
}

void set_plain_effect(Finding& finding, const policy::Policy& policy) {
  switch (finding.verdict) {
    case Verdict::failed:
    case Verdict::wrong:
    case Verdict::missing:
      finding.effect = GateEffect::fail;
      break;
    case Verdict::improved:
    case Verdict::equivalent:
      finding.effect = GateEffect::pass;
      break;
    case Verdict::inconclusive:
      finding.effect = effect_of(policy.inconclusive);
      break;
    case Verdict::changed:
      finding.effect = changed_effect(finding.metric.name, policy);
      break;
    case Verdict::claim_broken:
      finding.effect = effect_of(policy.claim_broken);
      break;
    case Verdict::suspected:
      finding.effect = GateEffect::warn;
      break;
    case Verdict::new_case:
    case Verdict::skipped:
      finding.effect = GateEffect::note;
      break;
    case Verdict::regressed:
      set_confirmed_effect(finding, policy);
      break;
  }
  finding.effect = limited_by_metric(finding, finding.effect, policy);
}

double worse_ratio(const Finding& finding) {
  const double ratio = 1 + finding.change.value_or(0);
  return finding.metric.direction == record::Direction::lower_is_better ? ratio : 1 / ratio;
}

GateEffect changed_effect(const std::string& metric, const policy::Policy& policy_of_case) {
  const auto named = policy_of_case.metrics.find(metric);
  return effect_of(named == policy_of_case.metrics.end() ? policy_of_case.changed : named->second);
}

void set_confirmed_effect(Finding& finding, const policy::Policy& policy) {
  if (finding.verdict == Verdict::improved) {
    finding.effect = GateEffect::pass;
    return;
  }
  if (worse_ratio(finding) >= 1 + policy.latency) {
    finding.effect = GateEffect::fail;
  } else {
    finding.effect = GateEffect::warn;
    finding.reasons.push_back(fmt::format(
        "real, but below the gate of {:g} %; a change of the binary's layout alone can move a case by up to 1.4 %",
        policy.latency * 100));
  }
}

void conclude(reports::Report& report, const std::string& incomplete) {
  sort_by_urgency(report.findings);
  report.cases_judged = cases_judged(report);
  const bool fails = std::any_of(report.findings.begin(), report.findings.end(),
                                 [](const Finding& f) { return f.effect == GateEffect::fail; }) ||
                     std::any_of(report.claims.begin(), report.claims.end(),
                                 [](const auto& c) { return c.effect == GateEffect::fail; });
  if (fails) {
    report.outcome = reports::Outcome::fail;
    report.headline = failing_headline(report);
  } else if (report.cases_judged == 0) {
    report.outcome = reports::Outcome::no_verdict;
    if (report.headline.empty()) report.headline = why_undecided(report.findings);
  } else if (!incomplete.empty()) {
    report.outcome = reports::Outcome::no_verdict;
    report.headline = incomplete + "; what it measured shows " + passing_headline(report);
  } else {
    report.outcome = reports::Outcome::pass;
    report.headline = passing_headline(report);
  }
}

}  // namespace torchgate::gate
