// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/why_undecided.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "ci/gate/pairs/pair_count.hpp"
#include "reports/facts/about_outcome.hpp"
#include "reports/facts/about_tests.hpp"
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
  facts::Fact why;
  std::set<std::string_view> cases;
};

bool has(const Judged& judged, const facts::Fact& fact) {
  return std::any_of(judged.reasons.begin(), judged.reasons.end(),
                     [&](const gate::Reason& reason) { return reason.fact == fact; });
}

// One process is one file where files were imported: which side has it decides what to do.
facts::Fact one_process(const Judged& judged) {
  const bool before = judged.before_processes == 1;
  const bool after = judged.after_processes == 1;
  if (before == after) return facts::one_process_per_side;
  return before ? facts::one_process_before() : facts::one_process_after();
}

// How it was measured, not why it is open.
bool is_note(const gate::Reason& reason) {
  return reason.kind == ReasonKind::measured || reason.kind == ReasonKind::rule_named;
}

facts::Fact cause_of(const Judged& judged) {
  for (const gate::Reason& reason : judged.reasons) {
    if (reason.kind == ReasonKind::too_few_pairs) return reason.fact.inner();
  }
  for (const Reason code : forbidding) {
    const facts::Fact fact = facts::test(code);
    if (has(judged, fact)) return code == Reason::one_process ? one_process(judged) : fact;
  }
  const auto real = std::find_if_not(judged.reasons.begin(), judged.reasons.end(), is_note);
  if (real != judged.reasons.end()) return real->fact;
  return judged.reasons.empty() ? facts::unknown_reason() : judged.reasons.front().fact;
}

template <class Wanted>
std::vector<UndecidedCause> causes_of(const std::vector<Judged>& cases, Wanted&& wanted) {
  std::vector<UndecidedCause> causes;
  std::map<std::string, std::size_t> position_of;  // a cause may name its case: there can be as many as cases
  for (const Judged& judged : cases) {
    if (!wanted(judged.decision.verdict)) continue;
    facts::Fact why = cause_of(judged);
    const auto [known, is_new] = position_of.emplace(why.words(), causes.size());
    if (is_new) causes.push_back({std::move(why), {}});
    causes[known->second].cases.insert(judged.case_name());
  }
  std::stable_sort(causes.begin(), causes.end(),
                   [](const UndecidedCause& a, const UndecidedCause& b) { return a.cases.size() > b.cases.size(); });
  return causes;
}

facts::Facts listed(const std::vector<UndecidedCause>& causes) {
  if (causes.size() == 1) return {causes.front().why};
  facts::Facts all;
  for (std::size_t i = 0; i < std::min(causes.size(), most_causes_named); ++i)
    all.push_back(facts::cause_of_cases(causes[i].why, causes[i].cases.size()));
  if (causes.size() > most_causes_named) all.push_back(facts::more_causes(causes.size() - most_causes_named));
  return all;
}

}  // namespace

facts::Fact why_undecided(const std::vector<Judged>& cases) {
  const auto undecided = causes_of(
      cases, [](Verdict verdict) { return verdict == Verdict::inconclusive || verdict == Verdict::not_comparable; });
  if (!undecided.empty()) return facts::no_case_judged(listed(undecided));
  const auto apart =
      causes_of(cases, [](Verdict verdict) { return verdict == Verdict::new_case || verdict == Verdict::skipped; });
  return apart.empty() ? facts::nothing_compared() : facts::nothing_compared_because(listed(apart));
}

}  // namespace torchgate::gate
