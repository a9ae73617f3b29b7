// SPDX-License-Identifier: Apache-2.0
// What was decided of a comparison, before a report shows it, and the stages that every comparison ends with.
#pragma once

#include <optional>
#include <vector>

#include "ci/gate/evidence/fitness.hpp"
#include "ci/gate/instructions/open_counts.hpp"
#include "ci/gate/judged.hpp"
#include "ci/policy/case_rules.hpp"
#include "ci/policy/policy.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

struct Assessment {
  reports::Report report;  ///< its headers and claims; all else follows from the cases
  std::vector<Judged> cases;
  Remarks remarks;
  facts::Fact incomplete;  ///< why it cannot pass; empty: it can
};

/// What the last stages look at. All of it outlives the call.
struct LastStages {
  const SideEvidence* before = nullptr;  ///< the sides whose cases the policy's tables and waivers are about
  const SideEvidence* after = nullptr;
  std::optional<facts::Fact> times = {};      ///< why the times that decided are not judged
  std::optional<facts::Fact> this_side = {};  ///< why those of AFTER are not: its claims and budgets
  std::vector<OpenCounts> counts = {};  ///< that decide what times leave open: the first with counts of both sides
  bool budgets = true;                  ///< absolute limits are judged
};

/// Behind the guards: times that mean nothing, counts of what times leave open, budgets, what the policy makes of each decision, waivers.
void last_stages(Assessment& assessment, const LastStages& stages, policy::CasePolicies& policies,
                 const policy::Judging& policy);

/// The report of what was assessed.
reports::Report report_of(Assessment assessment, policy::CasePolicies& policies, const policy::Judging& policy);

}  // namespace torchgate::gate
