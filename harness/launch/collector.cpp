// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/collector.hpp"

#include <algorithm>
#include <utility>

#include "harness/machine/doctor/gpu_snapshot.hpp"
#include "harness/record/cuda_cases.hpp"

namespace torchgate::launch {
namespace {

using record::CaseResult;
using record::CaseStatus;

std::string joined(const std::set<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : ", ") + value;
  return text;
}

std::string identity_of(const record::LoadedObject& object) {
  return object.path + '\0' + object.soname + '\0' + std::to_string(object.inode) + ' ' +
         std::to_string(object.mtime_ns) + ' ' + std::to_string(object.bytes) + object.sha256;
}

/// An executable that was replaced after it was listed.
void check_report(const record::Process& process, SuiteAnswer& answer) {
  if (!answer.report || answer.report->suite == process.suite) return;
  answer.status = record::ProcessStatus::bad_report;
  answer.message = "its report is of suite '" + answer.report->suite + "', but its listing of '" + process.suite + "'";
  answer.report.reset();
}

}  // namespace

Collector::Collector(record::Run& run, ObjectHashes& hashes, std::vector<std::string> unset,
                     std::vector<std::map<std::string, std::string>> restored)
    : run_(run), hashes_(hashes), files_(run, hashes), unset_(std::move(unset)), restored_(std::move(restored)) {
  restored_.resize(run.sides.size());
  for (record::Case& each : run.cases) cases_.emplace(each.name, &each);
  for (std::size_t i = 0; i < run.objects.size(); ++i)
    object_index_.emplace(identity_of(run.objects[i]), static_cast<std::int64_t>(i));
}

void Collector::take_over(record::Process process, const std::vector<record::Parameter>& facts) {
  for (const std::int64_t index : process.objects) note_object(process.side, index);
  take_facts(facts, static_cast<std::size_t>(process.side));
  run_.processes.push_back(std::move(process));
}

const record::Process& Collector::add(record::Process process, const GroupOnSide& asked, SuiteAnswer answer) {
  check_report(process, answer);
  describe(answer, process);
  for (const std::string& warning : answer.warnings) warn_once(warning);
  if (answer.outcome.ending == process::Ending::exited && answer.outcome.left_behind > 0)
    warn_once(process.group +
              ": its process ended with child processes still running, which were killed; they may have disturbed its "
              "timings; end them before the suite ends");
  if (answer.report) {
    take_results(*answer.report, asked, process);
    take_objects(answer, process);
    files_.take(answer, asked.ranks, unset_, restored_.at(static_cast<std::size_t>(process.side)), process);
    take_facts(answer.report->facts, static_cast<std::size_t>(process.side));
  }
  run_.processes.push_back(std::move(process));
  return run_.processes.back();
}

/// Some metrics are known only after measuring: metrics missing in the listing are added to the case. A metric with
/// another definition than before is dropped.
void Collector::take_metrics(const record::Case& reported, CaseResult& result) {
  record::Case& known = *cases_.at(reported.name);
  if (!known.items_per_call)
    known.items_per_call = reported.items_per_call;  // Google Benchmark counts while it measures
  if (!known.bytes_per_call) known.bytes_per_call = reported.bytes_per_call;
  for (record::Metric metric : reported.metrics) {
    const auto same_name = [&](const record::Metric& each) { return each.name == metric.name; };
    const auto old = std::find_if(known.metrics.begin(), known.metrics.end(), same_name);
    if (old == known.metrics.end()) {
      metric.primary = metric.primary && std::none_of(known.metrics.begin(), known.metrics.end(),
                                                      [](const auto& each) { return each.primary; });
      known.metrics.push_back(metric);
    } else if (!same_meaning(*old, metric)) {
      std::erase_if(result.measurements, [&](const auto& measurement) { return measurement.metric == metric.name; });
      warn_once("The metric " + metric.name + " of " + reported.name +
                " is declared differently across processes (unit, direction or kind); conflicting values were dropped");
    } else {  // a side cannot take the gate or the verdict off a metric of the other one
      old->gated = old->gated || metric.gated;
      old->judged = old->judged || metric.judged;
    }
  }
}

void Collector::take_results(record::ProcessReport& report, const GroupOnSide& asked, record::Process& process) {
  std::map<std::string, CaseResult> reported;
  for (CaseResult& result : report.results) {
    for (const record::Case& each : report.cases)
      if (each.name == result.name && cases_.contains(each.name)) take_metrics(each, result);
    reported.emplace(result.name, std::move(result));
  }
  for (const std::string& name : asked.cases) {
    auto found = reported.extract(name);
    CaseResult missing;
    missing.name = name;
    missing.status = CaseStatus::failed;
    missing.message = "missing in the suite's report, although listed";
    process.cases.push_back(found ? std::move(found.mapped()) : std::move(missing));
  }
  for (const auto& [name, reason] : asked.skipped) {
    reported.erase(name);
    if (cases_.at(name)->skipped) continue;  // on every side: reported once, in the run's list of cases
    CaseResult skipped;
    skipped.name = name;
    skipped.status = CaseStatus::skipped;
    skipped.message = reason;
    process.cases.push_back(std::move(skipped));
  }
  for (const auto& [name, result] : reported)
    warn_once("The suite " + process.suite + " reported " + name + ", which was not requested; it was ignored");
}

void Collector::take_objects(SuiteAnswer& answer, record::Process& process) {
  for (record::LoadedObject& object : answer.report->objects) {
    const bool seen = object.executable && answer.outcome.executable;
    const std::string problem = seen ? hashes_.fill_in(object, *answer.outcome.executable) : hashes_.fill_in(object);
    if (!problem.empty()) warn_of_object(problem);
    const std::int64_t index = position_of(object);
    if (std::find(process.objects.begin(), process.objects.end(), index) == process.objects.end())
      process.objects.push_back(index);
    note_object(process.side, index);
  }
}

// A process may load hundreds of them.
void Collector::warn_of_object(const std::string& problem) {
  constexpr std::size_t most_named = 5;
  if (object_problems_.insert(problem).second)
    warn_once(object_problems_.size() <= most_named
                  ? problem
                  : "the content of further loaded files is unknown; they are not listed");
}

std::int64_t Collector::position_of(const record::LoadedObject& object) {
  const auto [known, added] =
      object_index_.emplace(identity_of(object), static_cast<std::int64_t>(run_.objects.size()));
  if (added) run_.objects.push_back(object);
  return known->second;
}

void Collector::note_object(std::int64_t side, std::int64_t index) {
  const std::string& path = run_.objects.at(static_cast<std::size_t>(index)).path;
  const auto [of_side, first] = object_of_side_.emplace(std::pair(side, path), index);
  if (!first && of_side->second != index)
    warn_once(path + " changed during the run: not all processes measured the same code");
}

void Collector::take_facts(const std::vector<record::Parameter>& facts, std::size_t side) {
  for (const record::Parameter& fact : facts) {
    auto& values = facts_[fact.name];
    values.resize(run_.sides.size());
    values.at(side).insert(fact.value);
  }
}

void Collector::finish() {
  const auto taken = [&](const std::string& name) {
    return std::any_of(run_.machine.facts.begin(), run_.machine.facts.end(),
                       [&](const auto& each) { return each.name == name; });
  };
  for (const auto& [name, of_sides] : facts_) {
    const std::string unique = taken(name) ? "suite_" + name : name;  // "threads" is also a fact of the machine
    std::set<std::string> known;  // a side without a value (all its processes failed) is not a difference
    for (const auto& values : of_sides)
      if (!values.empty()) known.insert(joined(values));
    for (std::size_t side = 0; side < of_sides.size(); ++side) {
      if (of_sides[side].empty()) continue;
      const std::string shown = known.size() == 1 ? unique : unique + " (" + run_.sides[side].label + ")";
      run_.machine.facts.push_back({shown, joined(of_sides[side]), "", record::FactClass::warn});
      if (known.size() == 1) break;
    }
  }
  name_device();
}

// Without NVML, or with different GPUs, its name tells whether times of another run are of the same device.
void Collector::name_device() {
  const auto of_sides = facts_.find("cuda_device");
  if (run_.machine.device_key || of_sides == facts_.end() || !record::has_cuda_cases(run_)) return;
  std::set<std::string> names;
  for (const auto& of_side : of_sides->second) names.insert(of_side.begin(), of_side.end());
  run_.machine.device_key = machine::doctor::device_key_by_name(joined(names));
}

void Collector::warn_once(const std::string& sentence) {
  if (std::find(run_.warnings.begin(), run_.warnings.end(), sentence) == run_.warnings.end())
    run_.warnings.push_back(sentence);
}

}  // namespace torchgate::launch
