// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/bisect/bisect_ends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "baselines/open_store.hpp"
#include "baselines/store.hpp"
#include "ci/gate/evidence/evidence.hpp"
#include "ci/gate/evidence/machines.hpp"
#include "ci/policy/nearest_name.hpp"
#include "ci/workflow/bisect/placing_pairs.hpp"
#include "harness/base/pattern.hpp"
#include "harness/base/some_of.hpp"
#include "harness/record/short_commit.hpp"
#include "stats/quantile.hpp"

namespace torchgate::workflow {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using reports::Finding;
using reports::Verdict;

constexpr std::size_t most_similar = 3;
constexpr std::size_t most_differences = 5;

PairNumber number_of(const Finding& finding) {
  if (finding.estimator == stats::Estimator::floor) return PairNumber::floor;
  if (finding.estimator == stats::Estimator::typical) return PairNumber::typical;
  return PairNumber::median;
}

const Finding* primary_finding(const reports::Report& report, const std::string& name) {
  for (const Finding& finding : report.findings)
    if (finding.case_name == name && finding.metric.primary) return &finding;
  return nullptr;
}

Error unknown_case(const std::string& asked, const std::map<std::string, std::string>& good,
                   const std::map<std::string, std::string>& bad) {
  std::set<std::string> known;
  for (const auto& [name, why] : good) known.insert(name);
  const bool only_bad = std::any_of(bad.begin(), bad.end(),
                                    [&](const auto& each) { return each.first.find(asked) != std::string::npos; });
  if (only_bad)
    return {
        ErrorCode::bad_input,
        fmt::format("{}: the good commit does not have this case, so it has no time there; name a --good that has it",
                    asked)};
  return {ErrorCode::bad_input,
          fmt::format("{}: no case of that name or pattern; similar: {}", asked,
                      base::some_of(policy::nearest_names(asked, known, most_similar), most_similar))};
}

/// The ranges that are left to search: both sides of COMMIT, unless it is at an end.
std::string range(const std::string& good, const std::string& bad) {
  return fmt::format("--good {} --bad {}", record::short_commit(good), record::short_commit(bad));
}

std::string other_ranges(const BisectFinding& found, const BisectQuestion& question) {
  std::string text;
  if (found.parent != question.good) text = range(question.good, found.parent);
  if (found.commit->commit != question.bad)
    text += (text.empty() ? "" : " and with ") + range(found.commit->commit, question.bad);
  return text;
}

/// Pairs were measured, and none of CASES is on a side.
bool is_on_neither_side(const JudgedCommit& judged, const std::vector<std::string>& cases) {
  if (judged.fate == CommitFate::skipped || judged.cases.empty()) return false;
  return std::none_of(judged.cases.begin(), judged.cases.end(), [&](const PlacedCase& each) {
    return each.side != stats::SideOfChange::undecided &&
           std::find(cases.begin(), cases.end(), each.name) != cases.end();
  });
}

double percent_of(double log_change) {
  return 100 * std::expm1(log_change);
}

/// The slower end of the interval of FINDING.
std::optional<double> most_slower(const Finding& finding) {
  if (!finding.interval) return std::nullopt;
  const double orientation = record::orientation(finding.metric);
  const double most =
      std::max(orientation * std::log1p(finding.interval->low), orientation * std::log1p(finding.interval->high));
  return std::isfinite(most) ? std::optional(most) : std::nullopt;
}

}  // namespace

Result<std::vector<std::string>> cases_of_both(const std::vector<std::string>& asked,
                                               const std::map<std::string, std::string>& good,
                                               const std::map<std::string, std::string>& bad) {
  std::set<std::string> names;
  for (const std::string& one : asked.empty() ? std::vector<std::string>{""} : asked) {
    std::vector<std::string> meant;
    if (good.contains(one)) {
      meant = {one};
    } else {
      const auto pattern = base::Pattern::compile_short(one);
      if (!pattern) return pattern.error();
      for (const auto& [name, why] : good)
        if (pattern->found_in(name)) meant.push_back(name);
    }
    if (meant.empty()) return unknown_case(one, good, bad);
    std::erase_if(meant, [&](const std::string& name) {
      const auto there = bad.find(name);
      return !good.at(name).empty() || there == bad.end() || !there->second.empty();
    });
    if (meant.empty())
      return Error{ErrorCode::bad_input,
                   fmt::format("{}: no such case exists in both commits and can run on this machine",
                               one.empty() ? "all cases" : one)};
    names.insert(meant.begin(), meant.end());
  }
  return std::vector<std::string>(names.begin(), names.end());
}

EndsAnswer judge_ends(const record::Run& run, const reports::Report& report, const std::vector<std::string>& cases) {
  const gate::SideEvidence before(run, 0);
  const gate::SideEvidence after(run, 1);
  EndsAnswer answer;
  answer.cases = cases.size();
  bool all_same = true;
  for (const std::string& name : cases) {
    const Finding* finding = primary_finding(report, name);
    const Verdict verdict = finding == nullptr ? Verdict::inconclusive : finding->verdict;
    answer.faster += verdict == Verdict::improved;
    all_same =
        all_same && (verdict == Verdict::equivalent || verdict == Verdict::unchanged || verdict == Verdict::improved);
    if (verdict != Verdict::regressed && verdict != Verdict::layout) {
      answer.left_out.push_back(
          fmt::format("{} is {} between the ends: it is left out", name, reports::verdict_words(verdict)));
      continue;
    }
    ChangedCase changed{name, number_of(*finding), 0, 0};
    const std::vector<double> pairs = differences_of(before, after, name, changed.number);
    // The median, as the scale: where one pair in eight is an outlier, the Hodges-Lehmann estimate of twelve is halfway to it now and then.
    const auto change = stats::median(pairs);
    const auto scale = stats::spread_of_pairs(pairs);
    if (!change || !scale || *change <= 0) {
      answer.left_out.push_back(
          fmt::format("{}: its pairs show no slow-down that a search can use: it is left out", name));
      all_same = false;
      continue;
    }
    changed.change = *change;
    changed.scale = *scale;
    answer.changed.push_back(std::move(changed));
  }
  answer.finding.end = all_same ? BisectEnd::no_change : BisectEnd::undecided;
  answer.finding.cases = cases_in(report, cases);
  answer.finding.run = run.id;
  return answer;
}

std::vector<BisectedCase> cases_in(const reports::Report& report, const std::vector<std::string>& cases) {
  std::vector<BisectedCase> result;
  for (const std::string& name : cases) {
    BisectedCase one;
    one.name = name;
    const Finding* finding = primary_finding(report, name);
    one.verdict = reports::to_string(finding == nullptr ? Verdict::inconclusive : finding->verdict);
    if (finding != nullptr) {
      one.change = finding->change;
      one.interval = finding->interval;
      one.at_most = most_slower(*finding);
      const bool lower = finding->metric.direction == record::Direction::lower_is_better;
      const double change = finding->change.value_or(0);
      one.slower = finding->verdict == Verdict::regressed ||
                   (finding->verdict == Verdict::layout && (lower ? change > 0 : change < 0));
      for (const facts::Fact& cause : finding->causes) one.causes.push_back(cause.words());
      if (finding->verdict != Verdict::regressed)
        for (const facts::Fact& reason : finding->reasons) one.reasons.push_back(reason.words());
    }
    result.push_back(std::move(one));
  }
  return result;
}

std::optional<BisectFinding> unexplained_part(const BisectFinding& found, const BisectState& state, double margin) {
  BisectFinding rest;
  rest.end = BisectEnd::undecided;
  rest.commit = found.commit;
  rest.parent = found.parent;
  rest.run = found.run;
  const std::string ranges = other_ranges(found, state.question);
  for (const BisectedCase& each : found.cases) {
    const ChangedCase* const ends = state.changed_case(each.name);
    if (ends == nullptr || !each.slower || !each.at_most) continue;
    // The margin is for what the ends' own change is uncertain by.
    if (*each.at_most + margin >= ends->change) continue;
    BisectedCase left{each.name, each.verdict, {}, {}, {}, {}};
    std::string text =
        fmt::format("{} makes it slower by at most {:.1f} %, and the ends differ by {:.1f} %",
                    record::short_commit(found.commit->commit), percent_of(*each.at_most), percent_of(ends->change));
    if (!ranges.empty()) text += "; search for the rest with " + ranges;
    left.reasons.push_back(std::move(text));
    rest.cases.push_back(std::move(left));
  }
  if (rest.cases.empty()) return std::nullopt;
  return rest;
}

void add_range_cases(const std::vector<std::string>& cases, const BisectState& state, BisectFinding& range_found) {
  for (const git::ListedCommit& candidate : range_found.candidates) {
    const JudgedCommit* const judged = state.of(candidate.commit);
    if (judged != nullptr && is_on_neither_side(*judged, cases)) range_found.between.push_back(candidate.commit);
  }
  std::vector<std::string> reasons;
  if (!range_found.between.empty()) {
    reasons.push_back(fmt::format("search for its parts with {} and with {}, or use more --step-pairs",
                                  range(state.question.good, range_found.between.front()),
                                  range(range_found.between.back(), state.question.bad)));
  }
  for (const std::string& name : cases) range_found.cases.push_back({name, "regressed", {}, {}, {}, reasons});
}

std::vector<std::string> stored_differences(const policy::Policy& policy, const std::string& good,
                                            const std::string& bad) {
  const auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  if (!store) return {};
  const auto entries = (*store)->list({});
  if (!entries) return {};
  const auto newest = [&](const std::string& commit) -> std::optional<record::Run> {
    for (auto entry = entries->rbegin(); entry != entries->rend(); ++entry) {
      if (entry->commit != record::short_commit(commit)) continue;
      if (auto run = (*store)->load(entry->id)) return std::move(run).value();
    }
    return std::nullopt;
  };
  const auto before = newest(good);
  const auto after = newest(bad);
  if (!before || !after) return {};
  std::vector<std::string> notes;
  for (const reports::Difference& each : gate::machine_differences(before->machine, after->machine)) {
    if (notes.size() == most_differences) break;
    notes.push_back(fmt::format("the stored runs of both commits differ in {}: \"{}\" and \"{}\"", each.name,
                                each.before, each.after));
  }
  if (notes.empty()) notes.emplace_back("the stored runs of both commits have the same machine facts");
  return notes;
}

}  // namespace torchgate::workflow
