// SPDX-License-Identifier: Apache-2.0
// Turns a request into a run on this machine: lists all suites, selects cases, estimates the time.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <vector>

#include "harness/launch/object_hashes.hpp"
#include "harness/launch/request.hpp"
#include "harness/launch/selection.hpp"
#include "harness/launch/srun.hpp"
#include "harness/process/temporary_folder.hpp"

namespace torchgate::launch {

/// What a suite had loaded when it listed its cases.
struct ListedObjects {
  std::int64_t side = 0;
  std::string suite;
  std::vector<record::LoadedObject> objects;  ///< empty: not reported
};

struct Survey {
  std::chrono::steady_clock::time_point began;  ///< listing counts towards the limit of a run
  Selection selection;
  std::vector<record::Process> failed;  ///< suites that could not be listed; side is set, index is not
  std::vector<FileHash> executables;    ///< of all sides, before the first of them was started
  std::vector<ListedObjects> objects;
  std::optional<SrunJob> srun = {};  ///< that starts the ranks, as measure() found it; absent: torchgate starts them
};

/// Checks REQUEST, starts every suite of every side once, and selects.
base::Result<Survey> survey(const Request& request, const std::filesystem::path& scratch, ObjectHashes& hashes);

/// A temporary folder with space for the reports of suites. io: TMPDIR is full.
base::Result<process::TemporaryFolder> scratch_folder();

Forecast forecast_of(const Survey& survey, const record::Plan& plan);

}  // namespace torchgate::launch
