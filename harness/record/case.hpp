// SPDX-License-Identifier: Apache-2.0
// What is measured: groups, their cases and their claims.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/boxed.hpp"
#include "harness/record/metric.hpp"

namespace torchgate::record {

/// One axis value of a case, e.g. {"batch", "8"}. Order is the order of the axes in the group. In a list of parameters (of
/// a case, an environment, facts) names are unique.
struct Parameter {
  std::string name;
  std::string value;

  bool operator==(const Parameter&) const = default;
};

/// One benchmark with fixed arguments. Its identity is name + parameters + input_seed + protocol + settings, where both are known: a case
/// measured by another protocol is another case, however it is called.
struct Case {
  std::string name;     ///< "fusion/conv_bn/folded/device:cpu/batch:8": suite/group/variant/axis:value/...
  std::string suite;    ///< "fusion"
  std::string group;    ///< "fusion/conv_bn"
  std::string variant;  ///< "folded"
  std::vector<Parameter> parameters;
  std::string device = "cpu";            ///< "cpu" or "cuda"
  std::string protocol;                  ///< how it is measured, versioned: "cpu-wall/1"
  std::uint64_t input_seed = 0;          ///< seed of its inputs
  std::optional<double> items_per_call;  ///< throughput = items / time; absent if not applicable
  std::optional<double> bytes_per_call;  ///< that a call reads and writes: bytes per second = bytes / time
  std::vector<Metric> metrics;
  std::optional<std::string> skipped;  ///< why it cannot run here ("no CUDA device"); absent if it can
  /// Why it is not known which benchmark has the values of this name ("the file has it 2 times"): no verdict. Absent: known.
  base::Boxed<std::string> ambiguous = {};
  /// What two sides of a run define differently ("its input seed was 1 and is 2"): not comparable; the definition is the last side's.
  base::Boxed<std::string> sides_differ = {};
  base::Boxed<std::string> settings = {};  ///< of its process ("A=1, threads 2, training"); absent: not known
  /// Of a Google Benchmark program: its name with the suffixes that say how it was run ("/real_time") where `name` is without them, and without
  /// them where it has them. Absent: it has none.
  base::Boxed<std::string> other_name = {};

  bool operator==(const Case&) const = default;
};

/// "gpu_time_hot", "gpu_time_cold", "gpu_time_graph": what the device itself measures.
inline constexpr std::string_view device_time_prefix = "gpu_time_";

/// The case's primary metric; nullptr when it has none.
inline const Metric* primary_metric(const Case& definition) {
  for (const Metric& metric : definition.metrics)
    if (metric.primary) return &metric;
  return nullptr;
}

enum class Relation { at_most, at_least };

/// Which value of a process's samples a claim is about.
enum class Quantile { median, p95, p99 };

/// A claim of a group about values measured in the same processes, in one of two forms:
///   quantile(metric of case_name) `relation` ratio * reference_quantile(reference metric of reference_case)
///   metric of case_name `relation` ratio * limit                                         (exact metrics only)
struct Claim {
  std::string case_name;
  std::string reference_case;  ///< may be the case itself, of another metric; empty where there is a limit
  std::string metric;          ///< "time", "peak_bytes", ...
  Quantile quantile = Quantile::median;
  std::optional<std::string> reference_metric;  ///< absent: the same metric
  Quantile reference_quantile = Quantile::median;
  std::optional<double> limit;  ///< in the metric's unit
  Relation relation = Relation::at_most;
  double ratio = 1;
  bool per_item = false;                        ///< compare metric / items_per_call (throughput claims of a sweep)
  std::string text;                             ///< as its author wrote it: "time <= 0.9 x reference"
  std::optional<std::string> not_claimed = {};  ///< why it is not made on this machine; absent: it is

  [[nodiscard]] const std::string& metric_of_reference() const { return reference_metric ? *reference_metric : metric; }

  bool operator==(const Claim&) const = default;
};

/// Cases that belong together and are measured in one process.
struct Group {
  std::string name;                      ///< "fusion/conv_bn"
  std::string suite;                     ///< "fusion"
  std::optional<std::string> reference;  ///< variant the others are compared with; absent in a sweep
  std::vector<Claim> claims;
  std::int64_t ranks = 1;  ///< processes that measure it together, as one job; 1: an ordinary group

  bool operator==(const Group&) const = default;
};

}  // namespace torchgate::record
