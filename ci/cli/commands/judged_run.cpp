// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/commands/judged_run.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "ci/cli/commands/named_runs.hpp"
#include "ci/cli/present.hpp"
#include "ci/git/commit_list.hpp"
#include "ci/git/remote.hpp"
#include "ci/git/repository.hpp"
#include "ci/workflow/measure/measuring.hpp"
#include "ci/workflow/pairs/identical_pairs.hpp"
#include "ci/workflow/pairs/pair_plan_file.hpp"
#include "ci/workflow/site/report_histories.hpp"
#include "ci/workflow/workspace/ci_pull_request.hpp"
#include "harness/base/content_hash.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/base/some_of.hpp"
#include "harness/base/timestamp.hpp"
#include "harness/import/import.hpp"
#include "harness/record/commit_name.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::cli {
namespace {

// A run of a modified tree may be what the next commit contains, and is of no later one. A shallow clone knows the parent, too.
bool may_be_what_was_committed(const record::Source& measured, const record::Source& here) {
  if (measured.modified == false) return false;
  const auto repository = git::Repository::open(".");
  if (!repository) return false;
  const auto parents = repository->parents(*here.commit);
  return parents && !parents->empty() && parents->front() == *measured.commit;
}

// Where measuring HEAD failed or was forgotten, the newest run answers for another commit.
base::Result<void> check_commit_of_newest(const record::Run& run) {
  const record::Source& measured = run.sides.front().source;
  const record::Source here = workflow::source_here();
  if (!measured.commit || !here.commit || measured.commit == here.commit) return {};
  if (may_be_what_was_committed(measured, here)) return {};
  return base::Error{
      base::ErrorCode::bad_input,
      fmt::format("the newest run, {}, is of {}commit {}, and this checkout is of {}; measure this commit (`torchgate "
                  "run`), or name the run that is to be judged: `torchgate gate {}`",
                  run.id, measured.modified == true ? "modified files of " : "", record::short_commit(*measured.commit),
                  record::short_commit(*here.commit), run.id)};
}

// What `accept` and the user write for the gate is not measured.
bool is_policy_file(const std::string& path, const policy::Policy& policy) {
  const std::filesystem::path name = std::filesystem::path(path).filename();
  return name == "torchgate.toml" || name == std::filesystem::path(policy.waivers_file).filename();
}

// FILE was written after RUN began. A time alone: what was only written anew counts, too.
bool is_newer(const std::filesystem::path& file, const record::Run& run) {
  struct stat state {};
  if (::lstat(file.c_str(), &state) != 0) return false;
  const auto written = std::chrono::seconds(state.st_mtim.tv_sec) + std::chrono::nanoseconds(state.st_mtim.tv_nsec);
  return base::utc_timestamp(std::chrono::system_clock::time_point(written)) > run.created;
}

// Paths below REPOSITORY that are not as RUN measured them: of a run of an unmodified tree all that differ from its commit, also where that was committed; of
// one of modified files, whose content nothing has kept, those of them that were written since then.
std::vector<std::string> paths_changed_since(const git::Repository& repository, const record::Run& run,
                                             const policy::Policy& policy) {
  const record::Source& measured = run.sides.front().source;
  auto paths = git::paths_changed(repository, *measured.commit, "");
  if (!paths) return {};
  std::erase_if(*paths, [&](const std::string& path) {
    return is_policy_file(path, policy) || (measured.modified != false && !is_newer(repository.root() / path, run));
  });
  return *std::move(paths);
}

// The path of an executable of RUN that is another file by now; empty: none is, as far as they are here.
std::string rebuilt_executable(const record::Run& run) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  const fs::path here = fs::current_path(unknown);
  for (const record::LoadedObject& object : run.objects) {
    if (!object.executable || object.sha256.empty()) continue;
    const auto now = base::sha256_of_file(object.path);
    if (now && *now != object.sha256) return fs::path(object.path).lexically_proximate(here).string();
  }
  return "";
}

// What is not as RUN, the newest, measured it; empty: nothing, as far as it is known.
std::string changed_since(const record::Run& run, const policy::Policy& policy) {
  const record::Source& measured = run.sides.front().source;
  if (!measured.commit) return "";
  const auto repository = git::Repository::open(".");
  const auto here = repository ? repository->head() : base::Result<git::Head>(repository.error());
  if (!here) return "";
  if (measured.modified != false) {
    if (const std::string rebuilt = rebuilt_executable(run); !rebuilt.empty())
      return fmt::format("{} was rebuilt after the newest run, {}, was measured", base::shown(rebuilt), run.id);
  } else if (!here->modified || here->commit != *measured.commit) {
    return "";
  }
  std::vector<std::string> names;
  for (const std::string& path : paths_changed_since(*repository, run, policy)) names.push_back(base::shown(path));
  constexpr std::size_t most_names = 3;
  if (names.empty()) return "";
  return fmt::format("the work tree was modified after the newest run, {}, was measured: {}", run.id,
                     base::some_of(names, most_names));
}

}  // namespace

bool names_commit(const std::string& name, const std::optional<std::string>& commit) {
  if (!commit || name == commit) return commit.has_value();
  if (!record::is_commit_name(name) || !commit->starts_with(name)) return false;
  const auto repository = git::Repository::open(".");
  if (!repository || !repository->has_commit(*commit)) return true;
  const auto found = repository->resolve(name);
  return found && *found == *commit;
}

base::Result<record::Run> judged_run(const GateCommand& command, const workflow::Workspace& workspace,
                                     const policy::Policy& policy) {
  auto run = command.run ? load_named(*command.run, workspace, policy) : workspace.newest();
  if (run && !command.run && !command.commit) {
    if (auto here = check_commit_of_newest(*run); !here) return here.error();
  }
  if (!run || !command.commit || names_commit(*command.commit, run->sides.front().source.commit)) return run;
  return base::Error{base::ErrorCode::bad_input,
                     fmt::format("run {}: of commit {}, expected {} (--commit); measure that commit", run->id,
                                 run->sides.front().source.commit.value_or("(unknown)"), *command.commit)};
}

void doubt_newest(const GateCommand& command, const record::Run& run, const policy::Policy& policy,
                  std::vector<reports::Doubt>& doubts) {
  if (command.run) return;
  const std::string what = changed_since(run, policy);
  if (what.empty()) return;
  reports::Doubt doubt(what);
  doubt.fix =
      fmt::format("measure the modified work tree (`torchgate run`), or name the run: `torchgate gate {}`", run.id);
  doubts.push_back(std::move(doubt));
}

base::Result<workflow::BaselineChoice> baseline_choice(const GateCommand& command) {
  workflow::BaselineChoice choice;
  choice.skip_own_commit = command.skip_own_commit || workflow::is_push(git::environment_variable);
  if (!command.baseline_of) return choice;
  const auto plan = workflow::load_pair_plan(*command.baseline_of);
  if (!plan) return plan.error().within("--baseline-of");
  choice.planned = plan->baseline_runs();
  return choice;
}

ExitCode present_judged(reports::Report report, const std::optional<record::Run>& pairs, const GateCommand& command,
                        const policy::Policy& policy, const Console& console) {
  if (pairs && !command.pairs_from) {
    if (const auto kept = workflow::remember_identical_pairs(*pairs, policy.alpha, report); !kept)
      console.warn(kept.error().message);
  }
  report.after.head = command.head;
  keep_for_accept(report, console);
  if (wants_page(command.show)) workflow::add_histories(report, policy.store, policy.margin);
  return present(report, command.show, console);
}

}  // namespace torchgate::cli
