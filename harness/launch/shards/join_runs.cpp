// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/shards/join_runs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace torchgate::launch {
namespace {

using record::CheckAnswer;
using record::CheckSeverity;
using record::MachineCheck;

int badness(const MachineCheck& check) {
  const int severity = check.severity == CheckSeverity::fatal ? 2 : check.severity == CheckSeverity::warning ? 1 : 0;
  switch (check.answer) {
    case CheckAnswer::bad:
      return 4 + severity;
    case CheckAnswer::unknown:
      return 1;
    case CheckAnswer::ok:
      return 0;
  }
  return 0;
}

// All fields of an object: objects that differ in any of them are distinct.
using ObjectKey = std::tuple<std::string_view, std::string_view, std::string_view, std::int64_t, std::uint64_t,
                             std::int64_t, bool, bool>;

ObjectKey key_of(const record::LoadedObject& o) {
  return {o.path, o.soname, o.sha256, o.bytes, o.inode, o.mtime_ns, o.executable, o.system};
}

/// Position in TO of each file of FROM.
std::vector<std::int64_t> append_files(const record::Run& from, record::Run& to) {
  std::map<std::pair<std::string, std::string>, std::int64_t> known;
  for (const record::ReadFile& file : to.files)
    known.emplace(std::pair(file.path, file.sha256), static_cast<std::int64_t>(known.size()));
  std::vector<std::int64_t> positions;
  for (const record::ReadFile& file : from.files) {
    const auto [at, is_new] =
        known.emplace(std::pair(file.path, file.sha256), static_cast<std::int64_t>(to.files.size()));
    positions.push_back(at->second);
    if (is_new) to.files.push_back(file);
  }
  return positions;
}

}  // namespace

void append_processes(const record::Run& from, record::Run& to) {
  to.objects.reserve(to.objects.size() + from.objects.size());  // the keys refer to them
  std::map<ObjectKey, std::int64_t> known;
  for (const record::LoadedObject& object : to.objects)
    known.emplace(key_of(object), static_cast<std::int64_t>(known.size()));
  std::vector<std::int64_t> position;
  for (const record::LoadedObject& object : from.objects) {
    const auto [at, is_new] = known.emplace(key_of(object), static_cast<std::int64_t>(to.objects.size()));
    position.push_back(at->second);
    if (is_new) to.objects.push_back(object);
  }
  const auto moved = [](std::vector<std::int64_t>& indices, const std::vector<std::int64_t>& to_position) {
    for (std::int64_t& index : indices) index = to_position.at(static_cast<std::size_t>(index));
  };
  const std::vector<std::int64_t> file_position = append_files(from, to);
  for (record::Process process : from.processes) {
    moved(process.objects, position);
    if (process.files) moved(*process.files, file_position);
    to.processes.push_back(std::move(process));
  }
  for (record::UnchangedGroup group : from.unchanged) {
    moved(group.objects, position);
    moved(group.files, file_position);
    to.unchanged.push_back(std::move(group));
  }
  to.instructions.insert(to.instructions.end(), from.instructions.begin(), from.instructions.end());
  to.code.insert(to.code.end(), from.code.begin(), from.code.end());
}

void append_warnings(const record::Run& from, record::Run& to) {
  for (const std::string& warning : from.warnings)
    if (std::find(to.warnings.begin(), to.warnings.end(), warning) == to.warnings.end()) to.warnings.push_back(warning);
}

std::optional<HostDifference> host_difference(const record::Machine& first, const record::Machine& second) {
  for (const record::MachineFact& fact : second.facts) {
    if (fact.fact_class != record::FactClass::host) continue;
    for (const record::MachineFact& other : first.facts)
      if (other.name == fact.name && other.value != fact.value)
        return HostDifference{fact.name, other.value.value_or("unknown"), fact.value.value_or("unknown")};
  }
  return std::nullopt;
}

record::MachineChecks worse_checks(const record::MachineChecks& a, const record::MachineChecks& b) {
  record::MachineChecks worse = a;
  for (const MachineCheck& check : b) {
    const auto known =
        std::find_if(worse.begin(), worse.end(), [&](const MachineCheck& each) { return each.name == check.name; });
    if (known == worse.end()) {
      worse.push_back(check);
    } else if (badness(check) > badness(*known)) {
      *known = check;
    }
  }
  return worse;
}

}  // namespace torchgate::launch
