// SPDX-License-Identifier: Apache-2.0
#include "harness/import/silent_files.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace torchgate::import {
namespace {

using Groups = std::set<std::string>;

struct OfGroup {
  std::size_t processes = 0;
  std::size_t files = 0;

  [[nodiscard]] std::size_t per_file() const { return (processes + files / 2) / files; }
};

bool have_common(const Groups& a, const Groups& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& each) { return b.contains(each); });
}

ImportedProcess silent_process(const ImportedProcess& beside, const std::string& group) {
  ImportedProcess silent;
  silent.file = beside.file;
  silent.tool = beside.tool;
  silent.group = group;
  silent.started = beside.started;
  silent.source = beside.source;
  return silent;
}

}  // namespace

std::size_t add_silent_processes(const std::vector<std::vector<ImportedProcess>*>& files, std::size_t most) {
  std::size_t count = 0;
  std::map<std::string, OfGroup> all;
  std::map<Groups, std::vector<std::vector<ImportedProcess>*>> alike;  // usually all files have the same groups
  for (auto* const file : files) {
    count += file->size();
    Groups own;
    for (const ImportedProcess& process : *file) {
      ++all[process.group].processes;
      own.insert(process.group);
    }
    for (const std::string& group : own) ++all[group].files;
    alike[std::move(own)].push_back(file);
  }
  for (const auto& [own, having] : alike) {
    Groups missing;
    for (const auto& [others, unused] : alike) {
      if (!have_common(own, others)) continue;
      std::set_difference(others.begin(), others.end(), own.begin(), own.end(), std::inserter(missing, missing.end()));
    }
    for (auto* const file : having) {
      for (const std::string& group : missing) {
        if (count > most) return count;
        file->insert(file->end(), all.at(group).per_file(), silent_process(file->front(), group));
        count += all.at(group).per_file();
      }
    }
  }
  return count;
}

}  // namespace torchgate::import
