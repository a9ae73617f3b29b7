// SPDX-License-Identifier: Apache-2.0
// Pairs of all cases decide, and stored times nothing: against the run of a pinned commit, weeks or months old (the change since a pin),
// against a baseline that another machine measured, and where pairs with the baseline's binaries were measured from the start,
// so that no run came before them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ci/gate/judge.hpp"
#include "ci/policy/policy.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

struct SinceComparison {
  std::optional<reports::SincePin> pin;  ///< absent: `pinned` is the baseline, measured on another machine
  const record::Run* pinned = nullptr;   ///< a stored run of the pinned commit
  const record::Run* current = nullptr;
  const record::Run* pairs = nullptr;  ///< of the cases of cases_since(); nullptr: none were measured
  std::string unmeasured_because;      ///< why not; empty: they were not requested
  bool pairs_planned = false;          ///< a plan of them was written: they are yet to be measured
  std::string rebuilt;  ///< the sentence that the pairs' before side was rebuilt from its commit; empty: it was not
  bool judge_unchanged = false;  ///< measure groups, too, that are byte-identical on both sides
  /// No run was made: `current` is the after side of `pairs` (after_side()). What both builds list is known from the pairs, also of
  /// cases that the stored run did not measure; the stored run says what the change no longer lists.
  bool from_start = false;
  std::vector<std::string> notes;
  std::vector<reports::Doubt> doubts = {};
};

/// The cases to measure in pairs, all of them `open`: those that both runs measured in the same way and whose group is not byte-identical.
/// bad_input: the runs are the same one, or a run has two sides.
base::Result<PairCases> cases_since(const SinceComparison& comparison);

/// POLICY: policy::since_pin(), or policy::pairs_alone() without a pin. Without one, all is judged that a gate judges: claims, budgets and
/// counts, too. With a pin, counts that changed are listed and do nothing, but for a growth of peak memory; a case that is no longer
/// measured, or was not then, is listed. Without the pairs of cases that need some there is no pass, also where it was the pinned binary that
/// failed in them. Errors as of cases_since().
base::Result<reports::Report> judge_since(const SinceComparison& comparison, const policy::Policy& policy);

}  // namespace torchgate::gate
