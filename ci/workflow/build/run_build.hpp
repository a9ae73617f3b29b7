// SPDX-License-Identifier: Apache-2.0
// A build command of the user: run with its output in a log file, and what went wrong in a sentence.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ci/workflow/workspace/narrator.hpp"
#include "harness/base/result.hpp"
#include "harness/record/case.hpp"

namespace torchgate::workflow {

struct BuildStep {
  std::string what;           ///< "before (main, 1234567890ab)"
  std::string command;        ///< as the user wrote it, for /bin/sh
  std::filesystem::path dir;  ///< what {dir} in it stands for, and where files are written
  std::filesystem::path working_directory;
  std::vector<record::Parameter> environment;  ///< on top of that of this process
  std::filesystem::path log;                   ///< replaced
};

/// Runs it. Its last lines also go to NARRATOR if it fails. Errors: bad_input (it fails), io (for want of space on the disk), interrupted.
base::Result<void> run_build(const BuildStep& step, Narrator& narrator);

/// Where the output of a build goes: .torchgate/builds/NAME.log. io: the folder cannot be created.
base::Result<std::filesystem::path> build_log(const std::string& name);

/// The SUITES that the build of WHAT left, as paths below DIR, which is a "work tree" or a "build folder". bad_input: one is missing, or there is
/// no executable among them.
base::Result<std::vector<std::string>> built_suites(const BuildStep& step, const std::vector<std::string>& suites,
                                                    const std::string& kind_of_dir);

/// The command with {dir} replaced. A path with characters that are special to a shell is quoted, by the quotes around {dir} where there are
/// some: `make -C {dir}`, `make -C "{dir}"` and `make -C '{dir}/bench'` all name one folder.
std::string command_in(const std::string& command, const std::filesystem::path& dir);

}  // namespace torchgate::workflow
