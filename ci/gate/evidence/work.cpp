// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/work.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "ci/gate/evidence/identity.hpp"
#include "ci/gate/evidence/numbers.hpp"
#include "ci/gate/evidence/one_clock.hpp"
#include "reports/facts/about_counts.hpp"
#include "reports/facts/about_states.hpp"
#include "stats/quantile.hpp"

namespace torchgate::gate {
namespace {

constexpr const char* cpu_time = "cpu_time";

// What a rate may be the reciprocal of.
struct Time {
  std::string_view name;
  record::Direction direction;
};

// One process: the rate times the time of each sample, where both have the same samples, else of the medians. Of two metrics of which the
// same is better, the quotient.
std::optional<double> work_of(const record::CaseResult& result, const record::Metric& rate, const Time& time) {
  const record::Measurement* const r = measurement_of(result, rate.name);
  const record::Measurement* const t = measurement_of(result, time.name);
  if (r == nullptr || t == nullptr || !r->summary || !t->summary) return std::nullopt;
  const auto combine = [&](double value, double ns) {
    return rate.direction == time.direction ? value / ns : value * ns;
  };
  double work = combine(r->summary->median, t->summary->median);
  if (!r->samples.empty() && r->samples.size() == t->samples.size()) {
    std::vector<double> each;
    each.reserve(r->samples.size());
    for (std::size_t i = 0; i < r->samples.size(); ++i) each.push_back(combine(r->samples[i], t->samples[i]));
    work = stats::median(each).value_or(0);
  }
  if (!(work > 0) || !std::isfinite(work)) return std::nullopt;
  return work;
}

// The least and the most work of the processes of one side; absent: not known of one of them.
struct WorkRange {
  double low = 0;
  double high = 0;
};

std::optional<WorkRange> work_range(const CaseEvidence& side, const record::Metric& rate, const Time& time) {
  std::optional<WorkRange> range;
  for (const CaseProcess& one : side.measured) {
    const auto work = work_of(*one.result, rate, time);
    if (!work) return std::nullopt;
    if (!range) range = WorkRange{*work, *work};
    range->low = std::min(range->low, *work);
    range->high = std::max(range->high, *work);
  }
  return range;
}

struct WorkOfSides {
  WorkRange before;
  WorkRange after;

  [[nodiscard]] bool same() const {
    return std::max(before.high, after.high) <= std::min(before.low, after.low) * (1 + same_work);
  }
  [[nodiscard]] bool apart() const { return before.high < after.low || after.high < before.low; }
  [[nodiscard]] double ratio() const { return std::sqrt(after.low * after.high / (before.low * before.high)); }
};

// Each side by its own time: a rate may be per another clock there.
std::optional<WorkOfSides> work_by(const Time& time_before, const Time& time_after, const CaseEvidence& before,
                                   const CaseEvidence& after, const record::Metric& rate) {
  const auto was = work_range(before, rate, time_before);
  const auto is = work_range(after, rate, time_after);
  return was && is ? std::optional(WorkOfSides{*was, *is}) : std::nullopt;
}

constexpr Time of_cpu{cpu_time, record::Direction::lower_is_better};

Time of_primary(const record::Metric& primary) {
  return {primary.name, primary.direction};
}

Time time_of_clock(record::Clock clock, const record::Metric& primary) {
  return clock == record::Clock::real ? of_primary(primary) : of_cpu;
}

record::Clock clock_of(const CaseEvidence& side, const std::string& metric) {
  const record::Metric* const found = metric_named(*side.definition, metric);
  return found == nullptr ? record::Clock::unknown : found->clock;
}

// By the time that it is per; where no file says which, by the primary one, unless it follows the CPU time alone. That the processes differ less by one
// of them is chance.
std::optional<WorkOfSides> work_of_sides(const CaseEvidence& before, const CaseEvidence& after,
                                         const record::Metric& rate) {
  const record::Metric* const primary = primary_metric(*after.definition);
  if (primary == nullptr) return std::nullopt;
  const record::Clock was = clock_of(before, rate.name);
  if (was != record::Clock::unknown && rate.clock != record::Clock::unknown)
    return work_by(time_of_clock(was, *primary), time_of_clock(rate.clock, *primary), before, after, rate);
  auto by_primary = work_by(of_primary(*primary), of_primary(*primary), before, after, rate);
  if (by_primary && by_primary->same()) return by_primary;
  auto by_cpu = work_by(of_cpu, of_cpu, before, after, rate);
  return !by_primary || (by_cpu && by_cpu->same()) ? by_cpu : by_primary;
}

facts::Fact times_as_much(double ratio) {
  const auto is_about = [&](double wanted) { return std::abs(ratio / wanted - 1) <= same_work; };
  if (is_about(2)) return facts::twice;
  constexpr double half = 0.5;
  if (is_about(half)) return facts::half;
  return facts::times(ratio);
}

std::optional<double> change_of(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric) {
  return change_between(process_values(before, metric), process_values(after, metric), metric);
}

// Real time that is mostly waiting hides it, and nothing else judges it: beyond the gate in CPU time, and in real time either not beyond it, or by a gate less.
bool is_slower_in_cpu_time_alone(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& primary,
                                 double gate) {
  const record::Metric* const metric = metric_named(*after.definition, cpu_time);
  const auto cpu = metric == nullptr ? std::nullopt : change_of(before, after, *metric);
  const auto time = change_of(before, after, primary);
  if (!cpu || !time) return true;
  const double of_cpu_time = std::log1p(*cpu);
  const double of_primary = std::max(0.0, record::orientation(primary) * std::log1p(*time));
  const double beyond = std::log1p(gate);
  return of_cpu_time >= beyond && (of_primary < beyond || of_cpu_time >= of_primary + beyond);
}

// Of a suite that states its work once, not for each process.
std::optional<double> stated_ratio(const record::Case& before, const record::Case& after) {
  const auto ratio_of = [](const std::optional<double>& was, const std::optional<double>& is) -> std::optional<double> {
    if (!was || !is || !(*was > 0) || !(*is > 0)) return std::nullopt;
    const double ratio = *is / *was;
    return std::abs(std::log(ratio)) > same_work ? std::optional(ratio) : std::nullopt;
  };
  const auto items = ratio_of(before.items_per_call, after.items_per_call);
  return items ? items : ratio_of(before.bytes_per_call, after.bytes_per_call);
}

// It has a metric of its own beside the primary one that may be judged.
bool declares_metrics(const record::Case& definition) {
  return std::any_of(definition.metrics.begin(), definition.metrics.end(),
                     [](const record::Metric& metric) { return metric.judged && !metric.primary; });
}

// Timed, and neither the policy nor its program asks for a verdict.
bool is_unjudged(const record::Metric& metric, const policy::CaseSettings& policy_of_case) {
  return metric.kind == record::MetricKind::timed && !metric.primary && !metric.judged &&
         !policy_of_case.metrics.contains(metric.name);
}

// A tool that does not say which CPU time it writes may have changed it. What is per CPU time says the same.
bool is_news_of_cpu_time(const record::Metric& metric, const std::vector<const record::Metric*>& judged) {
  return metric.clock != record::Clock::unknown &&
         std::none_of(judged.begin(), judged.end(),
                      [](const record::Metric* one) { return one->clock != record::Clock::unknown; });
}

// Each value of the after side is worse than each of the before side.
bool all_worse(const ProcessValues& before, const ProcessValues& after, const record::Metric& metric) {
  const auto [least_before, most_before] = std::minmax_element(before.medians.begin(), before.medians.end());
  const auto [least_after, most_after] = std::minmax_element(after.medians.begin(), after.medians.end());
  return record::orientation(metric) > 0 ? *most_before < *least_after : *least_before > *most_after;
}

}  // namespace

bool clocks_differ(const CaseEvidence& before, const record::Metric& metric) {
  const record::Clock was = clock_of(before, metric.name);
  return was != metric.clock && was != record::Clock::unknown && metric.clock != record::Clock::unknown;
}

bool follows_the_time(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& rate,
                      const policy::CaseSettings& policy_of_case) {
  const record::Metric* const primary = primary_metric(*after.definition);
  if (primary == nullptr) return false;
  const bool is_time = rate.name == cpu_time;
  if (clocks_differ(before, rate)) {
    const auto work = work_of_sides(before, after, rate);
    return is_time || (work && work->same());  // the CPU time of other threads says nothing of that of these
  }
  const auto same_by = [&](const Time& time) {
    const auto work = work_by(time, time, before, after, rate);
    return work && work->same();
  };
  if (same_by(of_primary(*primary))) return true;
  if (is_time || !same_by(of_cpu)) return false;
  const record::Metric* const cpu = metric_named(*after.definition, cpu_time);
  return policy_of_case.metrics.contains(cpu_time) || (cpu->judged && !clocks_differ(before, *cpu)) ||
         !is_slower_in_cpu_time_alone(before, after, *primary, policy_of_case.latency);
}

std::vector<const record::Metric*> may_be_judged(const record::Case& definition,
                                                 const policy::CaseSettings& policy_of_case) {
  std::vector<const record::Metric*> rates;
  for (const record::Metric& metric : definition.metrics) {
    if (metric.judged && !metric.primary && !policy_of_case.metrics.contains(metric.name)) rates.push_back(&metric);
  }
  return rates;
}

std::vector<const record::Metric*> judged_rates(const CaseEvidence& before, const CaseEvidence& after,
                                                const policy::CaseSettings& policy_of_case) {
  std::vector<const record::Metric*> rates = may_be_judged(*after.definition, policy_of_case);
  // Of either side: a change cannot take its own metric out of what is judged.
  for (const record::Metric* const was : may_be_judged(*before.definition, policy_of_case)) {
    const record::Metric* const now = metric_named(*after.definition, was->name);
    if (now != nullptr && !now->judged && !now->primary && now->kind == was->kind) rates.push_back(now);
  }
  std::erase_if(rates,
                [&](const record::Metric* rate) { return follows_the_time(before, after, *rate, policy_of_case); });
  return rates;
}

std::optional<facts::Fact> other_work(const CaseEvidence& before, const CaseEvidence& after) {
  const auto stated = stated_ratio(*before.definition, *after.definition);
  if (!stated && !declares_metrics(*after.definition)) return std::nullopt;
  const record::Metric* const primary = primary_metric(*after.definition);
  if (primary == nullptr || primary->direction != record::Direction::lower_is_better) return std::nullopt;
  const auto time = change_of(before, after, *primary);
  if (!time) return std::nullopt;
  bool any_rate = false;
  for (const record::Metric& rate : after.definition->metrics) {
    if (!rate.judged || rate.primary || rate.direction != record::Direction::higher_is_better) continue;
    const auto work = work_of_sides(before, after, rate);
    any_rate = any_rate || work;
    if (!work || work->same() || !work->apart()) continue;
    const auto change =
        clocks_differ(before, rate) ? std::optional(work->ratio() / (1 + *time) - 1) : change_of(before, after, rate);
    if (change) return facts::other_work(times_as_much(work->ratio()), *time, primary->name, *change, rate.name);
  }
  if (any_rate || !stated || !(1 + *time > 0)) return std::nullopt;
  return facts::other_work(times_as_much(*stated), *time, primary->name, *stated / (1 + *time) - 1, "throughput");
}

std::optional<facts::Fact> about_clock(const CaseEvidence& before, const CaseEvidence& after,
                                       const record::Metric& metric) {
  const bool of_cpu_time = metric.clock == record::Clock::cpu || metric.clock == record::Clock::process_cpu;
  const record::Metric* const primary = primary_metric(*after.definition);
  const record::Metric* const cpu = metric_named(*after.definition, cpu_time);
  if (!of_cpu_time || primary == nullptr || cpu == nullptr || clocks_differ(before, metric)) return std::nullopt;
  const auto time = change_of(before, after, *primary);
  if (!time) return std::nullopt;
  if (metric.name == cpu_time) {
    return metric.clock == record::Clock::process_cpu
               ? std::optional(facts::cpu_time_of_all_threads(*time, primary->name))
               : std::nullopt;
  }
  if (!is_rate_of_library(metric.name)) return std::nullopt;
  const auto change = change_of(before, after, *cpu);
  return change ? std::optional(facts::per_cpu_time(*change, cpu->name, *time, primary->name)) : std::nullopt;
}

std::vector<std::string> worse_unjudged(const CaseEvidence& before, const CaseEvidence& after,
                                        const policy::CaseSettings& policy_of_case,
                                        const std::vector<const record::Metric*>& judged) {
  const record::Metric* const primary = primary_metric(*after.definition);
  const auto time = primary == nullptr ? std::nullopt : change_of(before, after, *primary);
  if (!time) return {};
  const double least = std::log1p(policy_of_case.latency);
  const double of_time = std::max(0.0, record::orientation(*primary) * std::log1p(*time));
  std::vector<std::string> worse;
  for (const record::Metric& metric : after.definition->metrics) {
    if (!is_unjudged(metric, policy_of_case) || std::ranges::find(judged, &metric) != judged.end() ||
        (metric.name == cpu_time && !is_news_of_cpu_time(metric, judged)) ||
        metric_named(*before.definition, metric.name) == nullptr || clocks_differ(before, metric))
      continue;
    const ProcessValues was = process_values(before, metric);
    const ProcessValues is = process_values(after, metric);
    const auto change = change_between(was, is, metric);
    if (!change || !all_worse(was, is, metric)) continue;
    if (record::orientation(metric) * std::log1p(*change) < of_time + least) continue;
    worse.push_back(facts::metric_changed(after.definition->name, metric.name, *change).words());
  }
  return worse;
}

}  // namespace torchgate::gate
