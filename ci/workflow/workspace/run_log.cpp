// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/workspace/run_log.hpp"

#include <fcntl.h>

#include <cerrno>
#include <chrono>
#include <optional>
#include <system_error>
#include <utility>

#include "harness/base/timestamp.hpp"
#include "harness/base/whole_io.hpp"
#include "harness/json/json_writer.hpp"
#include "harness/record/names.hpp"

namespace torchgate::workflow {
namespace {

/// A message may hold a stack trace; a line stays readable.
constexpr std::size_t longest_message = 2000;

std::string shortened(const std::string& message) {
  return message.size() <= longest_message ? message : message.substr(0, longest_message) + "...";
}

json::JsonWriter event(const char* name) {
  json::JsonWriter line(json::line_layout);
  line.begin_object();
  line.member("schema", "torchgate.log/1");
  line.member("time", base::utc_timestamp(std::chrono::system_clock::now()));
  line.member("event", name);
  return line;
}

// The median of a timed metric, the value of an exact one.
std::optional<double> value_of(const record::CaseResult& result, const std::string& metric) {
  for (const record::Measurement& each : result.measurements) {
    if (each.metric != metric) continue;
    return each.summary ? std::optional(each.summary->median) : each.value;
  }
  return std::nullopt;
}

std::optional<std::int64_t> count_of(const record::CaseResult& result, const std::string& metric) {
  for (const record::Measurement& each : result.measurements)
    if (each.metric == metric && each.summary) return each.summary->n;
  return std::nullopt;
}

// What is known of compiling the case's model: a cold start measures it, and a process its first call of all.
void add_compilation(json::JsonWriter& line, const record::CaseResult& result, const record::Process& process) {
  const auto build = value_of(result, "build_time");
  auto first = value_of(result, "first_call");
  if (!first && process.start && process.start->first_case == result.name && process.start->first_call_ns)
    first = static_cast<double>(*process.start->first_call_ns);
  line.member("compilation_status", build ? "measured" : first ? "first_call_measured" : "not_recorded");
  line.member("build_time_ns", build);
  line.member("first_call_ns", first);
  line.member("graph_breaks", value_of(result, "graph_breaks"));
}

}  // namespace

base::Result<std::unique_ptr<RunLog>> RunLog::open(const std::filesystem::path& file, const launch::Request& request) {
  process::Descriptor opened(::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0644));
  if (!opened.open())
    return base::Error{base::ErrorCode::io, "--log " + file.string() +
                                                ": cannot be opened: " + std::generic_category().message(errno) +
                                                "; name a file in a folder that can be written"};
  return std::unique_ptr<RunLog>(new RunLog(std::move(opened), file, request));
}

RunLog::RunLog(process::Descriptor file, std::filesystem::path path, const launch::Request& request)
    : file_(std::move(file)), path_(std::move(path)), profile_(request.plan.profile), seed_(request.plan.seed) {
  for (const launch::SideRequest& side : request.sides) {
    sides_.push_back(side.label);
    commits_.push_back(side.source.commit.value_or(""));
  }
}

void RunLog::write(json::JsonWriter& open_line) {
  if (!works_) return;
  open_line.end_object();
  const std::string line = open_line.take() + '\n';
  const int failed = base::write_all(file_.get(), line);
  if (failed == 0) return;
  works_ = false;
  on_note("--log " + path_.string() +
          " could not be written and has no further lines: " + std::generic_category().message(failed));
}

void RunLog::on_plan(const launch::Forecast& forecast) {
  for (const record::Case& definition : forecast.cases) cases_[definition.name] = definition;
  json::JsonWriter line = event("run_started");
  line.member("model_version", commits_.empty() ? "" : commits_.back());
  line.member("profile", profile_);
  line.member("seed", seed_);
  line.member("suites", forecast.suites.size());
  line.member("cases", forecast.cases.size());
  line.member("processes", forecast.processes);
  write(line);
  if (next_ != nullptr) next_->on_plan(forecast);
}

void RunLog::on_process_started(const record::Process& process, const launch::Progress& progress) {
  if (next_ != nullptr) next_->on_process_started(process, progress);
}

void RunLog::on_process_finished(const record::Process& process, const launch::Progress& progress) {
  const auto side = static_cast<std::size_t>(process.side);
  const auto common = [&](const char* name) {
    json::JsonWriter line = event(name);
    line.member("model_version", side < commits_.size() ? commits_[side] : "");
    line.member("side", side < sides_.size() ? sides_[side] : "");
    line.member("process", process.index);
    line.member("suite", process.suite);
    line.member("group", process.group);
    return line;
  };
  json::JsonWriter line = common("process_ended");
  line.member("status", base::name_of(record::process_status_names, process.status));
  line.member("message", shortened(process.message));
  line.member("seed", process.seed);
  line.member("wall_ns", process.wall_ns);
  line.member("peak_resident_bytes", process.peak_resident_bytes);
  write(line);
  for (const record::CaseResult& result : process.cases) {
    json::JsonWriter of_case = common("case");
    of_case.member("case", result.name);
    const auto known = cases_.find(result.name);
    of_case.member("variant", known != cases_.end() ? known->second.variant : "");
    of_case.member("device", known != cases_.end() ? known->second.device : "");
    of_case.key("input_shape");
    of_case.begin_object();
    if (known != cases_.end()) {
      for (const record::Parameter& each : known->second.parameters) {
        of_case.key_of(each.name);
        of_case.value(each.value);
      }
    }
    of_case.end_object();
    of_case.member("status", base::name_of(record::case_status_names, result.status));
    of_case.member("message", shortened(result.message.text()));
    of_case.member("time_ns", value_of(result, "time"));
    of_case.member("samples", count_of(result, "time"));
    of_case.member("warmup_calls", result.warmup_calls);
    add_compilation(of_case, result, process);
    write(of_case);
  }
  if (next_ != nullptr) next_->on_process_finished(process, progress);
}

void RunLog::on_note(const std::string& note) {
  if (next_ != nullptr) next_->on_note(note);
}

void RunLog::end(const base::Result<record::Run>& run) {
  json::JsonWriter line = event("run_ended");
  line.member("run", run ? run->id : "");
  line.member("status", !run ? "failed" : run->interrupted ? "interrupted" : "complete");
  line.member("message", run ? "" : shortened(run.error().message));
  write(line);
}

}  // namespace torchgate::workflow
