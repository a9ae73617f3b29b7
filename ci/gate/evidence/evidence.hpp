// SPDX-License-Identifier: Apache-2.0
// What one side of a run knows about each case, gathered from its processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ci/gate/evidence/incomplete.hpp"
#include "harness/base/pattern.hpp"
#include "harness/record/run.hpp"
#include "reports/facts/fact.hpp"

namespace torchgate::gate {

/// One process in which a case was measured.
struct CaseProcess {
  const record::Process* process = nullptr;
  const record::CaseResult* result = nullptr;
};

/// Processes without a result: crashed, timed out, ... All cases of a group have the same, so only the first message
/// is kept: a copy for each case would be cases x processes.
class LostProcesses {
 public:
  void add(const record::Process& process);
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t size() const { return count_; }
  /// Those of them that were not started: by then their group had failed, or the time of the run was over.
  [[nodiscard]] std::size_t not_started() const { return not_started_; }
  /// REQUIRES: !empty(). The first line of the message of the first one that was started; where none was, of the first.
  [[nodiscard]] std::string front() const { return std::string(first_); }
  /// The others, however they were lost: by a signal, an exit code, a time limit, or without a valid report.
  [[nodiscard]] std::size_t started() const { return count_ - not_started_; }

 private:
  std::size_t count_ = 0;
  std::size_t not_started_ = 0;
  std::string_view first_;  // of the run
};

struct CaseEvidence {
  const record::Case* definition = nullptr;
  std::vector<CaseProcess> measured;      ///< status ok, in the order of the schedule
  facts::Facts failures;                  ///< messages of failed results, one per process
  std::vector<std::string> wrongs;        ///< messages of wrong results
  LostProcesses lost;                     ///< of its group, also those that were not started
  std::int64_t processes = 0;             ///< launches of its group
  std::string_view skipped_because = {};  ///< of the first result that is skipped; the other side measures the case
  int at_once = 1;                        ///< calls that run at the same time (go_cpus.hpp)
  std::size_t below_resolution = 0;       ///< of the failures: times that were rounded to 0 (usable_result.hpp)
};

/// Of a metric, over the measured processes: all that most rules look at.
struct ProcessValues {
  std::vector<double> medians;      ///< one per process, in the metric's unit
  std::vector<double> worse_logs;   ///< their logarithms, oriented so that larger is worse
  std::vector<std::int64_t> pairs;  ///< pair number of each, where the run is paired
  /// Of each; nullptr: it took no turns. Of tails, empty. Owned by the run, in the metric's unit.
  std::vector<const record::TurnTimes*> turns;
  double orientation = 1;             ///< -1 where higher is better: times a logarithm, larger is worse
  std::int64_t sample_count = 0;      ///< also when the raw samples were not kept
  std::int64_t calls_per_sample = 1;  ///< largest
  bool samples_kept = true;  ///< of every process. Half of the raw samples would be another sample, not a smaller one
  bool stops_included = false;  ///< include_stops() of a process

  [[nodiscard]] std::int64_t kept_samples() const { return samples_kept ? sample_count : 0; }
};

/// The same, and the samples.
struct TimedEvidence : ProcessValues {
  std::vector<double> samples;  ///< raw samples of all processes without those discarded; empty when not kept
};

/// Whether a run was asked to measure a case, and what of its plan leaves it out.
enum class Coverage : std::uint8_t {
  planned,
  filter,        ///< its filter does
  other_shard,   ///< another shard has the group, or should have had
  other_suites,  ///< the case's suite is none of the run's
};

class SideEvidence {
 public:
  SideEvidence(const record::Run& run, std::int64_t side);

  [[nodiscard]] const record::Run& run() const { return *run_; }
  /// nullptr when the run has no such case.
  [[nodiscard]] const CaseEvidence* find(std::string_view case_name) const;
  [[nodiscard]] const std::map<std::string_view, CaseEvidence>& cases() const { return cases_; }
  [[nodiscard]] Coverage coverage(const record::Case& definition) const;
  /// The run was asked to measure this case, whether it did or not.
  [[nodiscard]] bool planned(const record::Case& definition) const;
  /// A suite did not list its cases: what they are is not known.
  [[nodiscard]] bool lost_a_listing() const { return !lost_listings_.empty(); }
  /// The processes that were to list the cases of SUITE and failed. Also where a suite of another name failed to, and nothing of this one was
  /// started: until it is listed, its program's name stands for it. nullptr: it was listed.
  [[nodiscard]] const LostProcesses* lost_listing(std::string_view suite) const;

 private:
  void find_lost_listings(std::int64_t side);

  const record::Run* run_;
  std::map<std::string_view, CaseEvidence> cases_;
  std::map<std::string_view, LostProcesses> lost_listings_;  // by suite
  std::set<std::string_view> started_suites_;
  // Of the run's plan.
  std::set<std::string_view> suites_;
  PlannedGroups groups_;
  std::optional<base::Pattern> filter_;  // absent: it is none
};

/// All cases of both sides by name; defined as after has them, where both do.
std::map<std::string_view, const record::Case*> cases_of(const SideEvidence& before, const SideEvidence& after);

/// "a process of GROUP was lost: the first line of its message"; "was not measured" where it was not started.
facts::Fact lost_process_of(const record::Process& process);

/// The process was stopped while it took samples of METRIC, and they are longer by that: Google Benchmark in a pair that took turns, which is
/// stopped within a repetition. Medians, floors and means of turns stand anyway; percentiles, modes and the spread are those of the stops.
bool include_stops(const record::Case& definition, const record::CaseResult& result, const record::Metric& metric);

/// Process values of one metric. A median that is not positive has no logarithm and makes worse_logs not finite.
ProcessValues process_values(const CaseEvidence& evidence, const record::Metric& metric);
TimedEvidence timed_evidence(const CaseEvidence& evidence, const record::Metric& metric);

/// The count that all processes agree on; absent when there is none or they differ.
std::optional<double> exact_value(const CaseEvidence& evidence, std::string_view metric);

/// What the processes that have a count say: a limit that all of them are beyond is exceeded, however they differ.
struct CountRange {
  double least = 0;
  double most = 0;
  bool of_all = true;  ///< false: some processes have none

  [[nodiscard]] bool agrees() const { return least == most; }
};

/// Absent: no process has a count.
std::optional<CountRange> count_range(const CaseEvidence& evidence, std::string_view metric);

}  // namespace torchgate::gate
