// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/case_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace torchgate::gate {
namespace {

using reports::Verdict;

std::string of_processes(std::size_t count, const CaseEvidence& evidence, const std::string& message) {
  return fmt::format("in {} of {} processes: {}", count, evidence.processes, message);
}

bool measured(const CaseEvidence* evidence) {
  return evidence != nullptr && !evidence->measured.empty();
}

// Another way to measure, other inputs or other arguments under the same name: another case.
std::optional<std::string> other_identity(const record::Case& before, const record::Case& after) {
  if (before.protocol != after.protocol) {
    return fmt::format("was measured by protocol {} and is now by {}: not comparable", before.protocol, after.protocol);
  }
  if (before.input_seed != after.input_seed) {
    return fmt::format("its inputs had seed {} and have {} now: not comparable", before.input_seed, after.input_seed);
  }
  if (before.parameters != after.parameters) return "its parameters have changed: not comparable";
  const record::Metric* a = primary_metric(before);
  const record::Metric* b = primary_metric(after);
  if (a != nullptr && b != nullptr && *a != *b) {
    return fmt::format("its primary metric was {} ({}) and is {} ({}) now: not comparable", a->name, a->unit, b->name,
                       b->unit);
  }
  return std::nullopt;
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
    return judged_state(definition, measured(before) ? Verdict::missing : Verdict::skipped, "no process reported it");
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

std::optional<Judged> case_state(const CaseEvidence* before, const CaseEvidence* after, const SideEvidence& after_side,
                                 bool same_profile) {
  if (after == nullptr) {
    if (!same_profile || !measured(before) || !after_side.planned(*before->definition)) return std::nullopt;
    return judged_state(*before->definition, Verdict::missing,
                        "was measured in the baseline and is in this run's plan, but is missing in this run");
  }
  const record::Case& definition = *after->definition;
  if (!after->wrongs.empty()) {
    return judged_state(definition, Verdict::wrong, of_processes(after->wrongs.size(), *after, after->wrongs.front()));
  }
  if (!after->failures.empty()) {
    return judged_state(definition, Verdict::failed,
                        of_processes(after->failures.size(), *after, after->failures.front()));
  }
  if (after->measured.empty()) return not_measured(before, *after, after_side);
  if (!measured(before)) {
    const std::string failure = before == nullptr ? "" : failure_sentence(*before);
    return judged_state(
        definition, Verdict::new_case,
        failure.empty() ? "not in the baseline" : "has no numbers in the baseline, where it " + failure);
  }
  if (auto why = other_identity(*before->definition, definition))
    return judged_state(definition, Verdict::new_case, std::move(*why));
  return partly_missing(*before, *after);
}

}  // namespace torchgate::gate
