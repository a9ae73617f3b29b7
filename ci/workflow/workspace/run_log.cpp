// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/workspace/run_log.hpp"

#include <fcntl.h>

#include <cerrno>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

#include "harness/base/timestamp.hpp"
#include "harness/base/whole_io.hpp"

namespace torchgate::workflow {
namespace {

using LogLine = nlohmann::ordered_json;

/// A message may hold a stack trace; a line stays readable.
constexpr std::size_t longest_message = 2000;

std::string shortened(const std::string& message) {
  return message.size() <= longest_message ? message : message.substr(0, longest_message) + "...";
}

LogLine event(const char* name) {
  return {
      {"schema", "torchgate.log/1"}, {"time", base::utc_timestamp(std::chrono::system_clock::now())}, {"event", name}};
}

template <class T>
void add(LogLine& line, const char* name, const std::optional<T>& value) {
  line[name] = value ? LogLine(*value) : LogLine(nullptr);
}

const char* word_of(record::ProcessStatus status) {
  switch (status) {
    case record::ProcessStatus::ok:
      return "ok";
    case record::ProcessStatus::crashed:
      return "crashed";
    case record::ProcessStatus::failed:
      return "failed";
    case record::ProcessStatus::timed_out:
      return "timed_out";
    case record::ProcessStatus::not_a_suite:
      return "not_a_suite";
    case record::ProcessStatus::bad_report:
      return "bad_report";
    case record::ProcessStatus::not_started:
      return "not_started";
  }
  return "failed";
}

const char* word_of(record::CaseStatus status) {
  switch (status) {
    case record::CaseStatus::ok:
      return "ok";
    case record::CaseStatus::failed:
      return "failed";
    case record::CaseStatus::wrong:
      return "wrong";
    case record::CaseStatus::skipped:
      return "skipped";
  }
  return "failed";
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
void add_compilation(LogLine& line, const record::CaseResult& result, const record::Process& process) {
  const auto build = value_of(result, "build_time");
  auto first = value_of(result, "first_call");
  if (!first && process.start && process.start->first_case == result.name && process.start->first_call_ns)
    first = static_cast<double>(*process.start->first_call_ns);
  line["compilation_status"] = build ? "measured" : first ? "first_call_measured" : "not_recorded";
  add(line, "build_time_ns", build);
  add(line, "first_call_ns", first);
  add(line, "graph_breaks", value_of(result, "graph_breaks"));
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

void RunLog::write(std::string line) {
  if (!works_) return;
  line += '\n';
  const int failed = base::write_all(file_.get(), line);
  if (failed == 0) return;
  works_ = false;
  on_note("--log " + path_.string() +
          " could not be written and has no further lines: " + std::generic_category().message(failed));
}

void RunLog::on_plan(const launch::Forecast& forecast) {
  for (const record::Case& definition : forecast.cases) cases_[definition.name] = definition;
  LogLine line = event("run_started");
  line["model_version"] = commits_.empty() ? "" : commits_.back();
  line["profile"] = profile_;
  line["seed"] = seed_;
  line["suites"] = forecast.suites.size();
  line["cases"] = forecast.cases.size();
  line["processes"] = forecast.processes;
  write(line.dump(-1, ' ', false, LogLine::error_handler_t::replace));
  if (next_ != nullptr) next_->on_plan(forecast);
}

void RunLog::on_process_started(const record::Process& process, const launch::Progress& progress) {
  if (next_ != nullptr) next_->on_process_started(process, progress);
}

void RunLog::on_process_finished(const record::Process& process, const launch::Progress& progress) {
  const auto side = static_cast<std::size_t>(process.side);
  const auto common = [&](const char* name) {
    LogLine line = event(name);
    line["model_version"] = side < commits_.size() ? commits_[side] : "";
    line["side"] = side < sides_.size() ? sides_[side] : "";
    line["process"] = process.index;
    line["suite"] = process.suite;
    line["group"] = process.group;
    return line;
  };
  LogLine line = common("process_ended");
  line["status"] = word_of(process.status);
  line["message"] = shortened(process.message);
  line["seed"] = process.seed;
  line["wall_ns"] = process.wall_ns;
  add(line, "peak_resident_bytes", process.peak_resident_bytes);
  write(line.dump(-1, ' ', false, LogLine::error_handler_t::replace));
  for (const record::CaseResult& result : process.cases) {
    LogLine of_case = common("case");
    of_case["case"] = result.name;
    const auto known = cases_.find(result.name);
    of_case["variant"] = known != cases_.end() ? known->second.variant : "";
    of_case["device"] = known != cases_.end() ? known->second.device : "";
    of_case["input_shape"] = LogLine::object();
    if (known != cases_.end()) {
      for (const record::Parameter& each : known->second.parameters) of_case["input_shape"][each.name] = each.value;
    }
    of_case["status"] = word_of(result.status);
    of_case["message"] = shortened(result.message);
    add(of_case, "time_ns", value_of(result, "time"));
    add(of_case, "samples", count_of(result, "time"));
    of_case["warmup_calls"] = result.warmup_calls;
    add_compilation(of_case, result, process);
    write(of_case.dump(-1, ' ', false, LogLine::error_handler_t::replace));
  }
  if (next_ != nullptr) next_->on_process_finished(process, progress);
}

void RunLog::on_note(const std::string& note) {
  if (next_ != nullptr) next_->on_note(note);
}

void RunLog::end(const base::Result<record::Run>& run) {
  LogLine line = event("run_ended");
  line["run"] = run ? run->id : "";
  line["status"] = !run ? "failed" : run->interrupted ? "interrupted" : "complete";
  line["message"] = run ? "" : shortened(run.error().message);
  write(line.dump(-1, ' ', false, LogLine::error_handler_t::replace));
}

}  // namespace torchgate::workflow
