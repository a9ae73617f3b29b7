// SPDX-License-Identifier: Apache-2.0
#include "harness/import/programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "harness/base/limits.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/import/kept_suffixes.hpp"
#include "harness/import/odd_levels.hpp"
#include "harness/record/imported.hpp"

namespace torchgate::import {
namespace {

// What is farther from the end is one part: comparing paths takes time for each.
constexpr std::size_t most_parts = 8;

// From the last one to the first: files of Windows have other separators.
std::vector<std::string> parts_from_the_end(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    if (parts.size() + 1 == most_parts) {
      parts.emplace_back(path);
      break;
    }
    const std::size_t slash = path.find_last_of("/\\");
    const std::string_view part = slash == std::string_view::npos ? path : path.substr(slash + 1);
    if (!part.empty() && part != ".") parts.emplace_back(part);
    path = path.substr(0, slash == std::string_view::npos ? 0 : slash);
  }
  if (parts.empty()) parts.emplace_back(".");
  return parts;
}

using Parts = std::vector<std::string>;

bool begins_with(const Parts& whole, const Parts& beginning) {
  return beginning.size() <= whole.size() && std::equal(beginning.begin(), beginning.end(), whole.begin());
}

std::size_t common_parts(const Parts& a, const Parts& b) {
  const auto [at, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(at - a.begin());
}

// The paths that are not the end of exactly one other path; sorted, so that those that begin with PARTS follow it.
std::map<Parts, Parts> whole_paths(const std::set<Parts>& all) {
  std::map<Parts, Parts> whole;
  for (auto it = all.begin(); it != all.end(); ++it) {
    std::size_t longer = 0;
    auto last = it;
    for (auto next = std::next(it); next != all.end() && begins_with(*next, *it) && longer < 2; ++next) {
      if (begins_with(*next, *last) && last != it) {  // "bench", "build/bench" and "ci/build/bench" are one
        last = next;
        continue;
      }
      ++longer;
      last = next;
    }
    whole[*it] = longer == 1 ? *last : *it;
  }
  return whole;
}

std::string joined(const Parts& parts, std::size_t count) {
  std::string text;
  for (std::size_t i = std::min(count, parts.size()); i-- > 0;) text += parts[i] + (i > 0 ? "/" : "");
  return text;
}

}  // namespace

std::vector<std::string> program_labels(const std::vector<std::string>& programs, bool paths) {
  if (!paths) return programs;
  std::vector<Parts> parts;
  parts.reserve(programs.size());
  for (const std::string& program : programs) parts.push_back(parts_from_the_end(program));
  const std::map<Parts, Parts> whole = whole_paths({parts.begin(), parts.end()});
  std::set<Parts> different;
  for (const auto& [path, same] : whole) different.insert(same);
  std::map<Parts, std::string> labels;
  for (auto it = different.begin(); it != different.end(); ++it) {  // neighbours have the most in common
    std::size_t common = 0;
    if (it != different.begin()) common = common_parts(*it, *std::prev(it));
    if (std::next(it) != different.end()) common = std::max(common, common_parts(*it, *std::next(it)));
    labels[*it] = joined(*it, common + 1);
  }
  std::vector<std::string> result;
  result.reserve(parts.size());
  for (const Parts& each : parts) result.push_back(labels.at(whole.at(each)));
  return result;
}

namespace {

// A program's file name and its benchmarks.
using Likeness = std::pair<std::string, std::set<std::string_view>>;

std::string file_name_of(std::string_view program) {
  return parts_from_the_end(program).front();
}

// For pyperf a program is a statement: "1/2" and "3/2" are not files.
bool has_paths(std::string_view tool) {
  return tool != "pyperf";
}

// A program that was started from another (temporary) folder each time has one path here. Several files with one path show that its folder is
// not a temporary one: builds side by side have the same benchmarks, too.
std::vector<std::string> without_changing_folders(const std::vector<const ImportedProcess*>& processes) {
  std::unordered_map<std::string_view, int> files_of;
  for (const ImportedProcess* each : processes) ++files_of[each->program];
  std::map<Likeness, std::set<std::string_view>> paths_of;
  const auto likeness = [](const ImportedProcess& process) {
    Likeness result{file_name_of(process.program), {}};
    for (const ImportedCase& each : process.cases) result.second.insert(each.name);
    return result;
  };
  const auto may_change = [&](const ImportedProcess& process) {
    return has_paths(process.tool) && files_of.at(process.program) == 1;
  };
  for (const ImportedProcess* each : processes)
    if (may_change(*each)) paths_of[likeness(*each)].insert(each->program);
  std::vector<std::string> programs;
  programs.reserve(processes.size());
  for (const ImportedProcess* each : processes)
    programs.emplace_back(may_change(*each) ? *paths_of.at(likeness(*each)).begin() : each->program);
  return programs;
}

// The labels of all that are known; where there is one only, files that name none are of it.
std::vector<std::string> labels_of(const std::vector<ImportedProcess*>& processes) {
  std::vector<const ImportedProcess*> named;
  for (const ImportedProcess* each : processes)
    if (!each->program.empty()) named.push_back(each);
  const bool paths = std::all_of(named.begin(), named.end(), [](const auto* each) { return has_paths(each->tool); });
  const std::vector<std::string> known = program_labels(without_changing_folders(named), paths);
  const bool one = std::set<std::string_view>(known.begin(), known.end()).size() == 1;
  std::vector<std::string> labels;
  labels.reserve(processes.size());
  std::size_t next = 0;
  for (const ImportedProcess* each : processes) {
    if (!each->program.empty())
      labels.push_back(known[next++]);
    else
      labels.push_back(one ? known.front() : "");
  }
  return labels;
}

void make_ambiguous(ImportedCase& each, std::string why) {
  if (each.ambiguous.empty()) each.ambiguous = std::move(why);
}

// Files that do not name their program are of one only where they have the same benchmarks.
void check_unnamed(const std::vector<ImportedProcess*>& processes, const std::vector<std::string>& labels) {
  std::set<std::string> known(labels.begin(), labels.end());
  std::map<std::string, const ImportedProcess*> sets;  // the names of a process: the first one that has these
  std::unordered_map<std::string_view, std::set<const ImportedProcess*>> having;
  std::vector<const ImportedProcess*> first_of(processes.size(), nullptr);
  for (std::size_t i = 0; i < processes.size(); ++i) {
    if (!processes[i]->group.empty()) continue;
    if (!labels[i].empty()) {
      first_of[i] = processes[i];
      continue;
    }
    std::string names;
    for (const ImportedCase& each : processes[i]->cases) names += each.name + '\n';
    first_of[i] = sets.try_emplace(std::move(names), processes[i]).first->second;
  }
  if (sets.size() < 2 && (sets.empty() || known.size() < 2)) return;
  constexpr std::size_t enough = 2;
  for (std::size_t i = 0; i < processes.size(); ++i)
    for (const ImportedCase& each : processes[i]->cases)
      if (first_of[i] != nullptr && having[each.name].size() < enough) having[each.name].insert(first_of[i]);
  for (ImportedProcess* const process : processes) {
    for (ImportedCase& each : process->cases) {
      const auto all = having.find(each.name);
      if (all == having.end() || all->second.size() < enough) continue;
      if (!std::any_of(all->second.begin(), all->second.end(), [](const auto* one) { return one->program.empty(); }))
        continue;
      make_ambiguous(
          each,
          "files with different benchmarks have it, and not all of them name their program: whether it is the same "
          "benchmark is not known");
    }
  }
}

// With another number of benchmarks of one name, it is not known which one is which.
void check_numbers(const std::vector<ImportedProcess*>& processes, const std::vector<std::string>& labels) {
  const auto is_one_of_several = [](const ImportedCase& each) { return each.of_one_name > 1; };
  if (std::none_of(processes.begin(), processes.end(), [&](const ImportedProcess* process) {
        return std::any_of(process->cases.begin(), process->cases.end(), is_one_of_several);
      }))
    return;
  struct Numbers {
    std::int64_t least = 0;
    std::int64_t most = 0;
  };
  std::map<std::pair<std::string_view, std::string_view>, Numbers> numbers;
  const auto key = [&](std::size_t i, const ImportedCase& each) {
    return std::pair<std::string_view, std::string_view>(labels[i], each.run_name);
  };
  for (std::size_t i = 0; i < processes.size(); ++i) {
    for (const ImportedCase& each : processes[i]->cases) {
      const auto [at, is_new] = numbers.try_emplace(key(i, each), Numbers{each.of_one_name, each.of_one_name});
      at->second.least = std::min(at->second.least, each.of_one_name);
      at->second.most = std::max(at->second.most, each.of_one_name);
    }
  }
  for (std::size_t i = 0; i < processes.size(); ++i) {
    for (ImportedCase& each : processes[i]->cases) {
      const Numbers& of = numbers.at(key(i, each));
      if (of.least == of.most) continue;
      make_ambiguous(
          each,
          fmt::format(
              "{} benchmarks of the program have this name in one file and {} in another: which one is which is not "
              "known",
              of.most, of.least));
    }
  }
}

}  // namespace

base::Result<void> tell_programs_apart(const std::vector<ImportedProcess*>& processes) {
  const std::vector<std::string> labels = labels_of(processes);
  keep_suffixes(processes, labels);
  accept_odd_levels(processes);
  check_numbers(processes, labels);
  check_unnamed(processes, labels);
  std::unordered_map<std::string, std::string_view> label_of;
  std::unordered_set<std::string_view> of_several;
  const bool several_programs = std::set<std::string_view>(labels.begin(), labels.end()).size() > 1;
  for (std::size_t i = 0; several_programs && i < processes.size(); ++i) {
    if (labels[i].empty()) continue;
    for (const ImportedCase& each : processes[i]->cases) {
      const auto [at, is_new] = label_of.try_emplace(each.name, labels[i]);
      if (!is_new && at->second != labels[i]) of_several.insert(at->first);
    }
  }
  std::unordered_map<std::string, std::size_t> labelled;  // a new name: a process that has it
  for (std::size_t i = 0; i < processes.size(); ++i) {
    ImportedProcess& process = *processes[i];
    bool renamed = false;
    for (ImportedCase& each : process.cases) {
      if (labels[i].empty() || !of_several.contains(each.name)) continue;
      each.name = labels[i] + '/' + each.name;
      if (!each.other_name.empty()) each.other_name = labels[i] + '/' + each.other_name;
      renamed = true;
      const std::size_t other = labelled.try_emplace(each.name, i).first->second;
      const auto own = label_of.find(each.name);
      if (labels[other] != labels[i] || (own != label_of.end() && !of_several.contains(own->first)))
        return base::Error{
            base::ErrorCode::bad_input,
            fmt::format("{}: {} would be the name of two benchmarks of different programs; import their files as "
                        "separate runs",
                        process.file, base::in_quotes(each.name))};
      if (each.name.size() > base::max_name_bytes)
        return base::Error{base::ErrorCode::bad_input, fmt::format("{}: {} is longer than {} bytes", process.file,
                                                                   base::in_quotes(each.name), base::max_name_bytes)};
    }
    if (process.group.empty())
      process.group = labels[i].empty() ? process.tool : labels[i].substr(0, base::max_name_bytes);
    else if (renamed)
      process.group = (labels[i] + '/' + process.group).substr(0, base::max_name_bytes);
    if (renamed)
      std::sort(process.cases.begin(), process.cases.end(),
                [](const ImportedCase& a, const ImportedCase& b) { return a.name < b.name; });
  }
  return {};
}

namespace {

using LabelOfGroup = std::map<std::string, std::string, std::less<>>;

// The name without the label of its program.
std::string_view plain_name(const record::Run& run, const record::Case& definition, std::string_view name) {
  const bool labelled = run.groups.size() > 1 && name.starts_with(definition.group) &&
                        name.size() > definition.group.size() && name[definition.group.size()] == '/';
  return labelled ? name.substr(definition.group.size() + 1) : name;
}

std::string_view plain_name(const record::Run& run, const record::Case& definition) {
  return plain_name(run, definition, definition.name);
}

// The labels of the groups of all RUNS. A program that only one group of each run can be, by its file name and its benchmarks, has one label whatever
// the folder is from which a run started it.
LabelOfGroup labels_of_groups(std::span<record::Run* const> runs) {
  std::vector<std::string> groups;
  std::map<Likeness, std::set<std::string_view>> alike;
  std::set<Likeness> ambiguous;
  for (const record::Run* run : runs) {
    std::map<std::string_view, std::set<std::string_view>> names;
    for (const record::Group& group : run->groups) {
      groups.push_back(group.name);
      names[group.name];
    }
    for (const record::Case& each : run->cases)
      if (const auto of = names.find(each.group); of != names.end()) of->second.insert(plain_name(*run, each));
    std::set<Likeness> own;
    for (auto& [group, benchmarks] : names) {
      Likeness likeness{file_name_of(group), std::move(benchmarks)};
      if (!own.insert(likeness).second) ambiguous.insert(likeness);
      alike[std::move(likeness)].insert(group);
    }
  }
  std::map<std::string_view, std::string> one_of;
  const bool paths = has_paths(runs.front()->plan.suites.empty() ? "" : runs.front()->plan.suites.front());
  for (const auto& [likeness, same] : alike)
    for (const std::string_view group : same)
      if (paths && !ambiguous.contains(likeness)) one_of.try_emplace(group, *same.begin());
  std::vector<std::string> programs;
  programs.reserve(groups.size());
  for (const std::string& group : groups) {
    const auto one = one_of.find(group);
    programs.push_back(one == one_of.end() ? group : one->second);
  }
  const std::vector<std::string> labels = program_labels(programs, paths);
  LabelOfGroup label_of;
  for (std::size_t i = 0; i < groups.size(); ++i) label_of[groups[i]] = labels[i];
  return label_of;
}

void align_programs(std::span<record::Run* const> runs, const LabelOfGroup& label_of) {
  std::map<std::string, std::set<std::string_view>, std::less<>> labels_of_name;
  for (const record::Run* run : runs) {
    for (const record::Case& each : run->cases) {
      const auto label = label_of.find(each.group);  // a damaged record may have a case without a group
      if (label != label_of.end()) labels_of_name[std::string(plain_name(*run, each))].insert(label->second);
    }
  }
  for (record::Run* run : runs) {
    CaseNames names;
    std::set<std::string_view> present;
    for (const record::Case& each : run->cases) present.insert(each.name);
    for (const record::Case& each : run->cases) {
      const std::string plain(plain_name(*run, each));
      const auto label = label_of.find(each.group);
      if (label == label_of.end() || labels_of_name.at(plain).size() < 2) continue;
      std::string whole = label->second + '/' + plain;
      if (!present.contains(whole)) names.emplace(each.name, std::move(whole));
    }
    rename_cases(*run, names);
  }
}

}  // namespace

void align_names(std::span<record::Run* const> runs) {
  const auto is_imported = [](const record::Run* run) { return record::is_imported(*run); };
  const auto as_it_is = [](const auto&, const auto&, const std::string& name) { return std::optional(name); };
  // The name of a case that torchgate measured begins with its suite, and groups are not programs.
  if (std::none_of(runs.begin(), runs.end(), is_imported)) return align_suffixes(runs, as_it_is);
  for (const record::Run* run : runs)
    if (!record::is_imported(*run) || run->plan.suites != runs.front()->plan.suites) return;
  const auto is_alone = [](const record::Run* run) { return run->groups.size() <= 1; };
  if (std::all_of(runs.begin(), runs.end(), is_alone)) return align_suffixes(runs, as_it_is);
  const LabelOfGroup label_of = labels_of_groups(runs);
  align_suffixes(runs, [&](const record::Run& run, const record::Case& each, const std::string& name) {
    const auto label = label_of.find(each.group);
    return label == label_of.end() ? std::nullopt
                                   : std::optional(label->second + '\n' + std::string(plain_name(run, each, name)));
  });
  align_programs(runs, label_of);
}

}  // namespace torchgate::import
