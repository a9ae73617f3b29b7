// SPDX-License-Identifier: Apache-2.0
#include "reports/json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace torchgate::reports {
namespace {

using Json = nlohmann::ordered_json;

Json of(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}
Json of(const std::string& value) {
  return value;
}
Json of(bool value) {
  return value;
}
Json of(std::int64_t value) {
  return value;
}

// Declared before the templates that call them: an unnamed namespace is not found through the argument.
Json of(const Interval& interval);
Json of(const Tail& tail);
Json of(const Modes& modes);
Json of(const Noise& noise);
Json of(const SideNumbers& side);
Json of(const TextbookAnswer& answer);
Json of(const Confirmation& confirmation);
Json of(const Finding& finding);
Json of(const ClaimFinding& claim);
Json of(const Difference& difference);

template <class T>
Json of(const std::optional<T>& value) {
  return value ? of(*value) : Json(nullptr);
}

template <class T>
Json of(const std::vector<T>& values) {
  Json array = Json::array();
  for (const T& value : values) array.push_back(of(value));
  return array;
}

Json of(const Interval& interval) {
  return {{"low", of(interval.low)}, {"high", of(interval.high)}, {"level", of(interval.level)}};
}

Json of(const Tail& tail) {
  return {{"value", of(tail.value)}, {"interval", of(tail.interval)}};
}

Json of(const Modes& modes) {
  return {{"lower", of(modes.lower)}, {"upper", of(modes.upper)}, {"upper_share", of(modes.upper_share)}};
}

Json count_of(const SeriesFlag& flag) {
  return flag.of > 0 ? Json(flag.processes) : Json(nullptr);
}

Json of(const Noise& noise) {
  Json floored = Json::array();
  if (noise.process.floored) floored.push_back("process");
  if (noise.run.floored) floored.push_back("run");
  Json flags = Json::array();
  if (noise.not_steady.raised) flags.push_back("not_steady");
  if (noise.drift.raised) flags.push_back("drift");
  if (noise.two_modes.raised) flags.push_back("two_modes");
  return {{"iteration_sd", of(noise.iteration.sd)},
          {"process_sd", of(noise.process.sd)},
          {"run_sd", of(noise.run.sd)},
          {"floored", std::move(floored)},
          {"effective_samples", of(noise.effective_samples)},
          {"outliers", of(noise.outliers)},
          {"flags", std::move(flags)},
          {"not_steady_in", count_of(noise.not_steady)},
          {"drift_in", count_of(noise.drift)},
          {"two_modes_in", count_of(noise.two_modes)},
          {"modes", of(noise.modes)}};
}

Json of(const SideNumbers& side) {
  return {{"value", of(side.value)},
          {"processes", side.processes},
          {"samples", side.samples},
          {"p95", of(side.p95)},
          {"p99", of(side.p99)},
          {"items_per_second", of(side.items_per_second)},
          {"peak_bytes", of(side.peak_bytes)},
          {"process_values", of(side.process_values)},
          {"noise", of(side.noise)}};
}

Json of(const TextbookAnswer& answer) {
  return {{"p", of(answer.p)},
          {"d", of(answer.d)},
          {"word", answer.word},
          {"call", answer.call},
          {"samples", answer.samples}};
}

Json of(const Confirmation& confirmation) {
  return {{"pairs", confirmation.pairs}, {"change", of(confirmation.change)}, {"interval", of(confirmation.interval)},
          {"p", of(confirmation.p)},     {"alpha", of(confirmation.alpha)},   {"confirmed", confirmation.confirmed},
          {"note", confirmation.note}};
}

Json of(const record::Metric& metric) {
  return {
      {"name", metric.name},
      {"unit", metric.unit},
      {"direction", metric.direction == record::Direction::lower_is_better ? "lower_is_better" : "higher_is_better"},
      {"kind", metric.kind == record::MetricKind::timed ? "timed" : "exact"},
      {"primary", metric.primary}};
}

Json of(const Finding& finding) {
  return {{"case", finding.case_name},
          {"metric", of(finding.metric)},
          {"verdict", to_string(finding.verdict)},
          {"effect", to_string(finding.effect)},
          {"before", of(finding.before)},
          {"after", of(finding.after)},
          {"change", of(finding.change)},
          {"interval", of(finding.interval)},
          {"p", of(finding.p)},
          {"alpha", of(finding.alpha)},
          {"cohens_d", of(finding.cohens_d)},
          {"cohens_d_word", finding.cohens_d_word},
          {"smallest_detectable", of(finding.smallest_detectable)},
          {"processes_needed", of(finding.processes_needed)},
          {"textbook", of(finding.textbook)},
          {"confirmation", of(finding.confirmation)},
          {"reasons", of(finding.reasons)}};
}

Json of(const ClaimFinding& claim) {
  return {{"case", claim.case_name},
          {"reference_case", claim.reference_case},
          {"metric", claim.metric},
          {"text", claim.text},
          {"state", to_string(claim.state)},
          {"effect", to_string(claim.effect)},
          {"promised_ratio", of(claim.promised_ratio)},
          {"at_most", claim.at_most},
          {"measured_ratio", of(claim.measured_ratio)},
          {"bound", of(claim.bound)},
          {"reason", claim.reason}};
}

Json of(const Difference& difference) {
  return {{"name", difference.name},
          {"before", difference.before},
          {"after", difference.after},
          {"refuses", difference.refuses}};
}

Json of(const SideHeader& side) {
  return {{"label", side.label},           {"run_ids", of(side.run_ids)}, {"commit", of(side.commit)},
          {"modified", of(side.modified)}, {"created", side.created},     {"host_key", side.host_key}};
}

}  // namespace

std::string render_json(const Report& report) {
  const Json json = {{"schema", "torchgate.report/1"},
                     {"outcome", to_string(report.outcome)},
                     {"headline", report.headline},
                     {"doubts", of(report.doubts)},
                     {"before", of(report.before)},
                     {"after", of(report.after)},
                     {"rule", report.rule},
                     {"gate_ratio", of(report.gate_ratio)},
                     {"equivalence_ratio", of(report.equivalence_ratio)},
                     {"cases_judged", report.cases_judged},
                     {"suspects", report.suspects},
                     {"differences", of(report.differences)},
                     {"findings", of(report.findings)},
                     {"claims", of(report.claims)},
                     {"notes", of(report.notes)}};
  // ASCII only: what a terminal or a log would interpret stays an escape. Malformed UTF-8 becomes U+FFFD.
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace torchgate::reports
