// SPDX-License-Identifier: Apache-2.0
// The result of reading any format: one process of another tool, before it is part of a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/case.hpp"
#include "harness/record/run.hpp"

namespace torchgate::import {

/// Who says in which direction a metric is better (directions.hpp).
enum class Told : std::uint8_t {
  by_definition,  ///< the tool itself measures it: a time, allocated bytes
  by_file,        ///< of all its values alike: customBiggerIsBetter
  of_unit,        ///< of this very unit: "Unit tx/s better=higher"
  by_nobody       ///< its unit does, or nothing does
};

/// Behind the protocol of a case whose file has the mean of its samples and not them: it is not comparable with their median, which
/// a few slow samples leave as it was.
inline constexpr const char* mean_protocol = " (mean)";

/// Of a list of named values, each of which is a benchmark: the metric of all of them.
inline constexpr const char* value_metric = "value";

/// A metric beside the time, or instead of it.
struct ImportedMetric {
  record::Metric metric;        ///< its direction means something only where it was told
  std::vector<double> samples;  ///< timed metrics
  std::optional<double> value;  ///< exact metrics
  Told told = Told::by_definition;
  std::string told_as = {};  ///< "customSmallerIsBetter", "better=higher"
};

/// One benchmark as one process measured it.
struct ImportedCase {
  std::string name;      ///< identity: only what distinguishes it from other benchmarks, not how it was run
  std::string run_name;  ///< the tool's name, including how it was run
  std::vector<record::Parameter> parameters;
  std::string protocol;                   ///< how it was measured, versioned: part of its identity too
  std::int64_t calls_per_sample = 1;      ///< largest
  std::vector<double> time_ns;            ///< one per sample, in the order measured
  std::vector<double> cpu_ns;             ///< one per repetition, or none
  std::vector<std::int64_t> sample_runs;  ///< number of each repetition's raw samples (raw_samples.hpp); or empty
  std::optional<double> items_per_call;
  std::optional<double> bytes_per_call;  ///< that a call reads and writes
  std::string device = "cpu";            ///< or "cuda"
  std::optional<double> peak_bytes;      ///< the same in all samples
  std::optional<double> allocations;     ///< per call; the same in all samples
  std::vector<ImportedMetric> metrics;   ///< without a time, the first timed one is primary
  /// What its time is where the user says that more of it is better: a battery life in hours. Absent: its tool measures times.
  std::optional<ImportedMetric> value_of_time;
  std::string note;         ///< what its file cannot support, a sentence without a full stop; else empty
  std::int64_t number = 1;  ///< of several of its tool's name: which one, in the order in which they are registered
  std::int64_t of_one_name = 1;  ///< how many its process has of that name
  std::string ambiguous;         ///< not empty: why it is not known of which benchmark its values are
  std::string failure;           ///< not empty: it failed, and has no measurements
  std::string skipped;           ///< not empty: it did not run, and why
  record::Clock cpu_clock = record::Clock::unknown;  ///< of cpu_ns
  bool cpu_judged = false;                           ///< its author asked for cpu_ns: judged beside the time
  bool only_summary = false;   ///< its one value is a median or mean of unknown calls (mark_single_value())
  std::string unused_samples;  ///< not empty: why the samples in its file are not used, and its median or mean is
  /// Its name with the suffixes that say how it was run where `name` is without them, and without them where it has them (kept_suffixes.hpp). Empty:
  /// it has none.
  std::string other_name = {};
  std::string measured_at = {};      ///< UTC as records have it; where the file has a time for each case
  bool ambiguous_by_levels = false;  ///< `ambiguous` only because its times are on levels far apart
};

/// One launch of a program. Values missing in its file are absent.
struct ImportedProcess {
  std::string file;     ///< for messages
  std::string tool;     ///< "google-benchmark"
  std::string group;    ///< what this launch measured, where others of the file measured something else; else empty
  std::string program;  ///< which program it is, as a path where its file has one; empty: its file does not say
  std::string started;  ///< UTC as records have it; empty: unknown
  std::string file_changed;  ///< last change of the file: the latest possible time of the measurement
  bool never_dated = false;  ///< its format has no dates: a missing one is nothing to warn of
  record::Source source;     ///< as far as the file has it
  std::optional<std::int64_t> peak_resident_bytes;
  std::vector<record::MachineFact> facts;
  std::vector<ImportedCase> cases;  ///< sorted by name, names are unique
  std::string
      no_spread;  ///< why its cases have one value each, a sentence without a full stop: a warning unless other files have them, too
  std::string content;  ///< hash of its file; set where nothing that was timed tells it from another file, else empty
  std::vector<std::string> warnings;
  std::string not_judged;      ///< names and values of metrics without a direction: two files differ in them too
  std::string how_to_declare;  ///< how its format itself says what is better, behind "or"; empty: it cannot
  /// Its file; set where another measurement may have the same values by chance, and no date tells them apart.
  std::string place;
};

}  // namespace torchgate::import
