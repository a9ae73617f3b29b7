// SPDX-License-Identifier: Apache-2.0
// What repeated runs of the same build show about a machine: the components of its noise, the false-alarm rate of each
// rule, and the smallest detectable change. One per calibration; the newest of a host key is used.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"

namespace torchgate::record {

/// A calibration needs at least this many runs: two differences, the fewest that have a spread.
inline constexpr std::size_t fewest_calibrated_runs = 3;

/// The largest run-to-run SD (of log time) that is accepted: a factor of 1.65. With more, no slow-down would be
/// detected, so either the machine is unsuitable or the measurement is wrong.
inline constexpr double largest_run_sd = 0.5;

/// SDs and changes are of the logarithm of the primary metric: 0.01 is about 1 %. Unknown values are absent.
struct CaseCalibration {
  std::string name;
  std::optional<double> iteration_sd;      ///< between samples of a process
  std::optional<double> process_sd;        ///< between processes of a run, beyond what their samples explain
  std::optional<double> run_sd;            ///< between runs, beyond what their processes explain; shared over the suite
  std::optional<double> found_by_one_run;  ///< smallest change found in 80 % of cases against one stored run
  std::optional<double> found_by_ten_runs;       ///< the same against ten
  std::optional<double> found_by_pairs;          ///< the same in as many interleaved pairs as the policy allows
  std::optional<std::int64_t> samples_wanted;    ///< per process, for the smallest variance in the available time
  std::optional<std::int64_t> processes_wanted;  ///< per run, the same
  /// Largest count of instructions over the smallest, minus 1, of all processes of all runs. Absent: not counted.
  std::optional<double> instructions_spread = {};
  std::string device = {};   ///< "cpu" or "cuda"; empty: not known (written before it was kept)
  std::string created = {};  ///< of the earlier calibration whose values these are; empty: of this one

  bool operator==(const CaseCalibration&) const = default;
};

/// A rule on runs between which nothing changed: all that it flags as slower is false.
struct RuleCalibration {
  std::string rule;
  std::int64_t tests = 0;
  std::int64_t flagged = 0;
  std::int64_t comparisons = 0;  ///< of whole runs
  std::int64_t comparisons_flagged = 0;

  bool operator==(const RuleCalibration&) const = default;
};

struct Calibration {
  std::string host_key;
  std::string created;  ///< UTC, ISO 8601 with milliseconds
  std::string tool_version;
  std::string profile;            ///< of the runs: "default", "quick"
  std::int64_t processes = 0;     ///< per run
  std::int64_t pairs = 0;         ///< that found_by_pairs is for
  std::vector<std::string> runs;  ///< their ids, in the order measured
  double run_sd = 0;              ///< typical on this machine: the median of its cases
  std::vector<CaseCalibration> cases;
  std::vector<RuleCalibration> rules;
  std::string instruction_counter = {};  ///< of the spreads of instructions: "callgrind-3.19.0"; empty: not counted
  std::optional<std::string> device_key =
      {};  ///< the GPU that its CUDA cases ran on; absent: unknown, or there are none

  bool operator==(const Calibration&) const = default;
};

/// Schema torchgate.calibration/1. Same calibration, same bytes.
std::string to_json(const Calibration& calibration);
/// What keeps CALIBRATION from being used: fewer than three different runs, or an SD from run to run (of the machine or of a
/// case) that is not a positive number up to largest_run_sd. Absent: it can be used.
std::optional<std::string> problem_of(const Calibration& calibration);

/// bad_input names source, place and what was expected there; also if problem_of() returns a problem.
base::Result<Calibration> calibration_from_json(std::string_view text, const std::string& where);

}  // namespace torchgate::record
