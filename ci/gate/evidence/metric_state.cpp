// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/metric_state.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "ci/gate/evidence/identity.hpp"
#include "ci/gate/evidence/usable_result.hpp"
#include "ci/gate/evidence/varying_counts.hpp"
#include "reports/facts/about_states.hpp"

namespace torchgate::gate {

namespace {

// The processes of one side that measured the case, by what they have of the metric.
struct Reported {
  std::size_t of = 0;
  std::size_t without = 0;  // no numbers at all
  std::size_t invalid = 0;  // numbers that are not measurements
  facts::Fact first_invalid;

  [[nodiscard]] std::size_t usable() const { return of - without - invalid; }
};

// A count whose samples agree in this process has another name there (varying_counts.hpp).
bool agrees_here(const record::CaseResult& result, std::string_view name) {
  if (!name.ends_with(sampled_suffix)) return false;
  const record::Measurement* const exact = measurement_of(result, name.substr(0, name.size() - sampled_suffix.size()));
  return exact != nullptr && exact->value;
}

Reported reported(const CaseEvidence& side, const record::Metric& metric) {
  Reported found;
  for (const CaseProcess& one : side.measured) {
    if (agrees_here(*one.result, metric.name)) continue;
    ++found.of;
    const record::Measurement* const numbers = measurement_of(*one.result, metric.name);
    if (numbers == nullptr || !numbers->summary) {
      ++found.without;
    } else if (auto why = unusable_because(*one.result, metric)) {
      if (found.invalid++ == 0) found.first_invalid = *std::move(why);
    }
  }
  return found;
}

Judged state_of_metric(const CaseEvidence& after, const record::Metric& metric, reports::Verdict verdict,
                       facts::Fact reason) {
  Judged judged = judged_state(*after.definition, verdict, std::move(reason));
  judged.metric = metric;
  return judged;
}

}  // namespace

std::optional<Judged> metric_state(const CaseEvidence& before, const CaseEvidence& after,
                                   const record::Metric& metric) {
  if (metric.primary) return std::nullopt;
  if (const record::Metric* const was = metric_named(*before.definition, metric.name)) {
    if (const auto why = meaning_differs(*was, metric)) {
      return state_of_metric(after, metric, reports::Verdict::not_comparable, facts::not_comparable(*why));
    }
  }
  const Reported was = reported(before, metric);
  const Reported is = reported(after, metric);
  if (was.usable() == 0) {
    if (was.invalid == 0 || is.usable() == 0) return std::nullopt;
    Judged judged =
        state_of_metric(after, metric, reports::Verdict::not_comparable, facts::no_numbers_before(was.first_invalid));
    judged.action_rule = ActionRule::no_numbers_before;
    return judged;
  }
  if (is.invalid > 0) {
    return state_of_metric(after, metric, reports::Verdict::failed,
                           facts::in_processes(is.invalid, is.of, is.first_invalid));
  }
  // Of smaller or equal shares, as of cases (case_state.hpp): some benchmarks report a counter in some repetitions only.
  if (is.without * was.of <= was.without * is.of) return std::nullopt;
  return state_of_metric(after, metric, reports::Verdict::missing,
                         facts::metric_in_fewer(is.without, is.of, was.without, was.of));
}

}  // namespace torchgate::gate
