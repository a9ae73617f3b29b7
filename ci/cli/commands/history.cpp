// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "baselines/open_store.hpp"
#include "baselines/store.hpp"
#include "ci/cli/command_table.hpp"
#include "ci/cli/present.hpp"
#include "ci/cli/shared_options.hpp"
#include "ci/gate/drift/machine_drift.hpp"
#include "ci/git/repository.hpp"
#include "ci/history/case_history.hpp"
#include "ci/workflow/baseline/other_hosts.hpp"
#include "ci/workflow/measure/measuring.hpp"
#include "ci/workflow/site/commit_order.hpp"
#include "ci/workflow/site/stored_points.hpp"
#include "harness/base/content_hash.hpp"
#include "harness/base/creation_time.hpp"

namespace torchgate::cli {
namespace {

struct HistoryCommand {
  std::string case_name;
  std::optional<std::string> host;  ///< absent: this machine's
  double alpha = 0.001;
  bool uncommitted = false;
  ShowFlags show;
};

// Commits between two neighbouring stored runs: more than a year of a busy branch would not be a useful answer.
constexpr std::size_t most_commits = 5000;

// Reading as many runs takes half a second. More are kept in the workspace.
constexpr std::size_t most_read_again = 50;

std::filesystem::path points_file(const history::HistoryQuestion& question) {
  constexpr std::size_t digits = 16;
  const std::string name = base::sha256(question.store + '\n' + question.host_key).substr(0, digits);
  return std::filesystem::path(".torchgate") / "points" / (name + ".jsonl");
}

struct StoredRun {
  history::RunPoints points;
  bool of_commit = false;
};

std::vector<history::RunPoints> points_of(const std::vector<StoredRun>& runs) {
  std::vector<history::RunPoints> points;
  points.reserve(runs.size());
  for (const StoredRun& run : runs) points.push_back(run.points);
  return points;
}

// In the order of their commits where this is their repository. Returns whether that is another order than that of time.
bool add_in_order(history::HistoryReader& reader, const std::vector<StoredRun>& runs) {
  std::vector<std::optional<std::string>> commits;
  commits.reserve(runs.size());
  for (const StoredRun& run : runs) commits.push_back(run.points.commit);
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (const auto repository = git::Repository::open(".")) order = workflow::order_by_commit(commits, *repository);
  for (const std::size_t run : order) reader.add(runs[run].points, runs[run].of_commit);
  return !std::is_sorted(order.begin(), order.end());
}

// A store can be looked at anywhere; only how many commits lie between two runs needs their repository.
void count_commits(reports::History& history) {
  if (history.changes.empty()) return;
  const auto repository = git::Repository::open(".");
  if (!repository) return;
  for (reports::HistoryChange& change : history.changes) {
    const auto& last = history.runs[change.run - 1].commit;
    const auto& first = history.runs[change.run].commit;
    if (!last || !first || *last == *first) continue;
    const auto ancestors = repository->ancestors(*first, most_commits, git::Walk::first_parent);
    if (!ancestors) continue;
    const auto found = std::find(ancestors->begin(), ancestors->end(), *last);
    if (found != ancestors->end()) change.commits_between = found - ancestors->begin();
  }
}

// Controls need all the runs at once; without them one at a time is enough. No run: nothing is judged anyway.
base::Result<gate::Drift> drift_of(const baselines::Store& store, const std::vector<std::string>& run_ids,
                                   const policy::Policy& policy) {
  if (policy.controls.empty() || run_ids.empty()) return gate::Drift{};
  std::vector<record::Run> runs;
  for (const std::string& id : run_ids) {
    auto run = store.load(id);
    if (!run) return run.error();
    runs.push_back(std::move(run).value());
  }
  std::vector<const record::Run*> earlier;
  for (std::size_t i = 0; i + 1 < runs.size(); ++i) earlier.push_back(&runs[i]);
  if (earlier.empty()) return gate::Drift{};
  return gate::drift(earlier, runs.back(), policy);
}

// This machine, or where it has no run, that of the newest run: what it measured can be looked at anywhere.
std::string host_to_show(const std::vector<baselines::Entry>& entries, const record::Machine& here) {
  const bool known = std::any_of(entries.begin(), entries.end(),
                                 [&](const baselines::Entry& entry) { return entry.host_key == here.host_key; });
  return known || entries.empty() ? here.host_key : entries.back().host_key;
}

std::string other_host_note(const std::string& host, const std::string& why, const std::string& shown) {
  if (host == shown) return "Runs made here are not comparable with these: " + why + ".";
  return "The runs of " + host + " are left out (show them with --host): " + why + ".";
}

ExitCode history_command(const HistoryCommand& command, const policy::Policy& policy, const Console& console) {
  if (auto usable = check_show_flags<reports::History>(command.show); !usable) return console.fail(usable.error());
  const auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  if (!store) return console.fail(store.error());
  history::HistoryQuestion question;
  question.case_name = command.case_name;
  const auto all = (*store)->list({});
  if (!all) return console.fail(all.error());
  const record::Machine here = workflow::machine_here(policy);
  const auto others = workflow::other_hosts(**store, *all, here);
  question.host_key = command.host ? *command.host : host_to_show(*all, here);
  question.store = (*store)->location();
  question.alpha = command.alpha;
  question.smallest_change = policy.margin;
  question.uncommitted = command.uncommitted;
  history::HistoryReader reader(question);
  workflow::StoredPoints points(**store, points_file(question));
  std::vector<StoredRun> runs;
  for (const auto& entry : *all) {
    if (entry.host_key != question.host_key) continue;
    auto run = points.take(entry);
    if (base::is_from_the_future(std::max(entry.created, run ? run->created : ""))) {
      reader.add_unreadable(entry.id, fmt::format("its time {}", base::from_the_future));
    } else if (run) {
      runs.push_back({std::move(run).value(), entry.commit.has_value()});
    } else {
      reader.add_unreadable(entry.id, run.error().message);
    }
  }
  // What cannot be kept is read again.
  if (points.runs_read() >= most_read_again) static_cast<void>(points.keep(points_of(runs)));
  const bool reordered = add_in_order(reader, runs);
  const auto drift = drift_of(**store, reader.run_ids(), policy);
  if (!drift) return console.fail(drift.error());
  auto history = reader.judge(drift->shifts.value_or(std::vector<double>{}));
  if (!history) return console.fail(history.error());
  if (!drift->remark.empty()) history->notes.push_back(drift->remark);
  for (const auto& [host, why] : others) history->notes.push_back(other_host_note(host, why, question.host_key));
  if (reordered)
    history->notes.emplace_back(
        "Old commits were measured after newer ones: the runs are in the order of their commits.");
  count_commits(*history);
  if (const auto shown = show(*history, command.show, console); !shown) return console.fail(shown.error());
  return history->judged ? ExitCode::ok : ExitCode::no_verdict;
}

}  // namespace

Invocation define_history(Options& options) {
  const auto command = std::make_shared<HistoryCommand>();
  options.add("case", &command->case_name, "Full case name").required();
  store_option(options);
  options.add("--alpha P", &command->alpha, "False-alarm probability for a whole series (default 0.001)");
  options.key("--margin FRACTION", "gate.margin", "Smallest relative level change to report (default 0.01)");
  options.add("--host KEY", &command->host, "Use the runs of this host key (default: this machine)");
  options.add("--uncommitted", &command->uncommitted, "Include runs of modified work trees and without a commit");
  show_options<reports::History>(options, command->show, "the result", "List every run");
  options.footer(
      "Exit codes: 0 the series was judged, whatever it shows: a level that is worse is not a failure, and `torchgate "
      "gate` judges a change; 2 usage, bad input, internal error; 3 too few runs to judge.");
  return invocation(command, history_command);
}

}  // namespace torchgate::cli
