// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/run/case_process.hpp"

#include <sched.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <system_error>

#include "harness/bench/count/client_requests.hpp"
#include "harness/bench/files/interposed.hpp"
#include "harness/bench/program/start_times.hpp"
#include "harness/bench/run/own_cpus.hpp"
#include "harness/bench/run/own_file.hpp"
#include "harness/record/codec.hpp"

namespace torchgate::bench {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

// The process inherits the CPUs of the thread that starts it, so that its libraries see them when they are loaded.
class FewerCpus {
 public:
  explicit FewerCpus(std::optional<int> count) {
    if (!count || sched_getaffinity(0, sizeof before_, &before_) != 0) return;
    cpu_set_t fewer;
    CPU_ZERO(&fewer);
    for (const int cpu : cpus_of_different_cores(allowed_cpus(), *count))
      CPU_SET(static_cast<std::size_t>(cpu), &fewer);
    changed_ = sched_setaffinity(0, sizeof fewer, &fewer) == 0;
  }
  ~FewerCpus() {
    if (changed_) sched_setaffinity(0, sizeof before_, &before_);
  }
  FewerCpus(const FewerCpus&) = delete;
  FewerCpus& operator=(const FewerCpus&) = delete;

 private:
  cpu_set_t before_{};
  bool changed_ = false;
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const OwnProcess& settings, int threads) {
  std::map<std::string, std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    if (const auto equals = text.find('='); equals != std::string::npos)
      variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  if (settings.threads) variables["OMP_NUM_THREADS"] = std::to_string(threads);
  for (const record::Parameter& variable : settings.environment) variables[variable.name] = variable.value;
  std::vector<std::string> texts;
  texts.reserve(variables.size());
  for (const auto& [name, value] : variables) texts.push_back(name + "=" + value);
  return texts;
}

// In Valgrind, /proc/self/exe is Valgrind to the kernel, and this program to those who read the link.
std::string this_program() {
  std::error_code error;
  if (callgrind::runs_here()) {
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!error) return program.string();
  }
  return "/proc/self/exe";
}

Result<int> run_to_the_end(std::vector<std::string> arguments, std::vector<std::string> environment,
                           std::optional<int> cpus) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t child = 0;
  int failed = 0;
  {
    const FewerCpus fewer(cpus);
    failed = spawn_unnoted(&child, this_program().c_str(), &actions, pointers_to(arguments).data(),
                           pointers_to(environment).data());
  }
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return Error{ErrorCode::io, std::string("it could not be started: ") + std::strerror(failed)};
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return Error{ErrorCode::io, std::string("waitpid failed: ") + std::strerror(errno)};
  }
  return status;
}

Result<void> check_status(int status) {
  if (WIFSIGNALED(status))
    return Error{ErrorCode::bad_input, std::string("it was killed by signal ") + std::to_string(WTERMSIG(status)) +
                                           " (" + strsignal(WTERMSIG(status)) + ")"};
  if (WEXITSTATUS(status) != 0)
    return Error{ErrorCode::bad_input, "it ended with exit code " + std::to_string(WEXITSTATUS(status))};
  return {};
}

Result<record::ProcessReport> read_report(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return Error{ErrorCode::bad_input,
                 "it ended with exit code 0 before it wrote its report: the case called exit(); let it throw instead"};
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return record::process_report_from_json(text, "its report");
}

}  // namespace

Result<CaseAnswer> SelfProcess::run(const std::string& group, const std::string& case_name, const OwnProcess& settings,
                                    const std::optional<std::string>& flag) {
  const OwnFile report_file("report.json");
  if (!report_file.made())
    return Error{ErrorCode::io, "no folder for its report could be made in TMPDIR; check its space"};
  const int threads = settings.threads.value_or(threads_);
  std::vector<std::string> arguments{program_invocation_name};
  arguments.insert(arguments.end(), arguments_.begin(), arguments_.end());
  for (const std::string& part :
       {"group=" + group, "case=" + case_name, "out=" + report_file.path(), "threads=" + std::to_string(threads)})
    arguments.push_back("--torchgate_" + part);
  if (flag) arguments.push_back("--torchgate_" + *flag);
  const std::int64_t launched_at_ns = monotonic_ns();
  const auto status = run_to_the_end(std::move(arguments), environment_with(settings, threads), settings.cpus);
  if (!status) return status.error();
  if (const auto ended = check_status(*status); !ended) return ended.error();
  auto report = read_report(report_file.path());
  if (!report) return report.error();
  if (report->results.size() != 1 || !report->main_at_ns)
    return Error{ErrorCode::bad_input, "its report is not about one case"};
  CaseAnswer answer;
  answer.result = std::move(report->results.front());
  answer.traces = {std::move(report->objects), {std::move(report->files_read), std::move(report->files_unknown)}};
  answer.load_ns = *report->main_at_ns - launched_at_ns;
  return answer;
}

}  // namespace torchgate::bench
