// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/upgrade/upgrade_outputs.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace torchgate::gate {
namespace {

// Of one side of a case.
struct SideOutput {
  std::optional<reports::UpgradeDeviation> deviation;  // of its first process
  std::string against;
  bool repeatable = true;  // all processes have the same deviation: their inputs are the same
  bool wrong = false;
};

bool same_deviation(const reports::UpgradeDeviation& one, const reports::UpgradeDeviation& other) {
  return one.max_abs == other.max_abs && one.relative_l2 == other.relative_l2;
}

SideOutput output_of(const CaseEvidence& evidence) {
  SideOutput output;
  output.wrong = !evidence.wrongs.empty();
  for (const CaseProcess& one : evidence.measured) {
    if (!one.result->check) continue;
    const record::OutputCheck& check = *one.result->check;
    const reports::UpgradeDeviation deviation{check.max_abs, check.relative_l2};
    if (!output.deviation) {
      output.deviation = deviation;
      output.against = check.against;
    }
    output.repeatable = output.repeatable && same_deviation(*output.deviation, deviation);
  }
  return output;
}

}  // namespace

void add_output_changes(const SideEvidence& before, const SideEvidence& after, reports::Upgrade& upgrade) {
  for (const auto& [name, evidence] : after.cases()) {
    const CaseEvidence* const old = before.find(name);
    if (old == nullptr) continue;
    const SideOutput was = output_of(*old);
    const SideOutput is = output_of(evidence);
    const bool both = was.deviation && is.deviation;
    const bool repeatable = was.repeatable && is.repeatable;
    if (both) ++upgrade.checked;
    if (both && !repeatable) ++upgrade.not_repeatable;
    const bool deviates_otherwise = both && repeatable && !same_deviation(*was.deviation, *is.deviation);
    if (was.wrong == is.wrong && !deviates_otherwise) continue;
    upgrade.outputs.push_back(
        {std::string(name), is.deviation ? is.against : was.against, was.deviation, is.deviation, was.wrong, is.wrong});
  }
  std::stable_sort(upgrade.outputs.begin(), upgrade.outputs.end(), [](const auto& a, const auto& b) {
    return std::pair(!a.wrong_after, !a.wrong_before) < std::pair(!b.wrong_after, !b.wrong_before);
  });
}

}  // namespace torchgate::gate
