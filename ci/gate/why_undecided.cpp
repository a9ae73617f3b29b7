// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/why_undecided.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "ci/gate/pairs/pair_count.hpp"
#include "stats/verdict.hpp"

namespace torchgate::gate {
namespace {

using reports::Finding;
using reports::Verdict;
using stats::Reason;

// Reasons of a rule that leave it without any answer; the others qualify one.
constexpr std::array forbidding{Reason::no_values,    Reason::not_finite,      Reason::not_positive,
                                Reason::out_of_range, Reason::unequal_lengths, Reason::one_sample,
                                Reason::one_process,  Reason::too_few_runs,    Reason::too_few_processes};
// What stands before a finding's reason: notes on how it was measured.
constexpr std::array<std::string_view, 6> notes{
    "baseline: ", "this run: ", "before: ", "after: ", "its percent", "textbook rule on "};
constexpr std::size_t most_named = 3;

struct Cause {
  std::string text;
  std::set<std::string_view> cases;
};

bool has(const Finding& finding, std::string_view reason) {
  return std::find(finding.reasons.begin(), finding.reasons.end(), reason) != finding.reasons.end();
}

// One process is one file where files were imported: which side has it decides what to do.
std::string one_process(const Finding& finding) {
  const bool before = finding.before && finding.before->processes == 1;
  const bool after = finding.after && finding.after->processes == 1;
  if (before == after) return "1 process a side: no between-process variance";
  return fmt::format("1 process {}: no between-process variance", before ? "in the baseline" : "in this run");
}

std::string cause_of(const Finding& finding) {
  for (const std::string& reason : finding.reasons) {
    if (reason.starts_with(not_judged)) return reason.substr(not_judged.size());
  }
  for (const Reason reason : forbidding) {
    if (!has(finding, stats::describe(reason))) continue;
    return reason == Reason::one_process ? one_process(finding) : std::string(stats::describe(reason));
  }
  const auto is_note = [](const std::string& reason) {
    return std::any_of(notes.begin(), notes.end(),
                       [&](const std::string_view note) { return reason.starts_with(note); });
  };
  const auto real = std::find_if_not(finding.reasons.begin(), finding.reasons.end(), is_note);
  if (real != finding.reasons.end()) return *real;
  return finding.reasons.empty() ? "the reason is unknown" : finding.reasons.front();
}

template <class Wanted>
std::vector<Cause> causes_of(const std::vector<Finding>& findings, Wanted&& wanted) {
  std::vector<Cause> causes;
  std::map<std::string, std::size_t> position_of;  // a cause may name its case: there can be as many as cases
  for (const Finding& finding : findings) {
    if (!wanted(finding)) continue;
    std::string text = cause_of(finding);
    const auto [known, is_new] = position_of.emplace(text, causes.size());
    if (is_new) causes.push_back({std::move(text), {}});
    causes[known->second].cases.insert(finding.case_name);
  }
  std::stable_sort(causes.begin(), causes.end(),
                   [](const Cause& a, const Cause& b) { return a.cases.size() > b.cases.size(); });
  return causes;
}

std::string listed(const std::vector<Cause>& causes) {
  if (causes.size() == 1) return causes.front().text;
  std::string text;
  for (std::size_t i = 0; i < std::min(causes.size(), most_named); ++i) {
    const std::size_t cases = causes[i].cases.size();
    text += fmt::format("{}{} ({} {})", i == 0 ? "" : "; ", causes[i].text, cases, cases == 1 ? "case" : "cases");
  }
  if (causes.size() > most_named) text += fmt::format("; {} more", causes.size() - most_named);
  return text;
}

}  // namespace

std::string why_undecided(const std::vector<Finding>& findings) {
  const auto undecided = causes_of(findings, [](const Finding& f) { return f.verdict == Verdict::inconclusive; });
  if (!undecided.empty()) return "no case could be judged: " + listed(undecided);
  const auto apart = causes_of(findings, [](const Finding& f) {
    return (f.verdict == Verdict::new_case || f.verdict == Verdict::skipped) && !f.reasons.empty();
  });
  return apart.empty() ? "nothing could be compared" : "nothing could be compared: " + listed(apart);
}

}  // namespace torchgate::gate
