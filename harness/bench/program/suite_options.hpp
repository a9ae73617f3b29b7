// SPDX-License-Identifier: Apache-2.0
// The flags of a suite program that start with --torchgate_; all others are Google Benchmark's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/bench/run/case_runner.hpp"
#include "harness/bench/sampling/sampler.hpp"

namespace torchgate::bench {

/// Of a suite program: a wrong flag, or a file that cannot be written.
inline constexpr int exit_bad_input = 2;

struct SuiteOptions {
  std::optional<std::string> list_file;     ///< --torchgate_list=FILE: write the list of cases, measure nothing
  std::optional<std::string> group;         ///< --torchgate_group=NAME: measure this group ...
  std::optional<std::string> out_file;      ///< --torchgate_out=FILE: ... and write the report here
  std::optional<std::string> only_case;     ///< --torchgate_case=NAME: ... this case of it, in this process
  std::optional<std::string> outputs_file;  ///< --torchgate_outputs=FILE: write the outputs of that case, time nothing
  std::optional<std::string> reference_file;  ///< --torchgate_reference=FILE: compare that case with these outputs
  std::string profile = "default";            ///< --torchgate_profile=default|quick|full|series
  std::string filter = ".*";                  ///< --torchgate_filter=REGEX: cases to measure (see case_filter.hpp)
  std::uint64_t seed = 0;                     ///< --torchgate_seed=N: order of the cases
  int threads = 1;                            ///< --torchgate_threads=N, else OMP_NUM_THREADS: intra-operator threads
  std::optional<double> min_time_s;           ///< --benchmark_min_time=S: sampling budget of one case
  std::optional<std::int64_t> warmup_calls;   ///< --torchgate_warmup=N: calls before the first sample, at least
  std::optional<std::int64_t> samples;        ///< --torchgate_samples=N: of each case and process
  std::optional<CountOptions> count;  ///< --torchgate_count=N[+setup]: count instructions of N calls, time nothing
  std::optional<int> turns;           ///< --torchgate_turns=N: take turns, as this descriptor says (turn_channel.hpp)
  std::vector<std::string> rest;      ///< for Google Benchmark, program name first

  [[nodiscard]] SamplerSettings sampler() const;
  /// The flags that a process of this program gets too when it measures one of the cases on its own.
  [[nodiscard]] std::vector<std::string> of_own_process() const;
};

/// The text of --help about the flags above.
extern const char* const suite_usage;

/// bad_input names the flag and its valid values.
base::Result<SuiteOptions> parse_suite_options(int argc, char** argv);

}  // namespace torchgate::bench
