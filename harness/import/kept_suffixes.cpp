// SPDX-License-Identifier: Apache-2.0
#include "harness/import/kept_suffixes.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace torchgate::import {
namespace {

using NameOfProgram = std::pair<std::string_view, std::string_view>;

// Benchmarks (program and whole name) whose name without suffixes another one of the program has.
std::set<NameOfProgram> benchmarks_alike(const std::vector<ImportedProcess*>& processes,
                                         const std::vector<std::string>& labels) {
  std::map<NameOfProgram, std::set<std::string_view>> whole_names;  // of one without suffixes
  for (std::size_t i = 0; i < processes.size(); ++i) {
    for (const ImportedCase& each : processes[i]->cases) {
      if (each.number > 1) continue;  // as the first one of its name
      const bool without = each.other_name.empty() || each.other_name.size() > each.name.size();
      whole_names[{labels[i], without ? each.name : each.other_name}].insert(each.run_name);
    }
  }
  std::set<NameOfProgram> alike;
  for (const auto& [of, names] : whole_names)
    for (const std::string_view name : names)
      if (names.size() > 1) alike.emplace(of.first, name);
  return alike;
}

}  // namespace

void keep_suffixes(const std::vector<ImportedProcess*>& processes, const std::vector<std::string>& labels) {
  const auto may_be_longer = [](const ImportedCase& each) { return each.other_name.size() > each.name.size(); };
  if (std::none_of(processes.begin(), processes.end(), [&](const ImportedProcess* process) {
        return std::any_of(process->cases.begin(), process->cases.end(), may_be_longer);
      }))
    return;
  const std::set<NameOfProgram> alike = benchmarks_alike(processes, labels);
  if (alike.empty()) return;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    std::vector<ImportedCase>& cases = processes[i]->cases;
    std::set<std::string> present;
    for (const ImportedCase& each : cases) present.insert(each.name);
    bool renamed = false;
    for (ImportedCase& each : cases) {
      if (!may_be_longer(each) || !alike.contains({labels[i], each.run_name}) || present.contains(each.other_name))
        continue;
      std::swap(each.name, each.other_name);
      renamed = true;
    }
    if (renamed)
      std::sort(cases.begin(), cases.end(),
                [](const ImportedCase& a, const ImportedCase& b) { return a.name < b.name; });
  }
}

void rename_cases(record::Run& run, const CaseNames& names) {
  if (names.empty()) return;
  const auto change = [&](std::string& name) {
    if (const auto known = names.find(name); known != names.end()) name = known->second;
  };
  const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
  const bool sorted = std::is_sorted(run.cases.begin(), run.cases.end(), by_name);
  for (record::Case& each : run.cases) {
    const auto known = names.find(each.name);
    if (known == names.end()) continue;
    const bool labelled = known->second.ends_with('/' + each.name);  // by its program
    if (each.other_name && labelled)
      each.other_name = known->second.substr(0, known->second.size() - each.name.size()) + *each.other_name;
    else if (each.other_name)
      each.other_name = each.name;
    each.name = known->second;
  }
  if (sorted) std::sort(run.cases.begin(), run.cases.end(), by_name);
  for (record::Process& process : run.processes) {
    const bool in_order = std::is_sorted(process.cases.begin(), process.cases.end(), by_name);
    for (record::CaseResult& each : process.cases) change(each.name);
    if (in_order) std::sort(process.cases.begin(), process.cases.end(), by_name);
  }
  for (record::InstructionCount& each : run.instructions) change(each.case_name);
  for (record::CodeComparison& each : run.code) change(each.case_name);
}

void align_suffixes(std::span<record::Run* const> runs, const NameInProgram& in_program) {
  std::set<std::string> alike;              // without suffixes, by program
  std::map<std::string, std::string> kept;  // with them: the name of the case, with or without its program
  for (const record::Run* run : runs) {
    for (const record::Case& each : run->cases) {
      if (!each.other_name || each.other_name->size() >= each.name.size()) continue;
      const auto without = in_program(*run, each, *each.other_name);
      const auto whole = in_program(*run, each, each.name);
      if (!without || !whole) continue;
      alike.insert(*without);
      kept.emplace(*whole, each.name);
    }
  }
  if (alike.empty()) return;
  for (record::Run* run : runs) {
    CaseNames names;
    std::set<std::string_view> present;
    for (const record::Case& each : run->cases) present.insert(each.name);
    for (const record::Case& each : run->cases) {
      if (!each.other_name || each.other_name->size() <= each.name.size()) continue;
      const auto without = in_program(*run, each, each.name);
      if (!without || !alike.contains(*without)) continue;
      const auto same = kept.find(in_program(*run, each, *each.other_name).value_or(""));
      const std::string& whole = same == kept.end() ? *each.other_name : same->second;
      if (!present.contains(whole)) names.emplace(each.name, whole);
    }
    rename_cases(*run, names);
  }
}

}  // namespace torchgate::import
