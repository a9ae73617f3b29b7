// SPDX-License-Identifier: Apache-2.0
// What passes through the stages of judging: one metric of one case, what is known of it and what was decided. Each stage
// (README.md) adds its own answer; finding_of() makes a reports::Finding of it when all is decided, and nothing reads that back.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ci/gate/evidence/evidence.hpp"
#include "reports/report.hpp"
#include "stats/rule.hpp"

namespace torchgate::gate {

/// What a reason is about, in the order in which a finding lists its reasons.
enum class ReasonKind : std::uint8_t {
  work,             ///< other work per call: of the case, whatever numbers decide
  basis,            ///< what the number is that was judged: a difference in its unit
  layout,           ///< that every executed function is the same
  same_objects,     ///< pairs of the same files cannot show a change of code
  spent_budget,     ///< pairs ended before the answer
  within,           ///< what `equivalent` means here
  too_few_pairs,    ///< no look at these pairs could have alarmed: nothing was judged
  rule,             ///< of the test; with its code
  below_gate,       ///< a regression that is too small to fail, or beyond the gate of its case
  undecided_pairs,  ///< of pairs that left a suspect open: of their test, with its code, or a note on their losses
  provenance,       ///< what the pairs ran, and what the stored baseline had suggested
  unconfirmed,      ///< why no pairs decided, and whether the suspect lies beyond the gate
  tail,
  counted,
  other_machine,  ///< why stored times decide nothing: pairs alone can
  budget,         ///< above an absolute limit of the policy
  state,          ///< of verdicts that need no statistics, and of times that are not judged
  why,            ///< causes that can be seen: causes of a finding, the others are its reasons
  no_cause,       ///< that none can be seen
  measured,       ///< a note on how a side was measured: losses, warm-up, what the suite said
  rule_named,     ///< what the textbook rule rests on
  settings,
  waiver
};

struct Reason {
  ReasonKind kind = ReasonKind::rule;
  facts::Fact fact;
};

/// Both sides' values by the estimator that gave the change: after / before - 1 is the change.
struct SideValues {
  double before = 0;
  double after = 0;
  stats::Estimator estimator = stats::Estimator::run_value;
};

/// Of values without logarithms (evidence/in_units.hpp): the rules saw shares of `scale`.
struct InUnits {
  double scale = 0;  ///< the largest value of both sides, without its sign, in the metric's unit; 0: all are 0
  double worse = 0;  ///< by how many of these the case became worse
};

/// What was decided, and the numbers it rests on, in the metric's terms.
struct Decision {
  reports::Verdict verdict = reports::Verdict::inconclusive;
  std::optional<double> change;
  std::optional<SideValues> values;  ///< absent: the rule has no change; then each side's run value is shown
  std::optional<reports::Interval> interval;
  std::optional<double> p;
  std::optional<double> alpha;
  std::optional<double> cohens_d;
  std::optional<double> smallest_detectable;
  std::optional<std::int64_t> processes_needed;
};

/// Which rule of the policy says what a decision does.
enum class ActionRule : std::uint8_t {
  verdict,       ///< by its verdict, under the settings of its case
  tail,          ///< a tail does what gate.tails says
  counted,       ///< a count that changed
  listed,        ///< a count that changed with LibTorch itself: listed only
  not_its_turn,  ///< missing, because the run was stopped before
  no_numbers_before,  ///< not comparable, because the baseline lost it or was measured on another number of CPUs: the change cannot help it,
  ///< so there is no verdict
};

/// Both sides' counts. Where processes disagree, the ends of both sides that are next to each other.
struct Counts {
  double before = 0;
  std::optional<double> after;      ///< absent: no longer counted
  std::optional<double> most = {};  ///< where processes of the after side disagree: the largest count, or the worst one
};

/// The process values of a P95 or P99.
struct TailValues {
  TimedEvidence before;
  TimedEvidence after;
};

/// A suspect that no pairs decided.
struct Unconfirmed {
  facts::Fact because;
  bool beyond_gate = false;  ///< its whole interval lies there
};

struct Judged {
  const record::Case* definition = nullptr;  ///< of a run that outlives it; never nullptr
  record::Metric metric;                     ///< of a tail, with the suffix of the tail

  // Evidence. What a finding shows of it is computed when it is made.
  const CaseEvidence* before = nullptr;  ///< absent: no numbers of that side are shown
  const CaseEvidence* after = nullptr;
  std::vector<const CaseEvidence*>
      pooled;                         ///< stored runs, `before` first, where there are several; nullptr: not in it
  std::int64_t before_processes = 0;  ///< with numbers of the metric
  std::int64_t after_processes = 0;
  std::optional<Counts> counts;       ///< of an exact metric
  std::optional<double> count_alone;  ///< of an exact metric without a baseline
  std::unique_ptr<TailValues> tail;
  std::optional<InUnits> in_units;  ///< of the numbers that decided; absent: relative, as times are
  facts::Fact
      older_run;  ///< whose numbers `before` are, where the nearest stored run has none: no pairs run its binaries
  const record::Run* numbers_of = nullptr;  ///< the stored run whose numbers were compared; nullptr: the nearest

  // What the pairs said.
  std::unique_ptr<stats::RuleAnswer> pairs;  ///< absent: none were judged
  std::optional<Unconfirmed> unconfirmed;
  std::optional<facts::Fact> left_open;   ///< why pairs did not decide what the screen left open
  std::optional<facts::Fact> uncompared;  ///< why pairs cannot clear it: what it reads was not compared
  bool skipped_before = false;            ///< of a new case: the baseline has it, and skipped it
  bool pairs_stand = true;                ///< false: they differed, and it does not count

  Decision decision;
  std::vector<Reason> reasons;  ///< by kind
  std::vector<reports::OperatorChange> operators;
  bool probe = false;

  base::Boxed<reports::CountEvidence> counted;  ///< what instructions say of it; set where its times leave it open

  // What the policy makes of it.
  ActionRule action_rule = ActionRule::verdict;
  reports::GateAction action = reports::GateAction::note;
  bool waived = false;
  std::optional<double> own_gate;  ///< of a [[case]] table, relative; absent: that of all cases
  bool over_budget = false;        ///< fails, whatever its verdict
  bool forbids_pass = false;       ///< it does not fail, but what was not compared must not pass
  bool may_reach_gate = false;     ///< `equivalent` by a margin above the gate, with an interval that reaches the gate

  facts::Fact other_machine =
      {};  ///< why its stored times are not comparable: only pairs can decide it; empty: they are

  std::optional<double> slower_mean =
      {};  ///< of its pairs: the ratio of the means where they regressed (pairs/tails.hpp)

  [[nodiscard]] const std::string& case_name() const { return definition->name; }
  /// It was compared in pairs, or should have been.
  [[nodiscard]] bool asked_pairs() const { return pairs != nullptr || unconfirmed.has_value(); }
};

/// About the comparison as a whole.
struct Remarks {
  facts::Facts notes;
  std::vector<reports::Doubt> doubts;
  reports::IdenticalPairs identical = {};
  std::vector<std::string> uncounted =
      {};  ///< cases that both sides measured and of which the rule can compare nothing
};

/// A case with a verdict that needs no statistics. The metric is the case's primary one, where it has one.
Judged judged_state(const record::Case& definition, reports::Verdict verdict, facts::Fact reason);

/// Puts it behind the reasons of its kind.
void add_reason(Judged& judged, ReasonKind kind, facts::Fact fact);
void add_reasons(Judged& judged, ReasonKind kind, facts::Facts all);

/// Another decision in the place of the one that there was, for one reason.
void replace_decision(Judged& judged, reports::Verdict verdict, ReasonKind kind, facts::Fact reason);

/// A regression that instructions show where the time of the case decides nothing.
[[nodiscard]] bool decided_by_count(const Judged& judged);

/// A count that the baseline has and this run does not, or counts in another way.
[[nodiscard]] bool is_lost_count(const Judged& judged);

[[nodiscard]] bool has_reason(const Judged& judged, ReasonKind kind);

/// How many times as bad the case (or a relative CHANGE) became: 1.05 for a time that grew to 1.05 and for a rate that fell to 1/1.05.
double worse_ratio(const Judged& judged);
double worse_ratio(double change, const record::Metric& metric);

}  // namespace torchgate::gate
