// SPDX-License-Identifier: Apache-2.0
// Asking suite executables what they have.
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
  std::vector<record::Parameter> environment;
  std::vector<std::string> unset;
  std::chrono::nanoseconds limit = listing_limit;
  /// What a program without a name of its own (one of Google Benchmark) is called; its file's name if it is not here.
  std::map<std::filesystem::path, std::string> called;
};

struct ListedSuite {
  std::filesystem::path executable;  ///< absolute
  record::ProcessReport listing;
  std::shared_ptr<const BenchmarkProgram> program;  ///< null: a suite of ours
};

/// A suite that could not say what it has: it crashed, is no suite, does not exist. The others go on.
struct UnlistedSuite {
  std::filesystem::path executable;
  record::Process process;  ///< suite: the file's name; group: empty; status and message say what happened
};

struct Listing {
  std::vector<ListedSuite> suites;  ///< by name
  std::vector<UnlistedSuite> failed;
};

/// The executables that PATHS mean: a file is itself, a folder is every executable regular file directly in it, by
/// name, but for shared libraries. bad_input when there is none at all; a path that does not exist is kept, and fails when it is listed.
base::Result<std::vector<std::filesystem::path>> find_suites(const std::vector<std::filesystem::path>& paths);

/// Asks every suite of one side. One that does not know our question, and only such a one, is asked as a Google Benchmark
/// program would be; reports pass through SCRATCH. bad_input when two executables call themselves by the
/// same name or none of them could even be started; interrupted when we were asked to stop.
base::Result<Listing> list_suites(const std::vector<std::filesystem::path>& executables, const ListingOptions& options,
                                  const std::filesystem::path& scratch);

}  // namespace torchgate::launch
