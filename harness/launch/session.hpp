// SPDX-License-Identifier: Apache-2.0
// Runs the schedule of a run, one suite process after the other.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/launch/collector.hpp"
#include "harness/launch/foreign/benchmark_pair.hpp"
#include "harness/launch/request.hpp"
#include "harness/launch/schedule.hpp"
#include "harness/launch/suite_process.hpp"
#include "harness/launch/survey.hpp"
#include "harness/launch/time_left.hpp"
#include "harness/launch/turns/turn_plan.hpp"
#include "harness/process/process.hpp"

namespace torchgate::launch {

/// In the scratch folder of a process of a suite.
inline constexpr const char* report_name = "report.json";

class Session {
 public:
  /// RUN has its plan (with both limits), sides and cases; JOURNAL may be null. All references must outlive the session.
  Session(const Request& request, const Survey& found, std::filesystem::path scratch, record::Run& run,
          Observer& observer, ObjectHashes& hashes, Journal* journal = nullptr);

  /// Takes over the processes that are already measured, at their place in the schedule. bad_input: they belong to
  /// another schedule.
  base::Result<void> go_on(const Unfinished& unfinished);

  /// Runs round after round until the plan is complete or the user asks to stop. bad_input: a file that a side of a paired run needs has
  /// changed; the processes missing then must not be treated as unavailable evidence.
  base::Result<void> run_all();

  /// CPU time that processes took which are not children of this one (SuiteAnswer::cpu_beside).
  [[nodiscard]] const CpuOfNodes& cpu_beside() const { return cpu_beside_; }

  /// Suites that could not be listed are appended, so that the schedule's positions do not change.
  void record_failed(std::vector<record::Process> failed);

 private:
  [[nodiscard]] const GroupOnSide& on_side(const Slot& slot) const;
  [[nodiscard]] record::Process planned(std::size_t index) const;
  [[nodiscard]] std::string reason_not_to_start(const Slot& slot) const;
  [[nodiscard]] std::string what_changed(const Slot& slot) const;
  [[nodiscard]] process::Command command_of(const Slot& slot, const record::Process& process) const;
  [[nodiscard]] SuiteAnswer ask(const Slot& slot, const record::Process& process) const;
  [[nodiscard]] process::Command suite_command(const Slot& slot, const record::Process& process,
                                               const std::filesystem::path& report) const;
  [[nodiscard]] BenchmarkJob job_of(const Slot& slot) const;
  const std::optional<BenchmarkProbe>& probed(std::size_t first, const std::array<record::Process, 2>& processes);
  [[nodiscard]] bool has_failed(std::size_t group) const;
  [[nodiscard]] std::array<SuiteAnswer, 2> ask_benchmark_pair(std::size_t first,
                                                              const std::array<record::Process, 2>& processes,
                                                              const std::array<std::filesystem::path, 2>& folders);
  [[nodiscard]] std::array<SuiteAnswer, 2> ask_suite_pair(std::size_t first,
                                                          const std::array<record::Process, 2>& processes,
                                                          const std::array<std::filesystem::path, 2>& folders) const;
  [[nodiscard]] bool takes_turns(const Slot& slot) const;
  base::Result<void> run_begun_rounds();
  base::Result<void> run_rounds();
  base::Result<void> run_slot(std::size_t index);
  [[nodiscard]] std::vector<std::size_t> next_slots();
  std::set<std::string> ask_for_round();
  [[nodiscard]] Progress progress() const;
  void start(std::size_t index);
  void start_in_turns(std::size_t first);
  [[nodiscard]] std::vector<TurnCase> cases_in_turns(std::size_t first) const;
  void take_answer(std::size_t index, record::Process process, SuiteAnswer answer);
  void take_over(std::size_t index);
  void keep(const record::Process& process, const std::vector<record::Parameter>& facts);
  void tell_launched(const record::Process& process) const;
  void record_not_started(std::size_t index, const std::string& reason);
  [[nodiscard]] bool budget_spent() const;

  const Request& request_;
  const std::vector<SelectedGroup>& groups_;
  const std::vector<FileHash>& executables_;
  const std::optional<SrunJob>& srun_;
  const std::filesystem::path scratch_;
  record::Run& run_;
  Observer& observer_;
  ObjectHashes& hashes_;
  Journal* journal_;
  Collector collector_;
  std::map<std::size_t, record::Process> measured_;                 // before, by their place in the schedule
  std::map<std::size_t, std::vector<record::Parameter>> facts_of_;  // of these
  TimeLeft time_left_;
  std::vector<Slot> slots_;
  std::vector<std::int64_t> rounds_;                             // that each group has had
  std::int64_t begun_ = 0;                                       // pairs
  std::vector<std::size_t> remaining_;                           // launches of each group, at most
  std::map<std::size_t, std::optional<BenchmarkProbe>> probes_;  // of groups of Google Benchmark programs
  std::set<std::size_t> in_turns_;                               // slots that ran together with the one before them
  std::map<std::pair<std::size_t, std::int64_t>, std::int64_t> failures_;  // of (group, side)
  std::int64_t done_ = 0;
  CpuOfNodes cpu_beside_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::chrono::nanoseconds listing_;      ///< what listing took before it: counts towards the limit of the run
  std::optional<RoundsSoFar> round_;      ///< as the last choice of groups left it
  std::chrono::nanoseconds round_at_{0};  ///< when that was
  std::optional<std::chrono::nanoseconds> expected_at_round_;  ///< how much time was expected to be left then
};

}  // namespace torchgate::launch
