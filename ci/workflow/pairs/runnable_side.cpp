// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/pairs/runnable_side.hpp"

#include <algorithm>
#include <utility>

#include "baselines/materialize.hpp"
#include "baselines/restore_files.hpp"
#include "harness/base/posix_file.hpp"
#include "harness/base/workspace_folder.hpp"

namespace torchgate::workflow {

base::Result<process::TemporaryFolder> folder_for_restored(const launch::Request& pairs) {
  if (!launch::on_several_nodes(pairs.ranks_with, pairs.machine.environment)) return process::TemporaryFolder::create();
  // Of this host alone: another one does not see which of them are in use.
  const auto parent = std::filesystem::absolute(".torchgate") / "restored" / pairs.machine.hostname;
  std::error_code error;
  base::create_folders(parent, error);
  if (error) return base::system_error(parent, "create the folder", error.value());
  process::TemporaryFolder::remove_abandoned(parent);
  return process::TemporaryFolder::create(parent);
}

base::Result<Runnable> runnable(const std::string& label, const record::Run& run, const std::set<std::string>& suites,
                                const baselines::Store* store, const RecordedFiles& files,
                                const std::filesystem::path& folder) {
  const auto may_run = [&](const baselines::ExpectedObject& object) { return files.may_run(object); };
  Runnable result;
  result.side.label = label;
  result.side.source = run.sides.front().source;
  for (const std::string& suite : suites) {
    // By number: a suite's name comes from a record, and "../x" must not become a path.
    const auto own_folder = folder / std::to_string(result.side.suites.size());
    auto side = baselines::materialize(store, run, suite, own_folder, may_run);
    if (!side) return side.error();
    result.side.suites.push_back(side->executable);
    for (const baselines::PlacedFile& file : side->files) result.side.files.push_back({file.path, file.sha256});
    result.side.called[side->executable] =
        suite;  // the stored file may have another name than the one that was started
    for (const record::Parameter& variable : side->environment) {
      auto same = [&](const record::Parameter& p) { return p.name == variable.name; };
      const auto known = std::find_if(result.side.environment.begin(), result.side.environment.end(), same);
      if (known == result.side.environment.end()) {
        result.side.environment.push_back(variable);
      } else {
        known->value += ":" + variable.value;  // all of these variables are search paths
      }
    }
    result.expected[suite] = std::move(side->expected);
  }
  return result;
}

bool is_known(const record::Run& baseline, const baselines::Store* store, const RecordedFiles& files) {
  if (files.measured_here(baseline)) return true;
  if (store == nullptr) return false;
  const auto stored = store->load(baseline.id);
  return stored && stored->id == baseline.id && stored->sides == baseline.sides;
}

base::Result<void> restore_inputs(const baselines::Store& store, const record::Run& baseline,
                                  const std::set<std::string>& suites, const std::filesystem::path& folder,
                                  launch::SideRequest& side) {
  auto restored = baselines::restore_files(store, baseline, suites, folder);
  if (!restored) return restored.error();
  if (restored->map.empty()) return {};
  for (const baselines::PlacedFile& file : restored->files) side.files.push_back({file.path, file.sha256});
  side.environment.push_back({record::file_map_variable, restored->map.string()});
  side.restored = std::move(restored->contents);
  return {};
}

}  // namespace torchgate::workflow
