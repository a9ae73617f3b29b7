// SPDX-License-Identifier: Apache-2.0
// Runs of this folder that were interrupted: saying so, and going on with one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "ci/workflow/narrator.hpp"
#include "ci/workflow/workspace.hpp"
#include "harness/base/result.hpp"
#include "harness/launch/journal.hpp"
#include "harness/launch/launcher.hpp"

namespace torchgate::workflow {

/// Says which runs of so many SIDES (1: run, 2: ab) are unfinished, and how to go on or forget them.
void offer_unfinished(const Workspace& workspace, std::int64_t sides, Narrator& narrator);

/// The unfinished run WHICH: its id, the folder of its journal, or empty for the only one of so many SIDES.
base::Result<std::shared_ptr<const launch::Unfinished>> find_unfinished(const Workspace& workspace,
                                                                        const std::string& which, std::int64_t sides);

/// From now on the run is kept as it goes, to be saved under SAVE (or, going on, under the name it began with).
void keep_as_it_goes(launch::Request& request, const Workspace& workspace, const std::optional<std::string>& save);

/// Under which name it is to be saved; absent: its id.
std::optional<std::string> save_name(const launch::Request& request);

/// Saves RUN under NAME (or its id). Its journal goes when it is complete.
base::Result<std::filesystem::path> save_finished(const Workspace& workspace, record::Run& run,
                                                  const std::optional<std::string>& name);

}  // namespace torchgate::workflow
