// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/json.hpp"

#include "harness/json/json_writer.hpp"
#include "reports/formats/doctor_text.hpp"
#include "reports/formats/json_facts.hpp"
#include "reports/formats/upgrade_json.hpp"

namespace torchgate::reports {
namespace {

void put(json::JsonWriter& json, double value) {
  json.value(value);
}
void put(json::JsonWriter& json, std::string_view value) {
  json.value(value);
}
void put(json::JsonWriter& json, const std::string& value) {
  json.value(value);
}
void put(json::JsonWriter& json, const facts::Fact& fact) {
  put(json, fact.words());
}
void put(json::JsonWriter& json, const char* value) {
  json.value(std::string_view(value));
}
void put(json::JsonWriter& json, bool value) {
  json.value(value);
}
void put(json::JsonWriter& json, std::int64_t value) {
  json.value(value);
}

// Declared before the templates that call them: an unnamed namespace is not found through the argument.
void put(json::JsonWriter& json, const Doubt& doubt);
void put(json::JsonWriter& json, const Family& family);
void put(json::JsonWriter& json, const SincePin& pin);
void put(json::JsonWriter& json, const Families& families);
void put(json::JsonWriter& json, const record::MachineCheck& check);
void put(json::JsonWriter& json, const Interval& interval);
void put(json::JsonWriter& json, const Tail& tail);
void put(json::JsonWriter& json, const Modes& modes);
void put(json::JsonWriter& json, const Noise& noise);
void put(json::JsonWriter& json, const SideNumbers& side);
void put(json::JsonWriter& json, const TextbookAnswer& answer);
void put(json::JsonWriter& json, const Confirmation& confirmation);
void put(json::JsonWriter& json, const CountEvidence& counted);
void put(json::JsonWriter& json, const record::Metric& metric);
void put(json::JsonWriter& json, const OperatorChange& each);
void put(json::JsonWriter& json, const Finding& finding);
void put(json::JsonWriter& json, const ClaimFinding& claim);
void put(json::JsonWriter& json, const Difference& difference);
void put(json::JsonWriter& json, const SideHeader& side);
void put(json::JsonWriter& json, const Upgrade& upgrade);

// std::optional and base::Boxed.
template <class Maybe>
requires requires(const Maybe& value) {
  value.has_value();
}
void put(json::JsonWriter& json, const Maybe& value) {
  if (value) {
    put(json, *value);
  } else {
    json.null();
  }
}

template <class T>
void put(json::JsonWriter& json, const std::vector<T>& values) {
  json.begin_array();
  for (const T& value : values) put(json, value);
  json.end_array();
}

// No key is ever missing: what is not known is null.
class Object {
 public:
  explicit Object(json::JsonWriter& json) : json_(json) { json_.begin_object(); }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  ~Object() { json_.end_object(); }

  template <class T>
  void member(json::Key key, const T& value) {
    json_.key(key);
    put(json_, value);
  }

  // What the sentences of the member before say, in their order.
  void facts(json::Key key, const facts::Facts& all) {
    json_.key(key);
    put_facts(json_, all);
  }

 private:
  json::JsonWriter& json_;
};

void put(json::JsonWriter& json, const Doubt& doubt) {
  put(json, doubt.fact);
}

void put(json::JsonWriter& json, const Interval& interval) {
  Object object(json);
  object.member("low", interval.low);
  object.member("high", interval.high);
  object.member("level", interval.level);
}

void put(json::JsonWriter& json, const Tail& tail) {
  Object object(json);
  object.member("value", tail.value);
  object.member("interval", tail.interval);
}

void put(json::JsonWriter& json, const Modes& modes) {
  Object object(json);
  object.member("lower", modes.lower);
  object.member("upper", modes.upper);
  object.member("upper_share", modes.upper_share);
}

std::optional<std::int64_t> count_of(const SeriesFlag& flag) {
  if (flag.of > 0) return flag.processes;
  return std::nullopt;
}

void put(json::JsonWriter& json, const Noise& noise) {
  std::vector<std::string> floored;
  if (noise.process.floored) floored.emplace_back("process");
  if (noise.run.floored) floored.emplace_back("run");
  std::vector<std::string> flags;
  if (noise.not_steady.raised) flags.emplace_back("not_steady");
  if (noise.drift.raised) flags.emplace_back("drift");
  if (noise.two_modes.raised) flags.emplace_back("two_modes");
  Object object(json);
  object.member("iteration_sd", noise.iteration.sd);
  object.member("process_sd", noise.process.sd);
  object.member("run_sd", noise.run.sd);
  object.member("floored", floored);
  object.member("effective_samples", noise.effective_samples);
  object.member("outliers", noise.outliers);
  object.member("flags", flags);
  object.member("not_steady_in", count_of(noise.not_steady));
  object.member("drift_in", count_of(noise.drift));
  object.member("two_modes_in", count_of(noise.two_modes));
  object.member("modes", noise.modes);
}

void put(json::JsonWriter& json, const SideNumbers& side) {
  Object object(json);
  object.member("value", side.value);
  object.member("processes", side.processes);
  object.member("samples", side.samples);
  object.member("p95", side.p95);
  object.member("p99", side.p99);
  object.member("items_per_second", side.items_per_second);
  object.member("bytes_per_second", side.bytes_per_second);
  object.member("peak_bytes", side.peak_bytes);
  object.member("process_values", side.process_values);
  object.member("noise", side.noise);
}

void put(json::JsonWriter& json, const TextbookAnswer& answer) {
  Object object(json);
  object.member("p", answer.p);
  object.member("d", answer.d);
  object.member("word", answer.word);
  object.member("call", answer.call);
  object.member("samples", answer.samples);
}

void put(json::JsonWriter& json, const Confirmation& confirmation) {
  Object object(json);
  object.member("pairs", confirmation.pairs);
  object.member("change", confirmation.change);
  object.member("interval", confirmation.interval);
  object.member("p", confirmation.p);
  object.member("alpha", confirmation.alpha);
  object.member("confirmed", confirmation.confirmed);
  object.member("note", confirmation.note);
  object.member("measure", confirmation.measure ? std::optional(std::string(stats::to_string(*confirmation.measure)))
                                                : std::nullopt);
  object.member("other_change", confirmation.other_change);
}

void put(json::JsonWriter& json, const CountEvidence& counted) {
  Object object(json);
  object.member("counter", counted.counter);
  object.member("before", counted.before);
  object.member("after", counted.after);
  object.member("change", counted.change);
  object.member("answer", to_string(counted.answer));
}

void put(json::JsonWriter& json, const record::Metric& metric) {
  Object object(json);
  object.member("name", metric.name);
  object.member("unit", metric.unit);
  object.member("direction",
                metric.direction == record::Direction::lower_is_better ? "lower_is_better" : "higher_is_better");
  object.member("kind", metric.kind == record::MetricKind::timed ? "timed" : "exact");
  object.member("primary", metric.primary);
}

void put(json::JsonWriter& json, const OperatorChange& each) {
  Object object(json);
  object.member("name", each.name);
  object.member("inputs", each.inputs);
  object.member("inputs_before", each.inputs_before.empty() ? each.inputs : each.inputs_before);
  object.member("calls_before", each.calls_before);
  object.member("calls_after", each.calls_after);
  object.member("self_before_ns", each.self_before_ns);
  object.member("self_after_ns", each.self_after_ns);
  object.member("share", each.share);
}

void put(json::JsonWriter& json, const Finding& finding) {
  Object object(json);
  object.member("case", finding.case_name);
  object.member("metric", finding.metric);
  object.member("verdict", to_string(finding.verdict));
  object.member("action", to_string(finding.action));
  object.member("before", finding.before);
  object.member("after", finding.after);
  object.member("estimator",
                finding.estimator ? std::optional(std::string(stats::to_string(*finding.estimator))) : std::nullopt);
  object.member("change", finding.change);
  object.member("interval", finding.interval);
  object.member("p", finding.p);
  object.member("alpha", finding.alpha);
  object.member("cohens_d", finding.cohens_d);
  object.member("cohens_d_word", finding.cohens_d_word);
  object.member("smallest_detectable", finding.smallest_detectable);
  object.member("processes_needed", finding.processes_needed);
  object.member("textbook", finding.textbook);
  object.member("confirmation", finding.confirmation);
  object.member("counted", finding.counted);
  object.member("reasons", finding.reasons);
  object.facts("reason_facts", finding.reasons);
  object.member("causes", finding.causes);
  object.facts("cause_facts", finding.causes);
  object.member("operators", finding.operators);
  if (finding.over_budget) object.member("over_budget", true);
}

void put(json::JsonWriter& json, const ClaimFinding& claim) {
  Object object(json);
  object.member("case", claim.case_name);
  object.member("reference_case", claim.reference_case);
  object.member("metric", claim.metric);
  object.member("text", claim.text);
  object.member("state", to_string(claim.state));
  object.member("action", to_string(claim.action));
  object.member("promised_ratio", claim.promised_ratio);
  object.member("at_most", claim.at_most);
  object.member("measured_ratio", claim.measured_ratio);
  object.member("bound", claim.bound);
  object.member("reason", facts::listed(claim.reasons));
  object.facts("reason_facts", claim.reasons);
}

void put(json::JsonWriter& json, const Difference& difference) {
  Object object(json);
  put_difference_members(json, difference);
  object.member("refuses", difference.refuses);
}

void put(json::JsonWriter& json, const SideHeader& side) {
  Object object(json);
  object.member("label", side.label);
  object.member("run_ids", side.run_ids);
  object.member("commit", side.commit);
  if (side.head) object.member("head", side.head);
  object.member("modified", side.modified);
  object.member("created", side.created);
  object.member("host_key", side.host_key);
  object.member("checks", side.checks);
  object.member("profile", side.sampling.profile);
  object.member("warmup_calls", side.sampling.warmup_calls);
  object.member("samples", side.sampling.samples);
}

void put(json::JsonWriter& json, const SincePin& pin) {
  Object object(json);
  object.member("name", pin.name);
  object.member("commit", pin.commit);
  object.member("created", pin.created);
}

void put(json::JsonWriter& json, const Family& family) {
  Object object(json);
  object.member("name", family.name);
  object.member("cases", family.cases);
  object.member("changed", family.changed);
  object.member("median_change", family.median_change);
}

void put(json::JsonWriter& json, const Families& families) {
  Object object(json);
  object.member("faster", families.faster);
  object.member("families", families.families);
}

void put(json::JsonWriter& json, const record::MachineCheck& check) {
  Object object(json);
  object.member("name", check.name);
  object.member("answer", check_word(check.answer));
  object.member("severity", check_word(check.severity));
  object.member("seen", check.seen);
  object.member("advice", check.advice);
}

facts::Facts facts_of(const std::vector<Doubt>& doubts) {
  facts::Facts all;
  for (const Doubt& doubt : doubts) all.push_back(doubt.fact);
  return all;
}

void put(json::JsonWriter& json, const Upgrade& upgrade) {
  put_upgrade(json, upgrade);
}

void put(json::JsonWriter& json, const Report& report) {
  Object object(json);
  object.member("schema", "torchgate.report/1");
  object.member("outcome", to_string(report.outcome));
  object.member("headline", report.headline);
  object.facts("headline_facts", {report.headline});
  object.member("doubts", report.doubts);
  object.facts("doubt_facts", facts_of(report.doubts));
  object.member("before", report.before);
  object.member("after", report.after);
  if (report.since) object.member("since", report.since);
  if (report.upgrade) object.member("upgrade", report.upgrade);
  object.member("rule", report.rule);
  object.member("paired", report.paired);
  object.member("gate_ratio", report.gate_ratio);
  object.member("equivalence_ratio", report.equivalence_ratio);
  object.member("cases_judged", report.cases_judged);
  object.member("cases_compared", report.decided.cases);
  object.member("cases_decided", report.decided.decided);
  object.member("cases_sensitive", report.decided.sensitive);
  object.member("cases_no_more_instructions", report.decided.no_more_instructions);
  object.member("weak", report.decided.weak());
  object.member("cases_not_planned", report.cases_not_planned);
  object.member("suspects", report.suspects);
  object.member("differences", report.differences);
  object.member("families", report.families);
  object.member("findings", report.findings);
  object.member("claims", report.claims);
  object.member("notes", report.notes);
  object.facts("note_facts", report.notes);
}

}  // namespace

std::string render_json(const Report& report) {
  constexpr std::size_t usual_finding_bytes =
      2500;  // a text that outgrows it is copied, and needs twice the memory meanwhile
  json::JsonWriter json(json::report_layout);
  json.reserve(usual_finding_bytes * (report.findings.size() + 1));
  put(json, report);
  std::string text = json.take();
  text += '\n';
  return text;
}

}  // namespace torchgate::reports
