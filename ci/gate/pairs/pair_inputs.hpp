// SPDX-License-Identifier: Apache-2.0
// What pairs say nothing about: the files that a suite reads. Their before side is the baseline's binary, but it opens what is in the work
// tree now, unless the baseline's own content was restored for it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/run.hpp"
#include "reports/facts/fact.hpp"

namespace torchgate::gate {

/// Tracked files that differ between the commits of two runs and that a program may read, or that may decide what it reads
/// (changed_paths.hpp), and source text: not documentation.
/// Absent: not known.
using ChangedData = std::optional<std::vector<std::string>>;

/// Why the pairs of a group cannot clear a suspect.
struct Uncompared {
  facts::Fact because;
  /// Something that the suite reads, or may read, differs. False: it is only not known whether anything does, and the pairs cannot have shown
  /// it: then they clear what is not beyond the gate.
  bool differs = true;
  /// By what the processes recorded. False: by git, which does not know what they read. Then a case that no screen suspects is decided by its
  /// pairs.
  bool recorded = false;
  /// The pairs ran the same executables and libraries on both sides: a difference in them is not one of the code.
  bool same_programs = false;
  /// Only a suspect of stored times is kept by it: pairs that no run came before count.
  bool keeps_suspects_only = false;
  /// It is as likely that this run was disturbed: the suspect that it keeps does not pass, and does not fail either.
  bool fails_nothing = false;
};

class PairInputs {
 public:
  /// All must outlive it. CHANGED_DATA is of BASELINE and CURRENT. MISSING_COMMIT: why it is not known, where a commit that exists somewhere
  /// would tell. Runs without commits, of modified files, or outside a repository have none: no pairs could ever clear them.
  PairInputs(const record::Run& baseline, const record::Run& current, const record::Run& pairs,
             const ChangedData& changed_data, const std::optional<std::string>& missing_commit)
      : baseline_(baseline),
        current_(current),
        pairs_(pairs),
        changed_data_(changed_data),
        missing_commit_(missing_commit) {}

  /// Of the processes of GROUP. Where all of them recorded what they read: a file (or environment variable) that changed between the runs, and
  /// that the pairs' before side did not read with the baseline's content; or one that was changed after the run. A file whose content
  /// differs from process to process is left out, and so is one that the pairs did not open. Otherwise, as for programs of Google Benchmark, what git
  /// knows counts, and which environment variables the runs recorded. In both cases a before side that was built again as the change builds
  /// clears no sure suspect where the file of a job changed. Absent: the pairs can be used.
  [[nodiscard]] const std::optional<Uncompared>& of_group(const std::string& group) const;

  /// A file that both sides of the pairs of GROUP read, with different content; empty: none, or not recorded.
  [[nodiscard]] const std::string& changed_file(const std::string& group) const;

  /// What pairs of any group may not show, also where no screen has a suspect that it could keep.
  [[nodiscard]] std::optional<facts::Fact> doubt() const;

 private:
  [[nodiscard]] std::optional<facts::Fact> rebuilt_otherwise() const;
  [[nodiscard]] std::optional<facts::Fact> unknown_changes() const;
  [[nodiscard]] std::optional<Uncompared> compare(std::string_view group) const;
  [[nodiscard]] std::string find_changed_file(std::string_view group) const;

  // By group: each of its cases asks.
  mutable std::map<std::string, std::optional<Uncompared>> uncompared_;
  mutable std::map<std::string, std::string> changed_files_;
  const record::Run& baseline_;
  const record::Run& current_;
  const record::Run& pairs_;
  const ChangedData& changed_data_;
  const std::optional<std::string>& missing_commit_;
};

/// Whether both sides of PAIRS read the same in GROUP, by content, wherever it lies; absent: not recorded.
std::optional<bool> same_files_read(const record::Run& pairs, std::string_view group);

/// Every process of GROUP, on both sides of PAIRS, loaded the same executable and libraries, by content, and had the same
/// environment (but for LD_LIBRARY_PATH, which only says where they lie), and read the same files as far as that is recorded. False where that is not known, as it is not of scripts.
bool same_objects_ran(const record::Run& pairs, std::string_view group);

/// The same, and it is known of every process which files it read: nothing in the numbers of GROUP can be a change.
bool identical_in_pairs(const record::Run& pairs, std::string_view group);

}  // namespace torchgate::gate
