// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/pairs/what_ran.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ci/gate/evidence/libtorch.hpp"
#include "ci/workflow/pairs/pairs_of_plan.hpp"
#include "ci/workflow/workspace/build_folder.hpp"
#include "harness/launch/selection.hpp"
#include "harness/record/process.hpp"

namespace torchgate::workflow {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

Error other_plan(const std::string& what, const std::string& want, const std::string& found) {
  return {ErrorCode::bad_input,
          fmt::format("these pairs belong to another plan: {} is {}, expected {}; measure those of this run with "
                      "`torchgate gate RUN --pair-plan FILE` and `torchgate ab --pair-plan FILE`",
                      what, found, want)};
}

template <class Number>
std::string or_none(const std::optional<Number>& number) {
  return number ? fmt::format("{}", *number) : "none";
}

Result<void> check_plan(const record::Run& pairs, const PairPlanFile& plan) {
  if (pairs.sides.size() != 2 || !pairs.plan.confirms)
    return Error{
        ErrorCode::bad_input,
        fmt::format("run {} is not a confirmation of suspects; measure one with `torchgate ab --pair-plan FILE`",
                    pairs.id)};
  const record::Confirms& found = *pairs.plan.confirms;
  const auto differ = [](auto a, auto b, const char* what) -> Result<void> {
    if (a == b) return {};
    return other_plan(what, fmt::format("{}", a), fmt::format("{}", b));
  };
  for (const auto& same :
       {differ(plan.confirms.run, found.run, "the run"), differ(plan.confirms.baseline, found.baseline, "the baseline"),
        differ(launch::recorded_filter(plan.all_cases()), pairs.plan.filter, "the list of cases"),
        differ(plan.confirms.family, found.family, "the number of verdicts that share the risk"),
        differ(plan.confirms.open_family, found.open_family, "the number of verdicts on open cases"),
        differ(launch::exact_filter(plan.confirms.open), launch::exact_filter(found.open), "the list of open cases"),
        differ(or_none(plan.confirms.open_budget_s), or_none(found.open_budget_s), "the budget of open cases"),
        differ(or_none(plan.budget_s), or_none(pairs.plan.budget_s), "the budget"),
        differ(or_none(plan.budget_pairs), or_none(pairs.plan.budget_pairs), "the budget of pairs"),
        differ(plan.pairs, pairs.plan.processes, "the largest number of pairs"),
        differ(plan.profile, pairs.plan.profile, "the profile"),
        differ(or_none(plan.warmup_calls), or_none(pairs.plan.warmup_calls), "--warmup"),
        differ(or_none(plan.samples), or_none(pairs.plan.samples), "--samples"),
        differ(plan.seed, pairs.plan.seed, "the seed")}) {
    if (!same) return same.error();
  }
  return {};
}

Result<ExpectedOfSuites> expected_of(const record::Run& run, const std::set<std::string>& suites) {
  ExpectedOfSuites expected;
  for (const std::string& suite : suites) {
    auto objects = baselines::expected_objects(run, suite);
    if (!objects) return objects.error();
    expected[suite] = std::move(objects).value();
  }
  return expected;
}

template <class Visit>
void each_system_library(const record::Run& run, Visit&& visit) {
  for (const record::Process& process : run.processes) {
    if (process.status != record::ProcessStatus::ok) continue;
    for (const std::int64_t index : process.objects) {
      const record::LoadedObject& object = run.objects.at(static_cast<std::size_t>(index));
      if (object.system && !object.sha256.empty()) visit(object);
    }
  }
}

// System libraries are not stored with a baseline, so they may have changed since it was recorded. In pairs both sides
// must use the same ones, and these must be those of the judged run.
Result<void> check_system_libraries(const record::Run& pairs, const record::Run& current) {
  std::map<std::string_view, std::string_view> hash_of;  // by path
  each_system_library(current,
                      [&](const record::LoadedObject& object) { hash_of.emplace(object.path, object.sha256); });
  std::string other;
  each_system_library(pairs, [&](const record::LoadedObject& object) {
    if (hash_of.emplace(object.path, object.sha256).first->second != object.sha256) other = object.path;
  });
  if (other.empty()) return {};
  return Error{ErrorCode::bad_input,
               fmt::format("these pairs loaded another version of {} than run {}; measure them on the machine "
                           "of that run, or judge without pairs with --confirm none",
                           other, current.id)};
}

}  // namespace

namespace {

// What the build of the baseline's commit made: it is in the work tree of that commit.
bool is_built(const record::LoadedObject& object) {
  return is_in_work_tree(object.path);
}

Error hidden_change(const std::string& library, const std::string& from) {
  return {
      ErrorCode::no_verdict,
      fmt::format("the before side of these pairs loaded {} ({}), which is another version than the baseline's run "
                  "recorded: what it changed is on both sides, and cannot be seen; keep the binaries of baselines (a "
                  "cache of .torchgate/store/objects), or build the commit with the version that it had",
                  library, from)};
}

}  // namespace

std::set<std::string> suites_of(const std::vector<std::string>& cases, const record::Run& run) {
  std::set<std::string> suites;
  for (const record::Case& definition : run.cases) {
    if (std::find(cases.begin(), cases.end(), definition.name) != cases.end()) suites.insert(definition.suite);
  }
  return suites;
}

Result<void> check_what_ran(const record::Run& pairs, const ExpectedOfSuites& before, const ExpectedOfSuites& after) {
  for (const record::Process& process : pairs.processes) {
    if (process.status != record::ProcessStatus::ok) continue;
    const auto& expected = process.side == 0 ? before : after;
    const auto of_suite = expected.find(process.suite);
    if (of_suite == expected.end()) continue;
    std::vector<record::LoadedObject> loaded;
    for (const std::int64_t index : process.objects)
      loaded.push_back(pairs.objects.at(static_cast<std::size_t>(index)));
    if (auto checked = baselines::check_loaded(of_suite->second, loaded); !checked) return checked.error();
  }
  return {};
}

Result<void> check_machine_libraries(const record::Run& pairs, const record::Run& baseline) {
  if (gate::libtorch_differs(baseline, 0, pairs, 0))
    return hidden_change("LibTorch", "of the machine, or of the build of its commit");
  std::map<std::string_view, std::set<std::string_view>> recorded;  // contents by soname
  for (const record::LoadedObject& object : baseline.objects)
    if (record::is_own_file(object) && !object.sha256.empty()) recorded[object.soname].insert(object.sha256);
  for (const record::Process& process : pairs.processes) {
    if (process.side != 0 || process.status != record::ProcessStatus::ok) continue;
    for (const std::int64_t index : process.objects) {
      const record::LoadedObject& object = pairs.objects.at(static_cast<std::size_t>(index));
      if (!record::is_own_file(object) || is_built(object)) continue;
      const auto known = recorded.find(object.soname);
      if (known != recorded.end() && !known->second.contains(object.sha256))
        return hidden_change(object.soname.empty() ? object.path : object.soname, object.path);
    }
  }
  return {};
}

Result<void> check_pairs(const record::Run& pairs, const PairPlanFile& plan, const record::Run& baseline,
                         const record::Run& current, const policy::Policy& policy) {
  if (auto same = check_plan(pairs, plan); !same) return same;
  const std::set<std::string> suites = suites_of(plan.all_cases(), current);
  for (const record::Process& process : pairs.processes) {
    // A suite without a suspect has no expected files, so its processes would not be checked.
    if (process.status == record::ProcessStatus::ok && !suites.contains(process.suite))
      return Error{ErrorCode::bad_input,
                   fmt::format("these pairs contain a process of the suite {}, which has no suspect", process.suite)};
  }
  if (auto planned = check_measured_as_planned(pairs, plan, {baseline, current}, policy); !planned) return planned;
  if (auto same = check_system_libraries(pairs, current); !same) return same;
  auto before = expected_of(baseline, suites);
  if (!before) return before.error().within("the baseline");
  const std::optional<std::string>& rebuilt = pairs.plan.confirms->rebuilt;
  if (rebuilt && rebuilt != baseline.sides.front().source.commit)
    return other_plan("the commit that the before side was rebuilt from",
                      baseline.sides.front().source.commit.value_or("none"), *rebuilt);
  if (rebuilt) before->clear();  // the hashes of a rebuild are new
  const auto after = expected_of(current, suites);
  if (!after) return after.error().within("this run");
  if (auto ran = check_what_ran(pairs, *before, *after); !ran) return ran.error().within("pairs " + pairs.id);
  return check_machine_libraries(pairs, baseline);
}

}  // namespace torchgate::workflow
