// SPDX-License-Identifier: Apache-2.0
// Where runs of this folder are kept: .torchgate/runs/<name or id>.json, found by name, by file or by id.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

class Workspace {
 public:
  explicit Workspace(std::filesystem::path folder = ".torchgate") : folder_(std::move(folder)) {}

  /// Keeps the run under `name` (replacing an older one of that name), or under its id. Returns the record's path.
  base::Result<std::filesystem::path> save(record::Run& run, const std::optional<std::string>& name) const;

  /// Whether a run could be saved: ask before measuring one.
  [[nodiscard]] base::Result<void> check_writable() const;

  /// Removes the temporary files of writers that were killed.
  void remove_abandoned() const;

  /// A run by the name it was saved under, by a file's path, or by its id. With raw samples where they are kept. One
  /// that was not finished has an id only, and what it measured so far. Another
  /// tool's result file is imported on the way; "a.json,b.json" are such files of several processes of one run. bad_input, too,
  /// where its time is later than now (record::is_from_the_future).
  [[nodiscard]] base::Result<record::Run> load(const std::string& run) const;

  /// Where they are.
  [[nodiscard]] std::filesystem::path runs() const { return folder_ / "runs"; }

  /// The list of what was launched from here (launched_files.hpp). Beside the runs, which are carried between machines; it is
  /// not.
  [[nodiscard]] std::filesystem::path launched() const { return folder_ / "launched"; }

  /// The COUNT files written last that are runs, in no order; without raw samples.
  [[nodiscard]] std::vector<record::Run> recent(std::size_t count) const;

  /// The run of one side that was measured last; one from the future was not. not_found says how to make one. A file that was
  /// written no earlier and cannot be read is an error that names it: it may be the run that was asked for.
  [[nodiscard]] base::Result<record::Run> newest() const;

 private:
  [[nodiscard]] base::Result<record::Run> load_any(const std::string& run) const;

  std::filesystem::path folder_;
};

}  // namespace torchgate::workflow
