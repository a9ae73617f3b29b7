// SPDX-License-Identifier: Apache-2.0
#include "harness/import/run_of_processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "harness/import/import.hpp"
#include "harness/record/content_hash.hpp"
#include "harness/summary/sample_summary.hpp"

namespace torchgate::import {
namespace {

using record::Error;
using record::ErrorCode;

constexpr std::size_t id_digits = 16;

const record::Metric time_metric{"time", "ns", record::Direction::lower_is_better, record::MetricKind::timed, true};
const record::Metric cpu_metric{"cpu_time", "ns", record::Direction::lower_is_better, record::MetricKind::timed, false};
const record::Metric bytes_metric{"peak_bytes", "bytes", record::Direction::lower_is_better, record::MetricKind::exact,
                                  false};
const record::Metric allocations_metric{"allocations", "1", record::Direction::lower_is_better,
                                        record::MetricKind::exact, false};

// Everything that was measured, in a fixed order: what is the same has the same digest.
std::string digest_of(const ImportedProcess& process) {
  std::string content = process.tool + '\n' + process.started + '\n';
  const auto add_numbers = [&](const std::vector<double>& values) {
    for (const double value : values) {
      const auto bits = std::bit_cast<std::uint64_t>(value);
      for (unsigned shift = 0; shift < 64; shift += 8) content += static_cast<char>((bits >> shift) & 0xFFU);
    }
    content += '\n';
  };
  for (const ImportedCase& each : process.cases) {
    content += fmt::format("{}\n{}\n{}\n", each.name, each.failure, each.skipped);
    add_numbers(each.time_ns);
    add_numbers(each.cpu_ns);
  }
  return record::sha256(content);
}

struct Named {
  std::string digest;
  ImportedProcess process;
};

record::Measurement timed(const record::Metric& metric, std::vector<double> samples) {
  record::Measurement measurement;
  measurement.metric = metric.name;
  measurement.summary = summary::summarize_samples(samples);
  measurement.samples = std::move(samples);
  return measurement;
}

record::Measurement exact(const record::Metric& metric, double value) {
  record::Measurement measurement;
  measurement.metric = metric.name;
  measurement.value = value;
  return measurement;
}

// Case by case, over all processes that have it.
class RunMaker {
 public:
  explicit RunMaker(const std::string& tool_version) { run_.tool_version = tool_version; }

  record::Result<record::Run> make(std::vector<Named> processes) {
    describe(processes);
    for (const Named& each : processes) {
      if (auto defined = define_cases(each.process); !defined) return defined.error();
      if (auto same = check_machine(each.process); !same) return same.error();
      add_unique(run_.warnings, each.process.warnings);
    }
    for (Named& each : processes) add_process(std::move(each.process));
    for (auto& [name, definition] : definitions_) run_.cases.push_back(std::move(definition));
    return std::move(run_);
  }

 private:
  void describe(const std::vector<Named>& processes) {
    const ImportedProcess& first = processes.front().process;
    std::string digests;
    for (const Named& each : processes) digests += each.digest;
    run_.id = record::sha256(digests).substr(0, id_digits);
    run_.created = first.started;
    run_.plan.profile = imported_profile;
    run_.plan.processes = static_cast<std::int64_t>(processes.size());
    run_.plan.suites = {first.tool};
    run_.machine.facts = first.facts;
    run_.sides = {record::Side{"run", {}, {}}};
    // One group: a process of such a program measures everything it has.
    run_.groups = {record::Group{first.tool, first.tool, std::nullopt, {}}};
  }

  record::Result<void> define_cases(const ImportedProcess& process) {
    for (const ImportedCase& each : process.cases) {
      auto [at, is_new] = definitions_.try_emplace(each.name);
      record::Case& definition = at->second;
      if (is_new) {
        definition.name = each.name;
        definition.suite = definition.group = process.tool;
        definition.parameters = each.parameters;
        definition.protocol = each.protocol;
        definition.items_per_call = each.items_per_call;
        definition.skipped = each.skipped.empty() ? std::nullopt : std::optional(each.skipped);
      } else if (definition.protocol != each.protocol) {
        return Error{ErrorCode::bad_input, fmt::format("{}: {} is measured by {} here and by {} in another file: these "
                                                       "are not processes of one run",
                                                       process.file, each.name, each.protocol, definition.protocol)};
      }
      if (each.skipped.empty()) definition.skipped.reset();  // it can run
      const auto needs = [&](const record::Metric& metric, bool there) {
        auto& metrics = definition.metrics;
        if (there && std::find(metrics.begin(), metrics.end(), metric) == metrics.end()) metrics.push_back(metric);
      };
      needs(time_metric, true);
      needs(cpu_metric, !each.cpu_ns.empty());
      needs(bytes_metric, each.peak_bytes.has_value());
      needs(allocations_metric, each.allocations.has_value());
    }
    return {};
  }

  record::Result<void> check_machine(const ImportedProcess& process) {
    for (const record::MachineFact& fact : process.facts) {
      const auto& facts = run_.machine.facts;
      const auto first =
          std::find_if(facts.begin(), facts.end(), [&](const auto& each) { return each.name == fact.name; });
      if (first == facts.end() || first->value == fact.value || fact.fact_class == record::FactClass::info) continue;
      const std::string difference = fmt::format("{}: {} is {} here and {} in another file of the run", process.file,
                                                 fact.name, fact.value.value_or(""), first->value.value_or(""));
      if (fact.fact_class == record::FactClass::host) {
        return Error{ErrorCode::bad_input, difference + ": one run is of one machine; import them as two"};
      }
      run_.warnings.push_back(difference);
    }
    return {};
  }

  void add_process(ImportedProcess imported) {
    record::Process process;
    process.index = static_cast<std::int64_t>(run_.processes.size());
    process.suite = process.group = imported.tool;
    process.started = std::move(imported.started);
    process.wall_ns = 0;  // no format says it, and a record must: nothing judges by it
    process.cases.reserve(imported.cases.size());
    for (ImportedCase& each : imported.cases) process.cases.push_back(result_of(std::move(each)));
    run_.processes.push_back(std::move(process));
  }

  static record::CaseResult result_of(ImportedCase each) {
    record::CaseResult result;
    result.name = std::move(each.name);
    if (!each.failure.empty()) {
      result.status = record::CaseStatus::failed;
      result.message = std::move(each.failure);
      return result;
    }
    if (!each.skipped.empty()) {
      result.status = record::CaseStatus::skipped;
      result.message = std::move(each.skipped);
      return result;
    }
    result.calls_per_sample = each.calls_per_sample;
    result.measurements.reserve(2);
    result.measurements.push_back(timed(time_metric, std::move(each.time_ns)));
    if (!each.cpu_ns.empty()) result.measurements.push_back(timed(cpu_metric, std::move(each.cpu_ns)));
    if (each.peak_bytes) result.measurements.push_back(exact(bytes_metric, *each.peak_bytes));
    if (each.allocations) result.measurements.push_back(exact(allocations_metric, *each.allocations));
    return result;
  }

  static void add_unique(std::vector<std::string>& all, const std::vector<std::string>& more) {
    for (const std::string& one : more) {
      if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
    }
  }

  record::Run run_;
  std::map<std::string, record::Case> definitions_;
};

}  // namespace

record::Result<record::Run> run_of_processes(std::vector<ImportedProcess> processes, const std::string& tool_version) {
  std::vector<Named> named;
  for (ImportedProcess& process : processes) {
    std::string digest = digest_of(process);  // before the time is guessed: a copy of a file is no other measurement
    if (process.started.empty()) {
      process.started = process.file_changed;
      process.warnings.push_back(process.file + ": does not say when it was measured; its last change is taken");
    }
    named.push_back({std::move(digest), std::move(process)});
  }
  std::sort(named.begin(), named.end(), [](const Named& a, const Named& b) {
    return std::pair(std::string_view(a.process.started), std::string_view(a.digest)) <
           std::pair(std::string_view(b.process.started), std::string_view(b.digest));
  });
  const auto twin = std::adjacent_find(named.begin(), named.end(),
                                       [](const Named& a, const Named& b) { return a.digest == b.digest; });
  if (twin != named.end()) {
    return Error{ErrorCode::bad_input, fmt::format("{} and {} hold the same measurement: it is one process, not two",
                                                   twin->process.file, (twin + 1)->process.file)};
  }
  return RunMaker(tool_version).make(std::move(named));
}

}  // namespace torchgate::import
