// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/stored_means.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "ci/gate/answer.hpp"
#include "ci/gate/pairs/tails.hpp"
#include "reports/facts/about_pairs.hpp"
#include "stats/screen.hpp"

namespace torchgate::gate {
namespace {

using reports::Verdict;

// One disturbed process of two moves a mean as much as the code does; of three the spread shows it.
constexpr std::size_t fewest_processes = 3;

bool is_timed(const Judged& judged) {
  return judged.metric.primary && judged.metric.kind == record::MetricKind::timed;
}

// What is compared by stored times, and did not become slower by its median. Of an undecided case the median may be as slow as a doubted mean.
bool asks_for_means(const Judged& judged) {
  const Verdict verdict = judged.decision.verdict;
  const bool said = verdict == Verdict::suspected || verdict == Verdict::regressed || verdict == Verdict::unchanged ||
                    judged.decision.change.value_or(0) >= slower_mean_margin;
  return is_timed(judged) && !said && judged.metric.direction == record::Direction::lower_is_better &&
         judged.other_machine.empty() && !judged.in_units && judged.before != nullptr && judged.after != nullptr;
}

bool has_pairs(const Judged& judged) {
  return judged.pairs != nullptr && judged.pairs->pairs > 0;
}

// Means of one run's processes, log, without the run's SHIFT; empty: not known, or too few.
std::vector<double> means_of(const CaseEvidence& evidence, const record::Metric& metric, double shift) {
  std::vector<double> means = mean_values(evidence, metric).worse_logs;
  if (means.size() < fewest_processes) means.clear();
  for (double& mean : means) mean -= shift;
  return means;
}

// The ratio of the means where its whole interval lies beyond the margin; else 0. A screen, as that of the medians is: on recorded
// sessions of a shared machine where nothing changed it flags 1 to 2 of 1,000 cases, and most cases of the one session of 30 that was disturbed.
// SHIFTS: Screened::shifts; what was subtracted from medians is subtracted from means.
double slower_stored_mean(const Judged& judged, std::size_t family, const policy::Gate& policy,
                          const std::vector<double>& shifts) {
  std::vector<const CaseEvidence*> runs = judged.pooled;
  if (runs.empty()) runs = {judged.before};
  // The runs that are pooled end with the oldest stored one.
  const auto shift_of = [&](std::size_t i) {
    return shifts.empty() ? 0.0 : shifts[shifts.size() - 1 - runs.size() + i];
  };
  std::vector<std::vector<double>> stored;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i] == nullptr) continue;
    std::vector<double> means = means_of(*runs[i], judged.metric, shift_of(i));
    if (!means.empty()) stored.push_back(std::move(means));
  }
  const std::vector<double> now = means_of(*judged.after, judged.metric, shift_of(runs.size()));
  if (stored.empty() || now.empty()) return 0;
  stats::ScreenOptions options;
  options.run_sd = rule_options(policy).run_sd;
  const auto change = stats::screen_few_runs(stored, now, options).change;
  if (!change || !stats::beyond_gate(*change, family, policy.alpha, slower_mean_margin)) return 0;
  return std::exp(change->effect);
}

void doubt_unjudged_tails(const Screened& screened, policy::CasePolicies& policies, Remarks& remarks) {
  std::set<std::string_view> judged_ones;
  for (const Judged& settled : screened.settled)
    if (settled.action_rule == ActionRule::tail) judged_ones.insert(settled.case_name());
  const auto unjudged = std::count_if(screened.compared.begin(), screened.compared.end(), [&](const Judged& judged) {
    return is_timed(judged) && judged.decision.verdict != Verdict::unchanged &&
           policies.of(judged.case_name()).tails != policy::Action::pass && !judged_ones.contains(judged.case_name());
  });
  if (unjudged > 0) remarks.doubts.emplace_back(facts::tails_need_pairs(unjudged));
}

}  // namespace

void doubt_slower_means(const Screened& screened, policy::CasePolicies& policies, const policy::Gate& policy,
                        Remarks& remarks) {
  const auto family = static_cast<std::size_t>(std::count_if(screened.compared.begin(), screened.compared.end(),
                                                             [](const Judged& judged) { return is_timed(judged); }));
  std::size_t slower = 0;
  std::size_t in_pairs = 0;
  double largest = 0;
  const Judged* worst = nullptr;
  for (const Judged& judged : screened.compared) {
    if (!asks_for_means(judged)) continue;
    const double ratio = has_pairs(judged) ? judged.slower_mean.value_or(0)
                                           : slower_stored_mean(judged, family, policy, screened.shifts);
    if (ratio == 0) continue;
    ++slower;
    if (has_pairs(judged)) ++in_pairs;
    if (ratio > largest) largest = ratio, worst = &judged;
  }
  if (worst != nullptr) {
    remarks.doubts.emplace_back(in_pairs == slower ? facts::rare_calls_slower(slower, worst->case_name(), largest)
                                                   : facts::stored_mean_slower(slower, worst->case_name(), largest));
  }
  doubt_unjudged_tails(screened, policies, remarks);
}

}  // namespace torchgate::gate
