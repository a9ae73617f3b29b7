// SPDX-License-Identifier: Apache-2.0
// A run and a process report from JSON documents.
#include <algorithm>
#include <set>

#include "harness/base/pattern.hpp"
#include "harness/record/codec.hpp"
#include "harness/record/internal/codec_checks.hpp"
#include "harness/record/internal/codec_parts.hpp"
#include "harness/record/internal/enum_names.hpp"
#include "harness/record/internal/sections.hpp"

namespace torchgate::record {
namespace {

std::string read_run_id(json::JsonReader& reader) {
  constexpr std::size_t digits = 16;
  std::string id = reader.string();
  if (id.size() != digits || id.find_first_not_of("0123456789abcdef") != std::string::npos) {
    reader.fail("expected 16 lower-case hex digits, found " + base::in_quotes(id));
  }
  return id;
}

double read_limit(json::JsonReader& reader) {
  return reader.number(0, base::max_seconds);
}

Confirms read_confirms(json::JsonReader& reader) {
  Confirms confirms;
  reader.object({"baseline", "family"}, [&](std::string_view key) {  // the others are of a later version
    if (key == "run")
      confirms.run = read_run_id(reader);
    else if (key == "baseline")
      confirms.baseline = read_run_id(reader);
    else if (key == "family")
      confirms.family = reader.integer(0, base::max_count);
    else if (key == "open")
      reader.array(base::max_cases, [&](std::int64_t) { confirms.open.push_back(reader.name()); });
    else if (key == "open_family")
      confirms.open_family = reader.integer(0, base::max_count);
    else if (key == "open_budget_s")
      confirms.open_budget_s = read_limit(reader);
    else if (key == "pooled")
      reader.array(base::max_cases, [&](std::int64_t) { confirms.pooled.push_back(read_run_id(reader)); });
    else if (key == "rebuilt")
      confirms.rebuilt = reader.name();
    else
      reader.skip();
  });
  return confirms;
}

// A group is in one shard.
std::vector<std::vector<std::string>> read_division(json::JsonReader& reader) {
  std::vector<std::vector<std::string>> division;
  std::set<std::string> known;
  reader.array(base::max_shards, [&](std::int64_t) {
    division.push_back(internal::read_strings(reader, base::max_groups));
    for (const std::string& group : division.back()) {
      if (!known.insert(group).second)
        reader.fail("duplicate group " + base::in_quotes(group) + ": a group belongs to one shard");
    }
  });
  return division;
}

std::vector<std::int64_t> read_missing_shards(json::JsonReader& reader) {
  std::vector<std::int64_t> missing;
  reader.array(base::max_shards, [&](std::int64_t) {
    missing.push_back(reader.integer(missing.empty() ? 1 : missing.back() + 1, base::max_shards));
  });
  return missing;
}

CountPlan read_count_plan(json::JsonReader& reader) {
  CountPlan count;
  reader.object({"counter", "processes", "calls"}, [&](std::string_view key) {
    if (key == "counter")
      count.counter = reader.name();
    else if (key == "processes")
      count.processes = reader.integer(1, base::max_processes_per_group);
    else if (key == "calls")
      count.calls = reader.integer(1, base::max_count);
    else
      reader.skip();
  });
  return count;
}

Plan read_plan(json::JsonReader& reader) {
  Plan plan;
  reader.object({"profile", "filter", "processes", "shard", "shards", "seed", "suites"}, [&](std::string_view key) {
    if (key == "profile")
      plan.profile = reader.name();
    else if (key == "filter")
      plan.filter = reader.string(base::max_pattern_bytes);
    else if (key == "processes")
      plan.processes = reader.integer(0, base::max_processes);
    else if (key == "shard")
      plan.shard = reader.integer(1, base::max_shards);
    else if (key == "shards")
      plan.shards = reader.integer(1, base::max_shards);
    else if (key == "seed")
      plan.seed = reader.unsigned_integer();
    else if (key == "suites")
      plan.suites = internal::read_strings(reader, base::max_suites);
    else if (key == "group_limit_s")
      plan.group_limit_s = read_limit(reader);
    else if (key == "total_limit_s")
      plan.total_limit_s = read_limit(reader);
    else if (key == "budget_s")
      plan.budget_s = read_limit(reader);
    else if (key == "budget_pairs")
      plan.budget_pairs = reader.integer(0, base::max_count);
    else if (key == "division")
      plan.division = read_division(reader);
    else if (key == "missing_shards")
      plan.missing_shards = read_missing_shards(reader);
    else if (key == "confirms")
      plan.confirms = read_confirms(reader);
    else if (key == "count")
      plan.count = read_count_plan(reader);
    else
      reader.skip();
  });
  if (!plan.missing_shards.empty() && plan.missing_shards.back() > static_cast<std::int64_t>(plan.division.size())) {
    reader.fail("missing shard " + std::to_string(plan.missing_shards.back()) + " of a division in " +
                std::to_string(plan.division.size()));
  }
  if (plan.shard > plan.shards) {
    reader.fail("shard " + std::to_string(plan.shard) + " of " + std::to_string(plan.shards) + " does not exist");
  }
  return plan;
}

MachineFact read_fact(json::JsonReader& reader) {
  MachineFact fact;
  bool unknown = false;
  reader.object({"name", "class"}, [&](std::string_view key) {
    if (key == "name")
      fact.name = reader.name();
    else if (key == "value")
      fact.value = reader.string();
    else if (key == "unknown")
      fact.unknown_reason = reader.string();
    else if (key == "class")
      fact.fact_class = internal::read_enum(reader, internal::fact_class_names);
    else
      reader.skip();
    unknown = unknown || key == "unknown";
  });
  if (fact.value.has_value() == unknown) reader.fail("expected either a value or the reason why it is unknown");
  return fact;
}

Machine read_machine(json::JsonReader& reader) {
  Machine machine;
  reader.object({"host_key", "facts"}, [&](std::string_view key) {
    if (key == "host_key")
      machine.host_key = internal::read_folder_name(reader);
    else if (key == "device_key")
      machine.device_key = reader.name();
    else if (key == "facts")
      reader.array(base::max_parameters, [&](std::int64_t) { machine.facts.push_back(read_fact(reader)); });
    else if (key == "checks_before")
      machine.checks_before = internal::read_checks(reader);
    else if (key == "checks_after")
      machine.checks_after = internal::read_checks(reader);
    else if (key == "noisy_allowed")
      machine.noisy_allowed = reader.boolean();
    else
      reader.skip();
  });
  return machine;
}

Side read_side(json::JsonReader& reader) {
  Side side;
  reader.object({"label", "suite_paths"}, [&](std::string_view key) {
    if (key == "label")
      side.label = reader.name();
    else if (key == "commit")
      side.source.commit = internal::read_hex(reader);
    else if (key == "modified")
      side.source.modified = reader.boolean();
    else if (key == "branch")
      side.source.branch = reader.name();
    else if (key == "suite_paths")
      side.suite_paths = internal::read_strings(reader, base::max_suites);
    else
      reader.skip();
  });
  return side;
}

std::vector<Side> read_sides(json::JsonReader& reader) {
  std::vector<Side> sides;
  reader.array([&](std::int64_t) { sides.push_back(read_side(reader)); });
  if (sides.empty() || sides.size() > 2) {
    reader.fail("expected one side, or two (before and after), found " + std::to_string(sides.size()));
  }
  return sides;
}

std::vector<std::string> read_warnings(json::JsonReader& reader) {
  std::vector<std::string> warnings;
  reader.array(base::max_warnings, [&](std::int64_t) { warnings.push_back(reader.string()); });
  return warnings;
}

SamplesFile read_samples_file(json::JsonReader& reader) {
  SamplesFile samples;
  reader.object({"sha256", "bytes", "count"}, [&](std::string_view key) {
    if (key == "sha256")
      samples.sha256 = internal::read_sha256(reader);
    else if (key == "bytes")
      samples.bytes = reader.integer(0, base::max_bytes);
    else if (key == "count")
      samples.count = reader.integer(0, base::max_count);
    else
      reader.skip();
  });
  return samples;
}

// A group is unchanged once, since one run.
std::vector<UnchangedGroup> read_unchanged(json::JsonReader& reader, const Run& run, internal::CopyBudget& copied) {
  std::vector<UnchangedGroup> unchanged;
  std::set<std::string> known;
  reader.array(base::max_groups, [&](std::int64_t) {
    UnchangedGroup group;
    reader.object({"group", "since", "objects", "files"}, [&](std::string_view key) {
      if (key == "group")
        group.group = reader.name();
      else if (key == "since")
        group.since = read_run_id(reader);
      else if (key == "objects")
        group.objects =
            internal::read_positions(reader, "/objects", static_cast<std::int64_t>(run.objects.size()), copied);
      else if (key == "files")
        group.files = internal::read_positions(reader, "/files", static_cast<std::int64_t>(run.files.size()), copied);
      else
        reader.skip();
    });
    if (!known.insert(group.group).second) reader.fail("duplicate group " + base::in_quotes(group.group));
    unchanged.push_back(std::move(group));
  });
  return unchanged;
}

base::Result<void> check_size(std::string_view text, const std::string& where) {
  if (text.size() <= static_cast<std::size_t>(max_record_bytes)) return {};
  return base::Error{base::ErrorCode::bad_input,
                     where + ": larger than the limit of " + std::to_string(max_record_bytes) + " bytes for a record"};
}

}  // namespace

base::Result<Run> run_from_json(std::string_view text, const std::string& where) {
  if (auto small_enough = check_size(text, where); !small_enough) return small_enough.error();
  json::JsonReader reader(text, where);
  Run run;
  std::vector<Metric> metrics;
  internal::SummaryColumns columns;
  internal::OperatorNames operators;
  internal::CopyBudget copied(text.size());
  const auto read_processes = [&] {
    run.processes = internal::read_processes(reader, {{run.cases, columns, operators, copied},
                                                      static_cast<std::int64_t>(run.sides.size()),
                                                      static_cast<std::int64_t>(run.objects.size()),
                                                      static_cast<std::int64_t>(run.files.size())});
  };
  run.unknown_keys = internal::read_sections(
      reader,
      {
          {"schema", 0, true, [&] { internal::read_schema(reader, run_schema); }},
          {"id", 1, true, [&] { run.id = read_run_id(reader); }},
          {"created", 1, true, [&] { run.created = internal::read_timestamp(reader); }},
          {"tool_version", 1, true, [&] { run.tool_version = reader.name(); }},
          {"interrupted", 1, false, [&] { run.interrupted = reader.boolean(); }},
          {"changed_data", 1, false, [&] { run.changed_data = internal::read_strings(reader, base::max_objects); }},
          {"warnings", 1, false, [&] { run.warnings = read_warnings(reader); }},
          {"plan", 1, true, [&] { run.plan = read_plan(reader); }},
          {"machine", 1, true, [&] { run.machine = read_machine(reader); }},
          {"sides", 1, true, [&] { run.sides = read_sides(reader); }},
          {"samples", 1, false, [&] { run.samples = read_samples_file(reader); }},
          {"objects", 1, true, [&] { run.objects = internal::read_objects(reader); }},
          {"files", 1, false, [&] { run.files = internal::read_files(reader); }, true},
          {"metrics", 1, true, [&] { metrics = internal::read_metrics(reader); }},
          {"groups", 1, true, [&] { run.groups = internal::read_groups(reader); }},
          {"summary_columns", 1, true, [&] { columns = internal::read_summary_columns(reader); }},
          {"operators", 1, false, [&] { operators = internal::read_operators(reader); }, true},
          {"cases", 2, true, [&] { run.cases = internal::read_cases(reader, metrics, copied); }},
          {"instructions", 2, false,
           [&] {
             run.instructions = internal::read_instructions(reader, static_cast<std::int64_t>(run.sides.size()));
           }},
          {"code", 2, false, [&] { run.code = internal::read_code(reader); }},
          {"unchanged", 2, false, [&] { run.unchanged = read_unchanged(reader, run, copied); }},
          {"processes", 3, true, read_processes},
      });
  if (reader.failed()) return reader.error();
  return run;
}

base::Result<ProcessReport> process_report_from_json(std::string_view text, const std::string& where) {
  if (auto small_enough = check_size(text, where); !small_enough) return small_enough.error();
  json::JsonReader reader(text, where);
  ProcessReport report;
  std::vector<Metric> metrics;
  internal::SummaryColumns columns;
  internal::OperatorNames operators;
  internal::CopyBudget copied(text.size());
  const auto read_results = [&] {
    report.results = internal::read_results(reader, {report.cases, columns, operators, copied});
  };
  const auto read_paths = [&] { report.files_read = internal::read_strings(reader, base::max_objects); };
  internal::read_sections(
      reader, {
                  {"schema", 0, true, [&] { internal::read_schema(reader, process_schema); }},
                  {"suite", 1, true, [&] { report.suite = reader.name(); }},
                  {"seconds_estimate", 1, false, [&] { report.seconds_estimate = read_limit(reader); }},
                  {"takes_turns", 1, false, [&] { report.takes_turns = reader.boolean(); }},
                  {"loaded_at_ns", 1, false, [&] { report.loaded_at_ns = reader.integer(0, base::max_ns); }},
                  {"main_at_ns", 1, false, [&] { report.main_at_ns = reader.integer(0, base::max_ns); }},
                  {"first_call_ns", 1, false, [&] { report.first_call_ns = reader.integer(0, base::max_ns); }},
                  {"first_case", 1, false, [&] { report.first_case = reader.name(); }},
                  {"untimed_ns", 1, false, [&] { report.untimed_ns = reader.integer(0, base::max_ns); }},
                  {"operators", 1, false, [&] { operators = internal::read_operators(reader); }, true},
                  {"facts", 1, false, [&] { report.facts = internal::read_parameters(reader); }},
                  {"objects", 1, true, [&] { report.objects = internal::read_objects(reader); }},
                  {"files_read", 1, false, read_paths},
                  {"files_unknown", 1, false, [&] { report.files_unknown = reader.string(); }},
                  {"files_restored", 1, false, [&] { report.files_restored = reader.boolean(); }},
                  {"metrics", 1, true, [&] { metrics = internal::read_metrics(reader); }},
                  {"groups", 1, true, [&] { report.groups = internal::read_groups(reader); }},
                  {"summary_columns", 1, true, [&] { columns = internal::read_summary_columns(reader); }},
                  {"cases", 2, true, [&] { report.cases = internal::read_cases(reader, metrics, copied); }},
                  {"results", 3, true, read_results},
              });
  if (reader.failed()) return reader.error();
  return report;
}

}  // namespace torchgate::record
