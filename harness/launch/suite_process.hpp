// SPDX-License-Identifier: Apache-2.0
// Runs a suite executable once: takes a command line, returns its report or the reason why there is none.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/launch/report_file.hpp"
#include "harness/process/process.hpp"
#include "harness/record/process.hpp"
#include "harness/record/run.hpp"

namespace torchgate::launch {

/// A larger report is an error: 256 MiB is ten million samples.
inline constexpr std::int64_t report_limit_bytes = std::int64_t{256} << 20;

/// CPU time by node of a job of Slurm; this machine is 0.
using CpuOfNodes = std::map<std::int64_t, std::chrono::nanoseconds>;

struct SuiteAnswer {
  record::ProcessStatus status = record::ProcessStatus::not_started;
  std::string message;         ///< why status is not ok, with the last output of the process
  bool interrupted = false;    ///< the user asked to stop: nothing is known about the suite
  bool lost_by_other = false;  ///< it was ended because the other side of its pair failed
  process::Outcome outcome;
  CpuOfNodes cpu_beside;              ///< of processes that are not children of this one (srun.hpp)
  std::vector<std::string> warnings;  ///< for programs that are not torchgate suites: data that could not be used
  std::optional<record::ProcessReport> report;  ///< of a suite: present exactly when status is ok
};

/// Reads FILE into the answer of a process that ended normally. FILE may be missing.
using AnswerReader = std::function<void(const ReportFile& file, SuiteAnswer& answer)>;

/// A report as harness/record writes it. It is a bad report if it names another executable than the one that ran.
void read_suite_report(const ReportFile& file, SuiteAnswer& answer);

/// Makes the executable of answer.report->objects the one that the kernel named, which comes first.
void take_seen_executable(SuiteAnswer& answer);

/// Runs COMMAND, which writes its report to REPORT_FILE, and reads and removes that. Nothing else may write into the folder of
/// REPORT_FILE: it is a new one for each launch.
SuiteAnswer ask_suite(const process::Command& command, const std::filesystem::path& report_file,
                      const AnswerReader& read = read_suite_report);

/// The answer of ask_suite for a COMMAND that has ended. FILE was made before the start.
SuiteAnswer answer_of(const process::Command& command, process::Outcome outcome, const ReportFile& file,
                      const AnswerReader& read = read_suite_report);

/// Makes a full disk the reason of ANSWER: without space a process can write no report, or a part of one, whatever else it was.
void tell_full_disk(const std::filesystem::path& report_file, SuiteAnswer& answer);

/// The answer if COMMAND could not be started.
SuiteAnswer not_started(const std::string& why);

/// LOST was ended because the other process of its pair, that of side GUILTY, failed for CAUSE: it has done nothing wrong.
void lose_by_other(SuiteAnswer& lost, const std::string& guilty, const SuiteAnswer& cause);

/// Sets the fields of a Process that depend on the answer: status, message, exit code, signal, times, peak.
void describe(const SuiteAnswer& answer, record::Process& process);

/// The variables of INNER replace those of OUTER with the same name.
std::vector<record::Parameter> merged_environment(const std::vector<record::Parameter>& outer,
                                                  const std::vector<record::Parameter>& inner);

/// "10 s", "2.5 s", "1 ms": a limit in a sentence.
std::string seconds_text(std::chrono::nanoseconds duration);

/// The flags of a suite for the numbers of calls that PLAN asks for; none for most plans, which a suite of an older version knows.
std::vector<std::string> sampling_flags(const record::Plan& plan);

}  // namespace torchgate::launch
