// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/suite_process.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <system_error>

#include "harness/base/abandoned_files.hpp"
#include "harness/base/first_line.hpp"
#include "harness/json/json_reader.hpp"
#include "harness/launch/last_words.hpp"
#include "harness/record/codec.hpp"

namespace torchgate::launch {
namespace {

using record::ProcessStatus;

struct SignalName {
  int signal;
  const char* name;
  const char* meaning;
};

/// Those that end a process, with the words of glibc's sigdescr_np(), which a released torchgate cannot call: it is of glibc 2.32.
constexpr std::array<SignalName, 21> signal_names{{
    {SIGHUP, "SIGHUP", "Hangup"},
    {SIGINT, "SIGINT", "Interrupt"},
    {SIGQUIT, "SIGQUIT", "Quit"},
    {SIGILL, "SIGILL", "Illegal instruction"},
    {SIGTRAP, "SIGTRAP", "Trace/breakpoint trap"},
    {SIGABRT, "SIGABRT", "Aborted"},
    {SIGBUS, "SIGBUS", "Bus error"},
    {SIGFPE, "SIGFPE", "Floating point exception"},
    {SIGKILL, "SIGKILL", "Killed"},
    {SIGUSR1, "SIGUSR1", "User defined signal 1"},
    {SIGSEGV, "SIGSEGV", "Segmentation fault"},
    {SIGUSR2, "SIGUSR2", "User defined signal 2"},
    {SIGPIPE, "SIGPIPE", "Broken pipe"},
    {SIGALRM, "SIGALRM", "Alarm clock"},
    {SIGTERM, "SIGTERM", "Terminated"},
    {SIGXCPU, "SIGXCPU", "CPU time limit exceeded"},
    {SIGXFSZ, "SIGXFSZ", "File size limit exceeded"},
    {SIGVTALRM, "SIGVTALRM", "Virtual timer expired"},
    {SIGPROF, "SIGPROF", "Profiling timer expired"},
    {SIGPOLL, "SIGPOLL", "I/O possible"},
    {SIGSYS, "SIGSYS", "Bad system call"},
}};

std::string signal_text(int signal) {
  const auto* const known = std::find_if(signal_names.begin(), signal_names.end(),
                                         [signal](const SignalName& each) { return each.signal == signal; });
  std::string text = "killed by ";
  if (known != signal_names.end()) {
    text += known->name + (" (" + std::string(known->meaning)) + ")";
  } else {
    text += "signal " + std::to_string(signal);
  }
  if (signal == SIGKILL) text += ", often by the kernel when memory runs out; see dmesg";
  return text;
}

/// Processes that keep running could overwrite files that are read here and disturb later measurements.
void judge_what_runs_on(SuiteAnswer& answer) {
  if (answer.outcome.unstoppable.empty()) return;
  if (answer.status == ProcessStatus::ok) answer.status = ProcessStatus::failed;
  answer.message += (answer.message.empty() ? "" : "; ") +
                    ("left processes that cannot be killed (process id " + answer.outcome.unstoppable + ")");
}

/// Status and message of a process that did not end normally; ok if it did.
void judge_ending(const process::Command& command, SuiteAnswer& answer) {
  const process::Outcome& outcome = answer.outcome;
  switch (outcome.ending) {
    case process::Ending::not_started:
      answer.status = ProcessStatus::not_started;
      answer.message = outcome.error;
      return;
    case process::Ending::interrupted:
      answer.status = ProcessStatus::not_started;
      answer.message = "interrupted";
      answer.interrupted = true;
      return;
    case process::Ending::abandoned:
      answer.status = ProcessStatus::failed;
      answer.message = "killed because another process of the same case failed";
      return;
    case process::Ending::timed_out:
      answer.status = ProcessStatus::timed_out;
      answer.message = "killed after its time limit of " + seconds_text(command.time_limit.value_or(outcome.wall));
      return;
    case process::Ending::signalled:
      answer.status = ProcessStatus::crashed;
      answer.message = signal_text(outcome.signal.value_or(0));
      return;
    case process::Ending::exited:
      answer.status = outcome.exit_code == 0 ? ProcessStatus::ok : ProcessStatus::failed;
      if (!outcome.exit_code) answer.message = "ended with an unknown exit code";
      if (outcome.exit_code.value_or(0) != 0)
        answer.message = "ended with exit code " + std::to_string(*outcome.exit_code);
      return;
  }
}

/// The suite reports times of the clock that steady_clock reads on Linux, so that they are comparable with ours.
base::Boxed<record::ProcessStart> start_of(const record::ProcessReport& report, const process::Outcome& outcome) {
  const std::int64_t launched_ns = std::chrono::nanoseconds(outcome.started.time_since_epoch()).count();
  const auto since_launch = [&](const std::optional<std::int64_t>& at_ns) -> std::optional<std::int64_t> {
    if (!at_ns || *at_ns < launched_ns || *at_ns > launched_ns + outcome.wall.count()) return std::nullopt;
    return *at_ns - launched_ns;
  };
  record::ProcessStart start{since_launch(report.loaded_at_ns), since_launch(report.main_at_ns), report.first_call_ns,
                             report.first_case, report.untimed_ns};
  if (start == record::ProcessStart{}) return {};
  return start;
}

/// A suite renames its report once it is written; Google Benchmark creates the file before it runs anything, and ends it last. A counter of it may be
/// NaN.
bool is_complete(const ReportFile& file) {
  const auto text = file.text(report_limit_bytes);
  return text && json::check_json(*text, "its report", json::NonFinite::accepted);
}

/// Whether the suite began after its executable was last read: a wrapper script became it in between. Its clock is steady_clock on Linux.
bool began_unseen(const record::ProcessReport& report, const process::Outcome& outcome) {
  return report.main_at_ns &&
         std::chrono::nanoseconds(*report.main_at_ns) >= outcome.executable_read_at.time_since_epoch();
}

/// The executable in the report where it is not the one that the kernel named; nullptr: they agree, or the kernel was not asked while the
/// suite ran.
const record::LoadedObject* other_executable(const SuiteAnswer& answer) {
  if (!answer.outcome.executable) return nullptr;
  for (const record::LoadedObject& object : answer.report->objects)
    if (object.executable && !process::agrees(object, answer.outcome.executable->identity)) return &object;
  return nullptr;
}

/// What the kernel named before a wrapper script became the suite says nothing of the suite.
void forget_wrapper(SuiteAnswer& answer) {
  if (other_executable(answer) != nullptr && began_unseen(*answer.report, answer.outcome))
    answer.outcome.executable.reset();
}

/// Empty: the report does not contradict the kernel.
std::string false_claim(const SuiteAnswer& answer) {
  const record::LoadedObject* const claimed = other_executable(answer);
  if (claimed == nullptr) return "";
  return "wrong executable in its report: " + claimed->path + ", but " + answer.outcome.executable->path +
         " ran; a wrapper script must end with `exec`";
}

}  // namespace

void tell_full_disk(const std::filesystem::path& report_file, SuiteAnswer& answer) {
  constexpr std::int64_t some_bytes = 64 << 10;
  if (answer.status == ProcessStatus::ok || answer.interrupted || answer.status == ProcessStatus::not_started) return;
  const auto writable = base::check_writable(report_file.parent_path() / "probe", some_bytes);
  if (!writable && writable.error().code == base::ErrorCode::io)
    answer.message = "no report can be written (TMPDIR): " + writable.error().message + "\n" + answer.message;
}

void take_seen_executable(SuiteAnswer& answer) {
  if (!answer.report || !answer.outcome.executable) return;
  const process::SeenExecutable& seen = *answer.outcome.executable;
  std::vector<record::LoadedObject>& objects = answer.report->objects;
  std::erase_if(objects, [](const record::LoadedObject& each) { return each.executable; });
  record::LoadedObject object;
  object.path = seen.path;
  object.bytes = seen.identity.bytes;
  object.inode = seen.identity.inode;
  object.mtime_ns = seen.identity.mtime_ns;
  object.executable = true;
  objects.insert(objects.begin(), std::move(object));
}

void read_suite_report(const ReportFile& file, SuiteAnswer& answer) {
  const auto text = file.text(report_limit_bytes);
  if (!text && text.error().code == base::ErrorCode::not_found) {
    answer.status = ProcessStatus::not_a_suite;
    answer.message = "ended with exit code 0 before it wrote its report: a case called exit(); let it throw instead";
    return;
  }
  auto report = text ? record::process_report_from_json(*text, "its report")
                     : base::Result<record::ProcessReport>(text.error().within("its report"));
  if (!report) {
    answer.status = ProcessStatus::bad_report;
    answer.message = report.error().message;
    return;
  }
  answer.report = *std::move(report);
  forget_wrapper(answer);
  if (answer.message = false_claim(answer); !answer.message.empty()) {
    answer.status = ProcessStatus::bad_report;
    answer.report.reset();
    return;
  }
  if (!answer.report->results.empty()) take_seen_executable(answer);
}

SuiteAnswer ask_suite(const process::Command& command, const std::filesystem::path& report_file,
                      const AnswerReader& read) {
  const ReportFile file(report_file);
  SuiteAnswer answer = answer_of(command, process::run_process(command), file, read);
  tell_full_disk(report_file, answer);
  return answer;
}

SuiteAnswer not_started(const std::string& why) {
  SuiteAnswer answer;
  answer.message = answer.outcome.error = why;
  return answer;
}

SuiteAnswer answer_of(const process::Command& command, process::Outcome outcome, const ReportFile& file,
                      const AnswerReader& read) {
  SuiteAnswer answer;
  answer.outcome = std::move(outcome);
  judge_ending(command, answer);
  judge_what_runs_on(answer);
  if (answer.status == ProcessStatus::ok) {
    read(file, answer);
  } else if (command.output_file.empty() && is_complete(file)) {
    answer.message += ", after it had written its report";
  }
  file.remove();
  const std::string words = last_words(answer.outcome.tail);
  if (answer.status != ProcessStatus::ok && !answer.interrupted && !words.empty())
    answer.message += "\nlast output:\n" + words;
  return answer;
}

void lose_by_other(SuiteAnswer& lost, const std::string& guilty, const SuiteAnswer& cause) {
  lost.status = ProcessStatus::not_started;
  lost.lost_by_other = true;
  lost.report.reset();
  lost.message = "the pair is lost: side '" + guilty + "' " + std::string(base::first_line(cause.message));
}

void describe(const SuiteAnswer& answer, record::Process& process) {
  const process::Outcome& outcome = answer.outcome;
  process.status = answer.status;
  process.message = answer.message;
  process.wall_ns = outcome.wall.count();
  if (outcome.exit_code) process.exit_code = *outcome.exit_code;
  if (outcome.signal) process.signal = *outcome.signal;
  if (outcome.ending == process::Ending::not_started) return;
  process.cpu_ns = outcome.cpu.count();
  process.peak_resident_bytes = outcome.peak_resident_bytes;
  if (outcome.usage) process.usage = *outcome.usage;
  if (answer.report) process.start = start_of(*answer.report, outcome);
}

std::vector<record::Parameter> merged_environment(const std::vector<record::Parameter>& outer,
                                                  const std::vector<record::Parameter>& inner) {
  std::vector<record::Parameter> result;
  for (const auto* const layer : {&outer, &inner}) {
    for (const record::Parameter& each : *layer) {
      const auto same =
          std::find_if(result.begin(), result.end(), [&](const auto& old) { return old.name == each.name; });
      if (same == result.end()) {
        result.push_back(each);
      } else {
        same->value = each.value;
      }
    }
  }
  return result;
}

std::vector<std::string> sampling_flags(const record::Plan& plan) {
  std::vector<std::string> flags;
  if (plan.warmup_calls) flags.push_back("--torchgate_warmup=" + std::to_string(*plan.warmup_calls));
  if (plan.samples) flags.push_back("--torchgate_samples=" + std::to_string(*plan.samples));
  return flags;
}

std::string seconds_text(std::chrono::nanoseconds duration) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g s", std::chrono::duration<double>(duration).count());
  return text.data();
}

}  // namespace torchgate::launch
