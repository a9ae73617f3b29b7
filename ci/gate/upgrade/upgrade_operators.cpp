// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/upgrade/upgrade_operators.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "ci/gate/explain/operator_changes.hpp"

namespace torchgate::gate {
namespace {

// An operator in one case, on all its inputs.
struct InCase {
  double calls_before = 0;
  double calls_after = 0;
  double self_before_ns = 0;
  double self_after_ns = 0;
  bool other_calls = false;
  double clear_ns = 0;  // by which its self time is clearly larger, over its inputs
  bool clear = false;
};

struct Collected {
  reports::UpgradeOperator shown;
  double logs = 0;
  std::int64_t with_ratio = 0;
};

std::map<std::string, InCase> operators_in(const OperatorChanges& changes) {
  std::map<std::string, InCase> names;
  for (const reports::OperatorChange& each : changes.operators) {
    InCase& name = names[each.name];
    name.calls_before += each.calls_before;
    name.calls_after += each.calls_after;
    name.self_before_ns += each.self_before_ns;
    name.self_after_ns += each.self_after_ns;
    name.other_calls = name.other_calls || each.other_calls();
    if (!each.clear) continue;
    name.clear = true;
    name.clear_ns += each.self_after_ns - each.self_before_ns;
  }
  return names;
}

void add(const InCase& one, Collected& collected) {
  reports::UpgradeOperator& shown = collected.shown;
  ++shown.cases;
  shown.calls_before += one.calls_before;
  shown.calls_after += one.calls_after;
  shown.other_calls += one.other_calls ? 1 : 0;
  const bool both = one.calls_before > 0 && one.calls_after > 0;
  if (both && one.clear) ++(one.clear_ns > 0 ? shown.slower : shown.faster);
  if (!both || one.self_before_ns <= 0 || one.self_after_ns <= 0) return;
  collected.logs += std::log(one.self_after_ns / one.self_before_ns);
  ++collected.with_ratio;
}

// Those that many cases show first, then the larger change.
auto rank(const reports::UpgradeOperator& each) {
  return std::tuple(-(each.slower + each.faster + each.other_calls), -std::abs(each.mean_change.value_or(0)));
}

}  // namespace

void add_operators(const SideEvidence& before, const SideEvidence& after, reports::Upgrade& upgrade) {
  std::map<std::string, Collected> all;
  for (const auto& [name, evidence] : after.cases()) {
    const CaseEvidence* const old = before.find(name);
    if (old == nullptr) continue;
    const auto changes = operator_changes(*old, evidence, std::nullopt);
    if (!changes) continue;
    ++upgrade.profiled;
    for (const auto& [operator_name, in_case] : operators_in(*changes)) add(in_case, all[operator_name]);
  }
  for (auto& [name, collected] : all) {
    reports::UpgradeOperator& shown = collected.shown;
    if (!shown.changed()) {
      ++upgrade.operators_unchanged;
      continue;
    }
    shown.name = name;
    if (collected.with_ratio > 0)
      shown.mean_change = std::expm1(collected.logs / static_cast<double>(collected.with_ratio));
    upgrade.operators.push_back(std::move(shown));
  }
  std::stable_sort(upgrade.operators.begin(), upgrade.operators.end(),
                   [](const auto& a, const auto& b) { return rank(a) < rank(b); });
}

}  // namespace torchgate::gate
