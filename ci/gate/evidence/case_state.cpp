// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/case_state.hpp"
#include "ci/gate/answer.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "ci/gate/evidence/identity.hpp"
#include "ci/gate/evidence/losses.hpp"
#include "harness/record/imported.hpp"
#include "reports/facts/about_states.hpp"

namespace torchgate::gate {
namespace {

using reports::Verdict;

std::int64_t started(const CaseEvidence& evidence) {
  return losses_of(evidence).started;
}

facts::Fact of_processes(std::size_t count, const CaseEvidence& evidence, facts::Fact what) {
  return facts::in_processes(count, started(evidence), std::move(what));
}

facts::Fact with_not_measured(facts::Fact lost, const CaseEvidence& evidence) {
  const std::size_t none = evidence.lost.not_started();
  return none == 0 ? lost : facts::and_not_measured(std::move(lost), none);
}

// "in 2 of 2 processes: killed by signal 9; 8 more were not measured". REQUIRES: some were lost. WHAT: of the first one.
facts::Fact of_lost(const CaseEvidence& evidence, facts::Fact what) {
  const std::size_t none = evidence.lost.not_started();
  if (none == evidence.lost.size()) return facts::in_processes(none, evidence.processes, evidence.lost.front());
  return with_not_measured(of_processes(evidence.lost.size() - none, evidence, std::move(what)), evidence);
}

// The same of processes that say nothing of the numbers of others: "1 of 5 processes was lost (killed by signal 9)".
facts::Fact loss_of(const CaseEvidence& evidence) {
  const std::size_t none = evidence.lost.not_started();
  if (none == evidence.lost.size())
    return facts::processes_without_start(none, evidence.processes, evidence.lost.front());
  return with_not_measured(facts::lost_processes(evidence.lost.size() - none, started(evidence), evidence.lost.front()),
                           evidence);
}

facts::Fact of_processes(const facts::Facts& messages, const CaseEvidence& evidence) {
  return of_processes(messages.size(), evidence, messages.front());
}

facts::Fact of_wrongs(const CaseEvidence& evidence) {
  return of_processes(evidence.wrongs.size(), evidence, evidence.wrongs.front());
}

bool measured(const CaseEvidence* evidence) {
  return evidence != nullptr && !evidence->measured.empty();
}

// The sides of `ab` share one list of cases: that the before side lists a case says nothing.
bool lists(const CaseEvidence& before, const CaseEvidence& after) {
  return before.definition != after.definition;
}

Judged without_numbers_before(const CaseEvidence& after, const facts::Fact& why) {
  Judged judged = judged_state(*after.definition, Verdict::not_comparable, facts::no_numbers_before(why));
  judged.action_rule = ActionRule::no_numbers_before;
  return judged;
}

// A case that only this run has, with its numbers.
Judged new_case(const CaseEvidence& after, facts::Fact why) {
  Judged judged = judged_state(*after.definition, Verdict::new_case, std::move(why));
  const ProcessValues values = process_values(after, judged.metric);
  if (values.medians.empty()) return judged;
  judged.after = &after;
  judged.after_processes = static_cast<std::int64_t>(values.medians.size());
  return judged;
}

// The machine or the limit of the run left it out, not the case: nothing is known of it, so nothing passes.
Judged never_started(const CaseEvidence& after) {
  Judged judged =
      judged_state(*after.definition, Verdict::inconclusive, of_lost(after, facts::lost_process(after.lost.front())));
  judged.forbids_pass = true;
  return judged;
}

// The before side does not list it: new, unless the suite could not list anything there.
Judged not_listed_before(const CaseEvidence& after, const SideEvidence* before_side) {
  const LostProcesses* const lost =
      before_side == nullptr ? nullptr : before_side->lost_listing(after.definition->suite);
  if (lost != nullptr) return without_numbers_before(after, facts::suite_not_listed(lost->front()));
  return new_case(after, facts::not_in_baseline);
}

// Measured now, and not before.
Judged measured_only_now(const CaseEvidence* before, const CaseEvidence& after, const SideEvidence* before_side) {
  if (before == nullptr) return not_listed_before(after, before_side);
  if (const auto failure = failure_of(*before)) return without_numbers_before(after, facts::it_did(*failure));
  if (!lists(*before, after)) return not_listed_before(after, before_side);
  if (before->definition->skipped) {
    Judged judged = new_case(after, facts::skipped_before(*before->definition->skipped));
    judged.skipped_before = true;
    return judged;
  }
  return without_numbers_before(
      after, before->processes == 0 ? facts::it_was_not_measured() : facts::none_reported_it(before->processes));
}

std::optional<Judged> not_measured(const CaseEvidence* before, const CaseEvidence& after, const SideEvidence& side) {
  const record::Case& definition = *after.definition;
  if (definition.skipped) {
    if (measured(before)) {
      return judged_state(definition, Verdict::missing, facts::skipped_now(*definition.skipped));
    }
    return judged_state(definition, Verdict::skipped, *definition.skipped);
  }
  // One side of two skips it: it is in the definition of neither.
  if (!after.skipped_because.empty() && measured(before))
    return judged_state(definition, Verdict::missing, facts::skipped_now(std::string(after.skipped_because)));
  if (!after.lost.empty() && after.lost.not_started() == after.lost.size()) return never_started(after);
  if (!after.lost.empty()) {
    return judged_state(definition, Verdict::failed, of_lost(after, facts::lost_process(after.lost.front())));
  }
  if (!side.run().interrupted && side.planned(definition)) {
    return judged_state(definition, measured(before) ? Verdict::missing : Verdict::skipped,
                        record::is_imported(side.run()) ? facts::not_in_file() : facts::not_reported());
  }
  return judged_state(definition, measured(before) ? Verdict::missing : Verdict::skipped, facts::stopped_before_it);
}

// Processes that ended well and said nothing of the case, and all that ended well.
struct Silent {
  std::int64_t processes = 0;
  std::int64_t of = 0;
};

Silent silent(const CaseEvidence& evidence) {
  const auto size = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
  const std::int64_t of = evidence.processes - size(evidence.lost);
  return {of - size(evidence.measured) - size(evidence.failures) - size(evidence.wrongs), of};
}

// Reported by a smaller share of the processes than in the baseline: what the others would have said is not known.
std::optional<Judged> partly_missing(const CaseEvidence& before, const CaseEvidence& after) {
  const Silent was = silent(before);
  const Silent is = silent(after);
  if (is.processes <= 0 || is.processes * was.of <= was.processes * is.of) return std::nullopt;
  return judged_state(*after.definition, Verdict::missing,
                      facts::reported_by_fewer(is.processes, is.of, was.processes, was.of));
}

std::optional<Judged> loses_now(const CaseEvidence& before, const CaseEvidence& after) {
  if (loss_change(losses_of(before), losses_of(after)) != LossChange::more) return std::nullopt;
  return judged_state(*after.definition, Verdict::failed, of_lost(after, facts::lost_process(after.lost.front())));
}

// The same note with other numbers in it is the same note.
std::string without_digits(std::string text) {
  for (char& c : text) {
    if (c >= '0' && c <= '9') c = '#';
  }
  return text;
}

// What the suite said about results that count: a leak, a count that does not repeat, a device clock that is not known.
void add_notes(const CaseEvidence& evidence, const char* side, facts::Facts& reasons) {
  struct Note {
    std::string first;
    std::size_t processes = 0;
  };
  std::map<std::string, Note> notes;
  for (const CaseProcess& one : evidence.measured) {
    if (one.result->message.empty()) continue;
    Note& note = notes[without_digits(one.result->message)];
    if (note.processes++ == 0) note.first = one.result->message;
  }
  for (const auto& [text, note] : notes) {
    if (2 * note.processes <= evidence.measured.size()) continue;  // an odd process is not the case's nature
    reasons.push_back(facts::of_side(side, note.first));
  }
}

void add_long_warm_up(const CaseEvidence& evidence, const char* side, facts::Facts& reasons) {
  constexpr double worth_telling = 0.1;  // of the samples: less is what a cold cache costs
  std::vector<std::pair<std::int64_t, std::int64_t>> cuts;
  for (const CaseProcess& one : evidence.measured) {
    const record::CaseResult& result = *one.result;
    const auto timed = std::find_if(result.measurements.begin(), result.measurements.end(),
                                    [](const record::Measurement& each) { return each.summary.has_value(); });
    if (result.discarded_samples == 0 || timed == result.measurements.end()) continue;
    const std::int64_t all = timed->summary->n + result.discarded_samples;
    if (static_cast<double>(result.discarded_samples) >= worth_telling * static_cast<double>(all))
      cuts.emplace_back(result.discarded_samples, all);
  }
  if (2 * cuts.size() <= evidence.measured.size()) return;
  std::sort(cuts.begin(), cuts.end());
  const auto& [discarded, all] = cuts[cuts.size() / 2];
  reasons.push_back(facts::of_side(side, facts::slow_warm_up(discarded, all)));
}

// Times that were rounded to 0 on both sides, of the same case.
std::optional<Judged> rounded_to_zero(const CaseEvidence& before, const CaseEvidence& after) {
  for (const CaseEvidence* const side : {&before, &after}) {
    const auto zeros = static_cast<std::int64_t>(side->below_resolution);
    if (zeros == 0 || zeros != side->processes || side->definition->ambiguous) return std::nullopt;
  }
  if (identity_differs(*before.definition, *after.definition)) return std::nullopt;
  Judged judged = judged_state(*after.definition, Verdict::equivalent, {});
  judged.before_processes = before.processes;
  judged.after_processes = after.processes;
  settle_equal(judged);
  return judged;
}

// A benchmark that has never worked is not a failure of the change, but it was never measured either.
void add_failed_alike(const CaseEvidence* before, Judged& judged) {
  if (before == nullptr || before->failures.empty() || !before->measured.empty()) return;
  constexpr const char* hyperfine = "hyperfine";
  const bool exit_code =
      judged.definition->suite == hyperfine && before->failures.front().words().starts_with("exit code");
  const facts::Fact where = of_processes(before->failures, *before);
  add_reason(judged, ReasonKind::state, exit_code ? facts::failed_alike_by_code(where) : facts::failed_alike(where));
}

}  // namespace

std::optional<facts::Fact> failure_of(const CaseEvidence& evidence) {
  if (!evidence.wrongs.empty()) return facts::was_wrong(of_wrongs(evidence));
  if (!evidence.failures.empty()) return facts::did_fail(of_processes(evidence.failures, evidence));
  if (evidence.lost.empty()) return std::nullopt;
  if (evidence.lost.not_started() == evidence.lost.size())
    return facts::was_not_measured(of_lost(evidence, evidence.lost.front()));
  return facts::did_fail(of_lost(evidence, evidence.lost.front()));
}

facts::Facts loss_reasons(const CaseEvidence& evidence, const char* side) {
  facts::Facts reasons;
  if (!evidence.wrongs.empty() || !evidence.failures.empty())
    reasons.push_back(facts::of_side(side, *failure_of(evidence)));
  if (!evidence.lost.empty()) {
    reasons.push_back(facts::of_side(side, loss_of(evidence)));
  }
  add_notes(evidence, side, reasons);
  add_long_warm_up(evidence, side, reasons);
  return reasons;
}

std::optional<Judged> case_state(const CaseEvidence* before, const CaseEvidence& after, const SideEvidence* before_side,
                                 const SideEvidence& after_side) {
  const record::Case& definition = *after.definition;
  if (!after.wrongs.empty()) return judged_state(definition, Verdict::wrong, of_wrongs(after));
  if (!after.failures.empty()) {
    if (auto equal = before != nullptr ? rounded_to_zero(*before, after) : std::nullopt) return equal;
    Judged judged = judged_state(definition, Verdict::failed, of_processes(after.failures, after));
    add_failed_alike(before, judged);
    return judged;
  }
  if (after.measured.empty()) return not_measured(before, after, after_side);
  if (!measured(before)) return measured_only_now(before, after, before_side);
  for (const record::Case* one : {before->definition, &definition}) {
    if (one->ambiguous) return judged_state(definition, Verdict::not_comparable, facts::ambiguous(*one->ambiguous));
  }
  if (auto why = identity_differs(*before->definition, definition))
    return judged_state(definition, Verdict::not_comparable, facts::not_comparable(*std::move(why)));
  if (auto loses = loses_now(*before, after)) return loses;
  return partly_missing(*before, after);
}

std::optional<Judged> absent_state(const CaseEvidence& before, const SideEvidence& after_side,
                                   const AbsentRules& rules) {
  const record::Case& definition = *before.definition;
  const record::Plan& plan = after_side.run().plan;
  // Nothing says what the files of another tool were to hold.
  const bool imported = record::is_imported(after_side.run());
  facts::Fact why = imported ? facts::in_no_file() : facts::missing_in_run();
  switch (after_side.coverage(definition)) {
    case Coverage::other_shard:
      return std::nullopt;
    case Coverage::filter:
      if (!rules.partial_missing) return std::nullopt;
      why = facts::left_out_by_filter(plan.filter);
      break;
    case Coverage::other_suites:
      why = imported ? facts::measured_by_other_tool(definition.suite, plan.suites)
                     : facts::suite_gone(definition.suite, plan.suites);
      break;
    case Coverage::planned:
      if (rules.same_profile) break;
      if (!rules.partial_missing) return std::nullopt;
      why = facts::left_out_by_profile(plan.profile);
      break;
  }
  return judged_state(definition, Verdict::missing, std::move(why));
}

bool is_partial_missing(const policy::Judging& policy) {
  switch (policy.partial) {
    case policy::Partial::automatic:
      return policy.of_base;
    case policy::Partial::missing:
      return true;
    case policy::Partial::listed:
      return false;
  }
  return true;
}

}  // namespace torchgate::gate
