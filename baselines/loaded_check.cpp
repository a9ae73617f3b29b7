// SPDX-License-Identifier: Apache-2.0
#include "baselines/loaded_check.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

namespace torchgate::baselines {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Result;

/// The executable is one thing, whatever its file is called; a library is what its soname says.
std::string label(bool executable, const std::string& soname, const std::string& path) {
  return executable ? "the executable " + path : soname + " (" + path + ")";
}

ExpectedObject expected_from(const record::LoadedObject& object) {
  std::string name;
  if (!object.executable) name = object.soname.empty() ? fs::path(object.path).filename().string() : object.soname;
  return {name, object.sha256, object.path, object.executable, object.system, false};
}

bool same_name(const ExpectedObject& a, const ExpectedObject& b) {
  return a.executable == b.executable && a.soname == b.soname;
}

}  // namespace

Result<std::vector<ExpectedObject>> expected_objects(const record::Run& run, const std::string& suite) {
  std::vector<ExpectedObject> all;
  std::map<std::string, std::size_t> loaded_by;  // soname -> number of processes
  std::size_t processes = 0;
  for (const auto& process : run.processes) {
    if (process.suite != suite || process.objects.empty()) continue;
    ++processes;
    std::set<std::string> here;
    for (const auto index : process.objects) {
      auto one = expected_from(run.objects.at(static_cast<std::size_t>(index)));
      const auto known = std::find_if(all.begin(), all.end(), [&](const auto& other) { return same_name(one, other); });
      if (known == all.end()) {
        all.push_back(one);
      } else if (known->sha256 != one.sha256 && !(known->system && one.system)) {
        return Error{ErrorCode::bad_input, "run " + run.id + " is ambiguous: processes of suite " + suite +
                                               " loaded two versions of " +
                                               label(one.executable, one.soname, one.path)};
      }
      here.insert(one.soname);
    }
    for (const auto& name : here) ++loaded_by[name];
  }
  const auto executable = std::find_if(all.begin(), all.end(), [](const auto& one) { return one.executable; });
  if (executable == all.end()) {
    return Error{ErrorCode::not_found,
                 "run " + run.id + ": unknown executable of suite " + suite + "; it cannot be run again"};
  }
  for (auto& one : all) one.always = loaded_by[one.soname] == processes;
  std::rotate(all.begin(), executable, executable + 1);
  return all;
}

Result<std::vector<std::string>> check_loaded(const std::vector<ExpectedObject>& expected,
                                              const std::vector<record::LoadedObject>& loaded) {
  std::vector<std::string> notes;
  std::vector<bool> seen(expected.size(), false);
  const auto refuse = [](const std::string& why) {
    return Error{ErrorCode::bad_input, "the loaded files differ from the recorded baseline: " + why};
  };
  for (const auto& object : loaded) {
    const auto one = expected_from(object);
    const std::string name = label(one.executable, one.soname, one.path);
    const auto found =
        std::find_if(expected.begin(), expected.end(), [&](const auto& other) { return same_name(one, other); });
    if (found == expected.end()) {
      if (!object.system) return refuse(name + " was loaded, but is not in the baseline");
      notes.push_back("system library " + name + " was loaded, but is not in the baseline");
      continue;
    }
    seen[static_cast<std::size_t>(found - expected.begin())] = true;
    if (object.system && found->system) {
      if (object.sha256 != found->sha256)
        notes.push_back("system library " + name + " differs from that of the baseline");
    } else if (object.sha256.empty()) {
      return refuse(name + " has no recorded hash");
    } else if (object.sha256 != found->sha256) {
      return refuse(name + " has SHA-256 " + object.sha256 + ", expected " + found->sha256);
    }
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].always && !expected[i].system && !seen[i]) {
      return refuse(label(expected[i].executable, expected[i].soname, expected[i].path) + " was not loaded");
    }
  }
  return notes;
}

}  // namespace torchgate::baselines
