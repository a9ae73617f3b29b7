// SPDX-License-Identifier: Apache-2.0
// The cases of a stored comparison between evidence and pairs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ci/gate/judge.hpp"
#include "ci/gate/judged.hpp"
#include "ci/policy/case_rules.hpp"
#include "stats/rule.hpp"

namespace torchgate::gate {

/// What every run knows about the cases. The comparison must outlive it.
struct StoredSides {
  explicit StoredSides(const Comparison& comparison);

  std::vector<SideEvidence> stored;  ///< the nearest first
  SideEvidence current;
  bool common_only = false;  ///< cases that one side alone has are left out
};

/// The numbers of a compared case that a rule looks at.
struct ComparedSeries {
  std::vector<std::vector<double>> stored;  ///< per stored run: process values, log, larger is worse; empty: not in it
  std::vector<double> current;
  std::vector<double> before_samples;  ///< of the nearest stored run; kept only for the rule that asks for them
  std::vector<double> after_samples;
};

struct Screened {
  std::vector<Judged> settled;             ///< what needs no test of times: states, counts; later tails
  std::vector<Judged> compared;            ///< what both sides measured
  std::vector<ComparedSeries> series;      ///< of `compared`, in its order
  std::vector<stats::RuleAnswer> answers;  ///< the same; empty before the screen, and where times are not judged
  /// Drift that was subtracted, log: of each stored run, and of the current one as the last. Empty: none was.
  std::vector<double> shifts = {};
  std::int64_t unchanged = 0;    ///< cases that were not measured, because nothing of their group changed
  std::int64_t not_planned = 0;  ///< measured in the baseline, and left out by this run's plan
  std::int64_t only_before = 0;  ///< of the baseline alone, and left out (Comparison::common_only)
  std::int64_t only_after = 0;   ///< of this run alone, and left out for the same reason
  std::map<std::string, std::int64_t> vanished_suites =
      {};                                    ///< suites of the baseline that the run does not have: their cases
  std::vector<std::string> from_older = {};  ///< cases whose numbers before are those of an older stored run
  std::vector<std::string> removed_before =
      {};                                ///< cases of older stored runs that the nearest no longer has, nor this run
  std::vector<std::string> copied = {};  ///< cases whose samples are those of the baseline: not judged
  std::vector<std::string> repeated_before = {};  ///< cases of the baseline of which a process was recorded twice
  std::vector<std::string> repeated_after = {};   ///< the same of this run
  std::vector<std::string> varying_counts = {};   ///< not judged, and of which the values of the sides do not overlap
  std::vector<std::string> worse_unjudged =
      {};                               ///< metrics that got worse by more than the time, and that nothing judges
  facts::Facts fewer_repetitions = {};  ///< about files that may have been cut off
  std::vector<std::string> uncounted =
      {};  ///< measured on both sides, and where only counts are judged, without any on both
  std::vector<std::string> weaker_checks = {};  ///< cases that check their results less strictly than in the baseline
  facts::Fact no_part = {};  ///< why cases that were left out forbid a pass; empty: one side is a part of the other
};

}  // namespace torchgate::gate
