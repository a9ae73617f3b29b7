// SPDX-License-Identifier: Apache-2.0
// The result of one launch of a suite binary.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/boxed.hpp"
#include "harness/base/rare_text.hpp"
#include "harness/record/case.hpp"
#include "harness/record/metric.hpp"
#include "harness/record/profile.hpp"

namespace torchgate::record {

/// failed: threw, ran out of memory. wrong: output outside its tolerance, or the expected code path did not run. A
/// failed or wrong case has no measurements.
enum class CaseStatus { ok, failed, wrong, skipped };

/// How far an optimised variant's output is from its reference's on the same inputs. An output that holds NaN or infinity
/// is infinitely far off: max_abs and relative_l2 (NaN is written and read back as infinity), without a cosine.
struct OutputCheck {
  std::string against;  ///< name of the reference case
  double max_abs = 0;
  double relative_l2 = 0;
  std::optional<double> cosine;  ///< undefined for a zero vector
  double tolerance = 0;          ///< bound on relative_l2 that the author gave
  bool within = false;

  bool operator==(const OutputCheck&) const = default;
};

/// Evidence of the expected code path: "quantized::linear called 4 times, expected at least 1".
struct PathProof {
  std::string expectation;
  std::int64_t observed = 0;
  bool holds = false;

  bool operator==(const PathProof&) const = default;
};

struct CaseResult {
  std::string name;
  CaseStatus status = CaseStatus::ok;
  std::optional<bool> steady;         ///< reached a steady state; absent: not examined
  base::RareText message;             ///< why it failed, is wrong or was skipped
  std::int64_t calls_per_sample = 1;  ///< a sample is a block of this many calls; its value is time per call
  std::int64_t warmup_calls = 0;
  std::int64_t discarded_samples = 0;
  base::RareText discard_reason;  ///< empty when none was discarded
  base::Boxed<OutputCheck> check;
  std::vector<PathProof> proofs;
  std::vector<Measurement> measurements;
  base::Boxed<OperatorProfile> profile;
  bool only_summary = false;   ///< imported: its value is the median or mean of samples that are not in the file
  base::RareText measured_at;  ///< imported, UTC: where the file has a time for each case, not one for all of them

  bool operator==(const CaseResult&) const = default;
};

/// nullptr when RESULT has none of that metric.
inline const Measurement* measurement_of(const CaseResult& result, std::string_view metric) {
  for (const Measurement& each : result.measurements)
    if (each.metric == metric) return &each;
  return nullptr;
}

/// A file that was mapped into the suite process: the executable, LibTorch, every other shared library.
/// size/inode/mtime are as the process saw them, so that the hash taken afterwards is known to be of the same file.
struct LoadedObject {
  std::string path;
  std::string soname;  ///< DT_SONAME, or the file name; "" for the executable
  std::int64_t bytes = 0;
  std::uint64_t inode = 0;
  std::int64_t mtime_ns = 0;
  std::string sha256;  ///< lower-case hex; "" until the launcher has hashed it
  bool executable = false;
  bool system = false;  ///< belongs to the operating system (under /lib, /usr/lib, ...): hashed but not kept

  bool operator==(const LoadedObject&) const = default;
};

/// A build's own file: launched, kept with a baseline and looked at before it runs again. Not the operating system's; but an executable
/// that is marked as the system's is a build's own file anyway. OBJECT is a LoadedObject, or what was made of one.
template <class Object>
bool is_own_file(const Object& object) {
  return object.executable || !object.system;
}

/// A file that suite processes opened for reading and had not made themselves, with its content right after the process; or
/// an environment variable that they looked up, with the value that the launcher gave them.
struct ReadFile {
  std::string path;    ///< absolute; "$NAME" for a variable
  std::string sha256;  ///< lower-case hex; "": there is no such file or variable, and the process looked for it

  bool operator==(const ReadFile&) const = default;
};

/// Names a file for a suite process: which files have another content for it than on disk (harness/bench/README.md).
inline constexpr const char* file_map_variable = "TORCHGATE_FILE_MAP";

enum class ProcessStatus {
  ok,           ///< ended normally and wrote a valid report
  crashed,      ///< killed by a signal
  failed,       ///< ended with a non-zero exit code
  timed_out,    ///< ran into its limit and was killed
  not_a_suite,  ///< ended normally without a report
  bad_report,   ///< wrote a report that is malformed
  not_started   ///< the executable could not be started, or the total time limit was reached before
};

/// After this number of crashes or time-outs of a group on one side its remaining processes are not started, and the gate fails it: the
/// result is known, and three more time-outs would cost half an hour.
inline constexpr std::int64_t failures_before_giving_up = 2;

/// How long a process took to start. Absent: not reported.
struct ProcessStart {
  std::optional<std::int64_t> load_ns;        ///< from launch until all libraries were mapped and bound
  std::optional<std::int64_t> main_ns;        ///< from launch to main(): loading and every library's own initialisation
  std::optional<std::int64_t> first_call_ns;  ///< the first call of its first case
  std::string first_case;                     ///< which case that was
  std::optional<std::int64_t> untimed_ns;     ///< building, checking, counting and profiling its cases

  bool operator==(const ProcessStart&) const = default;
};

/// What the operating system counted for one process, from launch to end.
struct ProcessUsage {
  std::int64_t minor_faults = 0;          ///< pages mapped without reading a file
  std::int64_t major_faults = 0;          ///< pages read from a file
  std::int64_t voluntary_switches = 0;    ///< it waited
  std::int64_t involuntary_switches = 0;  ///< it was preempted

  bool operator==(const ProcessUsage&) const = default;
};

/// One launch of one suite for one group.
struct Process {
  std::int64_t index = 0;            ///< position in the run's schedule
  std::int64_t side = 0;             ///< index into Run::sides
  std::optional<std::int64_t> pair;  ///< both processes of a pair carry its number (per group, from 0)
  std::int64_t order_in_pair = 0;    ///< 0: ran first
  std::string suite;
  std::string group;
  std::uint64_t seed = 0;
  std::string started;  ///< UTC, ISO 8601 with milliseconds
  std::int64_t wall_ns = 0;
  ProcessStatus status = ProcessStatus::ok;
  std::string message;  ///< exit code, signal, limit, error in its report, last output
  std::optional<std::int64_t> exit_code;
  std::optional<std::int64_t> signal;
  std::optional<std::int64_t> peak_resident_bytes;
  std::optional<std::int64_t> cpu_ns;  ///< user + system time of the process
  base::Boxed<ProcessUsage> usage;
  base::Boxed<ProcessStart> start;
  std::vector<Parameter> environment;  ///< variables set for this process on top of the run's own
  std::optional<std::int64_t> rank;    ///< of several processes that share a case; absent for ordinary cases
  std::vector<std::int64_t> objects;   ///< indices into Run::objects
  std::optional<std::vector<std::int64_t>> files;  ///< it read: indices into Run::files; absent: not known
  std::string files_unknown;                       ///< why not: "it starts another program"; empty: not reported
  std::vector<CaseResult> cases;
  std::string file;  ///< from which file it was read just now, as that was named; not in the record

  bool operator==(const Process&) const = default;
};

/// What a suite process itself writes (schema torchgate.process/1); the launcher turns it into a Process.
/// In answer to a listing request it has groups and cases, and no results.
struct ProcessReport {
  std::string suite;
  std::vector<Group> groups;
  std::vector<Case> cases;
  std::vector<CaseResult> results;  ///< with raw samples
  std::vector<LoadedObject> objects;
  std::optional<std::vector<std::string>> files_read;  ///< absolute paths (ReadFile); absent: not known
  std::string files_unknown;                           ///< why not
  bool files_restored = false;   ///< it read those of its file map (file_map_variable) from where that says
  std::vector<Parameter> facts;  ///< known only to the suite: LibTorch version, threads, build type, ...
  bool takes_turns =
      false;  ///< listing only: it can take turns with another process (harness/launch/README.md, "Turns")
  std::optional<double> seconds_estimate;  ///< listing only: how long one process of all groups listed will take

  // Points in time of CLOCK_MONOTONIC, which all processes of a machine share.
  std::optional<std::int64_t> loaded_at_ns;   ///< all libraries were mapped and bound
  std::optional<std::int64_t> main_at_ns;     ///< main() began
  std::optional<std::int64_t> first_call_ns;  ///< how long the first call of the first case took
  std::string first_case;
  std::optional<std::int64_t> untimed_ns;  ///< spent on building, checking, counting and profiling

  bool operator==(const ProcessReport&) const = default;
};

}  // namespace torchgate::record
