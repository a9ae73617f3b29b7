// SPDX-License-Identifier: Apache-2.0
// The groups and cases that a run measures: those of the suites, except those excluded by the plan. Pure.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/launch/listing.hpp"
#include "harness/launch/shards/division.hpp"
#include "harness/record/case.hpp"
#include "harness/record/run.hpp"

namespace torchgate::launch {

/// A group on one side.
struct GroupOnSide {
  std::int64_t side = 0;
  std::filesystem::path executable;
  std::shared_ptr<const BenchmarkProgram> program;  ///< null: a torchgate suite
  std::vector<std::string> cases;                   ///< selected and able to run here
  std::map<std::string, std::string> skipped;       ///< selected, but not able to run: case and reason
  std::optional<double> seconds;                    ///< estimate of one process
  std::int64_t ranks = 1;                           ///< processes of one launch
  bool takes_turns = false;                         ///< with the other side's process (turns/turn_pair.hpp)
};

/// A group that has something to run on at least one side.
struct SelectedGroup {
  std::string name;
  std::string suite;
  std::string filter;              ///< for the suite: the plan's, or exactly the wanted cases of this group
  std::vector<GroupOnSide> sides;  ///< only those that have something to run
};

struct Selection {
  std::vector<SelectedGroup> to_run;
  std::vector<record::Group> groups;  ///< of all selected cases, also of those that are skipped
  std::vector<record::Case> cases;    ///< each once; `skipped` only where no side can run it
  std::vector<std::string> suites;    ///< names
  std::vector<std::string> warnings;
  std::vector<GroupWeight> weights;                ///< of all selected groups, whatever the shard; by name
  std::vector<std::vector<std::string>> division;  ///< the groups of each shard; empty for a plan of one shard
};

/// LISTINGS: one per side, LABELS: their names in sentences. Shards take whole groups, as
/// PLAN.division says. Without one they are divided by names and the suites' own estimates, counted before anything is
/// skipped, so every machine of a matrix computes the same division. bad_input if the filter is invalid, if
/// nothing is selected although suites were listed, or if a suite has a group that is missing in the division.
base::Result<Selection> select_cases(const std::vector<Listing>& listings, const std::vector<std::string>& labels,
                                     const record::Plan& plan, const std::vector<std::string>& only_cases);

/// Whether two definitions of a metric are comparable.
bool same_meaning(const record::Metric& a, const record::Metric& b);

/// A regular expression (RE2's syntax, searched) that finds exactly these names.
std::string exact_filter(const std::vector<std::string>& names);

/// The same as a record's plan has it: ".*" where it would be longer than a record may have it (base::max_pattern_bytes).
std::string recorded_filter(const std::vector<std::string>& names);

}  // namespace torchgate::launch
