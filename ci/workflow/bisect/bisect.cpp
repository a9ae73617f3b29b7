// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/bisect/bisect.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "ci/gate/judge.hpp"
#include "ci/git/bisection.hpp"
#include "ci/git/commit_list.hpp"
#include "ci/policy/since_pin.hpp"
#include "ci/workflow/bisect/bisect_ends.hpp"
#include "ci/workflow/bisect/bisect_search.hpp"
#include "ci/workflow/bisect/build_content.hpp"
#include "ci/workflow/bisect/commit_bench.hpp"
#include "harness/base/workspace_folder.hpp"
#include "harness/process/descriptor.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::workflow {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Result;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Result<std::string> resolved(const git::Repository& repository, const char* option, const std::string& name) {
  auto commit = repository.resolve(name);
  if (commit) return commit;
  const auto shallow = repository.is_shallow();
  const char* const fix = shallow && *shallow
                              ? "this clone is shallow: use `git fetch --unshallow`, or fetch-depth: 0 in "
                                "actions/checkout"
                              : "give a branch, a tag or a hash";
  return Error{ErrorCode::bad_input, fmt::format("{} {}: no commit of that name; {}", option, name, fix)};
}

// Two bisections would write the same state. It is held until the descriptor is closed.
Result<process::Descriptor> hold_bisect_folder() {
  std::error_code failed;
  base::create_folders(bisect_folder, failed);
  const fs::path file = fs::path(bisect_folder) / "lock";
  process::Descriptor descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!descriptor.open()) return Error{ErrorCode::io, fmt::format("{}: cannot be opened", file.string())};
  if (flock(descriptor.get(), LOCK_EX | LOCK_NB) != 0)
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: in use by another `torchgate bisect`; wait until it has ended", bisect_folder)};
  return descriptor;
}

// A state that is not finished may be hours of measuring: it is kept until the next one of that kind.
Result<void> put_aside(Narrator& narrator) {
  const fs::path state = fs::path(bisect_folder) / "state.json";
  std::error_code failed;
  if (!fs::exists(state, failed)) return {};
  const auto old = load_bisect_state();
  // Nothing was measured in it, or all of it was: the new state replaces it.
  if (old && (!*old || (*old)->finished || (*old)->changed.empty())) return {};
  fs::rename(state, fs::path(bisect_folder) / "previous.json", failed);
  if (failed) return Error{ErrorCode::io, fmt::format("{}: {}", state.string(), failed.message())};
  narrator.note(
      fmt::format("an unfinished bisection was put aside as {}/previous.json; rename it to state.json to "
                  "continue it with --resume",
                  bisect_folder));
  return {};
}

// Empty: it was not.
std::string why_skipped(const JudgedCommit& judged) {
  if (judged.fate == CommitFate::skipped) return judged.reason;
  std::int64_t pairs = 0;
  for (const PlacedCase& each : judged.cases) {
    if (each.side != stats::SideOfChange::undecided) return "";
    pairs = std::max(pairs, each.pairs);
  }
  return fmt::format("it is on neither side of the change after {} pairs", pairs);
}

// Where the pairs confirm some of the cases only, or a part of the slow-down, the others are a finding of their own.
void add_parts(BisectFinding finding, const BisectState& state, double margin, std::vector<BisectFinding>& findings) {
  if (finding.end != BisectEnd::found) {
    findings.push_back(std::move(finding));
    return;
  }
  BisectFinding open = finding;
  open.end = BisectEnd::unconfirmed;
  std::erase_if(finding.cases, [](const BisectedCase& each) { return !each.slower; });
  std::erase_if(open.cases, [](const BisectedCase& each) { return each.slower; });
  std::optional<BisectFinding> rest = unexplained_part(finding, state, margin);
  findings.push_back(std::move(finding));
  if (!open.cases.empty()) findings.push_back(std::move(open));
  if (rest) findings.push_back(*std::move(rest));
}

class Bisect {
 public:
  Bisect(const git::Repository& repository, CommitBench& bench, BisectState state, const policy::Policy& policy,
         Narrator& narrator)
      : repository_(repository), bench_(bench), state_(std::move(state)), policy_(policy), narrator_(narrator) {}

  Result<BisectResult> run(const std::vector<std::string>& asked) {
    if (auto built = build_ends(); !built) return built.error();
    if (state_.changed.empty()) {
      if (auto named = name_cases(asked); !named) return named.error();
      auto ends = measure_ends();
      if (!ends) return ends.error();
      if (state_.changed.empty()) return finish(std::move(*ends));
    } else if (auto same = same_as_before(); !same) {
      return same.error();
    }
    auto found = BisectSearch(repository_, bench_, state_, narrator_).run();
    if (!found) return found.error();
    BisectResult result;
    for (const SearchEnd& end : *found) {
      auto finding = check(end);
      if (!finding) return finding.error();
      add_parts(*std::move(finding), state_, std::log1p(policy::settled_gate(policy_).margin), result.findings);
    }
    return finish(std::move(result));
  }

 private:
  Result<void> build_ends() {
    const auto start = Clock::now();
    for (const auto& [place, label, commit] :
         {std::tuple(Place::good, "good", state_.question.good), std::tuple(Place::bad, "bad", state_.question.bad)}) {
      auto built = bench_.build(place, {label, commit, commit});
      if (!built) return built.error();
    }
    state_.seconds += since(start);
    return {};
  }

  Result<void> name_cases(const std::vector<std::string>& asked) {
    const auto good = bench_.cases_at(Place::good);
    if (!good) return good.error().within("the good commit");
    const auto bad = bench_.cases_at(Place::bad);
    if (!bad) return bad.error().within("the bad commit");
    auto names = cases_of_both(asked, *good, *bad);
    if (!names) return names.error();
    state_.question.cases = std::move(*names);
    return {};
  }

  // The first check: is the bad commit slower now? Without a changed case the result has a finding.
  Result<BisectResult> measure_ends() {
    const auto start = Clock::now();
    narrator_.note("measuring both ends");
    const auto run = bench_.full_pairs(Place::good, Place::bad, state_.question.cases, AfterPairs::nothing);
    if (!run) return run.error();
    const auto report = gate::judge_paired(*run, policy_);
    if (!report) return report.error();
    state_.pairs += pairs_in(*run);
    state_.seconds += since(start);
    EndsAnswer ends = judge_ends(*run, *report, state_.question.cases);
    BisectResult result;
    if (ends.changed.empty()) {
      if (ends.all_faster())
        return Error{
            ErrorCode::bad_input,
            fmt::format("--bad {} is faster than --good {}: there is no slow-down to search for; check that both "
                        "names are the right ones",
                        record::short_commit(state_.question.bad), record::short_commit(state_.question.good))};
      result.findings.push_back(std::move(ends.finding));
      result.notes = stored_differences(policy_, state_.question.good, state_.question.bad);
      return result;
    }
    for (const std::string& note : ends.left_out) narrator_.note("  " + note);
    state_.left_out = std::move(ends.left_out);
    for (const ChangedCase& each : ends.changed)
      narrator_.note(fmt::format("  {}: {:+.1f} %", each.name, 100 * std::expm1(each.change)));
    std::set<std::string> files;
    for (const auto& [side, place] : {std::pair(0, Place::good), std::pair(1, Place::bad)}) {
      const auto own = files_of_build(*run, side, bench_.at(place).tree.path());
      files.insert(own.begin(), own.end());
    }
    state_.files.assign(files.begin(), files.end());
    state_.files_known = std::all_of(run->processes.begin(), run->processes.end(),
                                     [](const record::Process& process) { return process.files.has_value(); });
    state_.good_content = content_at(Place::good);
    state_.bad_content = content_at(Place::bad);
    state_.changed = std::move(ends.changed);
    if (auto kept = save_bisect_state(state_); !kept) return kept.error();
    return result;
  }

  [[nodiscard]] std::string content_at(Place place) const {
    const auto content = build_content(bench_.at(place).tree.path(), state_.files, bench_.recipe().suites);
    return content ? *content : "";
  }

  // The ends of a resumed bisection are built again: by another compiler, what was measured with the old ones may not hold.
  Result<void> same_as_before() {
    if (content_at(Place::good) == state_.good_content && content_at(Place::bad) == state_.bad_content) return {};
    narrator_.warning(
        "the builds of both ends differ from those before the interruption; what was measured with those "
        "is kept (start anew without --resume if a compiler or a library was changed)");
    state_.good_content = content_at(Place::good);
    state_.bad_content = content_at(Place::bad);
    for (JudgedCommit& each : state_.judged) each.content.clear();
    return {};
  }

  // The last check: the commit against its parent, in full pairs.
  Result<BisectFinding> check(const SearchEnd& end) {
    BisectFinding finding;
    if (end.commit.empty()) {
      finding.end = BisectEnd::range;
      for (const std::string& commit : end.candidates) {
        const auto facts = git::commit_facts(repository_, commit);
        finding.candidates.push_back(facts ? *facts : git::ListedCommit{commit, "", "", ""});
      }
      add_range_cases(end.cases, state_, finding);
      return finding;
    }
    const auto start = Clock::now();
    const auto facts = git::commit_facts(repository_, end.commit);
    if (!facts) return facts.error();
    finding.commit = *facts;
    const auto parents = repository_.parents(end.commit);
    if (!parents) return parents.error();
    if (parents->empty()) return Error{ErrorCode::internal, end.commit + " has no parent"};
    finding.parent = parents->front();
    narrator_.note(fmt::format("comparing {} with its parent {}", record::short_commit(end.commit),
                               record::short_commit(finding.parent)));
    const auto run = pairs_with_parent(end, finding.parent);
    if (!run && ends_the_search(run.error().code)) return run.error();
    if (!run) return not_compared(std::move(finding), end, run.error().message, since(start));
    const auto report = gate::judge_paired(*run, policy_);
    if (!report) return report.error();
    state_.pairs += pairs_in(*run);
    state_.seconds += since(start);
    finding.run = run->id;
    finding.cases = cases_in(*report, end.cases);
    const bool confirmed =
        std::any_of(finding.cases.begin(), finding.cases.end(), [](const BisectedCase& each) { return each.slower; });
    finding.end = confirmed ? BisectEnd::found : BisectEnd::unconfirmed;
    return finding;
  }

  Result<record::Run> pairs_with_parent(const SearchEnd& end, const std::string& parent) {
    const auto before = place_of(parent, Place::parent, "parent");
    if (!before) return before.error();
    const auto after = place_of(end.commit, Place::commit, "commit");
    if (!after) return after.error();
    return bench_.full_pairs(*before, *after, end.cases, AfterPairs::follow_up);
  }

  // A parent that the search did not test may not build, and never will: the answer is without it.
  BisectFinding not_compared(BisectFinding finding, const SearchEnd& end, const std::string& why, double seconds) {
    state_.seconds += seconds;
    finding.end = BisectEnd::unconfirmed;
    for (const std::string& name : end.cases) finding.cases.push_back({name, "inconclusive", {}, {}, {}, {}});
    not_compared_.push_back(fmt::format("{} was not compared with its parent {}: {}", record::short_commit(end.commit),
                                        record::short_commit(finding.parent), why));
    return finding;
  }

  // An end is built already.
  Result<Place> place_of(const std::string& commit, Place otherwise, const char* label) {
    if (commit == state_.question.good) return Place::good;
    if (commit == state_.question.bad) return Place::bad;
    auto built = bench_.build(otherwise, {label, commit, commit});
    if (!built) return built.error();
    return otherwise;
  }

  Result<BisectResult> finish(BisectResult result) {
    result.good = state_.question.good;
    result.bad = state_.question.bad;
    result.steps = static_cast<std::int64_t>(state_.judged.size());
    result.notes.insert(result.notes.end(), state_.left_out.begin(), state_.left_out.end());
    result.notes.insert(result.notes.end(), not_compared_.begin(), not_compared_.end());
    for (const JudgedCommit& each : state_.judged) {
      result.identical += each.fate == CommitFate::identical;
      const std::string reason = why_skipped(each);
      if (reason.empty()) continue;
      ++result.skipped;
      result.notes.push_back(fmt::format("{} was skipped: {}", record::short_commit(each.commit), reason));
    }
    result.pairs = state_.pairs;
    result.seconds = state_.seconds;
    state_.finished = true;
    if (auto kept = save_bisect_state(state_); !kept) return kept.error();
    return result;
  }

  const git::Repository& repository_;
  CommitBench& bench_;
  BisectState state_;
  const policy::Policy& policy_;
  Narrator& narrator_;
  std::vector<std::string> not_compared_ = {};  // notes
};

Effort effort_of(const BisectQuestion& question) {
  Effort effort;
  effort.profile = question.profile;
  effort.warmup_calls = question.warmup_calls;
  effort.samples = question.samples;
  return effort;
}

Result<BisectResult> run(const git::Repository& repository, BisectState state, const std::vector<std::string>& asked,
                         const policy::Policy& policy, Narrator& narrator) {
  auto folder = BuildFolder::take(".torchgate", repository);
  if (!folder) return folder.error();
  CommitBench bench(repository, std::move(*folder), {state.question.build, state.question.suites},
                    effort_of(state.question), policy, narrator);
  return Bisect(repository, bench, std::move(state), policy, narrator).run(asked);
}

}  // namespace

Result<BisectResult> bisect(const BisectChoice& choice, const policy::Policy& policy, Narrator& narrator) {
  const auto repository = git::Repository::open(".");
  if (!repository) return repository.error();
  BisectState state;
  for (const auto& [option, name, commit] : {std::tuple("--good", &choice.good, &state.question.good),
                                             std::tuple("--bad", &choice.bad, &state.question.bad)}) {
    const auto found = resolved(*repository, option, *name);
    if (!found) return found.error();
    *commit = *found;
  }
  // What git says against this range: before anything is built.
  if (auto range = git::check_bisect_range(*repository, state.question.good, state.question.bad); !range)
    return range.error();
  auto suites = suites_in_work_tree(choice.suites, policy, *repository);
  if (!suites) return suites.error();
  if (const auto head = repository->head(); head && head->modified)
    narrator.note("uncommitted changes of this checkout are in no commit: they are not built, and stay as they are");
  state.question.build = choice.build;
  state.question.suites = std::move(*suites);
  state.question.first_parent = choice.first_parent;
  state.question.profile = choice.profile;
  state.question.most_pairs = choice.most_pairs;
  state.question.warmup_calls = choice.warmup_calls;
  state.question.samples = choice.samples;
  state.question.device_metric = policy.device_metric;
  state.question.cases = choice.cases;  // as asked, until the ends say what they have
  const auto held = hold_bisect_folder();
  if (!held) return held.error();
  if (auto aside = put_aside(narrator); !aside) return aside.error();
  if (auto kept = save_bisect_state(state); !kept) return kept.error();
  return run(*repository, std::move(state), choice.cases, policy, narrator);
}

Result<BisectResult> resume_bisection(const policy::Policy& policy, Narrator& narrator) {
  const auto repository = git::Repository::open(".");
  if (!repository) return repository.error();
  const auto held = hold_bisect_folder();
  if (!held) return held.error();
  auto state = load_bisect_state();
  if (!state) return state.error();
  if (!*state || (*state)->finished)
    return Error{ErrorCode::bad_input,
                 fmt::format("{}/state.json: no unfinished bisection; start one with --good, --bad "
                             "and --build",
                             bisect_folder)};
  const std::vector<std::string> cases = (*state)->question.cases;
  policy::Policy as_before = policy;
  as_before.device_metric =
      (*state)->question.device_metric.value_or(policy.device_metric);  // pairs of another metric do not continue these
  return run(*repository, std::move(**state), cases, as_before, narrator);
}

}  // namespace torchgate::workflow
