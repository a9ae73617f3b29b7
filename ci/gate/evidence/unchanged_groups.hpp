// SPDX-License-Identifier: Apache-2.0
// Groups that a run did not measure because nothing of them has changed (run --skip-unchanged). A record is not believed: its
// evidence is compared with the baseline at hand.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "ci/gate/judged.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::gate {

class UnchangedGroups {
 public:
  /// Both runs must outlive it.
  UnchangedGroups(const record::Run& baseline, const record::Run& current);

  /// `unchanged`, or `missing` where the evidence does not fit BASELINE; absent for a case that the run measured, or that
  /// cannot run here. BEFORE: of the baseline; nullptr: it does not have the case.
  [[nodiscard]] std::optional<Judged> state(const CaseEvidence* before, const CaseEvidence& after) const;

 private:
  struct Proof {
    bool unchanged = false;
    facts::Fact because;
  };
  static Proof compare_content(const record::UnchangedGroup& group, const record::Run& baseline,
                               const record::Run& current);

  std::map<std::string_view, Proof> groups_;
};

/// Groups, each with the reason of `unchanged`.
using SameGroups = std::map<std::string, facts::Fact, std::less<>>;

/// The groups that both runs measured and that are the same by content (executable, libraries, files read), in processes with the
/// same environment on a machine in the same state: nothing in their numbers can be a change of code. Each with the reason
/// of `unchanged`. A group of which something is not known is not among them.
SameGroups same_groups(const record::Run& baseline, const record::Run& current);

/// Why a case of GROUP has no numbers in RUN; empty(): its group is not recorded as unchanged.
facts::Fact not_measured_because_unchanged(const record::Run& run, std::string_view group);

/// All groups of RUN are recorded as unchanged: nothing ran, and the state of its machine matters to no verdict.
bool measured_nothing(const record::Run& run);

}  // namespace torchgate::gate
