// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/weaker_checks.hpp"

#include <algorithm>
#include <cstddef>

#include "reports/facts/about_inputs.hpp"

namespace torchgate::gate {
namespace {

// A tolerance that is adjusted to another compiler or library grows by less.
constexpr double much_more_tolerant = 10;

// Of the processes of one side: the most that its author allows, and the fewest proofs.
struct Checks {
  std::optional<double> tolerance;  // absent: a process did not check
  std::size_t proofs = 0;
};

Checks checks_of(const CaseEvidence& side) {
  Checks found;
  for (std::size_t i = 0; i < side.measured.size(); ++i) {
    const record::CaseResult& result = *side.measured[i].result;
    const bool first = i == 0;
    found.proofs = first ? result.proofs.size() : std::min(found.proofs, result.proofs.size());
    if (!result.check)
      found.tolerance.reset();
    else if (first || found.tolerance)
      found.tolerance = std::max(found.tolerance.value_or(0), result.check->tolerance);
  }
  return found;
}

}  // namespace

std::optional<std::string> weaker_check(const CaseEvidence& before, const CaseEvidence& after) {
  const std::string& name = after.definition->name;
  const Checks was = checks_of(before);
  const Checks is = checks_of(after);
  if (was.tolerance && !is.tolerance) return facts::check_gone(name, *was.tolerance).words();
  if (was.tolerance && *is.tolerance > *was.tolerance && *is.tolerance >= much_more_tolerant * *was.tolerance)
    return facts::check_more_tolerant(name, *was.tolerance, *is.tolerance).words();
  if (is.proofs < was.proofs) return facts::fewer_proofs(name, was.proofs, is.proofs).words();
  return std::nullopt;
}

}  // namespace torchgate::gate
