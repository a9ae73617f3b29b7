// SPDX-License-Identifier: Apache-2.0
// What processes measured, and how they went, as JSON.
#include <cmath>

#include "harness/record/internal/codec_parts.hpp"
#include "harness/record/internal/enum_names.hpp"
#include "harness/record/internal/summary_columns.hpp"

namespace torchgate::record::internal {
namespace {

const std::string nothing;

// Its position; its name where it has none: an output may have been checked against a case that was filtered out.
void write_case_reference(json::JsonWriter& json, std::string_view key, const std::string& name,
                          const CasePositions& positions) {
  const auto found = positions.find(name);
  if (found != positions.end()) {
    json.member(key, found->second);
  } else {
    json.member(key, name);
  }
}

void write_summary(json::JsonWriter& json, const SampleSummary& summary) {
  const auto write = [&json](const auto& content) {
    if constexpr (requires { content.has_value(); }) {
      content ? json.value(*content) : json.null();
    } else {
      json.value(content);
    }
  };
  json.begin_array();
  for (const SummaryColumn& column : summary_columns) {
    std::visit([&](auto field) { write(summary.*field); }, column.field);
  }
  json.end_array();
}

void write_measurement(json::JsonWriter& json, const Measurement& measurement, Samples samples) {
  const bool with_samples = samples == Samples::written && !measurement.samples.empty();
  json.key(measurement.metric);
  // The two short forms are nearly all there is: a summary is an array, an exact value a number.
  if (!with_samples && measurement.summary && !measurement.value && !measurement.turns)
    return write_summary(json, *measurement.summary);
  if (!with_samples && measurement.value && !measurement.summary) return json.value(*measurement.value);
  json.begin_object();
  if (measurement.summary) {
    json.key("summary");
    write_summary(json, *measurement.summary);
  }
  json.member("value", measurement.value);
  if (with_samples) json.member_list("samples", measurement.samples);
  if (measurement.turns) {
    json.key("turns");
    json.begin_object();
    json.member("floor", measurement.turns->floor);
    json.member_list("means", measurement.turns->means);
    json.member_list("counts", measurement.turns->counts);
    json.end_object();
  }
  json.end_object();
}

void write_check(json::JsonWriter& json, const OutputCheck& check, const CasePositions& positions) {
  json.key("check");
  json.begin_object();
  write_case_reference(json, "against", check.against, positions);
  json.member("max_abs", check.max_abs);
  json.member("relative_l2", check.relative_l2);
  if (check.cosine && std::isfinite(*check.cosine)) json.member("cosine", check.cosine);
  json.member("tolerance", check.tolerance);
  json.member("within", check.within);
  json.end_object();
}

void write_proofs(json::JsonWriter& json, const std::vector<PathProof>& proofs) {
  json.key("proofs");
  json.begin_array();
  for (const PathProof& proof : proofs) {
    json.begin_object();
    json.member("expectation", proof.expectation);
    json.member("observed", proof.observed);
    json.member("holds", proof.holds);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

// A process loads nearly the same objects as all others: ascending neighbours are written as [first, last].
void write_positions(json::JsonWriter& json, std::string_view key, const std::vector<std::int64_t>& objects) {
  json.key(key);
  json.begin_array();
  for (std::size_t first = 0; first < objects.size();) {
    std::size_t last = first;
    while (last + 1 < objects.size() && objects[last + 1] == objects[last] + 1) ++last;
    if (last - first < 2) {
      json.value(objects[first++]);
      continue;
    }
    json.begin_array();
    json.value(objects[first]);
    json.value(objects[last]);
    json.end_array();
    first = last + 1;
  }
  json.end_array();
}

namespace {

void write_usage(json::JsonWriter& json, const ProcessUsage& usage) {
  json.key("usage");
  json.begin_object();
  json.member("minor_faults", usage.minor_faults);
  json.member("major_faults", usage.major_faults);
  json.member("voluntary_switches", usage.voluntary_switches);
  json.member("involuntary_switches", usage.involuntary_switches);
  json.end_object();
}

void write_start(json::JsonWriter& json, const ProcessStart& start) {
  json.key("start");
  json.begin_object();
  json.member("load_ns", start.load_ns);
  json.member("main_ns", start.main_ns);
  json.member("first_call_ns", start.first_call_ns);
  json.member_unless(nothing, "first_case", start.first_case);
  json.member("untimed_ns", start.untimed_ns);
  json.end_object();
}

}  // namespace

void write_objects(json::JsonWriter& json, const std::vector<LoadedObject>& objects) {
  json.key("objects");
  json.begin_array();
  for (const LoadedObject& object : objects) {
    json.begin_object();
    json.member("path", object.path);
    json.member_unless(nothing, "soname", object.soname);
    json.member("bytes", object.bytes);
    json.member("inode", object.inode);
    json.member("mtime_ns", object.mtime_ns);
    json.member_unless(nothing, "sha256", object.sha256);
    json.member_unless(false, "executable", object.executable);
    json.member_unless(false, "system", object.system);
    json.end_object();
  }
  json.end_array();
}

void write_files(json::JsonWriter& json, const std::vector<ReadFile>& files) {
  json.key("files");
  json.begin_array();
  for (const ReadFile& file : files) {
    json.begin_object();
    json.member("path", file.path);
    json.member_unless(nothing, "sha256", file.sha256);
    json.end_object();
  }
  json.end_array();
}

void write_summary_columns(json::JsonWriter& json) {
  json.key("summary_columns");
  json.begin_array();
  for (const SummaryColumn& column : summary_columns) json.value(column.name);
  json.end_array();
}

void write_results(json::JsonWriter& json, std::string_view key, const std::vector<CaseResult>& results,
                   const CasePositions& positions, const OperatorTable& operators, Samples samples) {
  json.key(key);
  json.begin_array();
  for (const CaseResult& result : results) {
    json.begin_object();
    write_case_reference(json, "case", result.name, positions);
    if (result.status != CaseStatus::ok) json.member("status", name_of(case_status_names, result.status));
    json.member_unless(nothing, "message", result.message);
    json.member("calls_per_sample", result.calls_per_sample);
    json.member_unless(std::int64_t{0}, "warmup_calls", result.warmup_calls);
    json.member("steady", result.steady);
    json.member_unless(std::int64_t{0}, "discarded_samples", result.discarded_samples);
    json.member_unless(nothing, "discard_reason", result.discard_reason);
    if (result.check) write_check(json, *result.check, positions);
    if (!result.proofs.empty()) write_proofs(json, result.proofs);
    json.key("measurements");
    json.begin_object();
    for (const Measurement& measurement : result.measurements) write_measurement(json, measurement, samples);
    json.end_object();
    if (result.profile) write_profile(json, *result.profile, operators);
    json.end_object();
  }
  json.end_array();
}

void write_processes(json::JsonWriter& json, const std::vector<Process>& processes, const CasePositions& positions,
                     const OperatorTable& operators) {
  json.key("processes");
  json.begin_array();
  for (const Process& process : processes) {
    json.begin_object();
    json.member("index", process.index);
    json.member("side", process.side);
    json.member("pair", process.pair);
    json.member_unless(std::int64_t{0}, "order_in_pair", process.order_in_pair);
    json.member("suite", process.suite);
    json.member("group", process.group);
    json.member("seed", process.seed);
    json.member_unless(nothing, "started", process.started);
    json.member("wall_ns", process.wall_ns);
    if (process.status != ProcessStatus::ok) json.member("status", name_of(process_status_names, process.status));
    json.member_unless(nothing, "message", process.message);
    json.member("exit_code", process.exit_code);
    json.member("signal", process.signal);
    json.member("peak_resident_bytes", process.peak_resident_bytes);
    json.member("cpu_ns", process.cpu_ns);
    if (process.usage) write_usage(json, *process.usage);
    if (process.start) write_start(json, *process.start);
    write_parameters(json, "environment", process.environment);
    json.member("rank", process.rank);
    write_positions(json, "objects", process.objects);
    if (process.files) write_positions(json, "files", *process.files);
    json.member_unless(nothing, "files_unknown", process.files_unknown);
    write_results(json, "cases", process.cases, positions, operators, Samples::left_out);
    json.end_object();
  }
  json.end_array();
}

}  // namespace torchgate::record::internal
