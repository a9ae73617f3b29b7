// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/explain/operator_changes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "reports/facts/about_causes.hpp"
#include "stats/mann_whitney.hpp"
#include "stats/quantile.hpp"

namespace torchgate::gate {
namespace {

using reports::OperatorChange;

/// A cause with a smaller share of the added time is not reported.
constexpr double share_worth_telling = 0.1;
/// Operators named in one sentence; the table has them all.
constexpr std::size_t most_operators_named = 4;

using Key = std::pair<std::string_view, std::string_view>;  // name, inputs

// One value per process that has a profile.
struct Series {
  std::vector<double> calls;
  std::vector<double> self_ns;
};
struct Side {
  std::map<Key, Series> operators;
  std::vector<double> outside_ns;
  std::size_t processes = 0;
};

Side side_of(const CaseEvidence& evidence) {
  Side side;
  for (const CaseProcess& one : evidence.measured) {
    if (!one.result->profile) continue;
    const record::OperatorProfile& profile = *one.result->profile;
    double inside_ns = profile.left_out_self_ns;
    for (const record::OperatorUse& use : profile.operators) {
      inside_ns += use.self_ns;
      Series& series = side.operators[{use.name, use.inputs}];
      series.calls.resize(side.processes, 0);  // processes that did not have it
      series.self_ns.resize(side.processes, 0);
      series.calls.push_back(use.calls);
      series.self_ns.push_back(use.self_ns);
    }
    side.outside_ns.push_back(std::max(0.0, profile.call_ns - inside_ns));
    ++side.processes;
  }
  return side;
}

bool differ(const std::vector<double>& before, const std::vector<double>& after) {
  const auto test = stats::mann_whitney(before, after);
  return test && test->p < believed_p;
}

facts::Fact part_of_change(double share, bool saved) {
  constexpr double nearly_all = 0.995;
  if (share > nearly_all) return saved ? facts::all_saved() : facts::all_added();
  return (saved ? facts::part_of_saved : facts::part_of_added)(share);
}

struct OperatorCause {
  double share = 0;
  facts::Fact fact;
};

// All uses of one operator together.
struct ByName {
  double calls_before = 0;
  double calls_after = 0;
  double share = 0;
};

std::map<std::string_view, ByName> by_name(const std::vector<OperatorChange>& operators) {
  std::map<std::string_view, ByName> names;
  for (const OperatorChange& each : operators) {
    ByName& name = names[each.name];
    name.calls_before += each.calls_before;
    name.calls_after += each.calls_after;
    if (each.calls_before != each.calls_after) name.share += each.share.value_or(0);
  }
  return names;
}

// The same calls on other inputs are not one operator less and another more.
void join_other_inputs(std::vector<OperatorChange>& operators) {
  for (OperatorChange& came : operators) {
    if (came.calls_before != 0 || came.calls_after == 0) continue;
    const auto same_work = [&](const OperatorChange& other) {
      return other.name == came.name && other.calls_after == 0 && other.calls_before == came.calls_after;
    };
    const auto went = std::find_if(operators.begin(), operators.end(), same_work);
    if (went == operators.end()) continue;
    came.inputs_before = went->inputs;
    came.calls_before = went->calls_before;
    came.self_before_ns = went->self_before_ns;
    if (came.share && went->share) *came.share += *went->share;
    went->calls_before = 0;  // nothing is left of it
  }
  std::erase_if(operators, [](const auto& each) { return each.calls_before == 0 && each.calls_after == 0; });
}

// One sentence for all that came and went: a clone() is four operators and one cause.
void add_calls(const std::map<std::string_view, ByName>& names, bool saved, std::vector<OperatorCause>& causes) {
  std::vector<std::pair<std::string_view, const ByName*>> changed;
  double share = 0;
  for (const auto& [name, all] : names) {
    if (all.calls_before == all.calls_after) continue;
    changed.emplace_back(name, &all);
    share += all.share;
  }
  if (changed.empty()) return;
  std::stable_sort(changed.begin(), changed.end(),
                   [](const auto& a, const auto& b) { return std::abs(a.second->share) > std::abs(b.second->share); });
  facts::Facts calls;
  facts::Facts others;
  facts::Facts part;
  for (std::size_t i = 0; i < std::min(changed.size(), most_operators_named); ++i) {
    const auto& [name, all] = changed[i];
    calls.push_back(facts::calls_of(all->calls_after - all->calls_before, std::string(name)));
  }
  if (changed.size() > most_operators_named)
    others.push_back(facts::more_operators(changed.size() - most_operators_named));
  if (share >= share_worth_telling) part.push_back(facts::and_part(part_of_change(share, saved)));
  causes.push_back({share, facts::calls_changed(std::move(calls), std::move(others), std::move(part))});
}

// Views of a tensor whose size changed have other inputs as well: only what takes part in the change is told.
void add_other_inputs(const std::vector<OperatorChange>& operators, bool saved, std::vector<OperatorCause>& causes) {
  for (const OperatorChange& each : operators) {
    if (each.inputs_before.empty() || each.share.value_or(0) < share_worth_telling) continue;
    causes.push_back({*each.share, facts::other_inputs(each.name, each.inputs, each.inputs_before,
                                                       part_of_change(*each.share, saved))});
  }
}

void add_self_times(const std::vector<OperatorChange>& operators, bool saved, std::vector<OperatorCause>& causes) {
  for (const OperatorChange& each : operators) {
    const bool same_calls = each.calls_before == each.calls_after;
    if (!same_calls || !each.inputs_before.empty() || !each.clear || each.share.value_or(0) < share_worth_telling ||
        each.self_before_ns <= 0)
      continue;
    const double change = each.self_after_ns / each.self_before_ns - 1;
    const facts::Fact part = part_of_change(*each.share, saved);
    causes.push_back({*each.share, each.inputs.empty() ? facts::self_time(each.name, change, part)
                                                       : facts::self_time_on(each.name, each.inputs, change, part)});
  }
}

}  // namespace

std::optional<OperatorChanges> operator_changes(const CaseEvidence& before, const CaseEvidence& after,
                                                std::optional<double> added_ns) {
  Side was = side_of(before);
  Side is = side_of(after);
  if (was.processes == 0 || is.processes == 0) return std::nullopt;
  for (const auto& [key, series] : was.operators) is.operators.try_emplace(key);
  OperatorChanges changes;
  changes.saved = added_ns && *added_ns < 0;
  for (auto& [key, after_series] : is.operators) {
    Series& before_series = was.operators[key];
    // Later processes that did not have it, or none that had.
    before_series.calls.resize(was.processes, 0);
    before_series.self_ns.resize(was.processes, 0);
    after_series.calls.resize(is.processes, 0);
    after_series.self_ns.resize(is.processes, 0);
    OperatorChange change{std::string(key.first),
                          std::string(key.second),
                          "",
                          *stats::median(before_series.calls),
                          *stats::median(after_series.calls),
                          *stats::median(before_series.self_ns),
                          *stats::median(after_series.self_ns),
                          std::nullopt,
                          differ(before_series.self_ns, after_series.self_ns)};
    if (added_ns) change.share = (change.self_after_ns - change.self_before_ns) / *added_ns;
    changes.operators.push_back(std::move(change));
  }
  join_other_inputs(changes.operators);
  std::stable_sort(changes.operators.begin(), changes.operators.end(), [](const auto& a, const auto& b) {
    if (a.other_calls() != b.other_calls()) return a.other_calls();
    return a.self_after_ns > b.self_after_ns;
  });
  changes.outside_before_ns = *stats::median(was.outside_ns);
  changes.outside_after_ns = *stats::median(is.outside_ns);
  changes.outside_clear = differ(was.outside_ns, is.outside_ns);
  return changes;
}

facts::Facts operator_causes(const OperatorChanges& changes) {
  std::vector<OperatorCause> causes;
  const auto names = by_name(changes.operators);
  add_calls(names, changes.saved, causes);
  add_other_inputs(changes.operators, changes.saved, causes);
  add_self_times(changes.operators, changes.saved, causes);
  std::stable_sort(causes.begin(), causes.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
  facts::Facts told;
  told.reserve(causes.size());
  for (OperatorCause& cause : causes) told.push_back(std::move(cause.fact));
  return told;
}

}  // namespace torchgate::gate
