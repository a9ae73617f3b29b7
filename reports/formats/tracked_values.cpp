// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/tracked_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "harness/base/counted.hpp"
#include "harness/base/fnv1a.hpp"
#include "harness/base/timestamp.hpp"
#include "reports/columns.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::reports {
namespace {

bool is_time(const record::Metric& metric) {
  constexpr std::array<std::string_view, 4> units{"ns", "us", "ms", "s"};
  return std::find(units.begin(), units.end(), metric.unit) != units.end();
}

// A time of 0 or less is a failed measurement; a rate, a number of bytes or a temperature is not.
bool has_value(const Finding& finding) {
  if (finding.metric.kind != record::MetricKind::timed) return false;
  if (finding.verdict <= Verdict::not_comparable || finding.verdict == Verdict::skipped) return false;
  if (!finding.after || !std::isfinite(finding.after->value)) return false;
  return finding.after->value > 0 || !is_time(finding.metric);
}

bool has_speed(const Finding& finding) {
  return finding.metric.primary && has_value(finding);
}

void add_spread(TrackedValue& tracked, const std::vector<double>& values) {
  const bool known =
      values.size() > 1 && std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  if (!known) return;
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  tracked.lowest = *std::min_element(values.begin(), values.end());
  tracked.highest = *std::max_element(values.begin(), values.end());
  tracked.sd = std::sqrt(squares / static_cast<double>(values.size() - 1));
}

}  // namespace

std::string with_hash_of(std::string_view untrusted, const std::string& name) {
  return fmt::format("{}~{:016x}", name, base::fnv1a(untrusted));
}

std::string tracked_name(std::string_view untrusted) {
  if (untrusted.empty()) return "(no name)";
  const std::string name = one_line(untrusted);
  constexpr std::size_t hash_bytes = 17;
  if (name == untrusted && name.size() <= longest_tracked_name) return name;
  if (name.size() + hash_bytes <= longest_tracked_name) return with_hash_of(untrusted, name);
  // A column is at most four bytes of UTF-8.
  constexpr std::size_t columns = (longest_tracked_name - 20) / 4;
  return with_hash_of(untrusted, elide_middle(name, columns, "..."));
}

std::vector<TrackedValue> tracked_values(const Report& report) {
  std::vector<TrackedValue> values;
  std::set<std::string> names;
  for (const Finding& finding : report.findings) {
    if (!has_speed(finding)) continue;
    TrackedValue tracked{&finding, tracked_name(finding.case_name), finding.after->value, {}, {}, {}, {}};
    // Another case has the very name that this one got, or it has two findings.
    if (!names.insert(tracked.name).second) {
      tracked.name = with_hash_of(finding.case_name, tracked.name);
      if (!names.insert(tracked.name).second) continue;
    }
    add_spread(tracked, finding.after->process_values);
    tracked.case_name = tracked.name;
    values.push_back(std::move(tracked));
  }
  return values;
}

std::vector<TrackedValue> tracked_declared_values(const Report& report) {
  std::vector<TrackedValue> values;
  std::set<std::string> names;
  for (const Finding& finding : report.findings) {
    if (!finding.metric.judged || finding.metric.primary || !has_value(finding)) continue;
    const std::string full = finding.case_name + ": " + finding.metric.name;
    TrackedValue tracked{
        &finding, tracked_name(full), finding.after->value, {}, {}, {}, tracked_name(finding.case_name)};
    if (!names.insert(tracked.name).second) tracked.name = with_hash_of(full, tracked.name);
    add_spread(tracked, finding.after->process_values);
    values.push_back(std::move(tracked));
  }
  return values;
}

std::vector<TrackedValue> all_tracked_values(const Report& report) {
  std::vector<TrackedValue> values = tracked_values(report);
  std::vector<TrackedValue> declared = tracked_declared_values(report);
  std::move(declared.begin(), declared.end(), std::back_inserter(values));
  return values;
}

std::string cases_without_values(const Report& report) {
  std::set<std::string_view> known;
  for (const Finding& finding : report.findings)
    if (finding.metric.primary ? has_speed(finding) : finding.metric.judged && has_value(finding))
      known.insert(finding.case_name);
  std::map<Verdict, std::int64_t> lost;  // the worst first, as the findings of a case are
  std::int64_t cases = 0;
  std::string_view first;
  for (const Finding& finding : report.findings) {
    if (finding.verdict == Verdict::skipped) continue;  // on purpose, and everywhere without a GPU
    if (!known.insert(finding.case_name).second) continue;
    ++lost[finding.verdict];
    if (cases++ == 0) first = finding.case_name;
  }
  if (cases == 0) return "";
  std::string by_verdict;
  for (const auto& [verdict, number] : lost)
    by_verdict += fmt::format("{}{} {}", by_verdict.empty() ? "" : ", ", number, verdict_words(verdict));
  return fmt::format("{} not in the file, as {} no valid time: {}, e.g. {}",
                     base::counted(cases, "case is", "cases are"), cases == 1 ? "it has" : "they have", by_verdict,
                     tracked_name(first));
}

std::optional<std::int64_t> unix_seconds(std::string_view utc) {
  const auto time = base::utc_seconds(utc);
  if (!time) return std::nullopt;
  return time->time_since_epoch().count();
}

}  // namespace torchgate::reports
