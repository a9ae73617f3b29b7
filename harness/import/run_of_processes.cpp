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
#include <tuple>
#include <utility>

#include "harness/base/content_hash.hpp"
#include "harness/base/counted.hpp"
#include "harness/base/limits.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/import/common_facts.hpp"
#include "harness/import/common_source.hpp"
#include "harness/import/file_warnings.hpp"
#include "harness/import/first_setups.hpp"
#include "harness/import/imported_case.hpp"
#include "harness/import/programs.hpp"
#include "harness/import/same_measurement.hpp"
#include "harness/import/silent_files.hpp"
#include "harness/record/imported.hpp"
#include "harness/record/warnings.hpp"

namespace torchgate::import {
namespace {

using base::Error;
using base::ErrorCode;

constexpr std::size_t id_digits = 16;

// Everything that was measured, in a fixed order: what is the same has the same digest.
std::string digest_of(const ImportedProcess& process) {
  std::string content = process.tool + '\n' + process.started + '\n';
  if (!process.content.empty()) content += process.content + '\n';
  const auto add_numbers = [&](const std::vector<double>& values) {
    for (const double value : values) {
      const auto bits = std::bit_cast<std::uint64_t>(value);
      for (unsigned shift = 0; shift < 64; shift += 8) content += static_cast<char>((bits >> shift) & 0xFFU);
    }
    content += '\n';
  };
  for (const ImportedCase& each : process.cases) {
    content += fmt::format("{}\n{}\n{}\n{}\n", each.name, each.failure, each.skipped, each.calls_per_sample);
    add_numbers(each.time_ns);
    add_numbers(each.cpu_ns);
    for (const ImportedMetric& other : each.metrics) {
      content += other.metric.name + '\n';
      add_numbers(other.samples);
      if (other.value) add_numbers({*other.value});
    }
  }
  content += process.not_judged;
  return base::sha256(content);
}

// A case that neither failed nor was skipped. Files without such a case may be identical: "no memory" is not a measurement.
bool is_measured(const ImportedCase& each) {
  return each.failure.empty() && each.skipped.empty();
}

// All processes of one file, in its order.
struct OfFile {
  std::string digest;
  std::string place;  // see ImportedProcess; of its first process
  std::vector<ImportedProcess> processes;
  bool measured = false;  // anything
  bool dated = true;      // all of it

  [[nodiscard]] std::string_view started() const { return processes.front().started; }
};

// Two launches of a short command may take the same time to the last digit, two files of them do not.
OfFile as_file(std::vector<ImportedProcess> processes) {
  OfFile file;
  for (ImportedProcess& process : processes) {
    file.digest += digest_of(process);  // before the time is guessed: a copy of a file is the same measurement
    file.measured = file.measured || std::any_of(process.cases.begin(), process.cases.end(), is_measured);
    if (!process.started.empty()) continue;
    file.dated = false;
    process.started = process.file_changed;
    if (!process.never_dated) process.warnings.push_back(process.file + ": no date; using the time of the last change");
  }
  file.place = processes.front().place;
  file.processes = std::move(processes);
  return file;
}

// How many values a case has. One on its own has no spread: neither rule can tell a change from noise.
struct Spread {
  std::int64_t values = 0;
  std::size_t processes = 0;
  bool explained = false;  // the format has a sentence of its own about it

  [[nodiscard]] bool known() const { return processes > 1 || values > 1; }
};

// False: of that name there is another metric, or another metric is primary.
bool add_metric(record::Case& definition, const record::Metric& metric) {
  for (record::Metric& known : definition.metrics) {
    record::Metric same = metric;
    same.judged = known.judged;
    same.clock = known.clock;
    if (known == same) {
      // A rate that one process has too roughly, or by another clock, is judged in none.
      known.judged = known.judged && metric.judged && known.clock == metric.clock;
      if (known.clock != metric.clock) known.clock = record::Clock::unknown;
      return true;
    }
    if (known.name == metric.name || (known.primary && metric.primary)) return false;
  }
  definition.metrics.push_back(metric);
  return true;
}

// Case by case, over all processes that have it.
class RunMaker {
 public:
  explicit RunMaker(const std::string& tool_version) { run_.tool_version = tool_version; }

  base::Result<record::Run> make(std::vector<OfFile> files) {
    if (auto described = describe(files); !described) return described.error();
    FileWarnings warnings;
    measure_spread(files);
    for (const OfFile& file : files) {
      for (const ImportedProcess& each : file.processes) {
        if (auto defined = define_cases(each); !defined) return defined.error();
        if (auto same = facts_.add(each, run_.warnings); !same) return same.error();
        for (const std::string& one : each.warnings) warnings.add(each.file, one);
        if (lacks_spread(each)) warnings.add("", each.no_spread);
      }
    }
    warnings.append_to(run_.warnings);
    auto facts = facts_.facts();
    run_.machine.facts.insert(run_.machine.facts.begin(), facts.begin(), facts.end());
    for (OfFile& file : files) {
      for (ImportedProcess& each : file.processes) add_process(std::move(each));
    }
    warn_of_single_values();
    warn_of_ambiguous_names();
    record::limit_warnings(run_.warnings);
    for (auto& [name, definition] : definitions_) {
      if (definition.metrics.empty()) definition.metrics = metrics_of({});
      run_.cases.push_back(std::move(definition));
    }
    return std::move(run_);
  }

 private:
  base::Result<void> describe(const std::vector<OfFile>& files) {
    const ImportedProcess& first = files.front().processes.front();
    std::string digests;
    std::map<std::string, std::int64_t> processes_of;
    std::vector<const ImportedProcess*> processes;
    for (const OfFile& file : files) {
      digests += file.digest + file.place;
      for (const ImportedProcess& process : file.processes) {
        if (process.tool != first.tool) {
          return Error{ErrorCode::bad_input, fmt::format("{} is of {}, {} of {}; import files of different tools as "
                                                         "separate runs",
                                                         process.file, process.tool, first.file, first.tool)};
        }
        ++processes_of[process.group];
        processes.push_back(&process);
      }
    }
    if (processes_of.size() > static_cast<std::size_t>(base::max_groups)) {
      return Error{ErrorCode::bad_input, fmt::format("{}: more than {} groups of processes (commands, packages)",
                                                     first.file, base::max_groups)};
    }
    run_.id = base::sha256(digests).substr(0, id_digits);
    run_.created = first.started;
    run_.plan.profile = record::imported_profile;
    run_.plan.suites = {first.tool};
    if (!std::all_of(files.begin(), files.end(), [](const OfFile& file) { return file.dated; })) {
      run_.machine.facts.push_back(
          {record::measurement_date_fact, std::nullopt, "not in the files", record::FactClass::info});
    }
    run_.sides = {record::Side{"run", common_source(processes, run_.warnings), {}}};
    // A process of such a program measures everything that its group has.
    run_.plan.processes = 0;
    for (const auto& [name, count] : processes_of) {
      run_.groups.push_back(record::Group{name, first.tool, std::nullopt, {}});
      run_.plan.processes = std::max(run_.plan.processes, count);
    }
    return {};
  }

  void measure_spread(const std::vector<OfFile>& files) {
    for (const OfFile& file : files) {
      for (const ImportedProcess& process : file.processes) {
        for (const ImportedCase& each : process.cases) {
          const auto values = static_cast<std::int64_t>(timed_values(each));
          if (values == 0) continue;
          Spread& spread = spread_of_[each.name];
          spread.values += values;
          ++spread.processes;
          spread.explained = spread.explained || !each.note.empty();
        }
      }
    }
  }

  // Of its first timed metric: what the case is about.
  static std::size_t timed_values(const ImportedCase& each) {
    if (!is_measured(each)) return 0;
    if (!each.time_ns.empty()) return each.time_ns.size();
    for (const ImportedMetric& other : each.metrics)
      if (other.metric.kind == record::MetricKind::timed) return other.samples.size();
    return 0;
  }

  [[nodiscard]] bool has_spread(const ImportedCase& each) const {
    const auto found = spread_of_.find(each.name);
    return found != spread_of_.end() && found->second.known();
  }

  // The doubt of a format about its cases does not apply where several files have each of them.
  [[nodiscard]] bool lacks_spread(const ImportedProcess& process) const {
    return !process.no_spread.empty() &&
           std::any_of(process.cases.begin(), process.cases.end(), [&](const ImportedCase& each) {
             return is_measured(each) && timed_values(each) < 2 && !has_spread(each);
           });
  }

  // What a format's own sentence already says of a case is not said again.
  void warn_of_single_values() {
    const auto single = std::count_if(spread_of_.begin(), spread_of_.end(),
                                      [](const auto& one) { return !one.second.known() && !one.second.explained; });
    if (single == 0) return;
    run_.warnings.push_back(fmt::format(
        "{} one value only, without repetitions: a change cannot be told from noise; measure with repetitions, or give "
        "several files per side",
        static_cast<std::size_t>(single) == definitions_.size() ? "each case has"
                                                                : base::counted(single, "case has", "cases have")));
  }

  void warn_of_ambiguous_names() {
    const auto unknown = [](const auto& one) { return one.second.ambiguous.has_value(); };
    const auto first = std::find_if(definitions_.begin(), definitions_.end(), unknown);
    if (first == definitions_.end()) return;
    run_.warnings.push_back(
        fmt::format("{} no verdict, because benchmarks of one name cannot be told apart, e.g. {}: {}",
                    base::counted(std::count_if(first, definitions_.end(), unknown), "case has", "cases have"),
                    base::in_quotes(first->first), *first->second.ambiguous));
  }

  // One damaged file of samples is the reason where its mean is used, and samples elsewhere.
  [[nodiscard]] std::string why_two_protocols(const std::string& name) const {
    const auto unused = unused_samples_.find(name);
    return unused == unused_samples_.end()
               ? "import them as two runs"
               : fmt::format("samples could not be used: {}; leave that file out, or measure it again", unused->second);
  }

  base::Result<void> define_cases(const ImportedProcess& process) {
    for (const ImportedCase& each : process.cases) {
      auto [at, is_new] = definitions_.try_emplace(each.name);
      record::Case& definition = at->second;
      if (!each.unused_samples.empty()) unused_samples_.try_emplace(each.name, each.unused_samples);
      if (is_new) {
        definition = definition_of(each, each.name, process.tool, process.group);
        if (!each.other_name.empty()) definition.other_name = each.other_name;
        definition.metrics.clear();
      } else if (definition.protocol != each.protocol) {
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: {} is measured by {} here and by {} in another file; {}", process.file, each.name,
                                 each.protocol, definition.protocol, why_two_protocols(each.name))};
      }
      if (!each.ambiguous.empty() && !definition.ambiguous) definition.ambiguous = each.ambiguous;
      if (each.skipped.empty()) definition.skipped.reset();          // it can run
      if (!each.skipped.empty() || !each.failure.empty()) continue;  // nothing says what it would have measured
      setups_.take(each, process.file, definition);
      for (const record::Metric& metric : metrics_of(each)) {
        if (!add_metric(definition, metric)) {
          return Error{ErrorCode::bad_input,
                       fmt::format("{}: {} has other metrics in another process, e.g. {}; import "
                                   "what was measured in different ways as two runs",
                                   process.file, base::in_quotes(each.name), base::in_quotes(metric.name))};
        }
      }
    }
    return {};
  }

  void add_process(ImportedProcess imported) {
    record::Process process;
    process.index = static_cast<std::int64_t>(run_.processes.size());
    process.suite = imported.tool;
    process.group = std::move(imported.group);
    process.file = std::move(imported.file);
    process.started = std::move(imported.started);
    process.peak_resident_bytes = imported.peak_resident_bytes;
    process.wall_ns = 0;  // in none of the formats, but required in a record; no verdict uses it
    process.cases.reserve(imported.cases.size());
    for (ImportedCase& each : imported.cases) {
      const std::string name = each.name;
      if (!imported.no_spread.empty() && timed_values(each) == 1 && has_spread(each)) each.note.clear();
      process.cases.push_back(result_of(std::move(each), name));
    }
    run_.processes.push_back(std::move(process));
  }

  record::Run run_;
  std::map<std::string, record::Case> definitions_;
  CommonFacts facts_;
  FirstSetups setups_;                                 // of the files that make() reads
  std::map<std::string, Spread> spread_of_;            // by the name of the case; of those with values
  std::map<std::string, std::string> unused_samples_;  // why, by the name of the case
};

base::Result<void> check_distinct(std::vector<OfFile>& files) {
  const auto twice = [](const std::string& a, const std::string& b) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{} and {} contain the same measurement; name each file once", a, b)};
  };
  std::vector<const std::vector<ImportedProcess>*> all;
  std::string identical;
  std::size_t more = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    all.push_back(&files[i].processes);
    if (i == 0 || !files[i].measured || files[i].digest != files[i - 1].digest) continue;
    const std::string& before = files[i - 1].processes.front().file;
    const std::string& one = files[i].processes.front().file;
    if (files[i].place == files[i - 1].place) return twice(before, one);
    if (identical.empty())
      identical = fmt::format("{} and {}", before, one);
    else
      ++more;
  }
  if (!identical.empty()) {
    files.front().processes.front().warnings.push_back(fmt::format(
        "{}{} are byte-identical, which their few digits make possible; check that none is a copy", identical,
        more == 0 ? ""
                  : fmt::format(", and {},",
                                base::counted(static_cast<std::int64_t>(more), "further file", "further files"))));
  }
  if (const auto same = same_measurement(all)) return twice(same->first, same->second);
  return {};
}

}  // namespace

base::Result<record::Run> run_of_processes(std::vector<std::vector<ImportedProcess>> files_read,
                                           const std::string& tool_version) {
  std::vector<OfFile> files;
  files.reserve(files_read.size());
  for (std::vector<ImportedProcess>& each : files_read) files.push_back(as_file(std::move(each)));
  std::sort(files.begin(), files.end(), [](const OfFile& a, const OfFile& b) {
    return std::tuple(a.started(), std::string_view(a.digest), std::string_view(a.place)) <
           std::tuple(b.started(), std::string_view(b.digest), std::string_view(b.place));
  });
  if (auto distinct = check_distinct(files); !distinct) return distinct.error();
  std::vector<ImportedProcess*> all;
  for (OfFile& file : files)
    for (ImportedProcess& process : file.processes) all.push_back(&process);
  if (auto apart = tell_programs_apart(all); !apart) return apart.error();
  std::vector<std::vector<ImportedProcess>*> of_files;
  of_files.reserve(files.size());
  for (OfFile& file : files) of_files.push_back(&file.processes);
  constexpr auto most = static_cast<std::size_t>(base::max_processes);
  if (add_silent_processes(of_files, most) > most) {
    return Error{ErrorCode::bad_input, fmt::format("{}: more than {} processes in all files",
                                                   files.back().processes.front().file, base::max_processes)};
  }
  return RunMaker(tool_version).make(std::move(files));
}

}  // namespace torchgate::import
