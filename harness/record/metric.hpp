// SPDX-License-Identifier: Apache-2.0
// What a number means: its name, its unit, which way is better, and whether it is noisy or counted.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/boxed.hpp"

namespace torchgate::record {

enum class Direction { lower_is_better, higher_is_better };

/// timed: noisy, judged by statistics. exact: counted, must repeat to the last unit; a change is a fact, not a test.
enum class MetricKind { timed, exact };

/// Of which clock a time is, or what a rate is per. unknown: its suite does not say, and it need not be one of these.
enum class Clock : std::uint8_t {
  unknown,
  real,
  cpu,         ///< CPU time of the thread that measures
  process_cpu  ///< CPU time of all threads of the process
};

struct Metric {
  std::string name;  ///< "time", "cpu_time", "peak_bytes", "operator_calls", or a suite's own
  std::string unit;  ///< "ns", "bytes", "1", ...
  Direction direction = Direction::lower_is_better;
  MetricKind kind = MetricKind::timed;
  bool primary = false;  ///< the one timed metric of a case that is gated by default
  bool gated = false;    ///< exact: its suite says that a value that got worse fails the gate
  bool judged =
      false;  ///< timed: a rate, or what its program declares: judged beside the primary one where it says more than that
  Clock clock = Clock::unknown;

  auto operator<=>(const Metric&) const = default;  // NOLINT(modernize-use-nullptr): as in process/file_identity.hpp
};

/// 1, or -1 where higher is better: times a logarithm or a difference, larger is worse.
inline double orientation(const Metric& metric) {
  return metric.direction == Direction::lower_is_better ? 1 : -1;
}

/// One process's samples of one timed metric, in numbers small enough for the record. All in the metric's unit; the
/// definitions are those of stats/summary.hpp. Values that need more samples are absent, never 0.
struct SampleSummary {
  std::int64_t n = 0;
  double mean = 0;
  std::optional<double> sd;  ///< needs n >= 2
  double min = 0;
  double p25 = 0;
  double median = 0;  ///< the process value that the statistics use
  double p75 = 0;
  std::optional<double> p95;  ///< only if n is large enough for it to differ from the maximum
  std::optional<double> p99;
  double max = 0;
  std::optional<double> lag1;  ///< lag-1 autocorrelation

  bool operator==(const SampleSummary&) const = default;
};

/// Of a process whose pair took turns (harness/launch/README.md, "Turns"): what its samples say turn by turn. In the metric's
/// unit, per call. Both processes of a pair have as many turns, and their turns of one number were neighbours in time.
struct TurnTimes {
  std::vector<double> means;  ///< of each turn, in order: all samples of the turn, none discarded (stats::turn_mean)
  std::vector<std::int64_t> counts;  ///< samples of each turn; Measurement::samples has them one turn after the other
  double floor = 0;                  ///< of all samples (stats::floor_of): what a call takes when nothing disturbs it

  bool operator==(const TurnTimes&) const = default;
};

/// What one process measured of one metric of one case.
struct Measurement {
  std::string metric;                    ///< name of a Metric of the case
  std::optional<SampleSummary> summary;  ///< timed metrics
  std::optional<double> value;           ///< exact metrics (counts below 2^53 are exact in a double)
  std::vector<double> samples;           ///< raw samples in time order; kept in the samples file, not in the record
  base::Boxed<TurnTimes> turns = {};     ///< timed metrics; absent: the process did not take turns

  bool operator==(const Measurement&) const = default;
};

}  // namespace torchgate::record
