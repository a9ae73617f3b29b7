// SPDX-License-Identifier: Apache-2.0
// The samples that harness/bench/raw_samples.hpp writes beside Google Benchmark's own file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// The counter by which an entry of Google Benchmark's file names its run in the samples file.
inline constexpr std::string_view sample_run_counter = "torchgate_run";

/// Raw samples may differ from what Google Benchmark measured by reading the clock, and by the last, unfinished block.
/// A larger difference means that they measure something else: the loop was paused, or the benchmark sets the time
/// itself.
inline constexpr double most_disagreement = 0.05;

/// One timed run of one benchmark.
struct RawRun {
  std::int64_t calls_per_sample = 1;
  std::vector<double> ns;  ///< per call, in the order measured
};

/// By number. TEXT has one run a line: "number calls_per_sample ns ns ...". bad_input names the line.
base::Result<std::map<std::int64_t, RawRun>> read_raw_samples(std::string_view text, const std::string& where);

/// Replaces the means of EACH by its raw samples, if all of its repetitions have them and they agree with the measured
/// times. Returns why they are not used (a sentence), or an empty text. Repetitions with blocks of different sizes are
/// brought to the largest. Rates by real time of constant work per call become those of the samples' median.
std::string use_raw_samples(ImportedCase& each, const std::map<std::int64_t, RawRun>& runs);

}  // namespace torchgate::import
