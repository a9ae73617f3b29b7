// SPDX-License-Identifier: Apache-2.0
// Cases that pairs were measured for and that these did not compare: the pinned side failed, a side reported nothing. Of `ab` such a case
// is new or skipped, and listed; where pairs are the only evidence, it passes nothing.
#pragma once

#include <string>
#include <vector>

#include "ci/gate/judged.hpp"

namespace torchgate::gate {

/// Makes `inconclusive`, with the reason, what JUDGED has of the cases ASKED that the pairs did not compare, and adds the cases that it
/// lacks. BEFORE: of the pairs. The beginning of the sentence why the report is incomplete; empty: all were compared. A case that failed
/// counts as judged; so does one that a spent budget left open, which is what the budget is for.
facts::Fact leave_uncompared_open(std::vector<Judged>& judged, const std::vector<const record::Case*>& asked,
                                  const SideEvidence& before);

/// Makes `inconclusive` what JUDGED has of cases of which PAIRS, that nothing ended early, have no process on either side: the record lost them.
void leave_unrecorded_open(std::vector<Judged>& judged, const record::Run& pairs);

/// A note that names the cases that are `new` because they failed on the before side of the pairs. They are listed by number elsewhere, and "not
/// in the baseline" would be no word about it.
void mention_failed_before(const std::vector<Judged>& judged, const SideEvidence& before, Remarks& remarks);

}  // namespace torchgate::gate
