// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/layout.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "ci/gate/instructions/function_name.hpp"
#include "reports/facts/about_causes.hpp"
#include "reports/facts/about_outcome.hpp"

namespace torchgate::gate {
namespace {

using record::ChangedFunction;
using record::CodeComparison;
using reports::Verdict;

bool differs_in_pairs(const Judged& judged) {
  const Verdict verdict = judged.decision.verdict;
  return judged.metric.kind == record::MetricKind::timed && judged.asked_pairs() &&
         (verdict == Verdict::regressed || verdict == Verdict::improved);
}

std::string named(const ChangedFunction& function) {
  return function.name.empty() ? function.object : readable_function_name(function.name);
}

facts::Fact unexecuted(const CodeComparison& code) {
  if (code.unexecuted.empty()) return facts::no_function_changed;
  facts::Facts others;
  if (code.unexecuted_count > 1) others.push_back(facts::and_more(code.unexecuted_count - 1));
  return facts::changed_but_not_executed(named(code.unexecuted.front()), std::move(others));
}

void add_first_cause(Judged& judged, facts::Fact cause) {
  const auto place = std::find_if(judged.reasons.begin(), judged.reasons.end(),
                                  [](const Reason& reason) { return reason.kind >= ReasonKind::why; });
  judged.reasons.insert(place, Reason{ReasonKind::why, std::move(cause)});
}

void take(Judged& judged, const CodeComparison& code) {
  const auto erase = [&](ReasonKind kind) {
    std::erase_if(judged.reasons, [kind](const Reason& reason) { return reason.kind == kind; });
  };
  if (code.identical()) {
    judged.decision.verdict = Verdict::layout;
    erase(ReasonKind::no_cause);
    add_reason(judged, ReasonKind::layout, same_code(code));
    add_reason(judged, ReasonKind::layout, unexecuted(code));
    return;
  }
  if (auto cause = changed_code(code)) {
    add_first_cause(judged, *std::move(cause));
    for (Reason& reason : judged.reasons)
      if (reason.kind == ReasonKind::no_cause) reason = {ReasonKind::why, reason.fact.inner()};  // what was looked at
  } else {
    add_reason(judged, ReasonKind::measured, facts::code_unknown(code.unknown));
  }
}

}  // namespace

std::optional<facts::Fact> changed_code(const CodeComparison& code) {
  if (code.changed.empty()) return std::nullopt;
  const ChangedFunction& first = code.changed.front();
  facts::Facts where;
  facts::Facts others;
  if (first.set_up) where.emplace_back(facts::of_the_set_up());
  if (code.changed_count > 1)
    others.push_back(facts::of_functions(code.changed_count - 1, code.functions + code.set_up_functions));
  return facts::function_changed(named(first), std::move(where), first.what, std::move(others));
}

facts::Fact same_code(const CodeComparison& code) {
  facts::Facts set_up;
  if (code.set_up_functions > 0) set_up.push_back(facts::and_of_set_up(code.set_up_functions));
  return facts::code_is_identical(
      code.functions == 1 ? facts::only_function_identical() : facts::functions_identical(code.functions),
      std::move(set_up), code.objects, code.instructions_before, code.instructions_after);
}

void guard_layout(std::vector<Judged>& cases, const record::Run& pairs, const policy::Gate& policy) {
  if (pairs.code.empty() || !policy.compare_code) return;
  std::map<std::string_view, const CodeComparison*> known;
  for (const CodeComparison& code : pairs.code) known.emplace(code.case_name, &code);
  for (Judged& judged : cases) {
    const auto code = known.find(judged.case_name());
    if (code != known.end() && differs_in_pairs(judged)) take(judged, *code->second);
  }
}

}  // namespace torchgate::gate
