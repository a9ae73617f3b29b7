// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/count/count_process.hpp"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "harness/launch/count/callgrind_parts.hpp"
#include "harness/launch/count/math_kernels.hpp"
#include "harness/launch/foreign/benchmark_count.hpp"
#include "harness/launch/last_words.hpp"
#include "harness/launch/report_file.hpp"
#include "harness/launch/suite_process.hpp"
#include "harness/process/in_path.hpp"
#include "harness/record/codec.hpp"

namespace torchgate::launch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view request_trigger = "Client Request: ";

std::string why_it_failed(const process::Outcome& outcome, CountLimit limit) {
  if (outcome.ending == process::Ending::timed_out)
    return limit == CountLimit::of_group
               ? "its process reached its time limit while it was counted; raise --group-limit"
               : "its process was ended while it was counted, because the time limit of all counting was reached; "
                 "raise "
                 "it (--budget), or count fewer cases (--filter)";
  if (outcome.ending == process::Ending::abandoned)
    return "its process was ended, because the one beside it could not be started";
  if (outcome.ending == process::Ending::signalled && outcome.signal == SIGILL)
    return "its process executes an instruction that Valgrind does not know (Valgrind has no AVX-512); build without "
           "it, or use --counter hardware";
  std::string why =
      outcome.ending == process::Ending::signalled
          ? fmt::format("its process was killed by signal {} while it was counted", *outcome.signal)
          : fmt::format("its process ended with exit code {} while it was counted", outcome.exit_code.value_or(-1));
  if (outcome.ending == process::Ending::not_started) why = "its process could not be started: " + outcome.error;
  const std::string words = last_words(outcome.tail);
  return words.empty() ? why : why + ": " + words.substr(words.find_last_of('\n') + 1);
}

void take_part(const CallgrindPart& part, std::string_view what, double calls, ProcessCount& count) {
  if (what == "set-up") {
    for (const auto& [function, instructions] : part.functions) count.set_up[function] += instructions;
    return;
  }
  count.per_call = static_cast<double>(part.total) / calls;
  for (const auto& [function, instructions] : part.functions)
    count.functions[function] += static_cast<double>(instructions) / calls;
}

// A suite names each part by what it is of and its case.
void take_parts(const std::vector<CallgrindPart>& parts, const std::map<std::string, double>& calls,
                std::map<std::string, ProcessCount>& counts) {
  for (const CallgrindPart& part : parts) {
    std::string_view trigger = part.trigger;
    if (!trigger.starts_with(request_trigger)) continue;
    trigger.remove_prefix(request_trigger.size());
    const std::size_t space = trigger.find(' ');
    if (space == std::string_view::npos) continue;
    const std::string name(trigger.substr(space + 1));
    const auto known = calls.find(name);
    const auto count = counts.find(name);
    if (known != calls.end() && count != counts.end())
      take_part(part, trigger.substr(0, space), known->second, count->second);
  }
}

void read_suite_counts(const CountSettings& settings, const fs::path& folder,
                       std::map<std::string, ProcessCount>& counts) {
  const auto fail = [&](const std::string& why) {
    for (auto& [name, count] : counts) {
      count = {};
      count.unknown = why;
    }
  };
  const auto text = ReportFile(folder / "report.json").text(report_limit_bytes);
  if (!text) return fail("its process wrote no report: " + text.error().message);
  const auto report = record::process_report_from_json(*text, "its report");
  if (!report) return fail(report.error().message);
  for (const record::Parameter& fact : report->facts)
    for (auto& [name, count] : counts)
      if (fact.name == "cpu_capability") count.cpu_capability = fact.value;
  std::map<std::string, double> calls;
  for (const record::CaseResult& result : report->results) {
    const auto count = counts.find(result.name);
    if (count == counts.end()) continue;
    if (result.status != record::CaseStatus::ok) {
      const char* const what = result.status == record::CaseStatus::skipped ? "skipped" : "failed";
      count->second.unknown = fmt::format("{} while it was counted: {}", what, result.message.text());
      continue;
    }
    calls[result.name] = static_cast<double>(std::max<std::int64_t>(1, result.calls_per_sample));
    for (const record::Measurement& each : result.measurements)
      if (each.metric == record::instructions_metric) count->second.per_call = each.value;
  }
  if (settings.valgrind.empty()) return;
  auto parts = read_parts(folder);
  if (!parts) return fail(parts.error().message);
  take_parts(parts->numbered, calls, counts);
  if (!settings.set_up) return;
  for (auto& [name, count] : counts) add_programs(*parts, count);
}

}  // namespace

base::Result<CountSettings> find_callgrind() {
  const auto program = process::in_path("valgrind");
  if (!program)
    return base::Error{base::ErrorCode::not_found,
                       "valgrind is not in PATH; install it (Debian and Ubuntu: apt-get install valgrind)"};
  process::Command command;
  command.executable = *program;
  command.arguments = {"--version"};
  command.time_limit = std::chrono::seconds(60);
  const process::Outcome outcome = process::run_process(command);
  constexpr std::string_view prefix = "valgrind-";
  const std::size_t at = outcome.tail.find(prefix);
  if (outcome.ending != process::Ending::exited || outcome.exit_code != 0 || at == std::string::npos)
    return base::Error{base::ErrorCode::io, program->string() + " --version failed: " + last_words(outcome.tail)};
  std::string version = outcome.tail.substr(at + prefix.size());
  version = version.substr(0, version.find_first_of(" \r\n"));
  CountSettings settings;
  settings.valgrind = *program;
  settings.counter = "callgrind-" + version;
  return settings;
}

base::Result<void> check_hardware_counter() {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  const long descriptor = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (descriptor < 0)
    return base::Error{base::ErrorCode::not_found,
                       std::string("the kernel does not count instructions here (perf_event_open: ") +
                           std::strerror(errno) +
                           "); where the CPU has a counter, sysctl kernel.perf_event_paranoid=2 allows it"};
  close(static_cast<int>(descriptor));
  return {};
}

process::Command count_command(process::Command command, const CountJob& job, const CountSettings& settings,
                               const std::string& profile, const fs::path& folder) {
  std::vector<std::string> arguments;
  if (job.side->program) {
    arguments = benchmark_count_arguments(job.side->program->run_names.at(job.cases.front()), settings.calls, folder);
  } else {
    arguments = {"--torchgate_group=" + job.group, "--torchgate_out=" + (folder / "report.json").string(),
                 "--torchgate_profile=" + profile, "--torchgate_filter=" + job.filter,
                 fmt::format("--torchgate_count={}{}", settings.calls, settings.set_up ? "+setup" : "")};
  }
  if (!settings.valgrind.empty()) {
    std::vector<std::string> tool{"--tool=callgrind",  "--command-line-only=yes",
                                  "--quiet",           "--demangle=no",
                                  "--separate-recs=1", "--callgrind-out-file=" + (folder / "part.%p").string()};
    const auto also = job.side->program
                          ? benchmark_count_flags(settings.set_up)
                          : std::vector<std::string>{settings.set_up ? "--instr-atstart=yes" : "--instr-atstart=no",
                                                     "--trace-children=yes"};
    tool.insert(tool.end(), also.begin(), also.end());
    tool.push_back(command.executable.string());
    arguments.insert(arguments.begin(), tool.begin(), tool.end());
    command.executable = settings.valgrind;
    if (settings.without_fma)
      for (record::Parameter& variable : kernels_without_fma(command))
        command.environment.push_back(std::move(variable));
  }
  command.arguments = std::move(arguments);
  return command;
}

namespace {

// The program is filtered by name, so all of that name are executed.
ProcessCount several_of_one_name() {
  ProcessCount count;
  count.unknown = "several benchmarks of the program have this name, and all of them are counted together";
  return count;
}

}  // namespace

std::map<std::string, ProcessCount> read_counts(const CountJob& job, const CountSettings& settings,
                                                const process::Outcome& outcome, const fs::path& folder,
                                                CountLimit limit) {
  std::map<std::string, ProcessCount> counts;
  for (const std::string& name : job.cases) counts[name];
  const bool ended_well = outcome.ending == process::Ending::exited && outcome.exit_code == 0;
  if (!ended_well) {
    for (auto& [name, count] : counts) count.unknown = why_it_failed(outcome, limit);
    return counts;
  }
  if (job.side->program) {
    counts.begin()->second = job.side->program->same_names.contains(job.cases.front())
                                 ? several_of_one_name()
                                 : read_benchmark_count(folder, settings.calls);
  } else {
    read_suite_counts(settings, folder, counts);
  }
  for (auto& [name, count] : counts)
    if (!count.per_call && count.unknown.empty()) count.unknown = "its process counted nothing";
  return counts;
}

}  // namespace torchgate::launch
