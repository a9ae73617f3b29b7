// SPDX-License-Identifier: Apache-2.0
// Decides whether a program that a record names may run. Records come from other machines and from changes under
// review, so a recorded program runs only if this workspace launched it before, or if the user allows it
// (--run-recorded-files).
#pragma once

#include <string>
#include <vector>

#include "baselines/loaded_check.hpp"
#include "ci/workflow/workspace/launched_files.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/base/result.hpp"
#include "harness/launch/journal.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

inline constexpr const char* run_recorded_files_flag = "--run-recorded-files";

class RecordedFiles {
 public:
  /// EVERYTHING: the flag was given.
  RecordedFiles(const Workspace& workspace, bool everything);

  /// Whether OBJECT may run from its recorded path if its content is unchanged. Never by a relative path.
  [[nodiscard]] bool may_run(const baselines::ExpectedObject& object) const;

  /// Whether RUN was measured here: every file that its processes loaded, except files of the operating system, was
  /// launched from this workspace. Always true with the flag.
  [[nodiscard]] bool measured_here(const record::Run& run) const;

  /// For `run --resume` and `ab --resume`: checks that every executable to start has the content with which it was
  /// launched from here. bad_input names the first one that has not, and the flag.
  [[nodiscard]] base::Result<void> check_resumed(const launch::Unfinished& unfinished) const;

  /// For `compare RUN`, which measures the suites of RUN again. Their content is expected to have changed, so their
  /// paths are checked: a user must have named them in this workspace before, or in the policy (ALSO). bad_input names
  /// the first path that was not named, and the flag.
  [[nodiscard]] base::Result<void> check_measured_again(const record::Run& run,
                                                        const std::vector<std::string>& also) const;

 private:
  LaunchedFiles launched_;
  bool everything_;
};

}  // namespace torchgate::workflow
