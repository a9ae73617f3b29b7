// SPDX-License-Identifier: Apache-2.0
// The runs of this folder: .torchgate/runs/<name or id>.json, found by name, by file or by id.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ci/policy/policy.hpp"
#include "harness/base/result.hpp"
#include "harness/import/directions.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

/// Label of the side of a run of `torchgate calibrate`. Such a run is a measurement of noise: it can be named, and is never the newest one.
inline constexpr const char* calibration_side = "calibration";

/// Checks a name of --save, before anything is measured or built. Absent: the run is saved under its id. bad_input
/// otherwise.
base::Result<void> check_save_name(const std::optional<std::string>& name);

/// What the policy says of metrics of other tools.
import::Directions directions_of(const policy::Import& settings);

/// bad_input where --better was given and none of RUNS is a result file of another tool: the directions in a saved run are settled.
base::Result<void> check_better(const policy::Import& settings, const std::vector<std::string>& runs);

class Workspace {
 public:
  explicit Workspace(std::filesystem::path folder = ".torchgate") : folder_(std::move(folder)) {}
  /// Result files of other tools are read as the policy says (import.better).
  explicit Workspace(const policy::Import& settings);

  /// Saves the run under `name` (replacing an older one of that name, with its samples), or under its id. Returns the record's path.
  base::Result<std::filesystem::path> save(record::Run& run, const std::optional<std::string>& name) const;

  /// Checks that a run can be saved; called before measuring one.
  [[nodiscard]] base::Result<void> check_writable() const;

  /// Removes the temporary files of killed writers.
  void remove_abandoned() const;

  /// Loads a run by the name it was saved under, by a file's path, or by its id, with raw samples if they are stored.
  /// An unfinished run has only an id, and contains what was measured so far. Result files of other tools are imported;
  /// "a.json,b.json" are such files of several processes of one run. bad_input also if both a file of the working folder and a saved run have
  /// that name, or the run's creation time is in the future (base::is_from_the_future).
  /// INSTEAD: what not_found proposes, where `torchgate run --save` measures no such run.
  [[nodiscard]] base::Result<record::Run> load(const std::string& run, const std::string& instead = "") const;

  /// RUN as an argument of a command that a message proposes: quoted; a name that begins with a dash as its file.
  [[nodiscard]] std::string for_a_shell(const std::string& run) const;

  /// The folder of the runs.
  [[nodiscard]] std::filesystem::path runs() const { return folder_ / "runs"; }

  /// The list of launched files (launched_files.hpp). It is outside of the folder of runs, because runs are carried
  /// between machines and this list is not.
  [[nodiscard]] std::filesystem::path launched() const { return folder_ / "launched"; }

  /// The last COUNT runs written, in no particular order, without raw samples.
  [[nodiscard]] std::vector<record::Run> recent(std::size_t count) const;

  /// The newest run of one side, but for those of a calibration; where that is a shard of a merged run, the merged run. not_found: no run. A file that was written no earlier, and is
  /// unreadable or has a creation time in the future, is an error that names it, because it may be the newest run.
  [[nodiscard]] base::Result<record::Run> newest() const;

  /// The same with pairs, but for those that confirm a run: they have only its suspects.
  [[nodiscard]] base::Result<record::Run> newest_with_pairs() const;

  /// The newest pairs that measured CASE_NAME on both sides, without raw samples. Absent: none. Such pairs with a creation time in the future that
  /// were written no earlier are an error that names them.
  [[nodiscard]] base::Result<std::optional<record::Run>> newest_pairs(const std::string& case_name) const;

  /// The newest pairs by which `gate` compared run AFTER with BEFORE (ids), without raw samples. Absent: none, or unreadable.
  [[nodiscard]] std::optional<record::Run> pairs_of(const std::string& before, const std::string& after) const;

 private:
  [[nodiscard]] base::Result<record::Run> load_any(const std::string& run, const std::string& instead) const;
  [[nodiscard]] base::Result<record::Run> newest_of(bool (*is_wanted)(const record::Run&)) const;

  std::filesystem::path folder_;
  import::Directions directions_;
};

}  // namespace torchgate::workflow
