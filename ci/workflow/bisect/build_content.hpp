// SPDX-License-Identifier: Apache-2.0
// Whether two commits build the same: by the content of what a suite runs and reads in its work tree.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ci/git/repository.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

/// The build's own files that the processes of SIDE of RUN ran, loaded or read below TREE: paths relative to it, sorted.
std::vector<std::string> files_of_build(const record::Run& run, std::int64_t side, const std::filesystem::path& tree);

/// A hash over the names and contents of FILES and SUITES (executables, or folders of them) in TREE; a missing file counts as missing. TREE's own path and
/// GNU build ids are left out of the contents: builds of the same code in another folder differ in them (and in nothing else, where
/// the names of both folders are of equal length). io, bad_input: a file cannot be read.
base::Result<std::string> build_content(const std::filesystem::path& tree, const std::vector<std::string>& files,
                                        const std::vector<std::string>& suites);

/// BYTES without the path TREE and without GNU build ids: both are overwritten, so that nothing moves.
std::string without_place(std::string bytes, const std::string& tree);

/// No tracked file that a program may open (may_be_data()) differs between the commits. False where git cannot tell.
bool same_data_files(const git::Repository& repository, const std::string& before, const std::string& after);

}  // namespace torchgate::workflow
