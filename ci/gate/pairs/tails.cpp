// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/tails.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "ci/gate/answer.hpp"
#include "reports/facts/about_pairs.hpp"
#include "stats/change_estimate.hpp"
#include "stats/moderated_variance.hpp"
#include "stats/moments.hpp"
#include "stats/quantile.hpp"
#include "stats/rules.hpp"

namespace torchgate::gate {
namespace {

struct TailKind {
  double quantile;
  const char* suffix;
  const char* name;
  double margin;  // a tail is noisier than a median: smaller changes of it are not reported
};
// A t interval of fewer pairs is wider than what it is to show.
constexpr std::size_t fewest_for_interval = 5;
constexpr std::array kinds{TailKind{0.95, "_p95", "P95", 0.10}, TailKind{0.99, "_p99", "P99", 0.20}};

// The tail of every process, as the median stands in TimedEvidence. Empty where a process kept too few raw samples.
TimedEvidence tail_evidence(const CaseEvidence& evidence, const record::Metric& metric, double quantile) {
  const bool lower = metric.direction == record::Direction::lower_is_better;
  TimedEvidence tails;
  for (const CaseProcess& one : evidence.measured) {
    const TimedEvidence process = timed_evidence({evidence.definition, {one}, {}, {}, {}, 1}, metric);
    const auto value = stats::quantile(process.samples, lower ? quantile : 1 - quantile);
    if (!value || !(*value > 0)) return {};
    tails.medians.push_back(*value);
    tails.worse_logs.push_back(record::orientation(metric) * std::log(*value));
    tails.pairs.push_back(one.process->pair.value_or(-1));
    tails.sample_count += static_cast<std::int64_t>(process.samples.size());
  }
  return tails;
}

stats::RuleAnswer answer_of(const ProcessValues& before, const ProcessValues& after, double margin,
                            const PairPlan& plan, const policy::Gate& policy) {
  stats::RuleOptions options = rule_options(policy);
  apply(plan, options);
  options.margin = options.equivalence = options.harm = margin;
  const PairValues values = pair_values(before, after);
  stats::CaseNumbers one;
  one.pair_differences = values.differences;
  one.pair_midpoints = values.midpoints;
  return stats::paired_rule().judge(std::span(&one, 1), options).front();
}

// Pairs of a quiet median end before the first look that could call its mean: then its t interval does, if all of it lies beyond the margin.
std::optional<double> slower_by_interval(const std::vector<double>& differences, const PairPlan& plan,
                                         const policy::Gate& policy) {
  const auto seen = stats::moments(differences);
  if (!seen || seen->n < fewest_for_interval) return std::nullopt;
  stats::ChangeEstimate change;
  change.effect = seen->mean;
  change.df = static_cast<double>(seen->n - 1);
  change.standard_error =
      std::sqrt(std::max(seen->variance().value_or(0), stats::smallest_log_variance) / static_cast<double>(seen->n));
  if (!stats::beyond_gate(change, std::max<std::size_t>(1, plan.family), policy.alpha, slower_mean_margin))
    return std::nullopt;
  return std::exp(change.effect);
}

struct JudgedTail {
  TimedEvidence before;
  TimedEvidence after;
  std::int64_t needed = 0;      // samples a side
  bool stops_included = false;  // such samples have the tail of the turns
  stats::RuleAnswer answer;

  [[nodiscard]] bool enough() const { return std::min(before.sample_count, after.sample_count) >= needed; }
};

bool stops_included(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric) {
  return process_values(before, metric).stops_included || process_values(after, metric).stops_included;
}

JudgedTail judge(const TailKind& kind, const CaseEvidence& before, const CaseEvidence& after,
                 const record::Metric& metric, const PairPlan& plan, const policy::Gate& policy) {
  JudgedTail judged;
  judged.stops_included = stops_included(before, after, metric);
  if (judged.stops_included) return judged;
  judged.before = tail_evidence(before, metric, kind.quantile);
  judged.after = tail_evidence(after, metric, kind.quantile);
  judged.needed = static_cast<std::int64_t>(stats::quantile_interval_min_n(kind.quantile).value_or(0));
  if (!judged.enough()) return judged;
  judged.answer = answer_of(judged.before, judged.after, kind.margin, plan, policy);
  return judged;
}

}  // namespace

ProcessValues mean_values(const CaseEvidence& evidence, const record::Metric& metric) {
  ProcessValues means;
  for (const CaseProcess& one : evidence.measured) {
    const record::Measurement* const found = measurement_of(*one.result, metric.name);
    if (found == nullptr || !found->summary || !(found->summary->mean > 0)) return {};
    means.medians.push_back(found->summary->mean);
    means.worse_logs.push_back(std::log(found->summary->mean));
    means.pairs.push_back(one.process->pair.value_or(-1));
  }
  return means;
}

std::vector<Judged> judged_tails(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric,
                                 const PairPlan& plan, const policy::Gate& policy) {
  std::vector<Judged> tails;
  if (policy.tails == policy::Action::pass) return tails;
  for (const TailKind& kind : kinds) {
    JudgedTail judged = judge(kind, before, after, metric, plan, policy);
    Judged tail;
    tail.definition = after.definition;
    tail.metric = metric;
    tail.metric.name += kind.suffix;
    tail.metric.primary = false;
    tail.action_rule = ActionRule::tail;
    if (judged.stops_included) {
      add_reason(tail, ReasonKind::tail, facts::tail_of_turns(kind.name));
    } else if (!judged.enough()) {
      add_reason(
          tail, ReasonKind::tail,
          facts::too_few_for_tail(kind.name, judged.needed, judged.before.sample_count, judged.after.sample_count));
    } else {
      decide(tail, judged.answer);
      add_reason(tail, ReasonKind::tail, facts::tail_of_processes(kind.name, kind.margin, judged.answer.pairs));
    }
    tail.tail = std::make_unique<TailValues>(TailValues{std::move(judged.before), std::move(judged.after)});
    tails.push_back(std::move(tail));
  }
  return tails;
}

std::optional<double> slower_mean(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric,
                                  const PairPlan& plan, const policy::Gate& policy) {
  if (policy.tails != policy::Action::pass || metric.direction != record::Direction::lower_is_better)
    return std::nullopt;
  const ProcessValues means_before = mean_values(before, metric);
  const ProcessValues means_after = mean_values(after, metric);
  const stats::RuleAnswer answer = answer_of(means_before, means_after, slower_mean_margin, plan, policy);
  if (answer.call == stats::Call::regressed && answer.effect) return std::exp(*answer.effect);
  if (answer.call != stats::Call::inconclusive) return std::nullopt;
  return slower_by_interval(pair_values(means_before, means_after).differences, plan, policy);
}

bool tails_decided(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric,
                   const PairPlan& plan, const policy::Gate& policy) {
  if (policy.tails == policy::Action::pass || stops_included(before, after, metric)) return true;
  return std::all_of(kinds.begin(), kinds.end(), [&](const TailKind& kind) {
    return judge(kind, before, after, metric, plan, policy).answer.decided;
  });
}

}  // namespace torchgate::gate
