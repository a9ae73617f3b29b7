// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/baseline/pinned_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "ci/git/repository.hpp"
#include "ci/workflow/version.hpp"
#include "harness/base/counted.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/base/some_of.hpp"
#include "harness/base/timestamp.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::workflow {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using baselines::Pin;

Error unknown_pin(const baselines::Store& store, const std::string& name) {
  const auto pins = store.pins();
  if (!pins) return pins.error();
  std::string known;
  for (const Pin& pin : pins->pins) known += (known.empty() ? "" : ", ") + pin.name;
  return {ErrorCode::not_found,
          fmt::format("unknown pin {} in {}; {}", base::in_quotes(name), store.location(),
                      known.empty() ? "pin a release with `torchgate baseline pin NAME`" : "existing pins: " + known)};
}

Result<std::string> commit_of(const PinRequest& request) {
  const auto repository = git::Repository::open(".");
  if (!repository) return repository.error().within("the commit to pin");
  return repository->resolve(request.commit.value_or("HEAD"));
}

/// The stored baselines of COMMIT, newest first. The name of a record has only the first digits of its commit.
Result<std::vector<record::Run>> runs_of(const baselines::Store& store, const std::string& commit,
                                         const baselines::ListFilter& filter) {
  const auto entries = store.list(filter);
  if (!entries) return entries.error();
  std::vector<record::Run> runs;
  for (auto entry = entries->rbegin(); entry != entries->rend(); ++entry) {
    if (entry->commit != record::short_commit(commit)) continue;
    auto run = store.load(entry->id);
    if (!run) return run.error();
    if (run->sides.size() == 1 && run->sides.front().source.commit == commit) runs.push_back(*std::move(run));
  }
  return runs;
}

Result<void> name_runs(const baselines::Store& store, const PinRequest& request, Pin& pin) {
  if (request.run) {
    const auto run = store.load(*request.run);
    if (!run) return run.error();
    if (run->sides.size() != 1 || !run->sides.front().source.commit)
      return Error{ErrorCode::bad_input, fmt::format("run {}: not the baseline of a commit; pin another one", run->id)};
    pin.commit = *run->sides.front().source.commit;
    pin.runs = {run->id};
    return {};
  }
  const auto commit = commit_of(request);
  if (!commit) return commit.error();
  const auto runs = runs_of(store, *commit, {});
  if (!runs) return runs.error();
  if (runs->empty()) {
    return Error{ErrorCode::no_verdict,
                 fmt::format("no run of commit {} is stored in {}; add one with `torchgate run` at that commit and "
                             "`torchgate baseline add`, or name another commit (--commit)",
                             record::short_commit(*commit), store.location())};
  }
  pin.commit = *commit;
  for (const record::Run& run : *runs) pin.runs.push_back(run.id);
  return {};
}

using CaseNames = std::set<std::string_view>;

/// Of those cases that a process of RUN has measured. A run that lists a case may have been stopped before it.
CaseNames measured_cases(const record::Run& run) {
  CaseNames names;
  for (const record::Process& process : run.processes) {
    if (process.status != record::ProcessStatus::ok) continue;
    for (const record::CaseResult& result : process.cases) {
      if (result.status == record::CaseStatus::ok) names.insert(result.name);
    }
  }
  return names;
}

CaseNames runnable_cases(const record::Run& run) {
  CaseNames names;
  for (const record::Case& definition : run.cases) {
    if (!definition.skipped) names.insert(definition.name);
  }
  return names;
}

CaseNames common(const CaseNames& a, const CaseNames& b) {
  CaseNames both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
  return both;
}

// There can be hundreds of cases, and as many runs.
constexpr std::size_t most_named_pins = 5;

/// Without a word, cases that another run of the pin has would pass as "not measured then".
std::vector<std::string> notes_on_choice(const Pin& pin, const std::vector<record::Run>& runs, std::size_t chosen,
                                         const std::vector<CaseNames>& shared, std::size_t current_cases) {
  if (runs.size() == 1) return {};
  std::vector<std::string> others;
  CaseNames elsewhere;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i == chosen) continue;
    others.push_back(fmt::format("{} ({})", runs[i].id, shared[i].size()));
    std::set_difference(shared[i].begin(), shared[i].end(), shared[chosen].begin(), shared[chosen].end(),
                        std::inserter(elsewhere, elsewhere.end()));
  }
  std::vector<std::string> notes{fmt::format(
      "pin {} has {} runs of this machine: run {} is compared, which measured {} of {} of this run; not used: {}",
      pin.name, runs.size(), runs[chosen].id, shared[chosen].size(), base::counted(current_cases, "case", "cases"),
      base::some_of(others, most_named_pins))};
  if (!elsewhere.empty())
    notes.push_back(fmt::format("{} of this run {} measured at the pin, but not in run {}: {}",
                                base::counted(elsewhere.size(), "case", "cases"),
                                elsewhere.size() == 1 ? "was" : "were", runs[chosen].id,
                                base::some_of(elsewhere, most_named_pins)));
  return notes;
}

/// RUNS: newest first, at least one.
PinnedRun choose_run(const Pin& pin, std::vector<record::Run> runs, const record::Run& current) {
  const CaseNames wanted = runnable_cases(current);  // also of groups that it did not measure, as unchanged
  std::vector<CaseNames> shared;
  shared.reserve(runs.size());
  for (const record::Run& run : runs) shared.push_back(common(wanted, measured_cases(run)));
  const auto fitness = [&](std::size_t i) {
    return std::tuple(!shared[i].empty(), runs[i].plan.profile == current.plan.profile, shared[i].size());
  };
  std::size_t chosen = 0;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    if (fitness(i) > fitness(chosen)) chosen = i;
  }
  auto notes = notes_on_choice(pin, runs, chosen, shared, wanted.size());
  return {pin, std::move(runs[chosen]), std::move(notes)};
}

}  // namespace

Result<Pin> add_pin(baselines::Store& store, const PinRequest& request) {
  if (auto valid = baselines::check_pin_name(request.name); !valid) return valid.error();
  const auto known = store.pin(request.name);
  if (!known) return known.error();
  const auto before = request.move ? baselines::PinBefore::any : baselines::PinBefore::none;
  if (auto free = baselines::check_pin_before(request.name, *known, before); !free) return free.error();
  Pin pin;
  pin.name = request.name;
  pin.created = base::utc_timestamp(request.now);
  pin.tool_version = version;
  if (auto named = name_runs(store, request, pin); !named) return named.error();
  return store.add_pin(pin, before);
}

Result<void> remove_pin(baselines::Store& store, const std::string& name, std::chrono::system_clock::time_point now) {
  const auto known = store.pin(name);
  if (!known) return known.error();
  if (!*known) return unknown_pin(store, name);
  Pin removed;
  removed.name = name;
  removed.created = base::utc_timestamp(now);
  removed.tool_version = version;
  if (auto added = store.add_pin(removed, baselines::PinBefore::one); !added) return added.error();
  return {};
}

Result<PinnedRun> pinned_run(const baselines::Store& store, const std::string& name, const record::Run& current) {
  const auto pin = store.pin(name);
  if (!pin) return pin.error();
  if (!*pin) return unknown_pin(store, name);
  const std::string& host = current.machine.host_key;
  auto here = runs_of(store, (*pin)->commit, {host});
  if (!here) return here.error();
  const auto pinned = [&](const record::Run& run) {
    return std::find((*pin)->runs.begin(), (*pin)->runs.end(), run.id) != (*pin)->runs.end();
  };
  const bool is_pinned = std::erase_if(*here, [&](const record::Run& run) { return run.id == current.id; }) > 0;
  if (std::any_of(here->begin(), here->end(), pinned)) std::erase_if(*here, std::not_fn(pinned));
  if (!here->empty()) return choose_run(**pin, *std::move(here), current);
  if (is_pinned)
    return Error{
        ErrorCode::no_verdict,
        fmt::format("pin {}: run {}, which is judged, is the only stored run of its commit {} on this machine; "
                    "judge a run of a later commit, or another run of this one",
                    name, current.id, record::short_commit((*pin)->commit))};
  return Error{ErrorCode::no_verdict,
               fmt::format("pin {}: no run of its commit {} is stored for this machine, {}; run the gate on a machine "
                           "that has one, or measure that commit here and add it (`torchgate baseline add`)",
                           name, record::short_commit((*pin)->commit), host)};
}

}  // namespace torchgate::workflow
