// SPDX-License-Identifier: Apache-2.0
// A run and a process report: the tables of the two documents.
#include <set>

#include "harness/base/pattern.hpp"
#include "harness/record/codec.hpp"
#include "harness/record/internal/document.hpp"
#include "harness/record/warnings.hpp"

namespace torchgate::record {
namespace internal {
namespace {

using json::always;
using json::integer;
using json::list_of;
using json::object_of;
using json::optional;
using json::required;

// --- plan ----------------------------------------------------------------------------------------------------------

bool has_open_cases(const Confirms& confirms) {
  return !confirms.open.empty();
}
bool has_open_budget(const Confirms& confirms) {
  return has_open_cases(confirms) && confirms.open_budget_s;
}

constexpr json::Table confirms_fields{
    json::of<Confirms>,
    optional("run", &Confirms::run, run_id),
    required("baseline", &Confirms::baseline, run_id),
    required("family", &Confirms::family, counted),
    optional("open", &Confirms::open, list_of(base::max_cases, json::name)),
    optional("open_family", &Confirms::open_family, counted).where(has_open_cases),
    optional("open_budget_s", &Confirms::open_budget_s, in_seconds).where(has_open_budget),
    optional("pooled", &Confirms::pooled, list_of(base::max_cases, run_id)),
    optional("rebuilt", &Confirms::rebuilt, json::name),
};

void check_division(JsonReader& reader, const std::vector<std::vector<std::string>>& division) {
  std::set<std::string_view> known;
  for (std::size_t shard = 0; shard < division.size(); ++shard) {
    for (const std::string& group : division[shard]) {
      if (!known.insert(group).second)
        reader.fail_at(std::to_string(shard),
                       "duplicate group " + base::in_quotes(group) + ": a group belongs to one shard");
    }
  }
}

std::vector<std::int64_t> read_missing_shards(JsonReader& reader) {
  std::vector<std::int64_t> missing;
  reader.array(base::max_shards, [&](std::int64_t) {
    missing.push_back(reader.integer(missing.empty() ? 1 : missing.back() + 1, base::max_shards));
  });
  return missing;
}

constexpr json::Table count_fields{
    json::of<CountPlan>,
    required("counter", &CountPlan::counter, json::name),
    required("processes", &CountPlan::processes, integer(1, base::max_processes_per_group)),
    required("calls", &CountPlan::calls, counted_from_1),
};

void check_plan(JsonReader& reader, const Plan& plan) {
  if (!plan.missing_shards.empty() && plan.missing_shards.back() > static_cast<std::int64_t>(plan.division.size())) {
    reader.fail("missing shard " + std::to_string(plan.missing_shards.back()) + " of a division in " +
                std::to_string(plan.division.size()));
  }
  if (plan.shard > plan.shards)
    reader.fail("shard " + std::to_string(plan.shard) + " of " + std::to_string(plan.shards) + " does not exist");
}

constexpr auto groups_of_shard = list_of(base::max_groups, json::name);

constexpr json::Table plan_fields{
    json::checked<Plan>(check_plan),
    required("profile", &Plan::profile, json::name),
    required("filter", &Plan::filter, [](JsonReader& reader) { return reader.string(base::max_pattern_bytes); }),
    required("processes", &Plan::processes, integer(0, base::max_processes)),
    required("shard", &Plan::shard, integer(1, base::max_shards)),
    required("shards", &Plan::shards, integer(1, base::max_shards)),
    required("seed", &Plan::seed, json::unsigned_integer),
    required("suites", &Plan::suites, list_of(base::max_suites, json::name)),
    optional("warmup_calls", &Plan::warmup_calls, counted_from_1),
    optional("samples", &Plan::samples, counted_from_1),
    optional("group_limit_s", &Plan::group_limit_s, in_seconds),
    optional("total_limit_s", &Plan::total_limit_s, in_seconds),
    optional("budget_s", &Plan::budget_s, in_seconds),
    optional("budget_pairs", &Plan::budget_pairs, counted),
    optional("division", &Plan::division, list_of(base::max_shards, groups_of_shard, check_division)),
    optional("missing_shards", &Plan::missing_shards, read_missing_shards),
    optional("confirms", &Plan::confirms, object_of<confirms_fields>),
    optional("count", &Plan::count, object_of<count_fields>),
    optional("varied", &Plan::varied, list_of(base::max_parameters, json::name)),
    optional("libtorch_versions", &Plan::libtorch_versions, list_of(2, json::name)),
    optional("informs", &Plan::informs, json::flag),
};

// --- machine -------------------------------------------------------------------------------------------------------

// One word that is safe as the name of a folder.
std::string folder_name(JsonReader& reader) {
  constexpr std::string_view safe = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  constexpr std::size_t longest = 128;
  std::string text = reader.string();
  if (text.find_first_not_of(safe) != std::string::npos || text.size() > longest || text.starts_with('.')) {
    reader.fail("expected at most 128 letters, digits, '.', '_' and '-', not starting with '.', found " +
                base::in_quotes(text));
  }
  return text;
}

bool has_reason(const MachineFact& fact) {
  return !fact.value || !fact.unknown_reason.empty();
}

void check_fact(JsonReader& reader, const MachineFact& fact, const json::Members& members) {
  if (fact.value.has_value() == members.has("unknown"))
    reader.fail("expected either a value or the reason why it is unknown");
}

constexpr json::Table fact_fields{
    json::checked<MachineFact>(check_fact),
    required("name", &MachineFact::name, json::name),
    optional("value", &MachineFact::value, json::text),
    optional("unknown", &MachineFact::unknown_reason, json::text).where(has_reason),
    required("class", &MachineFact::fact_class, word<fact_class_names>),
};

constexpr json::Table machine_check_fields{
    json::of<MachineCheck>,
    required("name", &MachineCheck::name, json::name),
    required("answer", &MachineCheck::answer, word<check_answer_names>),
    required("severity", &MachineCheck::severity, word<check_severity_names>),
    optional("seen", &MachineCheck::seen, json::text),
    optional("advice", &MachineCheck::advice, json::text),
};

constexpr auto check_list =
    list_of(base::max_parameters, object_of<machine_check_fields>, all_differ("check", &MachineCheck::name));

constexpr json::Table machine_fields{
    json::of<Machine>,
    required("host_key", &Machine::host_key, folder_name),
    optional("device_key", &Machine::device_key, json::name),
    required("facts", &Machine::facts, list_of(base::max_parameters, object_of<fact_fields>)),
    optional("checks_before", &Machine::checks_before, check_list),
    optional("checks_after", &Machine::checks_after, check_list),
    optional("noisy_allowed", &Machine::noisy_allowed, json::flag),
};

constexpr json::Table doctor_fields{
    json::of<Machine>,
    json::schema("torchgate.doctor/1"),
    required("host_key", &Machine::host_key, folder_name),
    optional("device_key", &Machine::device_key, json::name),
    required("facts", &Machine::facts, list_of(base::max_parameters, object_of<fact_fields>)),
    required("checks", &Machine::checks_before, check_list),
};

// --- sides, files --------------------------------------------------------------------------------------------------

constexpr json::Table side_fields{
    json::of<Side>,
    required("label", &Side::label, json::name),
    optional("commit", json::inside(&Side::source, &Source::commit), hex),
    optional("modified", json::inside(&Side::source, &Source::modified), json::flag),
    optional("modified_files", json::inside(&Side::source, &Source::modified_files),
             list_of(base::max_parameters, json::name)),
    optional("branch", json::inside(&Side::source, &Source::branch), json::name),
    required("suite_paths", &Side::suite_paths, list_of(base::max_suites, json::name)),
};

void check_sides(JsonReader& reader, const std::vector<Side>& sides) {
  if (sides.empty() || sides.size() > 2)
    reader.fail("expected one side, or two (before and after), found " + std::to_string(sides.size()));
}

constexpr json::Table samples_fields{
    json::of<SamplesFile>,
    required("sha256", &SamplesFile::sha256, sha256),
    required("bytes", &SamplesFile::bytes, in_bytes),
    required("count", &SamplesFile::count, counted),
};

constexpr json::Table file_fields{
    json::of<ReadFile>,
    required("path", &ReadFile::path, json::name),
    optional("sha256", &ReadFile::sha256, sha256),
};

constexpr json::Table unchanged_fields{
    json::of<UnchangedGroup>,
    required("group", &UnchangedGroup::group, json::name),
    required("since", &UnchangedGroup::since, run_id),
    required("objects", &UnchangedGroup::objects, positions_in("/objects", &Run::objects)),
    required("files", &UnchangedGroup::files, positions_in("/files", &Run::files)),
};

// --- documents -----------------------------------------------------------------------------------------------------

// What a document has of its own, and its struct does not.
// clang-format off
constexpr auto metrics = [](auto& /*document*/, auto& context) -> auto& { return context.metrics; };
constexpr auto columns = [](auto& /*document*/, auto& context) -> auto& { return context.columns; };
constexpr auto operators = [](auto& /*document*/, auto& context) -> auto& { return context.operators; };
// clang-format on

constexpr auto path_list = list_of(base::max_objects, json::name);

constexpr auto warning_list = json::form(
    [](JsonReader& reader) { return list_of(base::max_warnings, json::text).read(reader, json::no_context); },
    [](JsonWriter& json, std::vector<std::string> warnings) {
      limit_warnings(warnings);
      json.value(warnings);
    });

// Cases refer to metrics, processes to cases and everything else: stages 1 and 2.
constexpr json::Table run_fields{
    json::of<Run>,
    json::stored_schema(run_schema),
    required("id", &Run::id, run_id),
    required("created", &Run::created, timestamp),
    required("tool_version", &Run::tool_version, json::name),
    always("interrupted", &Run::interrupted, json::flag),
    always("warnings", &Run::warnings, warning_list),
    optional("changed_data", &Run::changed_data, path_list),
    required("plan", &Run::plan, object_of<plan_fields>),
    required("machine", &Run::machine, object_of<machine_fields>),
    required("sides", &Run::sides, list_of(json::max_json_elements, object_of<side_fields>, check_sides)),
    optional("samples", &Run::samples, object_of<samples_fields>),
    required("objects", &Run::objects, part(objects_part)),
    optional("files", &Run::files, list_of(base::max_objects, object_of<file_fields>)).referred_to(),
    optional("unchanged", &Run::unchanged,
             list_of(base::max_groups, object_of<unchanged_fields>, all_differ("group", &UnchangedGroup::group)))
        .at_stage(1),
    optional("instructions", &Run::instructions, part(instructions_part)).at_stage(1),
    optional("code", &Run::code, part(code_part)).at_stage(1),
    required("metrics", metrics, part(metrics_part)),
    required("groups", &Run::groups, part(groups_part)),
    required("summary_columns", columns, read_summary_columns),
    required("cases", &Run::cases, part(cases_part)).at_stage(1),
    optional("operators", operators, part(operators_part)).referred_to(),
    required("processes", &Run::processes, part(processes_part)).at_stage(2),
};

constexpr json::Table report_fields{
    json::of<ProcessReport>,
    json::stored_schema(process_schema),
    required("suite", &ProcessReport::suite, json::name),
    optional("seconds_estimate", &ProcessReport::seconds_estimate, in_seconds),
    optional("takes_turns", &ProcessReport::takes_turns, json::flag),
    optional("loaded_at_ns", &ProcessReport::loaded_at_ns, in_ns),
    optional("main_at_ns", &ProcessReport::main_at_ns, in_ns),
    optional("first_call_ns", &ProcessReport::first_call_ns, in_ns),
    optional("first_case", &ProcessReport::first_case, json::name),
    optional("untimed_ns", &ProcessReport::untimed_ns, in_ns),
    optional("facts", &ProcessReport::facts, parameter_object),
    required("objects", &ProcessReport::objects, part(objects_part)),
    optional("files_read", &ProcessReport::files_read, path_list),
    optional("files_unknown", &ProcessReport::files_unknown, json::text),
    optional("files_restored", &ProcessReport::files_restored, json::flag),
    required("metrics", metrics, part(metrics_part)),
    required("groups", &ProcessReport::groups, part(groups_part)),
    required("summary_columns", columns, read_summary_columns),
    required("cases", &ProcessReport::cases, part(cases_part)).at_stage(1),
    optional("operators", operators, part(operators_part)).referred_to(),
    required("results", &ProcessReport::results, part(results_part)).at_stage(2),
};

// The members of a JSON object's text, without its braces.
std::string_view members_of(std::string_view object) {
  constexpr std::string_view space = " \t\r\n";
  const std::size_t first = object.find_first_not_of(space);
  const std::size_t last = object.find_last_not_of(space);
  if (first == std::string_view::npos || first == last) return object;
  object = object.substr(first + 1, last - first - 1);
  return object.find_first_not_of(space) == std::string_view::npos ? std::string_view() : object;
}

template <const auto& FieldTable, class Document>
std::string written(const Document& document, const Writing& context, std::string_view more = {}) {
  JsonWriter json;
  json.begin_object();
  json::write_members<FieldTable>(json, document, context);
  if (!more.empty()) json.raw(more);
  json.end_object();
  return json.take();
}

// Reads TEXT into DOCUMENT. Returns what has no row, as a JSON object.
template <const auto& FieldTable, class Document>
base::Result<std::string> read(std::string_view text, const std::string& where, Document& document, const Run* run) {
  if (text.size() > static_cast<std::size_t>(max_record_bytes)) {
    return base::Error{base::ErrorCode::bad_input, where + ": larger than the limit of " +
                                                       std::to_string(max_record_bytes) + " bytes for a record"};
  }
  JsonReader reader(text, where);
  Reading context{document.cases, run, CopyBudget(text.size())};
  JsonWriter unknown;
  unknown.begin_object();
  json::read_members<FieldTable>(reader, document, context, &unknown);
  reader.end();
  if (reader.failed()) return reader.error();
  unknown.end_object();
  return unknown.take();
}

}  // namespace
}  // namespace internal

std::string to_json(const Run& run) {
  internal::Writing context(run.cases, internal::Samples::left_out);
  for (const Process& process : run.processes) context.add_operators(process.cases);
  return internal::written<internal::run_fields>(run, context, internal::members_of(run.unknown_keys));
}

std::string to_json(const ProcessReport& report) {
  internal::Writing context(report.cases, internal::Samples::written);
  context.add_operators(report.results);
  return internal::written<internal::report_fields>(report, context);
}

base::Result<Run> run_from_json(std::string_view text, const std::string& where) {
  Run run;
  auto unknown = internal::read<internal::run_fields>(text, where, run, &run);
  if (!unknown) return unknown.error();
  run.unknown_keys = *std::move(unknown);
  return run;
}

void write_machine(json::JsonWriter& json, const Machine& machine) {
  json::write_members<internal::machine_fields>(json, machine, json::no_context);
}

base::Result<Machine> machine_from_doctor(std::string_view text, const std::string& where) {
  return json::read_document<internal::doctor_fields>(text, where);
}

base::Result<ProcessReport> process_report_from_json(std::string_view text, const std::string& where) {
  ProcessReport report;
  if (const auto unknown = internal::read<internal::report_fields>(text, where, report, nullptr); !unknown)
    return unknown.error();
  return report;
}

}  // namespace torchgate::record
