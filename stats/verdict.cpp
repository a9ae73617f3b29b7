// SPDX-License-Identifier: Apache-2.0
#include "stats/verdict.hpp"

#include <array>

namespace torchgate::stats {
namespace {

struct ReasonText {
  Reason reason;
  std::string_view name;
  std::string_view sentence;
};

// One row per reason, in the order of the enumeration (a test checks that).
constexpr std::array reason_texts{
    ReasonText{Reason::no_values, "no_values", "a side has no values"},
    ReasonText{Reason::not_finite, "not_finite", "a value is not a finite number"},
    ReasonText{Reason::not_positive, "not_positive", "a value is zero or negative, so there is no ratio"},
    ReasonText{Reason::out_of_range, "out_of_range",
               "the values are too large or too far apart to compute their variance"},
    ReasonText{Reason::unequal_lengths, "unequal_lengths",
               "the two sides do not have the same number of paired values"},
    ReasonText{Reason::one_sample, "one_sample", "fewer than two values on a side: no variance"},
    ReasonText{Reason::one_process, "one_process", "1 process: no between-process variance"},
    ReasonText{Reason::too_few_processes, "too_few_processes", "fewer processes than this test needs"},
    ReasonText{Reason::too_few_runs, "too_few_runs", "fewer than five stored runs: there is no history to judge by"},
    ReasonText{Reason::too_few_pairs, "too_few_pairs",
               "too few pairs to reach the required p, however clear the change"},
    ReasonText{Reason::no_spread, "no_spread", "the values do not vary"},
    ReasonText{Reason::few_baseline_runs, "few_baseline_runs",
               "few stored runs: the run-to-run variance is assumed for this machine, not seen, so the level of the "
               "interval is "
               "nominal"},
    ReasonText{Reason::not_significant, "not_significant", "the difference is within the noise"},
    ReasonText{Reason::below_margin, "below_margin", "real, but smaller than the margin that matters"},
    ReasonText{Reason::effect_size_small, "effect_size_small", "significant, but Cohen's d is below the limit"},
    ReasonText{Reason::improvement_unconfirmed, "improvement_unconfirmed",
               "faster than the stored baseline, not confirmed"},
    ReasonText{Reason::no_harm, "no_harm", "stopped early: a harmful change is excluded"},
    ReasonText{Reason::pairs_exhausted, "pairs_exhausted", "still open after the last pair"},
    ReasonText{Reason::measures_disagree, "measures_disagree", "the floor and the typical change disagree"},
};
static_assert(reason_texts.size() == static_cast<std::size_t>(Reason::measures_disagree) + 1);

}  // namespace

std::string_view to_string(Call call) {
  switch (call) {
    case Call::regressed:
      return "regressed";
    case Call::suspected:
      return "suspected";
    case Call::improved:
      return "improved";
    case Call::equivalent:
      return "equivalent";
    case Call::inconclusive:
      return "inconclusive";
    case Call::changed:
      return "changed";
  }
  return "inconclusive";
}

std::string_view to_string(Reason reason) {
  return reason_texts.at(static_cast<std::size_t>(reason)).name;
}

std::string_view describe(Reason reason) {
  return reason_texts.at(static_cast<std::size_t>(reason)).sentence;
}

std::vector<Reason> Reasons::list() const {
  std::vector<Reason> present;
  for (const ReasonText& row : reason_texts) {
    if (contains(row.reason)) present.push_back(row.reason);
  }
  return present;
}

}  // namespace torchgate::stats
