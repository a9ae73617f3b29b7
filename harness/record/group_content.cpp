// SPDX-License-Identifier: Apache-2.0
#include "harness/record/group_content.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace torchgate::record {
namespace {

using base::Error;
using base::ErrorCode;

Error unknown(const std::string& why) {
  return {ErrorCode::bad_input, why};
}

std::string name_of_object(const std::string& soname) {
  return soname.empty() ? "the executable" : soname;
}

base::Result<void> add_objects(const Run& run, const std::vector<std::int64_t>& indices, GroupContent& content) {
  for (const std::int64_t index : indices) {
    const LoadedObject& object = run.objects.at(static_cast<std::size_t>(index));
    const std::string name = object.executable ? "" : object.soname;
    if (object.sha256.empty()) return unknown("the content of " + object.path + " is unknown");
    if (content.objects.emplace(name, object.sha256).first->second != object.sha256)
      return unknown("its processes loaded different versions of " + name_of_object(name));
  }
  return {};
}

base::Result<void> add_files(const Run& run, const std::vector<std::int64_t>& indices, GroupContent& content) {
  for (const std::int64_t index : indices) {
    const ReadFile& file = run.files.at(static_cast<std::size_t>(index));
    if (content.files.emplace(file.path, file.sha256).first->second != file.sha256)
      return unknown("its processes read different versions of " + file.path);
  }
  return {};
}

base::Result<void> add_process(const Run& run, const Process& process, GroupContent& content) {
  if (process.status != ProcessStatus::ok) return unknown("one of its processes failed");
  if (auto added = add_objects(run, process.objects, content); !added) return added;
  if (process.files) return add_files(run, *process.files, content);
  return unknown("the files it reads are unknown" +
                 (process.files_unknown.empty() ? "" : ": " + process.files_unknown));
}

base::Result<GroupContent> complete(GroupContent content) {
  if (content.objects.contains("")) return content;
  return unknown("its executable is unknown");
}

/// Of two sorted maps, the first key with another value, or that only one of them has.
std::optional<std::string> first_difference(const std::map<std::string, std::string>& before,
                                            const std::map<std::string, std::string>& now) {
  for (const auto& [name, hash] : before) {
    const auto other = now.find(name);
    if (other == now.end() || other->second != hash) return name;
  }
  for (const auto& [name, hash] : now)
    if (!before.contains(name)) return name;
  return std::nullopt;
}

/// What a suite reports of itself (its compiler, its build) is not the machine's: its files show that.
bool is_of_machine(const MachineFact& fact) {
  static constexpr std::array names{"kernel",
                                    "libc",
                                    "microcode",
                                    "governor",
                                    "turbo",
                                    "smt",
                                    "transparent_huge_pages",
                                    "clocksource",
                                    "swap",
                                    "cgroup_cpu_quota",
                                    "aslr",
                                    "allocator",
                                    "environment_switches",
                                    "library_environment"};
  return fact.fact_class == FactClass::host || fact.fact_class == FactClass::device ||
         std::find(names.begin(), names.end(), fact.name) != names.end();
}

}  // namespace

base::Result<GroupContent> content_of(const Run& run, std::string_view group) {
  GroupContent content;
  bool measured = false;
  for (const Process& process : run.processes) {
    if (process.group != group) continue;
    measured = true;
    if (auto added = add_process(run, process, content); !added) return added.error();
  }
  if (!measured) return Error{ErrorCode::not_found, "it was not measured in that run"};
  return complete(std::move(content));
}

base::Result<GroupContent> content_of(const Run& run, const UnchangedGroup& unchanged) {
  GroupContent content;
  if (auto added = add_objects(run, unchanged.objects, content); !added) return added.error();
  if (auto added = add_files(run, unchanged.files, content); !added) return added.error();
  return complete(std::move(content));
}

std::size_t GroupContent::files_on_disk() const {
  return static_cast<std::size_t>(
      std::count_if(files.begin(), files.end(), [](const auto& file) { return !file.first.starts_with('$'); }));
}

std::string difference(const GroupContent& before, const GroupContent& now) {
  if (const auto object = first_difference(before.objects, now.objects)) return name_of_object(*object) + " differs";
  const auto file = first_difference(before.files, now.files);
  if (file && file->starts_with('$')) return "the environment variable " + file->substr(1) + " differs";
  if (file) return "the file " + *file + " differs";
  return "";
}

std::string machine_difference(const Machine& before, const Machine& now) {
  if (before.host_key != now.host_key) return "the host is " + now.host_key + ", not " + before.host_key;
  for (const MachineFact& fact : now.facts) {
    if (!is_of_machine(fact)) continue;
    const auto was = std::find_if(before.facts.begin(), before.facts.end(),
                                  [&](const MachineFact& each) { return each.name == fact.name; });
    if (was == before.facts.end()) return fact.name + " was not recorded";
    if (was->value != fact.value)
      return fact.name + " was " + was->value.value_or("unknown") + " and is " + fact.value.value_or("unknown");
  }
  return "";
}

}  // namespace torchgate::record
