// SPDX-License-Identifier: Apache-2.0
// The instructions of a Google Benchmark program's case: Callgrind writes down what it has counted where the timed loop begins and where it
// ends, which are two functions of Google Benchmark, so the program is not rebuilt.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/launch/count/process_count.hpp"

namespace torchgate::launch {

/// Of Callgrind. PROGRAMS: what other programs execute that it starts is wanted, too.
std::vector<std::string> benchmark_count_flags(bool programs);

/// Of the program: so little time that a repetition is one iteration; one repetition that is left out (it loads and allocates), and CALLS more.
std::vector<std::string> benchmark_count_arguments(const std::string& run_name, std::int64_t calls,
                                                   const std::filesystem::path& folder);

/// The mean of the last CALLS repetitions, per iteration. Unknown: several threads, a paused timer (what is done then would be counted, too), no
/// symbols of Google Benchmark.
ProcessCount read_benchmark_count(const std::filesystem::path& folder, std::int64_t calls);

}  // namespace torchgate::launch
