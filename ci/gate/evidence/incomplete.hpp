// SPDX-License-Identifier: Apache-2.0
// Runs that do not hold their whole plan: stopped, a shard alone, or merged without some of the shards.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "harness/record/run.hpp"

namespace torchgate::gate {

/// Why RUN does not hold its whole plan, as the beginning of a sentence; empty when it does. What is not there is neither
/// passed nor missing, so such a run never passes.
std::string incomplete_because(const record::Run& run);

/// What was left out of a merged run, as a sentence; empty when nothing was.
std::string missing_shards_sentence(const record::Plan& plan);

/// That so many cases of OF, such as "the baseline", are not in PLAN, as a sentence. REQUIRES: at least one.
std::string not_planned_sentence(std::int64_t cases, const record::Plan& plan, std::string_view of = "the baseline");

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
