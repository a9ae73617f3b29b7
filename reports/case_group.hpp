// SPDX-License-Identifier: Apache-2.0
// Cases counted by what their time or rate came to: those of a suite, or all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace torchgate::reports {

struct Finding;

/// A case is in one of the first five counts.
struct CaseGroup {
  std::string name;  ///< of the suite; empty: all cases
  std::int64_t slower = 0;
  std::int64_t faster = 0;
  std::int64_t equal = 0;  ///< equivalent, the same content, or moved without a change of code
  std::int64_t undecided = 0;
  std::int64_t not_compared = 0;  ///< failed, wrong, or on one side alone
  /// Geometric mean of after / before of the cases that were compared, undecided ones too, minus 1; rates are inverted: positive is slower.
  std::optional<double> mean_change;
  std::int64_t counts_changed = 0;   ///< cases of which an exact metric differs; not known here: 0
  std::int64_t outputs_changed = 0;  ///< cases whose output differs (Upgrade::outputs); not known here: 0

  [[nodiscard]] std::int64_t compared() const { return slower + faster + equal + undecided; }
};

/// Of FINDINGS, one for each case: those of its primary metric.
CaseGroup group_of(std::string name, const std::vector<const Finding*>& findings);

/// A finding as a ratio of times: after / before, of a rate before / after. Absent without a change, or where there is no such ratio.
std::optional<double> time_ratio(const Finding& finding);

}  // namespace torchgate::reports
