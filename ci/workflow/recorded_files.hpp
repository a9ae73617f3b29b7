// SPDX-License-Identifier: Apache-2.0
// Whether a program that a record names may run. Records come from other machines and from changes under review, so naming
// a program is not enough: it runs when this workspace launched it before, or when the user says so (--run-recorded-files).
#pragma once

#include <string>
#include <vector>

#include "baselines/loaded_check.hpp"
#include "ci/workflow/launched_files.hpp"
#include "ci/workflow/workspace.hpp"
#include "harness/base/result.hpp"
#include "harness/launch/journal.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

inline constexpr const char* run_recorded_files_flag = "--run-recorded-files";

class RecordedFiles {
 public:
  /// EVERYTHING: the flag was given.
  RecordedFiles(const Workspace& workspace, bool everything);

  /// From its own place, where its content is still OBJECT's. Never by a relative path.
  [[nodiscard]] bool may_run(const baselines::ExpectedObject& object) const;

  /// This run was measured here: every file that its processes loaded and that is not the operating system's was launched
  /// from this workspace. With the flag: as if it was.
  [[nodiscard]] bool measured_here(const record::Run& run) const;

  /// `run --resume`, `ab --resume`: every executable that would be started has the content with which it was launched from
  /// here. bad_input names the first one that has not, and the flag.
  [[nodiscard]] base::Result<void> check_resumed(const launch::Unfinished& unfinished) const;

  /// `compare RUN`: measuring again what RUN measured. Its programs are expected to have changed, so it is their places that
  /// a user has to have named: here before, or in the policy as ALSO. bad_input names the first one that nobody named, and the
  /// flag.
  [[nodiscard]] base::Result<void> check_measured_again(const record::Run& run,
                                                        const std::vector<std::string>& also) const;

 private:
  LaunchedFiles launched_;
  bool everything_;
};

}  // namespace torchgate::workflow
