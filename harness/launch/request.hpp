// SPDX-License-Identifier: Apache-2.0
// What to measure, and how the caller is informed about the progress.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/import/directions.hpp"
#include "harness/launch/journal.hpp"
#include "harness/launch/shards/division.hpp"
#include "harness/launch/srun.hpp"
#include "harness/machine/doctor/nvml.hpp"
#include "harness/machine/facts.hpp"
#include "harness/record/run.hpp"

namespace torchgate::launch {

/// One process measures one group in seconds; ten minutes is a hang, not a slow machine.
inline constexpr std::chrono::seconds default_group_limit{600};

/// A GitHub-hosted job is killed after six hours without saving anything. This leaves an hour to save, judge and report.
inline constexpr std::chrono::seconds default_total_limit{5 * 3600};

/// How long to wait for another torchgate on this machine. A default run takes about ten minutes: after twice that
/// time something is stuck, and continuing with a warning is better than a queue of jobs that never starts.
inline constexpr std::chrono::seconds default_lock_wait{1200};

/// A side to measure.
struct SideRequest {
  std::string label = "run";                   ///< "run"; "before" and "after" for two
  std::vector<std::filesystem::path> suites;   ///< executables, or folders of executables
  std::vector<record::Parameter> environment;  ///< of this side's processes only, e.g. LD_LIBRARY_PATH
  record::Source source;
  /// Suite names of executables that are not torchgate suites; default: the file name.
  std::map<std::filesystem::path, std::string> called = {};
  /// Files that each launch of this side needs unchanged (a baseline's, from a store): checked before each launch.
  std::vector<FileHash> files = {};
  /// Files that its processes read with another content than on disk (record::file_map_variable, in ENVIRONMENT): path, SHA-256.
  std::map<std::string, std::string> restored = {};
};

/// What counts instructions.
enum class Counter { any, callgrind, hardware };

/// Instructions are counted beside the timing (count/count.hpp).
struct CountRequest {
  Counter counter = Counter::any;
  std::int64_t processes = 2;  ///< of each group: two show whether a count repeats
  std::int64_t calls = 3;      ///< of each case, counted together
  bool functions = false;      ///< the functions of set-up and calls are wanted: only Callgrind has them
  bool all_kernels =
      false;  ///< oneDNN and MKL take any, also those that Callgrind executes slowly (count/math_kernels.hpp)
  std::optional<int> at_once;  ///< processes; absent: one for each CPU
};

/// As a record's plan has it, and back. A quick profile counts one call in one process.
record::CountPlan count_plan(const CountRequest& request);
CountRequest count_request(const record::CountPlan& plan);
CountRequest count_request(Counter counter, const std::string& profile);

/// How far pairs are whose rounds are chosen as they are measured.
struct RoundsSoFar {
  std::int64_t pairs = 0;       ///< measured, of all groups
  std::int64_t most_pairs = 0;  ///< in the end at most: a group that is decided gets no more
  std::int64_t cases = 0;       ///< asked about
  std::int64_t decided = 0;     ///< of them
  double spent_s = 0;           ///< by these pairs
  double expected_s = 0;        ///< what further pairs are expected to take, in the same measure
};

/// Chooses from round to round which groups are measured once more, where the answers so far decide about it.
class Rounds {
 public:
  Rounds() = default;
  Rounds(const Rounds&) = delete;
  Rounds& operator=(const Rounds&) = delete;
  virtual ~Rounds() = default;

  /// Called between two rounds with the run so far: the groups that get one more round, which is their next in the schedule. None
  /// (or none that has a round left): the run is complete. A resumed run asks with what was measured before, never within a pair.
  virtual std::set<std::string> next(const record::Run& so_far) = 0;

  /// As of the last next(). Absent: it does not know.
  [[nodiscard]] virtual std::optional<RoundsSoFar> so_far() const { return std::nullopt; }
};

struct Request {
  std::vector<SideRequest> sides;  ///< one or two; two are measured in interleaved pairs

  /// profile, filter, processes, shard, shards, seed, limits and budgets are honoured; suites is filled in.
  record::Plan plan;

  /// When not empty: only these cases, by exact name, whatever the filter says (the suspects to confirm).
  std::vector<std::string> only_cases;

  std::vector<record::Parameter> environment;  ///< of all suite processes, on top of that of this process
  std::vector<std::string> unset;              ///< removed from it
  std::vector<std::string> warnings = {};      ///< of the run, before its own
  import::Directions better = {};  ///< of counters of Google Benchmark programs that do not say what is better
  std::string tool_version;
  machine::FactSources machine = machine::this_machine();
  std::string nvml_library = machine::doctor::nvml_library;  ///< opened only when a CUDA case runs
  bool allow_noisy = false;                                  ///< recorded only; judging has its own flag

  /// Both processes of a pair live at once and take turns, where both can (turns/turn_pair.hpp); else one runs after the other.
  bool turns = true;

  /// What starts the processes of a launch with several ranks.
  RanksWith ranks_with = RanksWith::torchgate;

  /// The primary metric of cases whose own is `time` and that have this timed one, too: those on a GPU.
  std::string device_metric = "time";

  /// Machine-wide, so that two runs do not disturb each other. Empty: no lock.
  std::filesystem::path lock_file = "/tmp/torchgate.lock";
  std::chrono::nanoseconds lock_wait = default_lock_wait;

  /// Asked before each round. Absent: every group gets every round of the schedule.
  std::shared_ptr<Rounds> rounds = {};

  /// Called when the cases are known, before the first process: plan.processes is raised to it. Fewer cannot give a
  /// result.
  std::function<std::int64_t(const record::Run& planned)> fewest_processes = {};

  /// The run is saved there while it is measured (journal.hpp). The code that saves the Run removes the journal.
  /// Empty: no journal.
  std::filesystem::path journals = {};
  std::string save_as = {};  ///< for the journal: under which name the run is to be saved

  /// Called with the launched files as soon as their content is known: the executables, then what each process had
  /// loaded (without the operating system's libraries). May be empty; may name a file again.
  std::function<void(const std::vector<FileHash>& files)> launched = {};

  /// A run on this machine: its groups that would run and read exactly what they did then are not measured (unchanged.hpp).
  std::shared_ptr<const record::Run> unchanged_since = {};

  /// When set: instructions are counted after the timing.
  std::optional<CountRequest> count = {};

  /// Resumes this run: its processes are not measured again. `plan` and the sides' suites are its own (resumed()).
  std::shared_ptr<const Unfinished> resume = {};
};

/// The sources of the machine's facts as the suites of REQUEST have them: with the variables that it sets and unsets.
machine::FactSources sources_of(const Request& request);

/// REQUEST with plan, sides and name of an unfinished run.
Request resumed(Request request, std::shared_ptr<const Unfinished> unfinished);

/// What a run would do with one suite.
struct SuiteForecast {
  std::string name;
  std::size_t groups = 0;         ///< also those of which every case is skipped
  std::size_t cases = 0;          ///< that can run here
  std::size_t skipped = 0;        ///< cases that cannot
  std::optional<double> seconds;  ///< of all its launches together; absent where it gave no estimate
};

/// What counting instructions takes, beside the timing.
struct CountForecast {
  std::string counter;     ///< "callgrind-3.19.0"; empty: nothing can be counted
  std::string unknown;     ///< why
  std::int64_t cases = 0;  ///< that can be counted
  std::int64_t processes = 0;
  int at_once = 1;     ///< processes
  double seconds = 0;  ///< about, in all
};

/// "counting instructions of 12 cases with callgrind-3.19.0: 8 processes, 2 at a time, about 40 s".
std::string words_of(const CountForecast& forecast);

/// What a run would do.
struct Forecast {
  std::vector<SuiteForecast> suites;    ///< by name
  std::vector<record::Group> groups;    ///< that will run
  std::vector<record::Case> cases;      ///< selected, with the reason where one cannot run here
  std::vector<record::Process> failed;  ///< suites that could not be listed
  std::vector<std::string> warnings;
  std::int64_t processes = 0;          ///< launches
  std::optional<double> seconds;       ///< of all launches together; absent where a suite gave no estimate
  bool at_most = false;                ///< processes and seconds: chosen from round to round
  std::vector<GroupWeight> weights;    ///< of the groups of all shards, by the suites' own estimates
  std::optional<CountForecast> count;  ///< where instructions are counted
};

struct Progress {
  std::int64_t done = 0;   ///< launches that ended
  std::int64_t total = 0;  ///< launches planned, without those not started; 0: chosen from round to round
  std::chrono::nanoseconds elapsed{0};
  /// Absent while unknown. Where `total` is 0 it is expected where `rounds` is known and anything was measured, else the most.
  std::optional<std::chrono::nanoseconds> left;
  std::optional<RoundsSoFar> rounds = {};  ///< of pairs that are chosen from round to round
};

/// Receives the progress of a run; override the functions you need.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_plan(const Forecast&) {}
  virtual void on_process_started(const record::Process&, const Progress&) {}
  virtual void on_process_finished(const record::Process&, const Progress&) {}
  virtual void on_note(const std::string&) {}  ///< a sentence, e.g. that it waits for another torchgate process
};

}  // namespace torchgate::launch
