// SPDX-License-Identifier: Apache-2.0
// What the processes that both sides of a case lost say about the change.
#pragma once

#include <cstdint>
#include <vector>

#include "ci/gate/judged.hpp"

namespace torchgate::gate {

/// Of a group on one side: the processes that were started, and those of them that came to no valid report.
struct Losses {
  std::int64_t lost = 0;
  std::int64_t started = 0;
};

Losses losses_of(const CaseEvidence& evidence);

enum class LossChange : std::uint8_t {
  none,     ///< at most one, or no larger share than before
  unclear,  ///< a larger share than before, by less than two processes: chance alone shows that often
  more      ///< at least two processes more than the share before explains: of the change
};

/// One loss may be the machine's (the kernel ended a process to free memory), so two are needed, beyond what the before side lost.
LossChange loss_change(const Losses& before, const Losses& after);

/// No pass where the losses leave open whether the change made them, or where both sides lost so many that the case was not judged.
void forbid_pass_by_losses(Judged& judged, const CaseEvidence& before, const CaseEvidence& after);

/// The same of each case that was judged; BEFORE and AFTER have the evidence of those whose findings have none.
void guard_losses(std::vector<Judged>& cases, const SideEvidence& before, const SideEvidence& after);

}  // namespace torchgate::gate
