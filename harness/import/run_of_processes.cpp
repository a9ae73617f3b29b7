// SPDX-License-Identifier: Apache-2.0
#include "harness/import/run_of_processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "harness/base/content_hash.hpp"
#include "harness/import/import.hpp"
#include "harness/import/imported_case.hpp"
#include "harness/record/warnings.hpp"

namespace torchgate::import {
namespace {

using base::Error;
using base::ErrorCode;

constexpr std::size_t id_digits = 16;

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
  return base::sha256(content);
}

struct Named {
  std::string digest;
  ImportedProcess process;
};

// Case by case, over all processes that have it.
class RunMaker {
 public:
  explicit RunMaker(const std::string& tool_version) { run_.tool_version = tool_version; }

  base::Result<record::Run> make(std::vector<Named> processes) {
    describe(processes);
    std::set<std::string_view> known_warnings;
    for (const Named& each : processes) {
      if (auto defined = define_cases(each.process); !defined) return defined.error();
      if (auto same = check_machine(each.process); !same) return same.error();
      for (const std::string& one : each.process.warnings) {
        if (known_warnings.insert(one).second) run_.warnings.push_back(one);
      }
    }
    for (Named& each : processes) add_process(std::move(each.process));
    record::limit_warnings(run_.warnings);
    for (auto& [name, definition] : definitions_) run_.cases.push_back(std::move(definition));
    return std::move(run_);
  }

 private:
  void describe(const std::vector<Named>& processes) {
    const ImportedProcess& first = processes.front().process;
    std::string digests;
    for (const Named& each : processes) digests += each.digest;
    run_.id = base::sha256(digests).substr(0, id_digits);
    run_.created = first.started;
    run_.plan.profile = imported_profile;
    run_.plan.processes = static_cast<std::int64_t>(processes.size());
    run_.plan.suites = {first.tool};
    run_.machine.facts = first.facts;
    run_.sides = {record::Side{"run", {}, {}}};
    // One group: a process of such a program measures everything it has.
    run_.groups = {record::Group{first.tool, first.tool, std::nullopt, {}}};
  }

  base::Result<void> define_cases(const ImportedProcess& process) {
    for (const ImportedCase& each : process.cases) {
      auto [at, is_new] = definitions_.try_emplace(each.name);
      record::Case& definition = at->second;
      if (is_new) {
        definition = definition_of(each, each.name, process.tool, process.tool);
      } else if (definition.protocol != each.protocol) {
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: {} is measured by {} here and by {} in another file; import "
                                 "them as two runs",
                                 process.file, each.name, each.protocol, definition.protocol)};
      }
      if (each.skipped.empty()) definition.skipped.reset();  // it can run
      for (const record::Metric& metric : metrics_of(each)) {
        auto& metrics = definition.metrics;
        if (std::find(metrics.begin(), metrics.end(), metric) == metrics.end()) metrics.push_back(metric);
      }
    }
    return {};
  }

  base::Result<void> check_machine(const ImportedProcess& process) {
    for (const record::MachineFact& fact : process.facts) {
      const auto& facts = run_.machine.facts;
      const auto first =
          std::find_if(facts.begin(), facts.end(), [&](const auto& each) { return each.name == fact.name; });
      if (first == facts.end() || first->value == fact.value || fact.fact_class == record::FactClass::info) continue;
      const std::string difference = fmt::format("{}: {} is {} here and {} in another file of the run", process.file,
                                                 fact.name, fact.value.value_or(""), first->value.value_or(""));
      if (fact.fact_class == record::FactClass::host) {
        return Error{ErrorCode::bad_input, difference + "; import files of different machines as separate runs"};
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
    process.wall_ns = 0;  // in none of the formats, but required in a record; no verdict uses it
    process.cases.reserve(imported.cases.size());
    for (ImportedCase& each : imported.cases) {
      const std::string name = each.name;
      process.cases.push_back(result_of(std::move(each), name));
    }
    run_.processes.push_back(std::move(process));
  }

  record::Run run_;
  std::map<std::string, record::Case> definitions_;
};

}  // namespace

base::Result<record::Run> run_of_processes(std::vector<ImportedProcess> processes, const std::string& tool_version) {
  std::vector<Named> named;
  for (ImportedProcess& process : processes) {
    std::string digest = digest_of(process);  // before the time is guessed: a copy of a file is the same measurement
    if (process.started.empty()) {
      process.started = process.file_changed;
      process.warnings.push_back(process.file + ": no date; using the time of its last change");
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
    return Error{ErrorCode::bad_input, fmt::format("{} and {} contain the same measurement; name each file once",
                                                   twin->process.file, (twin + 1)->process.file)};
  }
  return RunMaker(tool_version).make(std::move(named));
}

}  // namespace torchgate::import
