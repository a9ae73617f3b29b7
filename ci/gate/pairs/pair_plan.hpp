// SPDX-License-Identifier: Apache-2.0
// What was fixed before the first pair was measured, and what one case's pairs say under it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ci/gate/evidence/evidence.hpp"
#include "ci/policy/policy.hpp"
#include "stats/rule.hpp"

namespace torchgate::gate {

/// For a class of cases. It stands in the record, or follows from it.
struct PairPlan {
  std::size_t family = 1;    ///< m: the verdicts that share alpha (of all metrics judged), whatever came back of them
  double alpha_share = 1.0;  ///< of alpha, that those m have
  std::size_t last = 48;     ///< pairs at most
  double no_harm_level = 0.95;          ///< of the interval that ends pairs early with "no harm"
  double equivalence_stop_level = 0.0;  ///< of the interval that ends them as `equivalent`; 0: it does not
};

/// Of pairs as a whole: `ab` has one class of cases, a confirmation may have two.
class PairPlans {
 public:
  PairPlans(const record::Run& pairs, const policy::CaseGates& policy);

  [[nodiscard]] const PairPlan& of(std::string_view case_name) const { return is_open(case_name) ? open_ : first_; }
  /// The screen left it open, and did not suspect it.
  [[nodiscard]] bool is_open(std::string_view case_name) const { return open_cases_.contains(case_name); }
  /// Of suspects, or of all cases of `ab`.
  [[nodiscard]] const PairPlan& first() const { return first_; }
  /// Of the cases that the screen left open; nullptr: there are none.
  [[nodiscard]] const PairPlan* open() const { return open_cases_.empty() ? nullptr : &open_; }

 private:
  PairPlan first_;
  PairPlan open_;
  std::set<std::string, std::less<>> open_cases_;
};

/// What each class has of alpha where there are verdicts of both; else the one that there is has all.
struct AlphaShares {
  double suspects = 1.0;
  double open = 1.0;
};
AlphaShares alpha_shares(std::int64_t suspects, std::int64_t open);

/// m for these cases of a run: a verdict for each metric that their policies judge, one for each that the case declares beside them
/// (may_be_judged: whether it follows the time is not known before it is measured), and two for tails where they are gated.
/// 0 without cases.
std::size_t family_of(const record::Run& run, const std::vector<std::string>& cases, const policy::CaseGates& policy);

/// Log values (larger is worse) of the pairs of which both processes measured the case, in the order measured: of their medians, or of
/// their floors and their typical changes where all of them took turns (stats/turns.hpp).
struct PairValues {
  std::vector<double> differences;  ///< after - before
  std::vector<double> midpoints;    ///< (before + after) / 2
  std::vector<double> typical;      ///< typical changes; empty: the others are of medians
  std::vector<double> typical_midpoints;

  [[nodiscard]] std::size_t size() const { return differences.size(); }
  [[nodiscard]] bool took_turns() const { return !typical.empty(); }
  /// What forecasts go by: the series that varies less.
  [[nodiscard]] const std::vector<double>& more_precise() const;
};
PairValues pair_values(const ProcessValues& before, const ProcessValues& after);
/// Of one metric, in its unit where its values have no logarithms (evidence/in_units.hpp).
PairValues pair_values(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric);

/// The plan as it is for one case: pairs that lost a process leave fewer, and the last look comes with the last of them.
PairPlan plan_of_case(const PairPlan& plan, const CaseEvidence& before, const CaseEvidence& after, std::size_t pairs);

/// Sets in OPTIONS what PLAN fixes: every judgement of pairs, of medians and of tails, takes it from here.
void apply(const PairPlan& plan, stats::RuleOptions& options);

/// What rule_paired says of them under the case's own policy.
stats::RuleAnswer judge_case_pairs(const PairValues& values, const PairPlan& plan, const policy::Gate& own);

}  // namespace torchgate::gate
