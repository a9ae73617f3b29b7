// SPDX-License-Identifier: Apache-2.0
// How pairs are judged, and what is known of them then (pairs.hpp, interleaved.hpp).
#pragma once

#include <cstddef>
#include <optional>

#include "stats/interval.hpp"
#include "stats/verdict.hpp"

namespace torchgate::stats {

struct PairOptions {
  double alpha = 0.01;     ///< risk of any false `regressed` over all cases judged together
  std::size_t family = 1;  ///< m, how many cases those are; alpha * alpha_share / m each
  /// Share of alpha that the m cases have, in (0, 1]. Two classes of cases whose shares sum to 1 keep the risk of all of
  /// them together below alpha (Bonferroni with weights); shares and m are fixed before the first pair.
  double alpha_share = 1.0;
  double margin = 0.01;       ///< smaller changes are never called regressed or improved
  double equivalence = 0.05;  ///< margin of `equivalent`, a share (stats/README.md, "Equivalent")
};

struct PairJudgement {
  Call call = Call::inconclusive;  ///< regressed, improved, equivalent or inconclusive
  Reasons reasons;
  std::size_t pairs = 0;             ///< judged
  std::optional<double> effect;      ///< ln(after/before), Hodges-Lehmann; positive = slower
  std::optional<double> p;           ///< two-sided exact signed rank
  double smallest_p = 1.0;           ///< the smallest p that this number of pairs can reach
  std::optional<Interval> interval;  ///< of the effect at 1 - alpha/m; none when there are too few pairs for that level
  std::optional<Interval> trimmed;   ///< of the effect at 95 %, from the 10 % trimmed mean
  /// The same at 90 %: `equivalent` means that it lies inside the margin. None below six pairs.
  std::optional<Interval> equivalence_interval;
  std::optional<double> pair_sd;  ///< SD of the d_k
  std::optional<double> cohen_d;  ///< effect / pair_sd; 0 or +-infinity when the pairs do not vary
  /// Effect (log ratio) these pairs would have shown with 80 % power at the last look that they reached. None where no look could alarm.
  std::optional<double> smallest_detectable;
  /// Pairs still missing for 90 % power: to confirm the effect seen when it is at least the margin, else to see a
  /// change as large as the equivalence margin. Only when inconclusive; 0 means that the estimate was already enough.
  std::optional<std::size_t> more_pairs;
};

}  // namespace torchgate::stats
