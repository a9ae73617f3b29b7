// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/waive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "ci/gate/outcome.hpp"
#include "ci/gate/own_settings.hpp"
#include "ci/policy/nearest_name.hpp"

namespace torchgate::gate {
namespace {

using reports::Finding;
using reports::GateEffect;
using reports::Verdict;

constexpr double rounding = 1e-9;  // of 1.12 - 1: no change is measured to that

bool can_be_waived(Verdict verdict) {
  return verdict == Verdict::regressed || verdict == Verdict::suspected || verdict == Verdict::changed;
}

bool is_exact(const Finding& finding) {
  return finding.metric.kind == record::MetricKind::exact;
}

// What is held against the ceiling; the header says why.
double accepted_number(const Finding& finding) {
  if (is_exact(finding)) return finding.after ? finding.after->value : 0;
  if (finding.verdict != Verdict::suspected || !finding.interval) return worse_ratio(finding) - 1;
  const bool lower = finding.metric.direction == record::Direction::lower_is_better;
  return (lower ? 1 + finding.interval->low : 1 / (1 + finding.interval->high)) - 1;
}

bool is_covered(const Finding& finding, const policy::Waiver& waiver) {
  return accepted_number(finding) <= waiver.ceiling + (is_exact(finding) ? 0 : rounding);
}

std::string count_words(double count, const record::Metric& metric) {
  return fmt::format("{}{}", count, metric.unit == "1" ? "" : " " + metric.unit);
}

std::string ceiling_words(const Finding& finding, const policy::Waiver& waiver) {
  return is_exact(finding) ? count_words(waiver.ceiling, finding.metric) : fmt::format("{:g} %", waiver.ceiling * 100);
}

std::string change_words(const Finding& finding) {
  return is_exact(finding) ? count_words(accepted_number(finding), finding.metric)
                           : fmt::format("{:+.1f} %", finding.change.value_or(0) * 100);
}

class Waiving {
 public:
  Waiving(reports::Report& report, const SideEvidence& before, const SideEvidence& after, const policy::Policy& policy)
      : before_(before), after_(after), report_(report), today_(*policy.today) {
    for (Finding& finding : report.findings) of_case_[finding.case_name].push_back(&finding);
  }

  void apply(const policy::Waiver& waiver) {
    Finding* const finding = find(waiver);
    const bool matters = finding != nullptr && can_be_waived(finding->verdict) &&
                         (finding->effect == GateEffect::fail || finding->effect == GateEffect::warn);
    if (today_ > waiver.expires) {
      expired(waiver, matters ? finding : nullptr);
    } else if (matters) {
      is_covered(*finding, waiver) ? waive(waiver, *finding) : exceed(waiver, *finding);
    } else if (!refuse(waiver)) {
      mention_unused(waiver, finding);
    }
  }

 private:
  const std::vector<Finding*>& findings_of(const std::string& case_name) { return of_case_[case_name]; }

  Finding* find(const policy::Waiver& waiver) {
    for (Finding* finding : findings_of(waiver.case_name)) {
      if (finding->metric.name == waiver.metric) return finding;
    }
    return nullptr;
  }

  static std::string title(const policy::Waiver& waiver) {
    return fmt::format("{} ({})", waiver.case_name, waiver.metric);
  }

  void note(std::string text) { report_.notes.push_back(std::move(text)); }

  void waive(const policy::Waiver& waiver, Finding& finding) {
    finding.effect = GateEffect::pass;
    finding.waived = true;
    const std::string why = fmt::format("{}, until {}", waiver.reason, policy::date_text(waiver.expires));
    finding.reasons.push_back("waived: " + why);
    note(fmt::format("waived: {}, {}, ceiling {}: {}", title(waiver), change_words(finding),
                     ceiling_words(finding, waiver), why));
  }

  void exceed(const policy::Waiver& waiver, Finding& finding) {
    const std::string ceiling = ceiling_words(finding, waiver);
    finding.reasons.push_back(fmt::format("beyond its waiver (ceiling {})", ceiling));
    note(fmt::format("waiver exceeded: {}, {}, is beyond its ceiling of {} ({})", title(waiver), change_words(finding),
                     ceiling, waiver.place));
  }

  void expired(const policy::Waiver& waiver, Finding* finding) {
    const std::string date = policy::date_text(waiver.expires);
    if (finding != nullptr) finding->reasons.push_back("its waiver expired: its last day was " + date);
    note(fmt::format("expired waiver: {}, last day {}: it does nothing ({}); remove it, or decide again", title(waiver),
                     date, waiver.place));
  }

  // A crash has no number that a ceiling could hold.
  bool refuse(const policy::Waiver& waiver) {
    for (Finding* finding : findings_of(waiver.case_name)) {
      const bool broken = finding->verdict == Verdict::failed || finding->verdict == Verdict::wrong ||
                          finding->verdict == Verdict::missing;
      if (!broken) continue;
      finding->reasons.push_back(fmt::format("its waiver ({}) is about a number: what is {} is never waived",
                                             waiver.metric, reports::to_string(finding->verdict)));
      return true;
    }
    return false;
  }

  void mention_unused(const policy::Waiver& waiver, const Finding* finding) {
    const auto why = unused_because(waiver, finding);
    if (why) note(fmt::format("unused waiver: {}: {} ({}); remove it", title(waiver), *why, waiver.place));
  }

  // Absent where it cannot be known: not measured here, not judged, or not decided.
  std::optional<std::string> unused_because(const policy::Waiver& waiver, const Finding* finding) {
    if (finding != nullptr) {
      // A change that is listed only, because LibTorch itself differs, says nothing about the next run.
      const bool open = finding->verdict == Verdict::inconclusive || finding->verdict == Verdict::changed;
      return open ? std::nullopt : std::optional<std::string>("nothing to waive, it passes");
    }
    const CaseEvidence* const was = before_.find(waiver.case_name);
    const CaseEvidence* const is = after_.find(waiver.case_name);
    if (was == nullptr && is == nullptr) return no_such_case(waiver.case_name);
    if (was == nullptr || is == nullptr || was->measured.empty() || is->measured.empty()) return std::nullopt;
    std::set<std::string> names;
    for (const record::Metric& metric : is->definition->metrics) {
      names.insert(metric.name);
      if (metric.name != waiver.metric) continue;
      const bool same =
          metric.kind == record::MetricKind::exact && exact_value(*was, metric.name) && exact_value(*is, metric.name);
      return same ? std::optional<std::string>("nothing to waive, the count is the same") : std::nullopt;
    }
    if (waiver.metric.ends_with("_p95") || waiver.metric.ends_with("_p99")) return std::nullopt;  // not judged here
    return fmt::format("the case has no such metric, but {}", policy::nearest_names(waiver.metric, names, 1).front());
  }

  // Neither side knows the case. Only a run that was asked for all of that suite may say so.
  [[nodiscard]] std::optional<std::string> no_such_case(const std::string& name) {
    const auto& suites = after_.run().plan.suites;
    const auto suite =
        std::find_if(suites.begin(), suites.end(), [&](const std::string& one) { return name.starts_with(one + "/"); });
    if (suite == suites.end()) return std::nullopt;
    record::Case definition;
    definition.name = name;
    definition.suite = *suite;
    if (!after_.planned(definition)) return std::nullopt;
    if (after_.cases().empty()) return std::nullopt;
    // The nearest name takes a look at each case: enough for a typing error or two, too much for a file of old waivers.
    constexpr int most_suggestions = 10;
    if (++suggestions_ > most_suggestions) return "there is no such case";
    std::set<std::string> names;
    for (const auto& [known, evidence] : after_.cases()) names.insert(std::string(known));
    return fmt::format("there is no such case, but {}", policy::nearest_names(name, names, 1).front());
  }

  const SideEvidence& before_;
  const SideEvidence& after_;
  reports::Report& report_;
  std::map<std::string, std::vector<Finding*>> of_case_;
  int suggestions_ = 0;
  std::chrono::year_month_day today_;
};

}  // namespace

void apply_waivers(reports::Report& report, const SideEvidence& before, const SideEvidence& after,
                   const policy::Policy& policy) {
  if (policy.waivers.empty()) return;
  if (!policy.today) {
    report.doubts.emplace_back("no waiver was applied: the current date is unknown", reports::DoubtKind::policy);
    return;
  }
  Waiving waiving(report, before, after, policy);
  for (const policy::Waiver& waiver : policy.waivers) waiving.apply(waiver);
}

void settle_policy(reports::Report& report, const SideEvidence& before, const SideEvidence& after,
                   policy::CasePolicies& policies, const policy::Policy& policy) {
  std::vector<reports::Doubt> doubts;
  for (const std::string& doubt : policy.doubts) doubts.emplace_back(doubt, reports::DoubtKind::policy);
  report.doubts.insert(report.doubts.begin(), doubts.begin(), doubts.end());
  report.notes.insert(report.notes.end(), policy.notes.begin(), policy.notes.end());
  if (!policy.case_rules.empty()) {
    for (std::string& one : policies.notes(cases_of(before, after))) report.notes.push_back(std::move(one));
    say_own_settings(report, policies);
  }
  apply_waivers(report, before, after, policy);
}

}  // namespace torchgate::gate
