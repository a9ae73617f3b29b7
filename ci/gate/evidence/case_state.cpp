// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/case_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "ci/gate/evidence/identity.hpp"
#include "harness/record/imported.hpp"

namespace torchgate::gate {
namespace {

using reports::Verdict;

std::string of_processes(std::size_t count, const CaseEvidence& evidence, const std::string& message) {
  return fmt::format("in {} of {} processes: {}", count, evidence.processes, message);
}

bool measured(const CaseEvidence* evidence) {
  return evidence != nullptr && !evidence->measured.empty();
}

// The sides of `ab` share one list of cases: that the before side lists a case says nothing.
bool lists(const CaseEvidence& before, const CaseEvidence& after) {
  return before.definition != after.definition;
}

Judged without_numbers_before(const CaseEvidence& after, const std::string& why) {
  Judged judged =
      judged_state(*after.definition, Verdict::not_comparable, "has no numbers in the baseline, where " + why);
  judged.action_rule = ActionRule::no_numbers_before;
  return judged;
}

// Measured now, and not before.
Judged measured_only_now(const CaseEvidence* before, const CaseEvidence& after) {
  if (before == nullptr) return judged_state(*after.definition, Verdict::new_case, "not in the baseline");
  if (const std::string failure = failure_sentence(*before); !failure.empty())
    return without_numbers_before(after, "it " + failure);
  if (!lists(*before, after)) return judged_state(*after.definition, Verdict::new_case, "not in the baseline");
  if (before->definition->skipped) {
    Judged judged = judged_state(*after.definition, Verdict::new_case,
                                 "was skipped in the baseline: " + *before->definition->skipped);
    judged.skipped_before = true;
    return judged;
  }
  return without_numbers_before(after, before->processes == 0
                                           ? "it was not measured"
                                           : fmt::format("none of {} processes reported it", before->processes));
}

std::optional<Judged> not_measured(const CaseEvidence* before, const CaseEvidence& after, const SideEvidence& side) {
  const record::Case& definition = *after.definition;
  if (definition.skipped) {
    if (measured(before)) {
      return judged_state(definition, Verdict::missing,
                          "was measured in the baseline and is skipped now: " + *definition.skipped);
    }
    return judged_state(definition, Verdict::skipped, *definition.skipped);
  }
  if (!after.lost.empty()) {
    return judged_state(definition, Verdict::failed,
                        of_processes(after.lost.size(), after, "lost, " + after.lost.front()));
  }
  if (!side.run().interrupted && side.planned(definition)) {
    return judged_state(definition, measured(before) ? Verdict::missing : Verdict::skipped,
                        record::is_imported(side.run()) ? "no file has a result of it" : "no process reported it");
  }
  return judged_state(definition, measured(before) ? Verdict::missing : Verdict::skipped,
                      "the run was stopped before this case was measured");
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
                      fmt::format("{} of {} processes did not report it; in the baseline {} of {} did not",
                                  is.processes, is.of, was.processes, was.of));
}

// The same note with other numbers in it is the same note.
std::string without_digits(std::string text) {
  for (char& c : text) {
    if (c >= '0' && c <= '9') c = '#';
  }
  return text;
}

// What the suite said about results that count: a leak, a count that does not repeat, a device clock that is not known.
void add_notes(const CaseEvidence& evidence, const char* side, std::vector<std::string>& reasons) {
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
    reasons.push_back(fmt::format("{}: {}", side, note.first));
  }
}

void add_long_warm_up(const CaseEvidence& evidence, const char* side, std::vector<std::string>& reasons) {
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
  reasons.push_back(
      fmt::format("{}: slow warm-up: the first {} of {} samples of a process were discarded", side, discarded, all));
}

// A benchmark that has never worked is not a failure of the change, but it was never measured either.
void add_failed_alike(const CaseEvidence* before, Judged& judged) {
  if (before == nullptr || before->failures.empty() || !before->measured.empty()) return;
  std::string text =
      "the baseline failed alike, " + of_processes(before->failures.size(), *before, before->failures.front());
  constexpr const char* hyperfine = "hyperfine";
  if (judged.definition->suite == hyperfine && before->failures.front().starts_with("exit code"))
    text += "; where that exit code is accepted (hyperfine -i), measure `COMMAND || true`";
  add_reason(judged, ReasonKind::state, std::move(text));
}

}  // namespace

std::string failure_sentence(const CaseEvidence& evidence) {
  if (!evidence.wrongs.empty())
    return "was wrong " + of_processes(evidence.wrongs.size(), evidence, evidence.wrongs.front());
  if (!evidence.failures.empty())
    return "failed " + of_processes(evidence.failures.size(), evidence, evidence.failures.front());
  if (!evidence.lost.empty()) return "failed " + of_processes(evidence.lost.size(), evidence, evidence.lost.front());
  return "";
}

std::vector<std::string> loss_reasons(const CaseEvidence& evidence, const char* side) {
  std::vector<std::string> reasons;
  if (!evidence.wrongs.empty() || !evidence.failures.empty())
    reasons.push_back(fmt::format("{}: {}", side, failure_sentence(evidence)));
  if (!evidence.lost.empty()) {
    reasons.push_back(fmt::format("{}: {} of {} processes {} lost ({})", side, evidence.lost.size(), evidence.processes,
                                  evidence.lost.size() == 1 ? "was" : "were", evidence.lost.front()));
  }
  add_notes(evidence, side, reasons);
  add_long_warm_up(evidence, side, reasons);
  return reasons;
}

std::optional<Judged> case_state(const CaseEvidence* before, const CaseEvidence& after,
                                 const SideEvidence& after_side) {
  const record::Case& definition = *after.definition;
  if (!after.wrongs.empty()) {
    return judged_state(definition, Verdict::wrong, of_processes(after.wrongs.size(), after, after.wrongs.front()));
  }
  if (!after.failures.empty()) {
    Judged judged =
        judged_state(definition, Verdict::failed, of_processes(after.failures.size(), after, after.failures.front()));
    add_failed_alike(before, judged);
    return judged;
  }
  if (after.measured.empty()) return not_measured(before, after, after_side);
  if (!measured(before)) return measured_only_now(before, after);
  for (const record::Case* one : {before->definition, &definition}) {
    if (one->ambiguous)
      return judged_state(definition, Verdict::not_comparable,
                          "benchmarks of this name cannot be told apart: " + *one->ambiguous);
  }
  if (const auto why = identity_differs(*before->definition, definition)) {
    return judged_state(definition, Verdict::not_comparable, "measured on both sides, not comparable: " + *why);
  }
  return partly_missing(*before, after);
}

std::optional<Judged> absent_state(const CaseEvidence& before, const SideEvidence& after_side,
                                   const AbsentRules& rules) {
  const record::Case& definition = *before.definition;
  const record::Plan& plan = after_side.run().plan;
  // Nothing says what the files of another tool were to hold.
  std::string why =
      record::is_imported(after_side.run())
          ? "was measured in the baseline, and no file of this run has it; --common judges the cases of both sides"
          : "was measured in the baseline and is in this run's plan, but is missing in this run";
  switch (after_side.coverage(definition)) {
    case Coverage::other_shard:
      return std::nullopt;
    case Coverage::filter:
      if (!rules.partial_missing) return std::nullopt;
      why = fmt::format("was measured in the baseline, and the filter {} of this run leaves it out (gate.partial)",
                        plan.filter);
      break;
    case Coverage::other_suites:
      why = record::is_imported(after_side.run())
                ? fmt::format("was measured in the baseline by {}, and the files of this run are of {}",
                              definition.suite, fmt::join(plan.suites, ", "))
                : fmt::format("was measured in the baseline, and its suite {} is not in this run (suites: {})",
                              definition.suite, fmt::join(plan.suites, ", "));
      break;
    case Coverage::planned:
      if (rules.same_profile) break;
      if (!rules.partial_missing) return std::nullopt;
      why = fmt::format("was measured in the baseline, and the profile {} of this run leaves it out (gate.partial)",
                        plan.profile);
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
