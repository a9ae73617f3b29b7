// SPDX-License-Identifier: Apache-2.0
// The listing of a Google Benchmark program as a suite: its families are groups, its benchmarks are cases. Pure.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/launch/foreign/needed_libraries.hpp"
#include "harness/record/process.hpp"

namespace torchgate::launch {

/// How long to measure one benchmark in one process. As long in total as a case of a suite, so that profiles mean the
/// same everywhere: 300 ms by default, 40 ms when quick. In several repetitions, because Google Benchmark reports the mean of
/// each: a disturbance affects one of them, and the process's value is their median. Variation within a process can
/// then be separated from variation between processes.
struct BenchmarkTimes {
  double min_time_s = 0.05;
  double warm_up_s = 0.05;
  int repetitions = 6;
};
BenchmarkTimes benchmark_times(const std::string& profile);

/// The same in a pair that takes turns: many short repetitions, so that most of them lie within one turn and both sides have neighbours; as long in
/// total, and 150 ms when quick. Chosen by tests/studies/benchmark_pairs_study.py (stats/README.md, "Google Benchmark programs"). LONGEST_CALL_S: of the
/// benchmarks of the family; a repetition has at least one call, so where it is long there are fewer and longer ones, and never fewer than otherwise.
BenchmarkTimes benchmark_times_in_turns(const std::string& profile, double longest_call_s);

/// One of several benchmarks of one name, which a program lists in the order in which it registers them.
struct SameName {
  std::int64_t number = 1;
  std::int64_t of = 1;
};

/// A Google Benchmark program after listing its benchmarks.
struct BenchmarkProgram {
  std::string suite;
  bool warms_up = false;                            ///< knows --benchmark_min_warmup_time (from version 1.7.1 on)
  std::map<std::string, std::string> run_names;     ///< case: its name in the program
  std::map<std::string, SameName> same_names = {};  ///< those of run_names that are not the only one of their name
  NeededLibraries needed = {};                      ///< of the executable that listed them
  std::filesystem::path file = {};                  ///< that is started: a script may run another executable
};

/// FILE_NAME as the name of a suite: letters, digits and "._-", nothing that is a path or hidden.
std::string suite_name_of(std::string_view file_name);

/// NAMES as --benchmark_list_tests prints them, into groups and cases of PROGRAM.suite; run_names is filled in. A family is
/// what comes before the first '/'. Of benchmarks of one name each is a case, the second one "NAME#2", as harness/import calls them; a name that is
/// invalid in a record is skipped with the reason.
record::ProcessReport listing_of_benchmarks(const std::vector<std::string>& names, const std::string& profile,
                                            BenchmarkProgram& program);

/// The group of a benchmark of PROGRAM: its family.
std::string group_of_benchmark(const BenchmarkProgram& program, const std::string& case_name);

/// A POSIX extended regular expression (which Google Benchmark supports with every regex library) that finds
/// exactly these names; a longer one than a command line should have becomes that of their family.
std::string exact_benchmark_filter(const std::vector<std::string>& run_names);

}  // namespace torchgate::launch
