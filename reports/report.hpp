// SPDX-License-Identifier: Apache-2.0
// The one report model. The gate fills it, every format renders it: the same numbers everywhere.
// Names in it (cases, metrics, messages) come from suites and files and are untrusted: each format escapes for itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/boxed.hpp"
#include "harness/record/metric.hpp"
#include "harness/record/run.hpp"
#include "harness/record/sampling.hpp"
#include "reports/difference.hpp"
#include "reports/facts/fact.hpp"
#include "reports/history.hpp"
#include "reports/upgrade.hpp"
#include "reports/verdicts.hpp"
#include "stats/levels.hpp"
#include "stats/two_series.hpp"

namespace torchgate::reports {

/// What the policy does with a finding: `action` in the JSON report.
enum class GateAction { fail, warn, note, pass };

/// Why a result is doubtful: each kind has its own step in the advice (advice.cpp). The worst first, as a report lists them.
enum class DoubtKind {
  unfit,          ///< a fatal finding about the machine: times are not judged
  incomplete,     ///< a stopped run, missing shards: the rest can still be measured
  lost,           ///< processes that were lost, or ended with an error: the record is complete, and cannot be resumed
  other_machine,  ///< stored times of another device or an unknown host, which are not compared
  inputs,         ///< files that are copies, cut off, of an earlier run or in the wrong order
  policy,         ///< settings or waivers of the change, or not applied
  same_files,     ///< a difference between identical files
  suite_shift,    ///< all cases moved together
  machine,        ///< noise: other load, clocks, heat
  other,
  separate_runs  ///< the sides were measured at different times
};

/// Facts and text convert to a doubt of kind `other`.
struct Doubt {
  // NOLINTNEXTLINE(google-explicit-constructor): most doubts are a fact alone
  Doubt(facts::Fact its_fact, DoubtKind of_kind = DoubtKind::other) : fact(std::move(its_fact)), kind(of_kind) {}
  // NOLINTNEXTLINE(google-explicit-constructor): the same for text of others
  Doubt(std::string text, DoubtKind of_kind = DoubtKind::other) : Doubt(facts::Fact(std::move(text)), of_kind) {}
  // NOLINTNEXTLINE(google-explicit-constructor): the same for a literal
  Doubt(const char* text, DoubtKind of_kind = DoubtKind::other) : Doubt(facts::Fact(text), of_kind) {}
  // NOLINTNEXTLINE(google-explicit-constructor): reads as its sentence
  operator std::string() const { return fact.words(); }
  bool operator==(const Doubt&) const = default;

  facts::Fact fact;
  DoubtKind kind;
  std::string fix;  ///< what removes it, an imperative without a full stop; empty: by its kind
};

/// What the whole comparison comes to; the exit code follows from it.
enum class Outcome { pass, fail, no_verdict };

/// An interval of a relative change (0.05 = 5 % more) or of a value, with its confidence level (0.99).
struct Interval {
  double low = 0;
  double high = 0;
  double level = 0;
};

/// A P95 or P99: the estimate over the pooled samples of a side and its order-statistic interval.
struct Tail {
  double value = 0;
  std::optional<Interval> interval;  ///< absent: too few samples for one
};

/// A part of the noise as a standard deviation of the log: 0.01 is about 1 %.
struct NoisePart {
  std::optional<double> sd;  ///< absent: a level with a single member has none
  bool floored = false;      ///< the estimate was negative and 0 is said: too small to be seen here
};

/// Something odd about the series of a case, looked for in each process by itself. One process alone has it by chance now and
/// then: the flag is raised when most have it.
struct SeriesFlag {
  bool raised = false;
  std::int64_t processes = 0;  ///< that have it
  std::int64_t of = 0;         ///< that were looked at; 0: not known
};

/// Two modes of the samples, in the metric's unit; over the processes that have them.
struct Modes {
  double lower = 0;
  double upper = 0;
  double upper_share = 0;
};

/// What the noise of a side is made of, and what is odd about its series. Information: no verdict rests on it.
struct Noise {
  NoisePart iteration;
  NoisePart process;
  NoisePart run;
  std::optional<double> effective_samples;  ///< how many independent ones `samples` are worth; needs the raw samples
  std::optional<std::int64_t> outliers;     ///< beyond 3.5 scaled median absolute deviations; counted, never removed
  SeriesFlag two_modes;
  SeriesFlag drift;
  SeriesFlag not_steady;
  base::Boxed<Modes> modes;  ///< when two_modes is raised
};

/// One side of a finding, in the metric's unit.
struct SideNumbers {
  double value = 0;  ///< by the estimator of the finding; the count of an exact metric
  std::int64_t processes = 0;
  std::int64_t samples = 0;
  base::Boxed<Tail> p95;
  base::Boxed<Tail> p99;
  std::optional<double> items_per_second;
  std::optional<double> bytes_per_second;
  std::optional<double> peak_bytes;    ///< of the same case, beside its time
  std::vector<double> process_values;  ///< one per process, in the metric's unit
  std::optional<Noise> noise;          ///< timed metrics
};

/// The answer of the textbook rule, on the samples as given: Welch p < 0.05 and Cohen's d > 0.2.
struct TextbookAnswer {
  std::optional<double> p;
  std::optional<double> d;
  std::string word;     ///< negligible, small, medium, large
  std::string call;     ///< "regressed", "improved", "no change", "no answer"
  facts::Fact samples;  ///< what the samples are: "150 v 150 raw samples of 5 v 5 processes"
};

/// What interleaved pairs said about a suspect, or about a case of `ab`.
struct Confirmation {
  std::int64_t pairs = 0;
  std::optional<double> change;
  std::optional<Interval> interval;
  std::optional<double> p;
  double alpha = 0;  ///< what p is compared with: 0.01 / suspects
  bool confirmed = false;
  facts::Fact note;  ///< why not, when it could not be tried: "the baseline keeps no objects"
  /// Of pairs that took turns: what the change is a change of. Absent: of medians.
  std::optional<stats::Measure> measure = {};
  std::optional<double> other_change = {};  ///< by the other measure, where it says something else
};

/// What the instructions of a case say where its times decide nothing.
enum class CountAnswer {
  regressed,  ///< the gate's share more, or above
  no_more,    ///< equal within gate.instructions
  undecided   ///< between, or fewer
};

/// Instructions per call of both sides, counted because the times of the case left it open.
struct CountEvidence {
  std::string counter;  ///< "callgrind-3.19.0", "hardware"
  double before = 0;
  double after = 0;
  double change = 0;  ///< after / before - 1
  CountAnswer answer = CountAnswer::undecided;
};

/// One operator on one class of inputs, on both sides; per call of the case. Medians over the processes.
struct OperatorChange {
  std::string name;
  std::string inputs;
  std::string inputs_before;  ///< when the same calls had other inputs; else empty
  double calls_before = 0;
  double calls_after = 0;
  double self_before_ns = 0;
  double self_after_ns = 0;
  std::optional<double> share;  ///< of the added time; absent where the case did not get clearly slower or faster
  bool clear = false;           ///< its self time differs by more than the processes do among themselves (p < 1 %)

  [[nodiscard]] bool other_calls() const { return calls_before != calls_after || !inputs_before.empty(); }
  [[nodiscard]] bool changed() const { return clear || other_calls(); }
};

/// How the raw samples of both sides are spread, on one axis: counts in bins of equal width. For drawings; nothing is judged by it.
struct SampleShape {
  double low = 0;                    ///< left edge of the first bin, in the metric's unit
  double high = 0;                   ///< right edge of the last one
  std::vector<std::int64_t> before;  ///< samples per bin
  std::vector<std::int64_t> after;   ///< as many bins
  std::int64_t beyond = 0;           ///< samples of both sides outside the axis
};

struct Finding {
  std::string case_name;
  record::Metric metric;
  Verdict verdict = Verdict::inconclusive;
  GateAction action = GateAction::note;
  std::optional<SideNumbers> before;
  std::optional<SideNumbers> after;
  std::optional<stats::Estimator> estimator;  ///< of both values and of the change between them; known where a value is
  std::optional<double> change;               ///< relative: after / before - 1; positive = more
  std::optional<Interval> interval;           ///< of the change
  std::optional<double> p;                    ///< of the rule that gave the verdict; two-sided
  std::optional<double> alpha;                ///< what p was compared with
  std::optional<double> cohens_d;
  std::string cohens_d_word;
  std::optional<double> smallest_detectable;     ///< relative change this comparison could have seen (80 % power)
  std::optional<std::int64_t> processes_needed;  ///< about how many more a side for an answer
  std::optional<TextbookAnswer> textbook;
  base::Boxed<Confirmation> confirmation;
  base::Boxed<CountEvidence> counted;     ///< of a case that its times leave open, and of the finding that decides it
  bool waived = false;                    ///< passes, because a waiver covers it; the reasons say which
  bool probe = false;                     ///< drawn to be measured in pairs, because the suite as a whole has moved
  bool skipped_before = false;            ///< of a new case: the baseline has it, and skipped it
  facts::Facts reasons;                   ///< why this verdict, what to know about it
  facts::Facts causes;                    ///< what in the case changed, that which accounts for most first
  base::Boxed<SampleShape> shape;         ///< of a timed metric whose raw samples are known and asked for
  std::vector<OperatorChange> operators;  ///< of a case that got slower: those that changed, the slowest first
  std::optional<double> own_gate =
      {};                    ///< of a [[case]] table, relative; absent: that of all cases (Report::gate_ratio)
  bool over_budget = false;  ///< above a budget, whatever its verdict: no waiver lifts that
};

enum class ClaimState { holds, broken, undecided, not_measured, not_claimed };

/// A group's promise, judged in the run that was measured last.
struct ClaimFinding {
  std::string case_name;
  std::string reference_case;
  std::string metric;
  std::string text;  ///< as its author wrote it
  ClaimState state = ClaimState::not_measured;
  GateAction action = GateAction::note;
  double promised_ratio = 1;
  bool at_most = true;  ///< the measured ratio has to be at most (else at least) the promised one
  std::optional<double> measured_ratio;
  std::optional<double> bound;  ///< one-sided bound of the measured ratio, of 1 - alpha or more
  facts::Facts reasons;         ///< of its state
  bool timed = false;           ///< rests on times: of a machine that is unfit it is undecided
};

/// Where one side came from.
struct SideHeader {
  std::string label;                 ///< "before", "baseline", "after", a file name
  std::vector<std::string> run_ids;  ///< several when stored runs are pooled
  std::optional<std::string> commit;
  std::optional<bool> modified;
  std::string created;  ///< of the newest run
  std::string host_key;
  record::MachineChecks checks = {};  ///< of `torchgate doctor` around its newest run, worst first; empty: not checked
  record::Sampling sampling = {};     ///< of its newest run; the profile "full" is not "default" here
  /// What `commit` merges, where that is a merge made for a test: it never enters the branch's history.
  std::optional<std::string> head = {};
};

/// Pairs whose two sides ran identical files: how many cases were compared so, and how many the test called different. What is true
/// of them is known, so they show how often this machine makes the test err.
struct IdenticalPairs {
  std::int64_t comparisons = 0;
  std::int64_t different = 0;
};

/// Of the cases that both sides measured or that the baseline alone has: how many have an answer, and what could have been seen.
struct Decided {
  std::int64_t cases = 0;  ///< compared
  std::int64_t decided =
      0;  ///< regressed, improved or equivalent, and nothing of it was lost; where only counts are judged: with counts
  std::int64_t sensitive = 0;  ///< decided, or a slow-down as large as the gate would have been seen (80 % power)

  std::int64_t no_more_instructions = 0;  ///< undecided in time, and counted: no more instructions than before

  [[nodiscard]] std::int64_t undecided() const { return cases - decided; }
  /// Less than half was decided.
  [[nodiscard]] bool weak() const { return 2 * decided < cases; }
};

/// Cases whose names have a part in common.
struct Family {
  std::string name;  ///< the common part; empty: all cases
  std::int64_t cases = 0;
  std::int64_t changed = 0;  ///< regressed or suspected; of faster ones: improved
  std::optional<double>
      median_change;  ///< of the changed ones, relative; absent: none has a known change, or rates and times are among them
  std::vector<std::size_t> changed_at = {};  ///< where the changed ones are in the findings, in their order
};

/// What the changed cases have in common (families.hpp).
struct Families {
  bool faster = false;           ///< the changed cases improved; else they became slower
  std::vector<Family> families;  ///< the largest share first; a single one: the names have nothing in common
  std::int64_t unconfirmed = 0;  ///< of the slower ones: suspects that do not fail
};

/// A pinned commit (`gate --since NAME`): what the changes of a report are measured from.
struct SincePin {
  std::string name;
  std::optional<std::string> commit;
  std::string created;  ///< of its run
};

struct Report {
  Outcome outcome = Outcome::no_verdict;
  facts::Fact headline;       ///< the worst case by name, in one sentence; formats put PASS or FAIL before it
  std::vector<Doubt> doubts;  ///< what makes the result unreliable, worst first
  SideHeader before;
  SideHeader after;
  std::string rule;  ///< "default" or the name given with --rule
  std::vector<Difference> differences;
  std::vector<Finding> findings;     ///< worst first, then by case name
  std::vector<ClaimFinding> claims;  ///< broken first
  std::optional<Families> families;  ///< of the changed cases; absent: too few changed
  facts::Facts notes;                ///< substituted baseline, policy in force, waivers
  std::vector<History> histories;    ///< of cases that need attention, where the caller has a store and asked for them
  std::int64_t cases_judged = 0;
  Decided decided;               ///< what a pass is worth
  bool too_few_decided = false;  ///< why there is no verdict: fewer cases were decided than gate.min_decided asks for
  IdenticalPairs identical;      ///< among the pairs of this report
  std::int64_t cases_not_planned = 0;  ///< measured in the baseline, and left out by this run's filter, suites or shard
  bool paired = false;                 ///< all of it was measured in interleaved pairs
  bool pairs_planned = false;          ///< a pair plan was written: what it asks for is yet to be measured
  bool unfit = false;                  ///< a fatal finding about a machine: times were not judged
  std::int64_t suspects = 0;           ///< cases the screen flagged before confirmation
  double gate_ratio = 0.05;            ///< relative change from which a regression fails the build
  std::optional<SincePin> since;       ///< all changes are those since this pin; absent: since the baseline
  std::optional<Upgrade> upgrade;      ///< of `--vary libtorch`
  bool informs = false;                ///< no change fails: what would is a warning
  double equivalence_ratio = 0.05;     ///< half width of the interval that `equivalent` means: "within ±5 %"
};

/// "v1.2 (1a2b3c4d5e6f, 2026-11-21)".
std::string since_words(const SincePin& pin);

const char* to_string(GateAction action);
const char* to_string(Outcome outcome);
const char* to_string(ClaimState state);
const char* to_string(CountAnswer answer);

/// A regression that instructions show, and times do not.
bool is_counted_regression(const Finding& finding);

/// The change that undoes CHANGE: -4.8 % of +5 %, from which a rate is as much worse.
double opposite(double change);

/// The change that is worse by WORSE (0.05): a time that grew by 5 %, a rate that fell by 4.8 %.
double worse_change(double worse, const record::Metric& metric);

/// The change from which on FINDING fails, by its own gate or by that of all cases: of a rate a fall.
double gate_of(const Finding& finding, const Report& report);

}  // namespace torchgate::reports
