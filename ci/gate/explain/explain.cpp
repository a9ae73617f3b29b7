// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/explain/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>

#include "ci/gate/evidence/headers.hpp"
#include "ci/gate/evidence/machines.hpp"
#include "ci/gate/evidence/one_sided_facts.hpp"
#include "ci/gate/evidence/unchanged_groups.hpp"
#include "ci/gate/explain/operator_changes.hpp"
#include "ci/gate/pairs/layout.hpp"
#include "ci/policy/nearest_name.hpp"
#include "reports/facts/about_causes.hpp"
#include "stats/mann_whitney.hpp"
#include "stats/quantile.hpp"

namespace torchgate::gate {
namespace {

using base::Error;
using base::ErrorCode;
using reports::Explanation;

/// A change of the time below this share of it has no parts worth naming: shares of noise.
constexpr double change_worth_explaining = 0.005;
/// When less than this part of the added time was CPU time, the case waits.
constexpr double waiting_share = 0.2;
/// When at least this part of it lies in no operator, the report says so.
constexpr double outside_share = 0.5;
/// Of a finding; the rest is in `torchgate explain`.
constexpr std::size_t most_causes = 2;
constexpr std::size_t most_operators = 20;
/// A clock that moved less is the governor's ordinary play.
constexpr double clock_worth_telling = 0.03;

const record::Metric* find_metric(const record::Case& definition, std::string_view name) {
  const auto found = std::find_if(definition.metrics.begin(), definition.metrics.end(),
                                  [&](const auto& metric) { return metric.name == name; });
  return found == definition.metrics.end() ? nullptr : &*found;
}

std::optional<double> median_of(const CaseEvidence& evidence, const record::Metric* metric) {
  if (metric == nullptr) return std::nullopt;
  return stats::median(timed_evidence(evidence, *metric).medians);
}

void compare_counts(const CaseEvidence& before, const CaseEvidence& after, Explanation& explanation) {
  for (const record::Metric& metric : after.definition->metrics) {
    if (metric.kind != record::MetricKind::exact) continue;
    const auto was = exact_value(before, metric.name);
    const auto is = exact_value(after, metric.name);
    if (was && is && *was != *is) explanation.counts.push_back({metric.name, metric.unit, *was, *is});
  }
}

struct ProcessCost {
  const char* name;
  const char* unit;
  std::optional<double> (*of)(const record::Process&);
};

std::optional<double> number(const std::optional<std::int64_t>& value) {
  return value ? std::optional<double>(static_cast<double>(*value)) : std::nullopt;
}

template <auto Member>
std::optional<double> started(const record::Process& process) {
  return process.start ? number((*process.start).*Member) : std::nullopt;
}
template <auto Member>
std::optional<double> used(const record::Process& process) {
  return process.usage ? std::optional<double>(static_cast<double>((*process.usage).*Member)) : std::nullopt;
}

const std::array<ProcessCost, 9> process_costs{
    {{"libraries loaded after", "ns", started<&record::ProcessStart::load_ns>},
     {"main() after", "ns", started<&record::ProcessStart::main_ns>},
     {"CPU time", "ns", [](const record::Process& process) { return number(process.cpu_ns); }},
     {"peak resident memory", "bytes",
      [](const record::Process& process) { return number(process.peak_resident_bytes); }},
     {"minor page faults", "1", used<&record::ProcessUsage::minor_faults>},
     {"major page faults", "1", used<&record::ProcessUsage::major_faults>},
     {"voluntary context switches", "1", used<&record::ProcessUsage::voluntary_switches>},
     {"involuntary context switches", "1", used<&record::ProcessUsage::involuntary_switches>},
     {"first call", "ns", nullptr}}};

// The first call of a process is another case's in most of them: only those where it was this one's count.
std::optional<double> first_call(const record::Process& process, const std::string& case_name) {
  if (!process.start || process.start->first_case != case_name) return std::nullopt;
  return number(process.start->first_call_ns);
}

std::vector<double> values_of(const CaseEvidence& evidence, const ProcessCost& cost) {
  std::vector<double> values;
  for (const CaseProcess& one : evidence.measured) {
    const auto value = cost.of == nullptr ? first_call(*one.process, evidence.definition->name) : cost.of(*one.process);
    if (value) values.push_back(*value);
  }
  return values;
}

void compare_processes(const CaseEvidence& before, const CaseEvidence& after, Explanation& explanation) {
  for (const ProcessCost& cost : process_costs) {
    const auto was = stats::median(values_of(before, cost));
    const auto is = stats::median(values_of(after, cost));
    if (was && is) explanation.process.push_back({cost.name, cost.unit, *was, *is});
  }
}

// A GPU that ran slower: the same cycles in more time are not caused by the code.
void add_clocks(const CaseEvidence& before, const CaseEvidence& after, Explanation& explanation) {
  constexpr std::string_view prefix = "gpu_clock_";
  for (const record::Metric& clock : after.definition->metrics) {
    if (!clock.name.starts_with(prefix)) continue;
    const record::Metric* const time =
        find_metric(*after.definition, std::string(record::device_time_prefix) + clock.name.substr(prefix.size()));
    const auto was = median_of(before, &clock);
    const auto is = median_of(after, &clock);
    const auto was_ns = median_of(before, time);
    const auto is_ns = median_of(after, time);
    if (!was || !is || !was_ns || !is_ns || *was <= 0 || *was_ns <= 0) continue;
    if (std::abs(*is / *was - 1) < clock_worth_telling) continue;
    explanation.causes.push_back(facts::clock_changed(clock.name, *was, *is, clock.unit, time->name,
                                                      *is_ns / *was_ns - 1, *is_ns * *is / (*was_ns * *was) - 1));
  }
}

facts::Fact count_cause(const reports::CountChange& count) {
  return (count.unit == "bytes" ? facts::bytes_changed : facts::count_changed)(count.name, count.after, count.before);
}

// Counters of the process (page faults, switches) are not causes by themselves: they differ from run to run.
void add_causes(const CaseEvidence& before, const CaseEvidence& after, std::optional<double> added_ns,
                const std::optional<OperatorChanges>& operators, Explanation& explanation) {
  if (operators) explanation.causes = operator_causes(*operators);
  facts::Facts counts;
  for (const auto& count : explanation.counts) {
    if (operators && count.name == "operator_calls") continue;  // the operators themselves are named above
    counts.push_back(count_cause(count));
  }
  if (!counts.empty()) explanation.causes.push_back(facts::counts_changed(std::move(counts)));
  add_clocks(before, after, explanation);
  const auto was_cpu = median_of(before, find_metric(*after.definition, "cpu_time"));
  const auto is_cpu = median_of(after, find_metric(*after.definition, "cpu_time"));
  if (added_ns && *added_ns > 0 && was_cpu && is_cpu && *is_cpu - *was_cpu < waiting_share * *added_ns) {
    explanation.causes.push_back(facts::it_waits(std::max(0.0, (*is_cpu - *was_cpu) / *added_ns)));
  }
}

facts::Fact nothing_visible(const Explanation& explanation, const std::optional<OperatorChanges>& operators,
                            std::optional<double> added_ns) {
  if (!operators) return facts::no_cause_in_counters(facts::operators_not_compared(explanation.no_profile));
  facts::Facts outside;
  const double outside_ns = operators->outside_after_ns - operators->outside_before_ns;
  if (added_ns && *added_ns > 0 && operators->outside_clear && outside_ns >= outside_share * *added_ns)
    outside.push_back(facts::outside_operators(std::min(1.0, outside_ns / *added_ns)));
  return facts::no_cause(facts::same_operators(std::move(outside)));
}

bool has_profile(const CaseEvidence& evidence) {
  return std::any_of(evidence.measured.begin(), evidence.measured.end(),
                     [](const CaseProcess& one) { return one.result->profile.has_value(); });
}

// Pairs whose times differed: the functions that changed come first, and that none did explains a change without another cause.
void add_code(const record::Run& pairs, Explanation& explanation) {
  for (const record::CodeComparison& code : pairs.code) {
    if (code.case_name != explanation.case_name) continue;
    if (auto cause = changed_code(code)) {
      explanation.causes.insert(explanation.causes.begin(), *std::move(cause));
      // Why operators were not compared is shown beside the causes.
      if (!explanation.summary.empty() && explanation.no_profile.empty())
        explanation.causes.push_back(explanation.summary.inner());
      explanation.summary = {};
      continue;
    }
    facts::Fact found = code.identical() ? same_code(code) : facts::code_unknown(code.unknown);
    if (explanation.causes.empty()) {
      explanation.summary = facts::and_code(explanation.summary, std::move(found));
    } else {
      explanation.causes.push_back(std::move(found));
    }
  }
}

Error unknown_case(const std::string& name, const record::Run& run) {
  constexpr std::size_t suggestions = 3;
  std::set<std::string> known;
  for (const record::Case& each : run.cases) known.insert(each.name);
  std::string text = fmt::format("run {} has no case \"{}\"", run.id, name);
  std::string nearest;
  for (const std::string& each : policy::nearest_names(name, known, suggestions))
    nearest += (nearest.empty() ? "; the nearest: " : ", ") + each;
  return {ErrorCode::not_found, text + nearest};
}

}  // namespace

Explanation explain(const CaseEvidence& before, const CaseEvidence& after) {
  Explanation explanation;
  explanation.case_name = after.definition->name;
  const record::Metric* const primary = primary_metric(*after.definition);
  if (primary != nullptr) explanation.unit = primary->unit;
  explanation.time_before = median_of(before, primary);
  explanation.time_after = median_of(after, primary);
  std::optional<double> added_ns;
  const bool is_time = primary != nullptr && primary->unit == "ns";
  if (is_time && explanation.time_before && explanation.time_after) {
    const double added = *explanation.time_after - *explanation.time_before;
    if (std::abs(added) > change_worth_explaining * *explanation.time_before) added_ns = added;
  }
  compare_counts(before, after, explanation);
  compare_processes(before, after, explanation);
  const auto operators = operator_changes(before, after, added_ns);
  if (operators) {
    explanation.operators = operators->operators;
    explanation.outside_ns = operators->outside_after_ns - operators->outside_before_ns;
  } else {
    explanation.no_profile = has_profile(before)  ? facts::no_profile_after()
                             : has_profile(after) ? facts::no_profile_before()
                                                  : facts::no_profiles();
  }
  add_causes(before, after, added_ns, operators, explanation);
  if (explanation.causes.empty()) explanation.summary = nothing_visible(explanation, operators, added_ns);
  return explanation;
}

Why why(const CaseEvidence& before, const CaseEvidence& after) {
  Why found;
  Explanation explanation = explain(before, after);
  for (reports::OperatorChange& each : explanation.operators) {
    if (each.changed() && found.operators.size() < most_operators) found.operators.push_back(std::move(each));
  }
  for (std::size_t i = 0; i < std::min(most_causes, explanation.causes.size()); ++i)
    found.causes.push_back(explanation.causes[i]);
  // A suite that shows no operators (another tool's file, plain C++) says nothing by having none.
  if (explanation.causes.empty() && explanation.no_profile.empty()) found.nothing_visible = explanation.summary;
  return found;
}

base::Result<Explanation> explain_case(const record::Run& before, const record::Run* after,
                                       const std::string& case_name, const record::Run* pairs) {
  if (after == nullptr && before.sides.size() != 2) {
    return Error{ErrorCode::bad_input,
                 fmt::format("run {} has one side; name a second run to compare it with", before.id)};
  }
  for (const record::Run* run : {after == nullptr ? nullptr : &before, after}) {
    if (run != nullptr && run->sides.size() != 1)
      return Error{ErrorCode::bad_input, fmt::format("run {} has two sides; name no second run", run->id)};
  }
  if (after != nullptr && after->id == before.id)
    return Error{ErrorCode::bad_input, fmt::format("run {} is compared with itself; name another run", before.id)};
  const record::Run& later = after == nullptr ? before : *after;
  const std::int64_t later_side = after == nullptr ? 1 : 0;
  const SideEvidence was(before, 0);
  const SideEvidence is(later, later_side);
  const CaseEvidence* const case_before = was.find(case_name);
  const CaseEvidence* const case_after = is.find(case_name);
  if (case_before == nullptr) return unknown_case(case_name, before);
  if (case_after == nullptr) return unknown_case(case_name, later);
  if (const facts::Fact why = not_measured_because_unchanged(later, case_after->definition->group);
      !why.empty() && case_after->measured.empty())
    return Error{ErrorCode::not_found, fmt::format("{}: {}: there is nothing to explain", case_name, why.words())};
  if (case_before->measured.empty() || case_after->measured.empty()) {
    return Error{ErrorCode::not_found, fmt::format("{} was not measured {}: there is nothing to explain", case_name,
                                                   case_before->measured.empty() ? "before" : "after")};
  }
  Explanation explanation = explain(*case_before, *case_after);
  explanation.before = side_header(before, 0, after == nullptr ? before.sides[0].label : "before");
  explanation.after = side_header(later, later_side, after == nullptr ? before.sides[1].label : "after");
  if (after != nullptr) {
    explanation.differences = machine_differences(before.machine, after->machine);
    std::ranges::move(one_sided_facts(before, *after), std::back_inserter(explanation.differences));
  }
  if (const record::Run* const compared = after == nullptr ? &before : pairs; compared != nullptr)
    add_code(*compared, explanation);
  return explanation;
}

}  // namespace torchgate::gate
