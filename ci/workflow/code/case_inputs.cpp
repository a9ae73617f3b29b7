// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/code/case_inputs.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>

namespace torchgate::workflow {
namespace {

using Contents = std::map<std::string, std::string>;  // by name; "": there is none

/// By names: each side has its own folders. A name that several contents have is left out.
class Inputs {
 public:
  Inputs(const record::Run& run, std::string_view group, std::int64_t side) {
    for (const record::Process& process : run.processes) {
      if (process.group != group || process.side != side) continue;
      for (const std::int64_t index : process.objects) {
        const record::LoadedObject& object = run.objects.at(static_cast<std::size_t>(index));
        if (!object.executable && !object.sha256.empty()) add(object.path, object.sha256, libraries_);
      }
      if (unknown_.empty()) unknown_ = process.files_unknown;
      if (!process.files) continue;
      for (const std::int64_t index : *process.files) {
        const record::ReadFile& file = run.files.at(static_cast<std::size_t>(index));
        add(file.path, file.sha256, files_);
      }
    }
    for (const std::string& name : several_) {
      libraries_.erase(name);
      files_.erase(name);
    }
  }

  [[nodiscard]] const Contents& libraries() const { return libraries_; }
  [[nodiscard]] const Contents& files() const { return files_; }
  [[nodiscard]] const std::string& unknown() const { return unknown_; }
  [[nodiscard]] bool has_several(const std::string& name) const { return several_.contains(name); }

 private:
  void add(const std::string& path, const std::string& sha256, Contents& contents) {
    const std::string name = std::filesystem::path(path).filename().string();
    const auto [place, added] = contents.emplace(name, sha256);
    if (!added && place->second != sha256) several_.insert(name);
  }

  Contents libraries_;
  Contents files_;
  std::set<std::string> several_;
  std::string unknown_;
};

std::string other_library(const Inputs& before, const Inputs& after, const CodeFiles& files) {
  for (const auto& [name, sha256] : after.libraries()) {
    const auto was = before.libraries().find(name);
    if (was != before.libraries().end() && was->second != sha256 && !files.has_compared(name)) return name;
  }
  return "";
}

// One that is only on one side is another content, too.
std::string other_file(const Inputs& one, const Inputs& other) {
  for (const auto& [name, sha256] : one.files()) {
    if (other.has_several(name)) continue;
    const auto there = other.files().find(name);
    const std::string content = there == other.files().end() ? "" : there->second;
    if (content != sha256) return name;
  }
  return "";
}

}  // namespace

std::string why_inputs_differ(const record::Run& run, const std::string& case_name, const CodeFiles& files) {
  const auto definition = std::find_if(run.cases.begin(), run.cases.end(),
                                       [&](const record::Case& each) { return each.name == case_name; });
  if (definition == run.cases.end()) return "";
  const Inputs before(run, definition->group, 0);
  const Inputs after(run, definition->group, 1);
  for (const Inputs* const side : {&before, &after})
    if (!side->unknown().empty()) return "which files it reads is not known: " + side->unknown();
  std::string name = other_library(before, after, files);
  if (name.empty()) name = other_file(after, before);
  if (name.empty()) name = other_file(before, after);
  return name.empty() ? "" : name + ", which it reads, differs; compare with the same on both sides";
}

}  // namespace torchgate::workflow
