// SPDX-License-Identifier: Apache-2.0
// Restores the files that the suites of a stored run had read, where they have another content now.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "baselines/materialize.hpp"
#include "baselines/store.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::baselines {

struct RestoredFiles {
  std::map<std::string, std::string> contents;  ///< path as it was opened: SHA-256; empty: none
  std::vector<PlacedFile> files;                ///< that must not change while the side is measured
  std::filesystem::path map;                    ///< for record::file_map_variable; empty: none
};

/// Of the files that the processes of SUITES read in RUN: those whose content on disk is another one, or that are missing, and whose recorded
/// content STORE has, are placed in FOLDER, with a file map. Left out are files with several contents in RUN, those that RUN looked for in
/// vain, and those that are not stored: which were read in the end, the pairs record. io: FOLDER cannot be written.
base::Result<RestoredFiles> restore_files(const Store& store, const record::Run& run,
                                          const std::set<std::string>& suites, const std::filesystem::path& folder);

}  // namespace torchgate::baselines
