// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/why_undecided.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "ci/gate/pairs/pair_count.hpp"
#include "harness/base/counted.hpp"
#include "stats/verdict.hpp"

namespace torchgate::gate {
namespace {

using reports::Verdict;
using stats::Reason;

// Reasons of a rule that leave it without any answer; the others qualify one.
constexpr std::array forbidding{Reason::no_values,    Reason::not_finite,      Reason::not_positive,
                                Reason::out_of_range, Reason::unequal_lengths, Reason::one_sample,
                                Reason::one_process,  Reason::too_few_runs,    Reason::too_few_processes};
constexpr std::size_t most_causes_named = 3;

struct UndecidedCause {
  std::string text;
  std::set<std::string_view> cases;
};

bool has(const Judged& judged, Reason code) {
  return std::any_of(judged.reasons.begin(), judged.reasons.end(),
                     [&](const gate::Reason& reason) { return reason.code == code; });
}

// One process is one file where files were imported: which side has it decides what to do.
std::string one_process(const Judged& judged) {
  const bool before = judged.before_processes == 1;
  const bool after = judged.after_processes == 1;
  if (before == after) return "1 process per side: no between-process variance";
  return fmt::format("1 process {}: no between-process variance", before ? "in the baseline" : "in this run");
}

// How it was measured, not why it is open.
bool is_note(const gate::Reason& reason) {
  return reason.kind == ReasonKind::measured || reason.kind == ReasonKind::rule_named;
}

std::string cause_of(const Judged& judged) {
  for (const gate::Reason& reason : judged.reasons) {
    if (reason.kind == ReasonKind::too_few_pairs) return std::string(too_few_pairs_cause(reason.text));
  }
  for (const Reason code : forbidding) {
    if (!has(judged, code)) continue;
    return code == Reason::one_process ? one_process(judged) : std::string(stats::describe(code));
  }
  const auto real = std::find_if_not(judged.reasons.begin(), judged.reasons.end(), is_note);
  if (real != judged.reasons.end()) return real->text;
  return judged.reasons.empty() ? "the reason is unknown" : judged.reasons.front().text;
}

template <class Wanted>
std::vector<UndecidedCause> causes_of(const std::vector<Judged>& cases, Wanted&& wanted) {
  std::vector<UndecidedCause> causes;
  std::map<std::string, std::size_t> position_of;  // a cause may name its case: there can be as many as cases
  for (const Judged& judged : cases) {
    if (!wanted(judged.decision.verdict)) continue;
    std::string text = cause_of(judged);
    const auto [known, is_new] = position_of.emplace(text, causes.size());
    if (is_new) causes.push_back({std::move(text), {}});
    causes[known->second].cases.insert(judged.case_name());
  }
  std::stable_sort(causes.begin(), causes.end(),
                   [](const UndecidedCause& a, const UndecidedCause& b) { return a.cases.size() > b.cases.size(); });
  return causes;
}

std::string listed(const std::vector<UndecidedCause>& causes) {
  if (causes.size() == 1) return causes.front().text;
  std::string text;
  for (std::size_t i = 0; i < std::min(causes.size(), most_causes_named); ++i) {
    const std::size_t cases = causes[i].cases.size();
    text += fmt::format("{}{} ({})", i == 0 ? "" : "; ", causes[i].text, base::counted(cases, "case", "cases"));
  }
  if (causes.size() > most_causes_named) text += fmt::format("; {} more", causes.size() - most_causes_named);
  return text;
}

}  // namespace

std::string why_undecided(const std::vector<Judged>& cases) {
  const auto undecided = causes_of(
      cases, [](Verdict verdict) { return verdict == Verdict::inconclusive || verdict == Verdict::not_comparable; });
  if (!undecided.empty()) return "no case could be judged: " + listed(undecided);
  const auto apart =
      causes_of(cases, [](Verdict verdict) { return verdict == Verdict::new_case || verdict == Verdict::skipped; });
  return apart.empty() ? "nothing could be compared" : "nothing could be compared: " + listed(apart);
}

}  // namespace torchgate::gate
