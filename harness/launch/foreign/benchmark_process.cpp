// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/foreign/benchmark_process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "harness/base/counted.hpp"
#include "harness/base/limits.hpp"
#include "harness/import/google_benchmark.hpp"
#include "harness/import/imported_case.hpp"
#include "harness/import/raw_samples.hpp"
#include "harness/launch/program_file.hpp"
#include "harness/process/temporary_folder.hpp"
#include "harness/record/sample_summary.hpp"
#include "harness/record/script.hpp"

namespace torchgate::launch {
namespace {

namespace fs = std::filesystem;
using import::ImportedCase;
using record::ProcessStatus;
using Clock = std::chrono::steady_clock;

/// Matches no benchmark, which every version of Google Benchmark reports with the words below.
constexpr const char* filter_of_nothing = "^torchgate asks for nothing$";
constexpr std::string_view nothing_matched = "Failed to match any benchmarks against regex";

/// The shortest text that is read back as the same number, with a decimal point in every locale. Without the suffix
/// "s": version 1.7 does not accept it, and later versions do not need it.
std::string number(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// The output of the program with ARGUMENTS.
struct Printed {
  SuiteAnswer answer;
  std::vector<std::string> lines;
};

Printed ask_to_print(process::Command command, std::vector<std::string> arguments, const fs::path& scratch) {
  Printed printed;
  const auto folder = process::TemporaryFolder::create(scratch);
  if (!folder) return {not_started(folder.error().message), {}};
  command.output_file = folder->path() / "listing.txt";
  command.arguments = {"--benchmark_list_tests=true"};
  command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
  command.environment = merged_environment(command.environment, {list_only});
  const auto read = [&](const ReportFile& file, SuiteAnswer& answer) {
    const auto text = file.text(static_cast<std::int64_t>(process::output_limit_bytes));
    if (text) {
      printed.lines = lines_of(*text);
    } else {
      answer.status = ProcessStatus::bad_report;
      answer.message = "its output: " + text.error().message;
    }
  };
  printed.answer = ask_suite(command, command.output_file, read);
  return printed;
}

/// COMMAND with what is left of its limit, which holds for all starts of a listing together.
process::Command until(Clock::time_point ends, process::Command command) {
  constexpr std::chrono::milliseconds shortest{1};
  if (command.time_limit) command.time_limit = std::max<std::chrono::nanoseconds>(ends - Clock::now(), shortest);
  return command;
}

/// The output of the program without any benchmark. If it does not know the flag for warm-up, it is run again without
/// that flag.
Printed ask_for_nothing(const process::Command& command, Clock::time_point ends, bool& warms_up,
                        const fs::path& scratch) {
  std::vector<std::string> arguments{std::string("--benchmark_filter=") + filter_of_nothing,
                                     "--benchmark_min_warmup_time=0.01"};
  Printed printed = ask_to_print(until(ends, command), arguments, scratch);
  warms_up = printed.answer.status == ProcessStatus::ok &&
             printed.answer.outcome.tail.find(nothing_matched) != std::string::npos;
  if (warms_up || printed.answer.interrupted) return printed;
  arguments.pop_back();
  return ask_to_print(until(ends, command), arguments, scratch);
}

void refuse(SuiteAnswer& answer, const std::string& why) {
  if (answer.status == ProcessStatus::ok) answer.status = ProcessStatus::not_a_suite;
  answer.message = why;
  answer.report.reset();
}

std::vector<std::string> arguments_for(const BenchmarkJob& job, const fs::path& report) {
  const BenchmarkTimes& times = job.times;
  std::vector<std::string> run_names;
  for (const std::string& name : job.filtered)
    if (const auto known = job.program->run_names.find(name); known != job.program->run_names.end())
      run_names.push_back(known->second);
  std::vector<std::string> arguments{"--benchmark_filter=" + exact_benchmark_filter(run_names),
                                     "--benchmark_out=" + report.string(),
                                     "--benchmark_out_format=json",
                                     "--benchmark_min_time=" + number(times.min_time_s),
                                     "--benchmark_repetitions=" + std::to_string(times.repetitions),
                                     "--benchmark_report_aggregates_only=false"};
  if (job.program->warms_up) arguments.push_back("--benchmark_min_warmup_time=" + number(times.warm_up_s));
  return arguments;
}

/// The facts of the file's context that are about the program; those about the machine are already known.
void take_facts(const import::ImportedProcess& process, record::ProcessReport& report) {
  for (const record::MachineFact& fact : process.facts)
    if (fact.name == "library_version" || fact.name == "library_build_type")
      report.facts.push_back({"google_benchmark_" + fact.name, fact.value.value_or("")});
}

void take_raw_samples(const ReportFile& file, import::ImportedProcess& process) {
  const auto text = file.text(report_limit_bytes);
  if (!text && text.error().code == base::ErrorCode::not_found) return;  // it does not use our header
  if (!text) return process.warnings.push_back("the raw samples of " + process.file + ": " + text.error().message);
  const auto runs = import::read_raw_samples(*text, "the raw samples of " + process.file);
  if (!runs) return process.warnings.push_back(runs.error().message);
  for (import::ImportedCase& each : process.cases) {
    const std::string left_out = import::use_raw_samples(each, *runs);
    if (!left_out.empty()) process.warnings.push_back(left_out);
  }
}

/// The times of the repetitions of each benchmark, in the order of the file.
std::vector<std::vector<double>> repetitions_of(const import::ImportedProcess& process) {
  std::vector<std::vector<double>> repetitions;
  for (const import::ImportedCase& each : process.cases) repetitions.push_back(each.time_ns);
  return repetitions;
}

/// A repetition follows the one before it after about the same time in both processes of a pair, and both begin together: repetitions of one number are
/// neighbours.
void take_turns(const std::vector<double>& repetitions, record::CaseResult& result) {
  const auto time = std::find_if(result.measurements.begin(), result.measurements.end(),
                                 [](const auto& each) { return each.metric == "time"; });
  auto turns = record::turns_of_one_sample(repetitions);
  if (time != result.measurements.end() && turns) time->turns = *std::move(turns);
}

/// Of benchmarks of one name, the NUMBERth, if PROCESS has as many of them as the listing.
ImportedCase* benchmark_in(import::ImportedProcess& process, const std::string& run_name, const SameName& which,
                           std::string& why_not) {
  ImportedCase* found = nullptr;
  for (ImportedCase& each : process.cases) {
    if (each.run_name != run_name) continue;
    if (!each.ambiguous.empty())
      why_not = "benchmarks of this name cannot be told apart: " + each.ambiguous;
    else if (each.of_one_name != which.of)
      why_not = fmt::format("the program lists {} of this name and reports {}",
                            base::counted(which.of, "benchmark", "benchmarks"), each.of_one_name);
    if (each.number == which.number) found = &each;
  }
  return found;
}

/// PROCESS as a report on the cases of JOB: other benchmarks that the program ran (because the filter was that of the family, or of their name) are
/// left out. REPETITIONS: of each benchmark in PROCESS, in a pair that takes turns; else empty.
record::ProcessReport report_of(import::ImportedProcess process, const BenchmarkJob& job,
                                const std::vector<std::vector<double>>& repetitions) {
  const BenchmarkProgram& program = *job.program;
  record::ProcessReport report;
  report.suite = program.suite;
  take_facts(process, report);
  for (const std::string& name : job.cases) {
    const auto same = program.same_names.find(name);
    std::string why_not;
    import::ImportedCase* const found = benchmark_in(
        process, program.run_names.at(name), same == program.same_names.end() ? SameName{} : same->second, why_not);
    if (!why_not.empty()) {
      import::ImportedCase unknown;
      unknown.failure = std::move(why_not);
      report.results.push_back(import::result_of(std::move(unknown), name));
      continue;
    }
    if (found == nullptr) continue;
    report.cases.push_back(import::definition_of(*found, name, program.suite, group_of_benchmark(program, name)));
    report.results.push_back(import::result_of(std::move(*found), name));
    if (!repetitions.empty())
      take_turns(repetitions.at(static_cast<std::size_t>(found - process.cases.data())), report.results.back());
  }
  return report;
}

fs::path samples_in(const fs::path& scratch) {
  return scratch / "samples.txt";
}

/// What the kernel ran: a wrapper script ends with exec.
fs::path ran_by(const SuiteAnswer& answer, const process::Command& command) {
  if (answer.outcome.executable) return answer.outcome.executable->path;
  std::error_code failed;
  const fs::path real = fs::canonical(command.executable, failed);
  return failed ? command.executable : real;
}

/// What ran, as far as it is known: from the kernel while the process ran, and from the loader. What only the kernel could say of a process
/// that it no longer shows is not known, and nothing is better than a part.
void take_objects(const machine::ObjectsOfProcess& seen, const BenchmarkProgram& program, SuiteAnswer& answer) {
  std::vector<record::LoadedObject>& objects = answer.report->objects;
  objects = seen.objects();
  take_seen_executable(answer);
  if (answer.outcome.executable && is_script_of(program.file, answer.outcome.executable->path))
    answer.report->files_unknown = record::code_in_files;
  add_needed(program.needed, objects);
  if (program.needed.objects || objects.size() > 1) return;
  objects.clear();
  answer.warnings.push_back(program.suite +
                            ": a process ended before the libraries that it had loaded could be read, and " +
                            program.needed.unknown + "; let it measure longer, or start the program itself");
}

}  // namespace

BenchmarkAnswer list_benchmarks(const process::Command& command, const std::string& suite, const std::string& profile,
                                const fs::path& scratch) {
  auto program = std::make_shared<BenchmarkProgram>();
  program->suite = suite;
  program->file = command.executable;
  const auto ends = Clock::now() + command.time_limit.value_or(std::chrono::hours(24));
  Printed all = ask_to_print(until(ends, command), {}, scratch);
  if (all.answer.status != ProcessStatus::ok) return {std::move(all.answer), nullptr};
  if (all.lines.size() > static_cast<std::size_t>(base::max_cases)) {
    refuse(all.answer, "lists " + std::to_string(all.lines.size()) + " names; a suite has at most " +
                           std::to_string(base::max_cases) + " cases");
    all.answer.status = ProcessStatus::bad_report;
    return {std::move(all.answer), nullptr};
  }
  const Printed nothing = ask_for_nothing(command, ends, program->warms_up, scratch);
  if (nothing.answer.interrupted) return {nothing.answer, nullptr};
  // Lines that the program always prints are not benchmarks.
  std::multiset<std::string_view> own(nothing.lines.begin(), nothing.lines.end());
  std::erase_if(all.lines, [&](const std::string& line) {
    const auto found = own.find(line);
    if (found == own.end()) return false;
    own.erase(found);
    return true;
  });
  if (nothing.answer.outcome.tail.find(nothing_matched) == std::string::npos) {
    refuse(all.answer, "--benchmark_list_tests=true and --benchmark_filter are not supported");
  } else if (all.lines.empty()) {
    refuse(all.answer, "no benchmarks are listed with --benchmark_list_tests=true");
  } else {
    all.answer.report = listing_of_benchmarks(all.lines, profile, *program);
    program->needed = needed_libraries(command, ran_by(all.answer, command));
    return {std::move(all.answer), std::move(program)};
  }
  return {std::move(all.answer), nullptr};
}

fs::path benchmark_report(const fs::path& scratch) {
  return scratch / "report.json";
}

process::Command benchmark_command(process::Command command, const BenchmarkJob& job, const fs::path& scratch) {
  command.arguments = arguments_for(job, benchmark_report(scratch));
  command.environment = merged_environment(command.environment, {{samples_variable, samples_in(scratch).string()}});
  return command;
}

AnswerReader benchmark_reader(const BenchmarkJob& job, const machine::ObjectsOfProcess& objects,
                              const fs::path& scratch) {
  // Opened before the start, as the report is: a file found afterwards was written by this process.
  auto samples = std::make_shared<ReportFile>(samples_in(scratch));
  return [&job, &objects, samples](const ReportFile& file, SuiteAnswer& answer) {
    auto source = file.source(report_limit_bytes);
    if (!source && source.error().code == base::ErrorCode::not_found)
      return refuse(answer, "ended normally without writing the file of --benchmark_out");
    auto process = source ? import::read_google_benchmark(std::move(source).value(), "its file")
                          : base::Result<import::ImportedProcess>(source.error().within("its file"));
    if (!process) {
      answer.status = ProcessStatus::bad_report;
      answer.message = process.error().message;
      if (answer.message.find("truncated after") != std::string::npos)
        answer.message =
            "ended with exit code 0 before its result was complete: a benchmark called exit() or _exit(); "
            "let it call SkipWithError() instead";
      return;
    }
    process->file = job.program->suite;
    // What was measured is kept: the direction of its time is as defined.
    if (std::string wrong = import::against_definition({&*process, 1}, job.better); !wrong.empty())
      process->warnings.push_back(std::move(wrong));
    import::settle_directions(*process, job.better);
    const auto repetitions = job.in_turns ? repetitions_of(*process) : std::vector<std::vector<double>>();
    take_raw_samples(*samples, *process);
    answer.warnings = process->warnings;
    answer.report = report_of(std::move(process).value(), job, repetitions);
    take_objects(objects, *job.program, answer);
  };
}

SuiteAnswer run_benchmarks(const process::Command& command, const BenchmarkJob& job, const fs::path& scratch) {
  machine::ObjectsOfProcess objects;
  process::Command with_job = benchmark_command(command, job, scratch);
  with_job.look = [&](pid_t pid) { objects.look(pid); };
  return ask_suite(with_job, benchmark_report(scratch), benchmark_reader(job, objects, scratch));
}

}  // namespace torchgate::launch
