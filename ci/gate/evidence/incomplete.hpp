// SPDX-License-Identifier: Apache-2.0
// Runs that do not hold their whole plan: stopped, a shard alone, merged without some of the shards, or with a suite that did not list its cases.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "harness/record/run.hpp"
#include "reports/facts/fact.hpp"

namespace torchgate::gate {

/// Why RUN does not hold its whole plan, as the beginning of a sentence; empty() when it does. What is not there is neither
/// passed nor missing, so such a run never passes.
facts::Fact incomplete_because(const record::Run& run);

/// Suites of the judged (last) side of RUN that could not list their cases, as the beginning of a sentence; empty() when all could. No stored
/// run has to know a suite, so nothing else may be missing.
facts::Fact suites_not_listed(const record::Run& run);

/// What was left out of a merged run; empty() when nothing was.
facts::Fact missing_shards(const record::Plan& plan);

/// Of pairs in shards: which groups have none because their shards are missing, as the beginning of a sentence; empty() when all have some. Such
/// pairs decide the other groups, and pass nothing.
facts::Fact groups_without_pairs(const record::Plan& plan);

/// Why GROUP has no pairs: its shard is missing; empty() when it is not.
facts::Fact missing_shard_of(const record::Plan& plan, std::string_view group);

/// That so many cases of OF, such as "the baseline", are not in PLAN. REQUIRES: at least one.
facts::Fact not_planned(std::int64_t cases, const record::Plan& plan, std::string_view of = "the baseline");

/// Which groups a run was to have.
class PlannedGroups {
 public:
  /// PLAN must outlive it.
  explicit PlannedGroups(const record::Plan& plan);
  /// The group is in a shard that the run holds, or in no shard although the run was to have all that its suites list.
  [[nodiscard]] bool has(std::string_view group) const;

 private:
  std::map<std::string_view, bool> divided_;  // whether the group's shard is there
  bool others_ = false;                       // groups that are in no shard
};

}  // namespace torchgate::gate
