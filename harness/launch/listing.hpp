// SPDX-License-Identifier: Apache-2.0
// Listing the groups and cases of suite executables.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/launch/foreign/benchmark_listing.hpp"
#include "harness/record/process.hpp"

namespace torchgate::launch {

/// Listing only registers cases and loads libraries (LibTorch with CUDA: 3 to 5 s cold); a minute is a hang.
inline constexpr std::chrono::seconds listing_limit{60};

struct ListingOptions {
  std::string profile = "default";
  std::vector<std::string> flags = {};  ///< further ones: what the estimate of time depends on
  std::vector<record::Parameter> environment;
  std::vector<std::string> unset;
  std::chrono::nanoseconds limit = listing_limit;  ///< of one suite: all of its starts together
  /// No start after it: that of the run.
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  /// Suite names of Google Benchmark programs, which have no name of their own; default: the file name.
  std::map<std::filesystem::path, std::string> called;
};

struct ListedSuite {
  std::filesystem::path executable;  ///< absolute
  record::ProcessReport listing;
  std::shared_ptr<const BenchmarkProgram> program;  ///< null: a torchgate suite
};

/// A suite that could not be listed: it crashed, is not a suite, or does not exist. The others are used.
struct UnlistedSuite {
  std::filesystem::path executable;
  record::Process process;  ///< suite: the file's name; group: empty; status and message say what happened
};

struct Listing {
  std::vector<ListedSuite> suites;  ///< by name
  std::vector<UnlistedSuite> failed;
};

/// The executables of PATHS: a file is itself, a folder is every executable regular file directly in it, by
/// name, but for shared libraries. bad_input when there is none at all, or more than a run may have (base::max_suites); a path that does not exist is kept, and fails when it is listed.
base::Result<std::vector<std::filesystem::path>> find_suites(const std::vector<std::filesystem::path>& paths);

/// Asks every suite of one side. What is not a program by its first bytes is not started. A program that does not know the flag, and only such a one, is listed as a Google
/// Benchmark program; reports pass through SCRATCH. bad_input if two executables have the
/// same suite name or none of them could be started; interrupted if the user asked to stop.
base::Result<Listing> list_suites(const std::vector<std::filesystem::path>& executables, const ListingOptions& options,
                                  const std::filesystem::path& scratch);

/// LISTINGS, one per side, with the same names for the benchmarks of a Google Benchmark program: suffixes that the names of one side need
/// (import/kept_suffixes.hpp), those of the others have, too.
void align_suffixes(std::vector<Listing>& listings);

}  // namespace torchgate::launch
