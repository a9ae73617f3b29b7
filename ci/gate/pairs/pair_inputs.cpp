// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/pair_inputs.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>

#include "ci/gate/evidence/environment_differences.hpp"
#include "ci/gate/evidence/machines.hpp"
#include "ci/gate/pairs/changed_paths.hpp"
#include "harness/record/script.hpp"
#include "harness/record/short_commit.hpp"
#include "reports/facts/about_inputs.hpp"

namespace torchgate::gate {
namespace {

using Contents = std::set<std::string>;  // SHA-256; "": there was none

bool is_variable(std::string_view path) {
  return path.starts_with('$');
}

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

/// Variables that name a place, a user or a job, and differ from job to job: they do not make a program slower.
bool names_a_place(std::string_view variable) {
  static constexpr std::array<std::string_view, 9> names{
      "$HOME", "$HOSTNAME", "$LD_LIBRARY_PATH", "$OLDPWD", "$PATH", "$PWD", "$TMPDIR", "$USER", "$_"};
  static constexpr std::array<std::string_view, 6> beginnings{"$GITHUB_", "$RUNNER_",    "$CI_",
                                                              "$BUILD_",  "$TORCHGATE_", "$XDG_"};
  return std::find(names.begin(), names.end(), variable) != names.end() ||
         std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return variable.starts_with(beginning); });
}

/// What the processes of one group read on one side of a run.
class SideInputs {
 public:
  SideInputs(const record::Run& run, std::string_view group, std::int64_t side) {
    for (const record::Process& process : run.processes) {
      if (process.group != group || process.side != side || process.status != record::ProcessStatus::ok) continue;
      ran_ = true;
      for (const record::Parameter& variable : process.environment) set_by_us_.insert('$' + variable.name);
      if (!process.files) {
        if (unknown_.empty()) unknown_ = process.files_unknown.empty() ? "not recorded" : process.files_unknown;
        continue;
      }
      for (const std::int64_t index : *process.files) {
        const record::ReadFile& file = run.files.at(static_cast<std::size_t>(index));
        files_[file.path].insert(file.sha256);
        if (!is_variable(file.path)) of_name_[file_name(file.path)].insert(file.sha256);
      }
    }
  }

  [[nodiscard]] bool known() const { return ran_ && unknown_.empty(); }
  [[nodiscard]] const std::map<std::string, Contents>& files() const { return files_; }

  /// By its path, or, of a side that lay in another folder, by its name. Empty: not read.
  [[nodiscard]] Contents of(const std::string& path) const {
    if (const auto found = files_.find(path); found != files_.end()) return found->second;
    if (is_variable(path)) return {};
    const auto alike = of_name_.find(file_name(path));
    return alike == of_name_.end() ? Contents{} : alike->second;
  }

  /// Not an input: it differs from job to job, or is what the launcher sets.
  [[nodiscard]] bool ignores(const std::string& path) const {
    return is_variable(path) && (names_a_place(path) || set_by_us_.contains(path));
  }

 private:
  bool ran_ = false;
  std::string unknown_;
  std::map<std::string, Contents> files_;
  std::map<std::string, Contents> of_name_;
  std::set<std::string> set_by_us_;
};

const Contents absent{""};

facts::Fact read_another(const std::string& path, const Contents& was, const Contents& in_pairs) {
  if (is_variable(path)) return facts::variable_differs(path.substr(1));
  if (was == absent) return facts::read_new_file(path);
  return in_pairs == absent ? facts::file_missing_in_pairs(path) : facts::read_other_content(path);
}

struct FourSides {
  SideInputs baseline;
  SideInputs current;
  SideInputs before;
  SideInputs after;
};

// An entry that says "looked for, but missing" on one side equals an entry that the other side does not have.
bool same(const Contents& a, const Contents& b) {
  return a == b || (a.empty() && b == absent) || (b.empty() && a == absent);
}

std::optional<facts::Fact> difference(const FourSides& sides) {
  for (const auto& [path, was] : sides.baseline.files()) {
    const Contents in_pairs = sides.before.of(path);
    if (sides.baseline.ignores(path) || was.size() > 1 || same(was, in_pairs)) continue;
    const Contents now = sides.current.of(path);
    // Not opened in the pairs: other cases of the group read it, or it is gone, and its binary asks whether it exists before it opens it.
    if (in_pairs.empty() && !is_variable(path) && (now.empty() || now == absent)) return facts::opened_nowhere(path);
    if (in_pairs.empty() || now.size() > 1 || (is_variable(path) && same(was, now))) continue;
    if (same(was, now)) return facts::changed_before_pairs(path);
    return read_another(path, was, in_pairs);
  }
  for (const auto& [path, in_pairs] : sides.before.files()) {
    if (is_variable(path) || in_pairs == absent || !sides.baseline.of(path).empty()) continue;
    return read_another(path, absent, in_pairs);  // it asked whether it exists, and now it does
  }
  for (const auto& [path, is] : sides.current.files()) {
    const Contents in_pairs = sides.after.of(path);
    if (is_variable(path) || is.size() > 1 || same(is, in_pairs) || in_pairs.empty()) continue;
    return facts::changed_before_pairs(path);
  }
  return std::nullopt;
}

struct Loaded {
  std::set<std::string> objects;
  std::set<std::string> environment;
};

// Absent: not known, or nothing ran.
std::optional<Loaded> loaded_by(const record::Run& pairs, std::string_view group, std::int64_t side) {
  Loaded all;
  for (const record::Process& process : pairs.processes) {
    if (process.group != group || process.side != side || process.status != record::ProcessStatus::ok) continue;
    if (process.objects.empty() || record::is_script(process)) return std::nullopt;
    for (const std::int64_t index : process.objects) {
      const record::LoadedObject& object = pairs.objects.at(static_cast<std::size_t>(index));
      // The system's own libraries are not always hashed; both sides ran on one system.
      if (object.sha256.empty() && !object.system) return std::nullopt;
      all.objects.insert(object.sha256.empty() ? object.path : object.sha256);
    }
    for (const record::Parameter& variable : process.environment) {
      if (variable.name != "LD_LIBRARY_PATH" && variable.name != record::file_map_variable)
        all.environment.insert(variable.name + "=" + variable.value);
    }
  }
  if (all.objects.empty()) return std::nullopt;
  return all;
}

// By what they may be.
struct ChangedPaths {
  facts::Names data;
  facts::Names indirect;  // may set variables, or generate files
  facts::Names sources;

  // A build file counts where the program is the same: then it is not the program that it changed.
  ChangedPaths(const std::vector<std::string>& changed, bool same_programs) {
    for (const std::string& path : changed) {
      const bool generates = may_generate_files(path);
      if (may_be_text_input(path))
        sources.emplace_back(path);
      else if (!generates && !may_set_variables(path))
        data.emplace_back(path);
      else if (!generates || same_programs)
        indirect.emplace_back(path);
    }
  }
};

// Of a program that does not tell which variables it reads, nor whether: those that libraries read. Another host is not compared.
std::optional<Uncompared> by_environment(const record::Machine& before, const record::Machine& after) {
  if (before.host_key != after.host_key) return std::nullopt;
  const std::vector<std::string> variables = changed_variables(before, after);
  if (variables.empty()) return std::nullopt;
  Uncompared differs{facts::variable_differs(variables.front())};
  differs.keeps_suspects_only = true;
  return differs;
}

// Where no program of the runs changed, none was built from them. Most of such changes are comments, or of programs that are not
// measured, and then it is the run that was disturbed.
std::optional<Uncompared> by_sources(facts::Names sources, const record::Run& baseline, const record::Run& current) {
  if (sources.empty() || !same_objects(baseline, current)) return std::nullopt;
  Uncompared possible{facts::sources_changed_alone(std::move(sources)), false, false, true};
  possible.fails_nothing = true;
  return possible;
}

}  // namespace

const std::optional<Uncompared>& PairInputs::of_group(const std::string& group) const {
  const auto [known, is_new] = uncompared_.try_emplace(group);
  if (is_new) known->second = compare(group);
  return known->second;
}

const std::string& PairInputs::changed_file(const std::string& group) const {
  const auto [known, is_new] = changed_files_.try_emplace(group);
  if (is_new) known->second = find_changed_file(group);
  return known->second;
}

std::optional<Uncompared> PairInputs::compare(std::string_view group) const {
  const FourSides sides{SideInputs(baseline_, group, 0), SideInputs(current_, group, 0), SideInputs(pairs_, group, 0),
                        SideInputs(pairs_, group, 1)};
  if (sides.baseline.known() && sides.current.known() && sides.before.known() && sides.after.known()) {
    if (auto differs = difference(sides)) return Uncompared{*std::move(differs), true, true};
    if (auto built = rebuilt_otherwise())
      return Uncompared{*std::move(built), false, false, same_objects_ran(pairs_, group)};
    return std::nullopt;
  }
  const bool same_programs = same_objects_ran(pairs_, group);
  ChangedPaths changed(changed_data_.value_or(std::vector<std::string>()), same_programs);
  if (!changed.data.empty()) return Uncompared{facts::data_changed(std::move(changed.data))};
  if (auto differs = by_environment(baseline_.machine, current_.machine)) return differs;
  if (auto built = rebuilt_otherwise()) return Uncompared{*std::move(built), false, false, same_programs};
  if (!changed.indirect.empty())
    return Uncompared{facts::generators_changed(std::move(changed.indirect)), false, false, same_programs};
  if (!same_programs) {
    auto unknown = unknown_changes();
    return unknown ? std::optional(Uncompared{*std::move(unknown), false}) : std::nullopt;
  }
  if (!changed_data_) return Uncompared{facts::same_programs_unknown_files, false, false, true};
  return by_sources(std::move(changed.sources), baseline_, current_);
}

std::optional<facts::Fact> PairInputs::doubt() const {
  if (auto built = rebuilt_otherwise()) return built;
  const bool reads_known = std::all_of(pairs_.processes.begin(), pairs_.processes.end(), [](const auto& process) {
    return process.status != record::ProcessStatus::ok || process.files;
  });
  return reads_known ? std::nullopt : unknown_changes();
}

std::optional<facts::Fact> PairInputs::unknown_changes() const {
  if (changed_data_ || !missing_commit_) return std::nullopt;
  return facts::commit_is_missing(record::short_commit(*missing_commit_), *missing_commit_);
}

// What the change's job built again has the options, the compiler and the variables of that job, as the after side has.
std::optional<facts::Fact> PairInputs::rebuilt_otherwise() const {
  if (!pairs_.plan.confirms || !pairs_.plan.confirms->rebuilt) return std::nullopt;
  if (!changed_data_) return facts::Fact(facts::rebuilt_after_unknown_changes);
  facts::Names changed;
  for (const std::string& path : *changed_data_)
    if (may_set_variables(path)) changed.emplace_back(path);
  if (changed.empty()) return std::nullopt;
  return facts::Fact(facts::rebuilt_after_changes(std::move(changed)));
}

std::string PairInputs::find_changed_file(std::string_view group) const {
  const SideInputs before(pairs_, group, 0);
  const SideInputs after(pairs_, group, 1);
  for (const auto& [path, is] : after.files()) {
    const Contents was = before.of(path);
    if (!is_variable(path) && !was.empty() && !same(was, is)) return path;
  }
  return "";
}

std::optional<bool> same_files_read(const record::Run& pairs, std::string_view group) {
  const SideInputs before(pairs, group, 0);
  const SideInputs after(pairs, group, 1);
  if (!before.known() || !after.known()) return std::nullopt;
  const auto all_in = [](const SideInputs& one, const SideInputs& other) {
    return std::all_of(one.files().begin(), one.files().end(), [&](const auto& each) {
      return one.ignores(each.first) || other.ignores(each.first) || same(each.second, other.of(each.first));
    });
  };
  return all_in(before, after) && all_in(after, before);
}

bool same_objects_ran(const record::Run& pairs, std::string_view group) {
  const auto before = loaded_by(pairs, group, 0);
  const auto after = loaded_by(pairs, group, 1);
  return before && after && before->objects == after->objects && before->environment == after->environment &&
         same_files_read(pairs, group).value_or(true);
}

bool identical_in_pairs(const record::Run& pairs, std::string_view group) {
  return same_files_read(pairs, group).value_or(false) && same_objects_ran(pairs, group);
}

}  // namespace torchgate::gate
