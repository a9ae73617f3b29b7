// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/gitlab.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "reports/formats/prometheus.hpp"
#include "reports/formats/prometheus_text.hpp"
#include "reports/formats/tracked_values.hpp"
#include "reports/overview.hpp"

namespace torchgate::reports {
namespace {

/// "a b" and "a_b" are two cases.
std::string without_spaces(std::string_view untrusted) {
  const std::string name = tracked_name(untrusted);
  std::string text = name;
  std::replace(text.begin(), text.end(), ' ', '_');
  const bool has_hash = name != untrusted;
  return text == name || has_hash ? text : with_hash_of(untrusted, text);
}

/// GitLab's widget has no use for comments.
std::string without_comments(const std::string& text) {
  std::string lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    if (text[at] != '#') lines.append(text, at, end - at);
    at = end;
  }
  return lines;
}

}  // namespace

std::string render_gitlab(const Report& report) {
  std::map<Verdict, double> counts;
  for (const Verdict verdict : {Verdict::failed, Verdict::wrong, Verdict::missing, Verdict::not_comparable,
                                Verdict::regressed, Verdict::over_budget, Verdict::suspected, Verdict::layout,
                                Verdict::inconclusive, Verdict::improved, Verdict::equivalent})
    counts[verdict] = 0;  // a line that is only there with findings would look new
  for (const Finding& finding : report.findings) ++counts[finding.verdict];
  PrometheusFamily findings{"torchgate_findings", "", {}};
  for (const auto& [verdict, count] : counts) findings.samples.push_back({{{"verdict", to_string(verdict)}}, count});

  PrometheusFamily change{"torchgate_change_ratio", "", {}};
  std::set<std::pair<std::string, std::string>> names;
  const Overview overview = overview_of(report);
  for (const Finding* finding : overview.listed) {
    if (change.samples.size() == most_gitlab_cases) break;
    if (!finding->change || !std::isfinite(*finding->change)) continue;
    const auto name = std::pair(without_spaces(finding->case_name), without_spaces(finding->metric.name));
    if (!names.insert(name).second) continue;
    change.samples.push_back({{{"case", name.first}, {"metric", name.second}}, *finding->change});
  }
  std::vector<PrometheusFamily> families{std::move(findings), std::move(change)};
  name_pin(families, report);
  return without_comments(prometheus_text(families));
}

}  // namespace torchgate::reports
