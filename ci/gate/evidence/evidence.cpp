// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/evidence.hpp"

#include <algorithm>
#include <cmath>

#include "ci/gate/evidence/go_cpus.hpp"
#include "ci/gate/evidence/usable_result.hpp"
#include "harness/base/first_line.hpp"
#include "reports/facts/about_runs.hpp"

namespace torchgate::gate {
namespace {

// More launches than any profile has: room for all of them in each of many cases would be asked for by a small file.
constexpr std::size_t usual_launches = 64;

std::vector<const record::Case*> all_cases_of(const record::Run& run) {
  std::vector<const record::Case*> cases;
  cases.reserve(run.cases.size());
  for (const record::Case& each : run.cases) cases.push_back(&each);
  return cases;
}

struct GroupEvidence {
  std::vector<CaseEvidence*> cases;
  LostProcesses lost;
  std::int64_t launches = 0;
};

}  // namespace

facts::Fact lost_process_of(const record::Process& process) {
  const std::string& group = process.group.empty() ? process.suite : process.group;
  std::string message(base::first_line(process.message));
  if (process.status == record::ProcessStatus::not_started)
    return facts::process_not_measured(group, std::move(message));
  return facts::process_lost(group, std::move(message));
}

void LostProcesses::add(const record::Process& process) {
  constexpr std::size_t most_bytes = 1000;  // it is said of every case of the group
  const std::string_view message = base::first_line(process.message).substr(0, most_bytes);
  const bool started = process.status != record::ProcessStatus::not_started;
  if (count_ == 0 || (started && count_ == not_started_)) first_ = message;
  ++count_;
  if (!started) ++not_started_;
}

SideEvidence::SideEvidence(const record::Run& run, std::int64_t side)
    : run_(&run), suites_(run.plan.suites.begin(), run.plan.suites.end()), groups_(run.plan) {
  if (auto filter = base::Pattern::compile_short(run.plan.filter)) filter_ = std::move(filter).value();
  find_lost_listings(side);
  std::map<std::string_view, GroupEvidence> by_group;
  const auto find_case = [&](std::string_view name) {
    const auto found = cases_.find(name);
    return found == cases_.end() ? nullptr : &found->second;
  };
  const GoCpus go(all_cases_of(run));
  for (const record::Case& definition : run.cases) {
    CaseEvidence& evidence = cases_[definition.name];
    evidence.definition = &definition;
    evidence.at_once = calls_at_once(definition, go);
    by_group[definition.group].cases.push_back(&evidence);
  }
  for (const record::Process& process : run.processes) {
    if (process.side != side) continue;
    GroupEvidence& group = by_group[process.group];
    ++group.launches;
    if (process.status == record::ProcessStatus::ok) continue;
    group.lost.add(process);
  }
  for (const auto& [name, group] : by_group) {
    for (CaseEvidence* evidence : group.cases) {
      evidence->processes = group.launches;
      evidence->lost = group.lost;
      evidence->measured.reserve(std::min(static_cast<std::size_t>(group.launches), usual_launches));
    }
  }
  for (const record::Process& process : run.processes) {
    if (process.side != side) continue;
    const bool came_home = process.status == record::ProcessStatus::ok;
    const std::vector<CaseEvidence*>& of_group = by_group[process.group].cases;
    std::size_t next = 0;
    for (const record::CaseResult& result : process.cases) {
      // Results stand in the order of the group's cases, as a rule.
      const bool is_next = next < of_group.size() && of_group[next]->definition->name == result.name;
      CaseEvidence* const evidence = is_next ? of_group[next] : find_case(result.name);
      ++next;
      if (evidence == nullptr) continue;
      switch (result.status) {
        case record::CaseStatus::ok:
          if (!came_home) break;  // it may have measured anything, and what it loaded is not known
          if (auto why = unusable_because(result, *evidence->definition, evidence->at_once)) {
            evidence->failures.push_back(std::move(*why));
            if (is_below_resolution(result, *evidence->definition)) ++evidence->below_resolution;
          } else if (auto wrong = wrong_because(result)) {
            evidence->wrongs.push_back(*std::move(wrong));
          } else {
            evidence->measured.push_back({&process, &result});
          }
          break;
        case record::CaseStatus::failed:
          evidence->failures.push_back(result.message.text());
          break;
        case record::CaseStatus::wrong:
          evidence->wrongs.push_back(result.message.text());
          break;
        case record::CaseStatus::skipped:
          if (evidence->skipped_because.empty()) evidence->skipped_because = result.message.text();
          break;
      }
    }
  }
}

void SideEvidence::find_lost_listings(std::int64_t side) {
  for (const record::Process& process : run_->processes) {
    if (process.side != side) continue;
    if (!process.group.empty())
      started_suites_.insert(process.suite);
    else if (process.status != record::ProcessStatus::ok)
      lost_listings_[process.suite].add(process);
  }
}

const LostProcesses* SideEvidence::lost_listing(std::string_view suite) const {
  if (lost_listings_.empty() || started_suites_.contains(suite)) return nullptr;
  const auto of_suite = lost_listings_.find(suite);
  return of_suite != lost_listings_.end() ? &of_suite->second : &lost_listings_.begin()->second;
}

const CaseEvidence* SideEvidence::find(std::string_view case_name) const {
  const auto found = cases_.find(case_name);
  return found == cases_.end() ? nullptr : &found->second;
}

Coverage SideEvidence::coverage(const record::Case& definition) const {
  // A filter that cannot be read hides nothing: a stored run may have one in the syntax of std::regex.
  if (filter_ && !filter_->found_in(definition.name)) return Coverage::filter;
  if (!groups_.has(definition.group)) return Coverage::other_shard;
  return suites_.contains(definition.suite) ? Coverage::planned : Coverage::other_suites;
}

bool SideEvidence::planned(const record::Case& definition) const {
  return coverage(definition) == Coverage::planned;
}

std::map<std::string_view, const record::Case*> cases_of(const SideEvidence& before, const SideEvidence& after) {
  std::map<std::string_view, const record::Case*> cases;
  for (const auto& [name, evidence] : before.cases()) cases[name] = evidence.definition;
  for (const auto& [name, evidence] : after.cases()) cases[name] = evidence.definition;
  return cases;
}

namespace {

struct Measured {
  const CaseProcess* process;
  const record::Measurement* numbers;
};

// What is not a measurement (a CPU time of 0) is left out where others are left. Of a primary metric it makes the process a lost one.
std::vector<Measured> measured(const CaseEvidence& evidence, const record::Metric& metric) {
  std::vector<Measured> all;
  std::vector<Measured> usable;
  all.reserve(evidence.measured.size());
  for (const CaseProcess& one : evidence.measured) {
    const record::Measurement* const numbers = measurement_of(*one.result, metric.name);
    if (numbers == nullptr || !numbers->summary) continue;
    all.push_back({&one, numbers});
    if (!metric.primary && !unusable_because(*one.result, metric)) usable.push_back(all.back());
  }
  return usable.empty() ? all : usable;
}

}  // namespace

bool include_stops(const record::Case& definition, const record::CaseResult& result, const record::Metric& metric) {
  const bool of_cpu = metric.clock == record::Clock::cpu || metric.clock == record::Clock::process_cpu;
  // A suite of torchgate ends its turn between two samples.
  if (of_cpu || !definition.protocol.starts_with("google-benchmark")) return false;
  return std::any_of(result.measurements.begin(), result.measurements.end(),
                     [](const record::Measurement& each) { return static_cast<bool>(each.turns); });
}

ProcessValues process_values(const CaseEvidence& evidence, const record::Metric& metric) {
  ProcessValues values;
  values.medians.reserve(evidence.measured.size());
  values.worse_logs.reserve(evidence.measured.size());
  values.pairs.reserve(evidence.measured.size());
  values.turns.reserve(evidence.measured.size());
  values.orientation = record::orientation(metric);
  for (const auto& [one, m] : measured(evidence, metric)) {
    values.medians.push_back(m->summary->median);
    values.worse_logs.push_back(values.orientation * std::log(m->summary->median));
    values.turns.push_back(m->turns ? &*m->turns : nullptr);
    values.pairs.push_back(one->process->pair.value_or(-1));
    values.sample_count += m->summary->n;
    if (static_cast<std::int64_t>(m->samples.size()) < m->summary->n) values.samples_kept = false;
    values.calls_per_sample = std::max(values.calls_per_sample, one->result->calls_per_sample);
    values.stops_included = values.stops_included || include_stops(*evidence.definition, *one->result, metric);
  }
  return values;
}

TimedEvidence timed_evidence(const CaseEvidence& evidence, const record::Metric& metric) {
  TimedEvidence timed{process_values(evidence, metric), {}};
  if (!timed.samples_kept) return timed;
  timed.samples.reserve(static_cast<std::size_t>(timed.sample_count));
  for (const auto& [one, m] : measured(evidence, metric)) {
    // What was discarded as warm-up stands first: the last n samples are those the summary is of.
    timed.samples.insert(timed.samples.end(), m->samples.end() - m->summary->n, m->samples.end());
  }
  return timed;
}

std::optional<double> exact_value(const CaseEvidence& evidence, std::string_view metric) {
  std::optional<double> value;
  for (const CaseProcess& one : evidence.measured) {
    const record::Measurement* m = measurement_of(*one.result, metric);
    if (m == nullptr || !m->value) return std::nullopt;
    if (value && *value != *m->value) return std::nullopt;
    value = m->value;
  }
  return value;
}

std::optional<CountRange> count_range(const CaseEvidence& evidence, std::string_view metric) {
  std::optional<CountRange> range;
  std::size_t counted = 0;
  for (const CaseProcess& one : evidence.measured) {
    const record::Measurement* m = measurement_of(*one.result, metric);
    if (m == nullptr || !m->value) continue;
    ++counted;
    range = range ? CountRange{std::min(range->least, *m->value), std::max(range->most, *m->value)}
                  : CountRange{*m->value, *m->value};
  }
  if (range) range->of_all = counted == evidence.measured.size();
  return range;
}

}  // namespace torchgate::gate
