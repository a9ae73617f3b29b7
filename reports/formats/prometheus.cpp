// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/prometheus.hpp"

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "reports/formats/prometheus_text.hpp"
#include "reports/formats/tracked_values.hpp"
#include "reports/overview.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::reports {
namespace {

constexpr double ns_per_second = 1e9;

using Labels = std::vector<std::pair<std::string, std::string>>;

void add(PrometheusFamily& family, Labels labels, std::optional<double> value) {
  if (value && std::isfinite(*value)) family.samples.push_back({std::move(labels), *value});
}

PrometheusFamily outcome_of(const Report& report) {
  PrometheusFamily family{"torchgate_outcome", "1 for the outcome of the comparison, 0 for the others", {}};
  for (const Outcome outcome : {Outcome::pass, Outcome::fail, Outcome::no_verdict})
    add(family, {{"outcome", to_string(outcome)}}, report.outcome == outcome ? 1 : 0);
  return family;
}

PrometheusFamily findings_of(const Report& report) {
  std::map<std::pair<Verdict, GateAction>, double> counts;
  for (const Finding& finding : report.findings) ++counts[{finding.verdict, finding.action}];
  PrometheusFamily family{"torchgate_findings", "Findings by verdict and by what the policy does with them", {}};
  for (const auto& [key, count] : counts)
    add(family, {{"verdict", to_string(key.first)}, {"action", to_string(key.second)}}, count);
  return family;
}

PrometheusFamily claims_of(const Report& report) {
  std::map<ClaimState, double> counts;
  for (const ClaimFinding& claim : report.claims) ++counts[claim.state];
  PrometheusFamily family{"torchgate_claims", "Claims by state", {}};
  for (const auto& [state, count] : counts) add(family, {{"state", to_string(state)}}, count);
  return family;
}

PrometheusFamily single(const char* name, const char* help, double value) {
  return {name, help, {{{}, value}}};
}

/// In the order of importance: what is listed, what improved, the rest.
std::vector<const Finding*> by_importance(const Report& report) {
  const Overview overview = overview_of(report);
  std::vector<const Finding*> findings = overview.listed;
  findings.insert(findings.end(), overview.improved.begin(), overview.improved.end());
  for (const Group& group : overview.rest)
    findings.insert(findings.end(), group.findings.begin(), group.findings.end());
  return findings;
}

struct CaseFamilies {
  PrometheusFamily time{"torchgate_case_time_seconds", "Time of a case on a side of the comparison", {}};
  PrometheusFamily bytes{"torchgate_case_bytes", "Memory of a case on a side of the comparison", {}};
  PrometheusFamily value{
      "torchgate_case_value", "Other metrics of a case on a side of the comparison, in their own unit", {}};
  PrometheusFamily change{"torchgate_case_change_ratio", "Relative change of a metric: after / before - 1", {}};
  PrometheusFamily low{"torchgate_case_change_low_ratio", "Lower end of the interval of the change", {}};
  PrometheusFamily high{"torchgate_case_change_high_ratio", "Upper end of the interval of the change", {}};
  PrometheusFamily fails{"torchgate_case_fails", "1 where the policy fails this metric of the case, else 0", {}};

  void add_finding(const Finding& finding) {
    const std::string name = tracked_name(finding.case_name);
    const std::string metric = tracked_name(finding.metric.name);
    const Labels labels = {{"case", name}, {"metric", metric}};
    for (const auto& [side, numbers] : {std::pair{"before", &finding.before}, std::pair{"after", &finding.after}}) {
      if (!*numbers || finding.verdict <= Verdict::wrong) continue;
      Labels of_side = labels;
      of_side.emplace_back("side", side);
      add_value(finding.metric.unit, std::move(of_side), (*numbers)->value);
    }
    add(change, labels, finding.change);
    if (finding.interval) {
      add(low, labels, finding.interval->low);
      add(high, labels, finding.interval->high);
    }
    add(fails, labels, finding.action == GateAction::fail ? 1 : 0);
  }

 private:
  void add_value(const std::string& unit, Labels labels, double number) {
    if (unit == "ns") {
      add(time, std::move(labels), number / ns_per_second);
    } else if (unit == "bytes") {
      add(bytes, std::move(labels), number);
    } else {
      labels.emplace_back("unit", tracked_name(unit));
      add(value, std::move(labels), number);
    }
  }
};

}  // namespace

void name_pin(std::vector<PrometheusFamily>& families, const Report& report) {
  if (!report.since) return;
  for (PrometheusFamily& family : families) {
    for (PrometheusSample& sample : family.samples)
      sample.labels.emplace_back("since", tracked_name(report.since->name));
  }
}

std::string render_prometheus(const Report& report) {
  CaseFamilies cases;
  std::set<std::pair<std::string, std::string>> exported;
  std::set<std::string_view> names;
  double omitted = 0;
  for (const Finding* finding : by_importance(report)) {
    const bool is_known = names.contains(finding->case_name);
    if (!is_known && names.size() == most_exported_cases) {
      ++omitted;
      continue;
    }
    names.insert(finding->case_name);
    // A series twice would make Prometheus refuse the whole file.
    if (exported.emplace(tracked_name(finding->case_name), tracked_name(finding->metric.name)).second)
      cases.add_finding(*finding);
  }
  std::vector<PrometheusFamily> families = {
      outcome_of(report),
      findings_of(report),
      claims_of(report),
      single("torchgate_cases_judged", "Cases with a judgement", static_cast<double>(report.cases_judged)),
      single("torchgate_cases_compared", "Cases whose times were compared", static_cast<double>(report.decided.cases)),
      single("torchgate_cases_decided", "Cases of these with an answer", static_cast<double>(report.decided.decided)),
      single("torchgate_findings_omitted", "Findings of cases that are not exported, since there are too many",
             omitted),
  };
  PrometheusFamily measured{"torchgate_measured_timestamp_seconds", "When the newest run of a side was measured", {}};
  for (const auto& [side, header] : {std::pair{"before", &report.before}, std::pair{"after", &report.after}}) {
    if (const auto seconds = unix_seconds(header->created))
      add(measured, {{"side", side}}, static_cast<double>(*seconds));
  }
  families.push_back(std::move(measured));
  PrometheusFamily info{"torchgate_info", "What was compared; always 1", {}};
  add(info,
      {{"before", one_line(report.before.commit.value_or(""))},
       {"after", one_line(report.after.commit.value_or(""))},
       {"host", tracked_name(report.after.host_key)},
       {"rule", tracked_name(report.rule)}},
      1);
  families.push_back(std::move(info));
  for (PrometheusFamily* const family :
       {&cases.time, &cases.bytes, &cases.value, &cases.change, &cases.low, &cases.high, &cases.fails})
    families.push_back(std::move(*family));
  name_pin(families, report);
  return prometheus_text(families);
}

}  // namespace torchgate::reports
