// SPDX-License-Identifier: Apache-2.0
// A run: all processes of one side, or of a before/after pair of sides, on one machine. The unit that is stored, compared
// and judged. On disk: harness/record/README.md (schema torchgate.run/1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/case.hpp"
#include "harness/record/instruction_count.hpp"
#include "harness/record/process.hpp"

namespace torchgate::record {

inline constexpr const char* run_schema = "torchgate.run/1";
inline constexpr const char* process_schema = "torchgate.process/1";

/// How much a machine fact matters when two runs are compared.
enum class FactClass {
  host,    ///< runs with different values are never compared
  device,  ///< runs with different values: their CUDA cases are never compared
  warn,    ///< shown field by field as an environment difference
  info     ///< recorded, shown only on request
};

/// One fact about the machine or the software on it. An unknown fact has a reason.
struct MachineFact {
  std::string name;                  ///< "cpu_model"
  std::optional<std::string> value;  ///< absent: unknown
  std::string unknown_reason;        ///< "no such file: /proc/pressure/cpu"
  FactClass fact_class = FactClass::info;

  bool operator==(const MachineFact&) const = default;
};

/// unknown is an answer of its own: the file is absent, the library is missing, reading it is not allowed.
enum class CheckAnswer { ok, bad, unknown };

/// What a bad answer does. fatal: every timed verdict becomes inconclusive. warning: shown in the report. info: recorded.
enum class CheckSeverity { fatal, warning, info };

/// One row of the table of `torchgate doctor`, as it is recorded before and after a run.
struct MachineCheck {
  std::string name;  ///< "governor": harness/machine/README.md lists all
  CheckAnswer answer = CheckAnswer::unknown;
  CheckSeverity severity = CheckSeverity::info;
  std::string seen;    ///< the observation, as part of a sentence; for unknown: the reason
  std::string advice;  ///< how to fix it; empty unless bad

  bool operator==(const MachineCheck&) const = default;
};

using MachineChecks = std::vector<MachineCheck>;

struct Machine {
  std::vector<MachineFact> facts;

  /// Readable and stable name of the host class, safe as a folder name: "x86_64-xeon-6975p-2cpu-3f9a2c1b".
  std::string host_key;
  std::optional<std::string> device_key;  ///< of NVML, or LibTorch's name of the device; absent without a CUDA device

  MachineChecks checks_before;  ///< findings of `torchgate doctor` before the run; empty: not checked
  MachineChecks checks_after;   ///< and after it: rows about the time of the run, and changed settings
  bool noisy_allowed = false;   ///< measured with --allow-noisy; judging has its own flag

  bool operator==(const Machine&) const = default;
};

/// Pairs that confirm the suspects of a run against its baseline, and decide what the screen left open: fixed before the first of
/// them is measured. The two classes of cases share the risk of a false alarm.
struct Confirms {
  std::string run;                     ///< id; empty: no run came before the pairs, which are of all cases
  std::string baseline;                ///< id of the nearest stored run
  std::int64_t family = 1;             ///< verdicts on suspects; 0: there are none
  std::vector<std::string> open = {};  ///< names of the cases that the screen left open
  std::int64_t open_family = 0;        ///< verdicts on those
  std::optional<double> open_budget_s =
      {};                                ///< time for the pairs of those alone; absent: Plan::budget_s holds for all
  std::vector<std::string> pooled = {};  ///< ids of the runs that the screen pooled with the baseline, nearest first
  std::optional<std::string> rebuilt =
      {};  ///< commit from which the before side was built for the pairs; absent: it is the stored binaries

  bool operator==(const Confirms&) const = default;
};

/// How the instructions of a run's cases were counted, beside their timing (run --instructions).
struct CountPlan {
  std::string counter;         ///< asked for: "any", "callgrind" or "hardware"
  std::int64_t processes = 2;  ///< of each group: two show whether a count repeats
  std::int64_t calls = 3;      ///< of each case, counted together

  bool operator==(const CountPlan&) const = default;
};

/// What a run was asked to measure. A case that the baseline has and this plan covers is missing if the run does not
/// have it.
struct Plan {
  std::string profile = "default";  ///< "default", "quick" or "full"
  std::string filter = ".*";        ///< regular expression (RE2) searched in case names
  std::int64_t processes = 5;       ///< per side and group
  std::int64_t shard = 1;
  std::int64_t shards = 1;
  std::uint64_t seed = 0;
  std::vector<std::string> suites;           ///< names of the suites asked for
  std::optional<double> group_limit_s;       ///< one process
  std::optional<double> total_limit_s;       ///< the whole run
  std::optional<double> budget_s;            ///< of interleaved pairs: after it no pair starts, and none counts as lost
  std::optional<std::int64_t> budget_pairs;  ///< of all groups together

  /// The names of the groups of each shard of the whole plan, in the order of the shards. Empty: not divided.
  std::vector<std::vector<std::string>> division = {};
  /// Of a run merged from shards: the missing ones, ascending. Their groups were not measured.
  std::vector<std::int64_t> missing_shards = {};
  std::optional<Confirms> confirms = {};          ///< absent: no confirmation
  std::optional<CountPlan> count = {};            ///< absent: instructions are not counted
  std::optional<std::int64_t> warmup_calls = {};  ///< of each case and process (--warmup); absent: as its suite has it
  std::optional<std::int64_t> samples = {};       ///< the same (--samples)
  std::vector<std::string> varied = {};           ///< of pairs: facts that differ on purpose (ab --vary)
  std::vector<std::string> libtorch_versions =
      {};                ///< before and after, where pairs were built against them (ab --vary libtorch=VERSION)
  bool informs = false;  ///< of such pairs: no slower case fails, as --gate was not given

  bool operator==(const Plan&) const = default;
};

/// Where the code of a side comes from, as far as known.
struct Source {
  std::optional<std::string> commit;  ///< full hash
  std::optional<bool> modified;       ///< tracked files differed from that commit
  std::optional<std::string> branch;
  std::vector<std::string> modified_files = {};  ///< some of these files, as git writes paths

  bool operator==(const Source&) const = default;
};

struct Side {
  std::string label;  ///< "run"; "before" and "after" in a paired run
  Source source;
  std::vector<std::string> suite_paths;  ///< executables, as given

  bool operator==(const Side&) const = default;
};

/// The file with the raw samples, beside the record.
struct SamplesFile {
  std::string sha256;
  std::int64_t bytes = 0;
  std::int64_t count = 0;  ///< samples in it

  bool operator==(const SamplesFile&) const = default;
};

/// A group that was not measured, because everything that its processes ran and read in an earlier run still has the same
/// content. The evidence is what was found on this machine, so that it can be compared with another run, too.
struct UnchangedGroup {
  std::string group;
  std::string since;                  ///< id of the run that measured it
  std::vector<std::int64_t> objects;  ///< executable and libraries: indices into Run::objects
  std::vector<std::int64_t> files;    ///< read by its processes: indices into Run::files

  bool operator==(const UnchangedGroup&) const = default;
};

struct Run {
  std::string id;       ///< unique: 16 hex digits
  std::string created;  ///< UTC, ISO 8601 with milliseconds
  std::string tool_version;
  Plan plan;
  Machine machine;
  std::vector<Side> sides;  ///< one, or two: before (0) and after (1)
  std::vector<LoadedObject> objects;
  std::vector<ReadFile> files;  ///< read by suite processes
  std::vector<Group> groups;
  std::vector<Case> cases;
  std::vector<Process> processes;
  std::vector<UnchangedGroup> unchanged;       ///< groups that were not measured (run --skip-unchanged)
  std::vector<InstructionCount> instructions;  ///< counted (run --instructions); of each case and side at most one
  std::vector<CodeComparison> code;            ///< of cases of two sides whose time changed
  /// Of pairs: the tracked files that differ between the commits of the sides and that suites may read, as the repository knew where they were
  /// measured. Absent: not known.
  std::optional<std::vector<std::string>> changed_data = {};
  std::vector<std::string> warnings;  ///< reasons to doubt this run, as sentences
  bool interrupted = false;           ///< stopped before its plan was complete
  std::optional<SamplesFile> samples;
  std::string unknown_keys = "{}";  ///< JSON object of keys this version does not know: kept, written back, never read

  bool operator==(const Run&) const = default;
};

}  // namespace torchgate::record
