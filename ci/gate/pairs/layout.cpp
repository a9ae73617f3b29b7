// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "ci/gate/instructions/function_name.hpp"
#include "harness/base/counted.hpp"

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

std::string unexecuted(const CodeComparison& code) {
  if (code.unexecuted.empty()) return "no function of these files changed";
  std::string text = "changed, and not executed by it: " + named(code.unexecuted.front());
  if (code.unexecuted_count > 1) text += fmt::format(" and {} more", code.unexecuted_count - 1);
  return text;
}

void add_first_cause(Judged& judged, std::string text) {
  const auto place = std::find_if(judged.reasons.begin(), judged.reasons.end(),
                                  [](const Reason& reason) { return reason.kind >= ReasonKind::why; });
  judged.reasons.insert(place, Reason{ReasonKind::why, std::move(text), std::nullopt});
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
  if (std::string cause = changed_code(code); !cause.empty()) {
    add_first_cause(judged, std::move(cause));
    for (Reason& reason : judged.reasons)
      if (reason.kind == ReasonKind::no_cause)
        reason = {ReasonKind::why, beside_changed_code(std::move(reason.text)), {}};
  } else {
    add_reason(judged, ReasonKind::measured, "whether its code changed is unknown: " + code.unknown);
  }
}

}  // namespace

std::string changed_code(const CodeComparison& code) {
  if (code.changed.empty()) return "";
  const ChangedFunction& first = code.changed.front();
  std::string text = fmt::format("{}{} changed ({})", named(first), first.set_up ? " of the set-up" : "", first.what);
  if (code.changed_count > 1)
    text += fmt::format(", and {} more of {}", code.changed_count - 1,
                        base::counted(code.functions + code.set_up_functions, "function", "functions"));
  return text;
}

std::string same_code(const CodeComparison& code) {
  std::string text = code.functions == 1 ? "the only function that it executes is identical"
                                         : fmt::format("all {} functions that it executes are identical",
                                                       base::grouped(code.functions));
  if (code.set_up_functions > 0) text += fmt::format(", and {} of its set-up", code.set_up_functions);
  text += fmt::format(
      " ({}; {:.0f} instructions per call before, {:.0f} after): its time changed because addresses of code or data "
      "moved",
      base::counted(code.objects, "file", "files"), code.instructions_before, code.instructions_after);
  return text;
}

std::string beside_changed_code(std::string text) {
  for (const std::string_view prefix : {"no cause visible: ", "no cause visible in the counters; "})
    if (text.starts_with(prefix)) text.erase(0, prefix.size());
  return text;
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
