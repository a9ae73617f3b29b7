// SPDX-License-Identifier: Apache-2.0
// Interrupted runs of this folder: lists them, and resumes one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "ci/workflow/workspace/narrator.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/base/result.hpp"
#include "harness/launch/journal.hpp"
#include "harness/launch/launcher.hpp"

namespace torchgate::workflow {

/// Lists the unfinished runs of this number of SIDES (1: run, 2: ab), and how to resume or delete them.
void offer_unfinished(const Workspace& workspace, std::int64_t sides, Narrator& narrator);

/// The unfinished run WHICH: its id, the folder of its journal, or empty for the only one of this number of SIDES.
base::Result<std::shared_ptr<const launch::Unfinished>> find_unfinished(const Workspace& workspace,
                                                                        const std::string& which, std::int64_t sides);

/// Makes REQUEST write a journal while it is measured; the run is saved under SAVE (a resumed one under its original
/// name).
void keep_as_it_goes(launch::Request& request, const Workspace& workspace, const std::optional<std::string>& save);

/// The name to save the run under; absent: its id.
std::optional<std::string> save_name(const launch::Request& request);

/// Saves RUN under NAME (or its id). Removes its journal if the run is complete.
base::Result<std::filesystem::path> save_finished(const Workspace& workspace, record::Run& run,
                                                  const std::optional<std::string>& name);

}  // namespace torchgate::workflow
