// SPDX-License-Identifier: Apache-2.0
// The join: runs and a policy in, findings out. Calls stats for numbers, decides nothing about where runs come from.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ci/gate/pairs/pair_inputs.hpp"
#include "ci/policy/policy.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

/// Runs to compare, and what is known of how they were measured. They outlive it.
struct Comparison {
  std::vector<const record::Run*> baseline;  ///< at least one; [0] the nearest, the others pooled with it
  const record::Run* current = nullptr;
  /// Interleaved pairs (two sides: before, after), of suspects or of all cases; nullptr: none were measured.
  const record::Run* pairs = nullptr;
  facts::Fact no_pairs_because;  ///< why not: "the baseline keeps no objects"; empty: they were not requested
  /// Suspects can be measured in pairs, or were. Only then may the suite's own shift be taken for drift.
  bool confirmable = false;
  /// Judge the numbers of groups that are the same by content in both runs, too. Else their cases are `unchanged`: what their
  /// numbers show is noise, and pairs of them would cost time for nothing.
  bool judge_unchanged = true;
  /// The user named both sides: that the baseline is the newer one is then a doubt. Of files it always is.
  bool sides_named = false;
  /// Only cases of both sides are judged, where one of them is a part of the other (--common). Where each has cases of its own, those with another
  /// name are `not_comparable`, and others forbid a pass where gate.missing is "fail".
  bool common_only = false;
  /// Of the commits of baseline[0] and current: what pairs may not have compared.
  ChangedData changed_data = {};
  /// Where CHANGED_DATA is not known: the baseline's commit, which this clone of the change's history lacks (a force push, a shallow clone).
  std::optional<std::string> missing_commit = {};
  /// When the pairs' before side was not what the baseline had run, but rebuilt from its commit: the sentence that says so.
  std::string rebuilt;
  /// The run-to-run SD of a case's log time where this machine was calibrated; empty when it was not.
  std::function<std::optional<double>(const std::string& case_name)> run_sd_of;
  /// By how much COUNTER's numbers of instructions of a case differed between processes where this machine was calibrated; empty when
  /// it was not, or with another counter.
  std::function<std::optional<double>(const std::string& case_name, const std::string& counter)>
      instructions_spread_of = {};
  /// The commit of the baseline is pinned: changes are those since then (judge_since).
  std::optional<reports::SincePin> pin = {};
  bool pairs_planned = false;  ///< a plan of the pairs was written: they are yet to be measured
  /// No run was made: `current` is the after side of `pairs` (after_side()). What both builds list is known from the pairs, also of
  /// cases that the stored run did not measure; the stored run says what the change no longer lists (judge_since).
  bool from_start = false;
  std::vector<std::string> notes;  ///< for the report: which baseline, why
  std::vector<reports::Doubt> doubts;
};

/// One run against stored ones. bad_input: a run is compared with itself, or a run has two sides.
/// A comparison that must not be made (other host) is a report without a verdict, not an error.
base::Result<reports::Report> judge_stored(const Comparison& comparison, const policy::Judging& policy);

/// A paired run (two sides), judged by its pairs. bad_input: the run has one side.
base::Result<reports::Report> judge_paired(const record::Run& run, const policy::Judging& policy);

/// One run alone: what it measured, and whether it keeps its claims. bad_input: two sides.
base::Result<reports::Report> describe_run(const record::Run& run, const policy::Judging& policy);

/// Cases of a comparison that pairs can decide. The two classes share the risk of a false alarm (PairPlans).
struct PairCases {
  std::vector<std::string> suspects;  ///< that the policy wants confirmed, worst first; probes among them
  std::vector<std::string> open;      ///< that the screen neither suspects nor decides, in the order of the report
};

/// bad_input as judge_stored.
base::Result<PairCases> cases_for_pairs(const Comparison& comparison, const policy::Judging& policy);

/// What pairs leave to be looked at in other ways than by time.
struct FollowUp {
  std::vector<std::string> other_times;  ///< called slower or faster: whether their code differs. The worst first
  /// That their times leave open, without those of identical files and those that were counted already: to count their instructions. At
  /// least half the gate slower as measured, the largest change first.
  std::vector<std::string> open_slower;
  std::vector<std::string> open_others;  ///< by their change, too
};
/// Of PAIRS as they were measured: nothing where they have one side.
FollowUp follow_up(const record::Run& pairs, const policy::Judging& policy);

// Pairs of all cases decide, and stored times nothing: against the run of a pinned commit, weeks or months old (the change since a pin),
// against a baseline that another machine measured, and where pairs with the baseline's binaries were measured from the start.

/// The cases to measure in pairs, all of them `open`: those that both runs measured in the same way and whose group is not byte-identical.
/// bad_input: the runs are the same one, or a run has two sides.
base::Result<PairCases> cases_since(const Comparison& comparison);

/// The nearest stored run alone is the baseline: that of the pinned commit, or without a pin one of another machine, or any where pairs came from
/// the start. POLICY: policy::since_pin(), or policy::pairs_alone() without a pin. Without one, all is judged that a gate judges: claims, budgets and
/// counts, too. With a pin, counts that changed are listed and do nothing, but for a growth of peak memory; a case that is no longer
/// measured, or was not then, is listed. Without the pairs of cases that need some there is no pass, also where it was the pinned binary that
/// failed in them. Errors as of cases_since().
base::Result<reports::Report> judge_since(const Comparison& comparison, const policy::Judging& policy);

}  // namespace torchgate::gate
