// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/unchanged.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/counted.hpp"
#include "harness/launch/read_files.hpp"
#include "harness/process/file_identity.hpp"
#include "harness/record/group_content.hpp"

namespace torchgate::launch {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

Error measured_because(const std::string& why) {
  return {ErrorCode::bad_input, why};
}

/// Why the runs as a whole cannot be compared; empty: they can.
std::string runs_differ(const record::Run& since, const record::Run& run) {
  if (since.sides.size() != 1 || run.sides.size() != 1) return "a run with two sides is always measured";
  if (since.plan.profile != run.plan.profile)
    return "run " + since.id + " has the profile " + since.plan.profile + ", this one " + run.plan.profile;
  if (since.tool_version != run.tool_version)
    return "run " + since.id + " was measured by torchgate " + since.tool_version + ", this is " + run.tool_version;
  return record::machine_difference(since.machine, run.machine);
}

bool same_case(const record::Case& a, const record::Case& b) {
  return a.name == b.name && a.variant == b.variant && a.parameters == b.parameters && a.device == b.device &&
         a.protocol == b.protocol && a.input_seed == b.input_seed && a.skipped == b.skipped;
}

std::vector<const record::Case*> cases_of_group(const record::Run& run, const std::string& group) {
  std::vector<const record::Case*> cases;
  for (const record::Case& each : run.cases)
    if (each.group == group) cases.push_back(&each);
  std::sort(cases.begin(), cases.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
  return cases;
}

bool same_cases(const record::Run& since, const record::Run& run, const std::string& group) {
  const auto before = cases_of_group(since, group);
  const auto now = cases_of_group(run, group);
  return std::equal(before.begin(), before.end(), now.begin(), now.end(),
                    [](const auto* a, const auto* b) { return same_case(*a, *b); });
}

/// A case that failed, is wrong or was not reported has to be tried again.
bool all_went_well(const record::Process& process, const std::vector<std::string>& cases) {
  const auto is_ok = [&](const std::string& name) {
    return std::any_of(process.cases.begin(), process.cases.end(), [&](const record::CaseResult& result) {
      return result.name == name && result.status == record::CaseStatus::ok;
    });
  };
  return std::all_of(cases.begin(), cases.end(), is_ok);
}

class Search {
 public:
  Search(const Request& request, const Survey& found, const record::Run& since, record::Run& run, ObjectHashes& hashes)
      : found_(found),
        since_(since),
        run_(run),
        hashes_(hashes),
        files_(run, hashes),
        environment_{merged_environment(request.environment, request.sides.front().environment), request.unset} {}

  /// The evidence that GROUP is unchanged, or the reason to measure it.
  Result<record::UnchangedGroup> look_at(const SelectedGroup& group) {
    const GroupOnSide& asked = group.sides.front();
    if (asked.program) return measured_because("the files that a Google Benchmark program reads are unknown");
    const auto before = record::content_of(since_, group.name);
    if (!before) return before.error();
    if (auto planned = check_plan(group.name, asked); !planned) return planned.error();
    auto objects = objects_now(group);
    if (!objects) return objects.error();
    record::GroupContent now;
    for (const record::LoadedObject& object : *objects)
      now.objects.emplace(object.executable ? "" : object.soname, object.sha256);
    for (const auto& [path, ignored] : before->files) {
      auto content = content_now(path, environment_, hashes_);
      if (!content) return content.error();
      now.files.emplace(path, *std::move(content));
    }
    if (const std::string differs = record::difference(*before, now); !differs.empty())
      return measured_because(differs);
    return evidence(group.name, *objects, now);
  }

 private:
  Result<void> check_plan(const std::string& group, const GroupOnSide& asked) const {
    if (!same_cases(since_, run_, group)) return measured_because("its cases differ");
    for (const record::Process& process : since_.processes) {
      if (process.group != group) continue;
      if (process.environment != environment_.set)
        return measured_because("the environment variables of its processes differ");
      if (!all_went_well(process, asked.cases))
        return measured_because("one of its cases failed or is missing in that run");
    }
    return {};
  }

  [[nodiscard]] const std::vector<record::LoadedObject>* listed(const std::string& suite) const {
    for (const ListedObjects& each : found_.objects)
      if (each.side == 0 && each.suite == suite && !each.objects.empty()) return &each.objects;
    return nullptr;
  }

  /// What its processes would load: what the suite has loaded when it lists its cases, and what they opened later.
  Result<std::vector<record::LoadedObject>> objects_now(const SelectedGroup& group) {
    const auto* const at_start = listed(group.suite);
    if (at_start == nullptr)
      return measured_because("its suite does not report its loaded libraries; build it with this version");
    std::vector<record::LoadedObject> objects = *at_start;
    remove_artefacts_of_other_groups(group.name, objects);
    std::set<std::string> known;
    for (record::LoadedObject& object : objects) {
      if (const std::string problem = hashes_.fill_in(object); !problem.empty()) return measured_because(problem);
      known.insert(object.executable ? "" : object.soname);
    }
    for (const record::LoadedObject* later : loaded_before(group.name)) {
      if (!known.insert(later->executable ? "" : later->soname).second) continue;
      auto object = opened_later(*later, group);
      if (!object) return object.error();
      objects.push_back(*std::move(object));
    }
    return objects;
  }

  /// A listing has the artefacts of all groups of its suite. One that this group reads for the first time comes with a changed executable.
  void remove_artefacts_of_other_groups(const std::string& group, std::vector<record::LoadedObject>& objects) const {
    const std::string folder = objects.front().path + ".artefacts/";
    const auto before = loaded_before(group);
    std::erase_if(objects, [&](const record::LoadedObject& object) {
      return object.path.starts_with(folder) &&
             std::none_of(before.begin(), before.end(),
                          [&](const record::LoadedObject* each) { return each->soname == object.soname; });
    });
  }

  [[nodiscard]] std::vector<const record::LoadedObject*> loaded_before(const std::string& group) const {
    std::set<std::int64_t> indices;
    for (const record::Process& process : since_.processes)
      if (process.group == group) indices.insert(process.objects.begin(), process.objects.end());
    std::vector<const record::LoadedObject*> objects;
    objects.reserve(indices.size());
    for (const std::int64_t index : indices) objects.push_back(&since_.objects.at(static_cast<std::size_t>(index)));
    return objects;
  }

  /// A library that is loaded with dlopen(), at the path where it was found. An executable in another folder may look for it
  /// relative to itself.
  Result<record::LoadedObject> opened_later(const record::LoadedObject& before, const SelectedGroup& group) {
    const auto executables = loaded_before(group.name);
    const bool moved = std::any_of(executables.begin(), executables.end(), [&](const record::LoadedObject* each) {
      return each->executable && each->path != listed(group.suite)->front().path;
    });
    if (moved && !before.system)
      return measured_because("it loads " + before.soname + " with dlopen(), and its executable is in another folder");
    const auto identity = process::identity_of(std::filesystem::path(before.path));
    if (!identity) return measured_because(before.path + " is missing");
    record::LoadedObject now = before;
    now.bytes = identity->bytes;
    now.inode = identity->inode;
    now.mtime_ns = identity->mtime_ns;
    if (const std::string problem = hashes_.fill_in(now); !problem.empty()) return measured_because(problem);
    return now;
  }

  record::UnchangedGroup evidence(const std::string& group, const std::vector<record::LoadedObject>& objects,
                                  const record::GroupContent& content) {
    record::UnchangedGroup unchanged{group, since_.id, {}, {}};
    for (const record::LoadedObject& object : objects) {
      const auto known = std::find(run_.objects.begin(), run_.objects.end(), object);
      unchanged.objects.push_back(known - run_.objects.begin());
      if (known == run_.objects.end()) run_.objects.push_back(object);
    }
    for (const auto& [path, sha256] : content.files) unchanged.files.push_back(files_.add({path, sha256}));
    return unchanged;
  }

  const Survey& found_;
  const record::Run& since_;
  record::Run& run_;
  ObjectHashes& hashes_;
  ReadFiles files_;
  ProcessEnvironment environment_;
};

void remove_groups(Survey& found, const std::vector<record::UnchangedGroup>& unchanged) {
  const auto left_out = [&](const std::string& group) {
    return std::any_of(unchanged.begin(), unchanged.end(), [&](const auto& each) { return each.group == group; });
  };
  std::erase_if(found.selection.to_run, [&](const SelectedGroup& group) { return left_out(group.name); });
  // These are of the forecast; the run has its own.
  std::erase_if(found.selection.groups, [&](const record::Group& group) { return left_out(group.name); });
  std::erase_if(found.selection.cases, [&](const record::Case& each) { return left_out(each.group); });
}

using Reasons = std::map<std::string, std::vector<std::string>>;  // reason: groups

void tell(Observer& observer, const std::string& since, std::size_t unchanged, std::size_t all,
          const Reasons& reasons) {
  observer.on_note(std::to_string(unchanged) + " of " + base::counted(all, "group", "groups") +
                   (unchanged == 1 ? " is" : " are") + " unchanged since run " + since + " and not measured");
  for (const auto& [why, groups] : reasons)
    observer.on_note(groups.front() +
                     (groups.size() == 1 ? " is" : " and " + std::to_string(groups.size() - 1) + " more are") +
                     " measured: " + why);
}

}  // namespace

void leave_out_unchanged(const Request& request, Survey& found, record::Run& run, ObjectHashes& hashes,
                         Observer& observer) {
  if (request.resume) return remove_groups(found, run.unchanged);
  if (!request.unchanged_since) return;
  const record::Run& since = *request.unchanged_since;
  const std::size_t all = found.selection.to_run.size();
  Reasons reasons;
  const std::string differ = runs_differ(since, run);
  Search search(request, found, since, run, hashes);
  for (const SelectedGroup& group : found.selection.to_run) {
    auto unchanged =
        differ.empty() ? search.look_at(group) : Result<record::UnchangedGroup>(Error{ErrorCode::bad_input, differ});
    if (unchanged) {
      run.unchanged.push_back(*std::move(unchanged));
    } else {
      reasons[unchanged.error().message].push_back(group.name);
    }
  }
  remove_groups(found, run.unchanged);
  tell(observer, since.id, run.unchanged.size(), all, reasons);
}

}  // namespace torchgate::launch
