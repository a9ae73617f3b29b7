// SPDX-License-Identifier: Apache-2.0
// A run and a process report as JSON documents.
#include "harness/record/codec.hpp"
#include "harness/record/internal/codec_checks.hpp"
#include "harness/record/internal/codec_parts.hpp"
#include "harness/record/internal/enum_names.hpp"
#include "harness/record/warnings.hpp"

namespace torchgate::record {
namespace {

using json::JsonWriter;

void write_division(JsonWriter& json, const std::vector<std::vector<std::string>>& division) {
  json.key("division");
  json.begin_array();
  for (const std::vector<std::string>& groups : division) {
    json.begin_array();
    for (const std::string& group : groups) json.value(group);
    json.end_array();
  }
  json.end_array();
}

void write_confirms(JsonWriter& json, const Confirms& confirms) {
  json.key("confirms");
  json.begin_object();
  if (!confirms.run.empty()) json.member("run", confirms.run);
  json.member("baseline", confirms.baseline);
  json.member("family", confirms.family);
  if (!confirms.open.empty()) {
    json.member_list("open", confirms.open);
    json.member("open_family", confirms.open_family);
    json.member("open_budget_s", confirms.open_budget_s);
  }
  if (!confirms.pooled.empty()) json.member_list("pooled", confirms.pooled);
  if (confirms.rebuilt) json.member("rebuilt", confirms.rebuilt);
  json.end_object();
}

void write_plan(JsonWriter& json, const Plan& plan) {
  json.key("plan");
  json.begin_object();
  json.member("profile", plan.profile);
  json.member("filter", plan.filter);
  json.member("processes", plan.processes);
  json.member("shard", plan.shard);
  json.member("shards", plan.shards);
  json.member("seed", plan.seed);
  json.member_list("suites", plan.suites);
  json.member("group_limit_s", plan.group_limit_s);
  json.member("total_limit_s", plan.total_limit_s);
  json.member("budget_s", plan.budget_s);
  json.member("budget_pairs", plan.budget_pairs);
  if (!plan.division.empty()) write_division(json, plan.division);
  if (!plan.missing_shards.empty()) {
    json.key("missing_shards");
    json.begin_array();
    for (const std::int64_t shard : plan.missing_shards) json.value(shard);
    json.end_array();
  }
  if (plan.confirms) write_confirms(json, *plan.confirms);
  if (plan.count) {
    json.key("count");
    json.begin_object();
    json.member("counter", plan.count->counter);
    json.member("processes", plan.count->processes);
    json.member("calls", plan.count->calls);
    json.end_object();
  }
  json.end_object();
}

void write_machine(JsonWriter& json, const Machine& machine) {
  json.key("machine");
  json.begin_object();
  json.member("host_key", machine.host_key);
  json.member("device_key", machine.device_key);
  json.key("facts");
  json.begin_array();
  for (const MachineFact& fact : machine.facts) {
    json.begin_object();
    json.member("name", fact.name);
    json.member("value", fact.value);
    if (!fact.value || !fact.unknown_reason.empty()) json.member("unknown", fact.unknown_reason);
    json.member("class", internal::name_of(internal::fact_class_names, fact.fact_class));
    json.end_object();
  }
  json.end_array();
  internal::write_checks(json, "checks_before", machine.checks_before);
  internal::write_checks(json, "checks_after", machine.checks_after);
  if (machine.noisy_allowed) json.member("noisy_allowed", true);
  json.end_object();
}

void write_sides(JsonWriter& json, const std::vector<Side>& sides) {
  json.key("sides");
  json.begin_array();
  for (const Side& side : sides) {
    json.begin_object();
    json.member("label", side.label);
    json.member("commit", side.source.commit);
    json.member("modified", side.source.modified);
    json.member("branch", side.source.branch);
    json.member_list("suite_paths", side.suite_paths);
    json.end_object();
  }
  json.end_array();
}

void write_samples_file(JsonWriter& json, const SamplesFile& samples) {
  json.key("samples");
  json.begin_object();
  json.member("sha256", samples.sha256);
  json.member("bytes", samples.bytes);
  json.member("count", samples.count);
  json.end_object();
}

void write_unchanged(JsonWriter& json, const std::vector<UnchangedGroup>& unchanged) {
  json.key("unchanged");
  json.begin_array();
  for (const UnchangedGroup& group : unchanged) {
    json.begin_object();
    json.member("group", group.group);
    json.member("since", group.since);
    internal::write_positions(json, "objects", group.objects);
    internal::write_positions(json, "files", group.files);
    json.end_object();
  }
  json.end_array();
}

// The members of a JSON object's text, without its braces.
std::string_view members_of(std::string_view object) {
  constexpr std::string_view space = " \t\r\n";
  const std::size_t first = object.find_first_not_of(space);
  const std::size_t last = object.find_last_not_of(space);
  if (first == std::string_view::npos || first == last) return object;
  object = object.substr(first + 1, last - first - 1);
  return object.find_first_not_of(space) == std::string_view::npos ? std::string_view() : object;
}

}  // namespace

std::string to_json(const Run& run) {
  const internal::MetricTable metrics(run.cases);
  const internal::CasePositions positions = internal::positions_of(run.cases);
  JsonWriter json;
  json.begin_object();
  json.member("schema", run_schema);
  json.member("id", run.id);
  json.member("created", run.created);
  json.member("tool_version", run.tool_version);
  json.member("interrupted", run.interrupted);
  std::vector<std::string> warnings = run.warnings;
  limit_warnings(warnings);
  json.member_list("warnings", warnings);
  if (run.changed_data) json.member_list("changed_data", *run.changed_data);
  write_plan(json, run.plan);
  write_machine(json, run.machine);
  write_sides(json, run.sides);
  if (run.samples) write_samples_file(json, *run.samples);
  internal::write_objects(json, run.objects);
  if (!run.files.empty()) internal::write_files(json, run.files);
  if (!run.unchanged.empty()) write_unchanged(json, run.unchanged);
  if (!run.instructions.empty()) internal::write_instructions(json, run.instructions);
  if (!run.code.empty()) internal::write_code(json, run.code);
  internal::write_metrics(json, metrics);
  internal::write_groups(json, run.groups);
  internal::write_summary_columns(json);
  internal::write_cases(json, run.cases, metrics);
  internal::OperatorTable operators;
  for (const Process& process : run.processes) operators.add(process.cases);
  operators.write(json);
  internal::write_processes(json, run.processes, positions, operators);
  if (const std::string_view unknown = members_of(run.unknown_keys); !unknown.empty()) json.raw(unknown);
  json.end_object();
  return json.take();
}

std::string to_json(const ProcessReport& report) {
  const internal::MetricTable metrics(report.cases);
  const internal::CasePositions positions = internal::positions_of(report.cases);
  JsonWriter json;
  json.begin_object();
  json.member("schema", process_schema);
  json.member("suite", report.suite);
  json.member("seconds_estimate", report.seconds_estimate);
  if (report.takes_turns) json.member("takes_turns", true);
  json.member("loaded_at_ns", report.loaded_at_ns);
  json.member("main_at_ns", report.main_at_ns);
  json.member("first_call_ns", report.first_call_ns);
  json.member_unless(std::string(), "first_case", report.first_case);
  json.member("untimed_ns", report.untimed_ns);
  internal::write_parameters(json, "facts", report.facts);
  internal::write_objects(json, report.objects);
  if (report.files_read) json.member_list("files_read", *report.files_read);
  json.member_unless(std::string(), "files_unknown", report.files_unknown);
  if (report.files_restored) json.member("files_restored", true);
  internal::write_metrics(json, metrics);
  internal::write_groups(json, report.groups);
  internal::write_summary_columns(json);
  internal::write_cases(json, report.cases, metrics);
  internal::OperatorTable operators;
  operators.add(report.results);
  operators.write(json);
  internal::write_results(json, "results", report.results, positions, operators, internal::Samples::written);
  json.end_object();
  return json.take();
}

}  // namespace torchgate::record
