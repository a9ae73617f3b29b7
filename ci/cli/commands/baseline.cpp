// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "baselines/add.hpp"
#include "baselines/open_store.hpp"
#include "baselines/store.hpp"
#include "ci/cli/command_table.hpp"
#include "ci/cli/present.hpp"
#include "ci/cli/shared_options.hpp"
#include "ci/gate/judge.hpp"
#include "ci/git/tracked_files.hpp"
#include "ci/workflow/baseline/other_hosts.hpp"
#include "ci/workflow/baseline/pinned_runs.hpp"
#include "ci/workflow/baseline/store_branch.hpp"
#include "ci/workflow/measure/measuring.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/base/counted.hpp"
#include "harness/process/interrupt.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::cli {
namespace {

// Files that suites read are kept where they are the project's own.
std::filesystem::path work_tree() {
  const auto repository = git::enclosing_repository(".");
  return repository && *repository ? (*repository)->root() : std::filesystem::current_path();
}

ExitCode keep_objects_of(const record::Run& run, baselines::Store& store, const Console& console) {
  const auto added = baselines::add_objects(store, run, work_tree());
  if (!added) return console.fail(added.error());
  for (const std::string& sentence : added->not_kept) console.warn(sentence);
  console.out << fmt::format("{}: {} added, {} already stored\n", run.id,
                             base::counted(added->objects_added, "object", "objects"), added->objects_already_there);
  return ExitCode::ok;
}

struct BaselineAdd {
  std::string run;
  bool uncommitted = false;
  bool without_objects = false;
  bool objects_only = false;  ///< of one shard: the run is added after merging
};

ExitCode add(const BaselineAdd& command, const policy::Policy& policy, const Console& console) {
  const auto run = workflow::Workspace().load(command.run);
  if (!run) return console.fail(run.error());
  if (run->machine.host_key.empty()) {
    return console.fail(
        {base::ErrorCode::bad_input, fmt::format("{}: imported run of an unknown machine, but baselines are kept by "
                                                 "machine; use `torchgate gate --against {}`",
                                                 command.run, workflow::Workspace().for_a_shell(command.run))});
  }
  auto store = baselines::open_store(policy.store, baselines::OpenMode::create);
  if (!store) return console.fail(store.error());
  if (command.objects_only) return keep_objects_of(*run, **store, console);
  baselines::AddOptions options;
  options.as_baseline_of_commit = !command.uncommitted;
  options.keep_objects = !command.without_objects;
  options.keep_files_below = work_tree();
  const auto added = baselines::add_run(**store, *run, options);
  if (!added) return console.fail(added.error());
  for (const std::string& sentence : added->not_kept) console.warn(sentence);
  const auto& commit = run->sides.front().source.commit;
  console.out << fmt::format(
      "{} {} in {}{}; {} added, {} already stored\n", run->id,
      added->run == baselines::PutOutcome::added ? "added" : "already stored", (*store)->location(),
      options.as_baseline_of_commit && commit ? " as a baseline of " + record::short_commit(*commit) : "",
      base::counted(added->objects_added, "object", "objects"), added->objects_already_there);
  return ExitCode::ok;
}

std::string list_json(const std::vector<baselines::Entry>& entries, const std::map<std::string, std::string>& others,
                      const std::vector<baselines::Pin>& pins) {
  nlohmann::ordered_json json{{"schema", "torchgate.baselines/1"}, {"runs", nlohmann::ordered_json::array()}};
  for (const auto& entry : entries) {
    nlohmann::ordered_json run{
        {"id", entry.id},
        {"created", entry.created},
        {"host_key", entry.host_key},
        {"commit", entry.commit ? nlohmann::ordered_json(*entry.commit) : nlohmann::ordered_json(nullptr)}};
    const auto other = others.find(entry.host_key);
    run["comparable"] = other == others.end();
    if (other != others.end()) run["not_comparable_because"] = other->second;
    json["runs"].push_back(std::move(run));
  }
  json["pins"] = nlohmann::ordered_json::array();
  for (const baselines::Pin& pin : pins) {
    json["pins"].push_back({{"name", pin.name},
                            {"commit", pin.commit},
                            {"created", pin.created},
                            {"runs", pin.runs},
                            {"tool_version", pin.tool_version}});
  }
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

std::string pin_sentence(const baselines::Pin& pin) {
  return fmt::format("pin {}: commit {}, {} ({}), pinned {}", pin.name, record::short_commit(pin.commit),
                     base::counted(pin.runs.size(), "run", "runs"), fmt::join(pin.runs, ", "), pin.created);
}

struct BaselineList {
  bool all_hosts = false;
  bool json = false;
};

// All of them: a list that leaves out the runs of another setting reads like a store that lost them.
ExitCode list(const BaselineList& command, const policy::Policy& policy, const Console& console) {
  const auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  if (!store) return console.fail(store.error());
  const auto entries = (*store)->list({});
  if (!entries) return console.fail(entries.error());
  const auto pins = (*store)->pins();
  if (!pins) return console.fail(pins.error());
  for (const std::string& sentence : pins->damaged) console.warn(sentence);
  const record::Machine here = workflow::machine_here(policy);
  const auto others = workflow::other_hosts(**store, *entries, here);
  if (command.json) {
    console.out << list_json(*entries, others, pins->pins);
    return ExitCode::ok;
  }
  for (const auto& entry : *entries) {
    console.out << fmt::format("{}  {}  {:{}}  {}\n", entry.id, entry.created, entry.commit.value_or("(no commit)"),
                               record::short_commit_digits, entry.host_key);
  }
  for (const baselines::Pin& pin : pins->pins) console.out << pin_sentence(pin) << '\n';
  for (const auto& [host, why] : others)
    console.out << fmt::format("not comparable with runs made here ({}): {}: {}\n", here.host_key, host, why);
  if (entries->empty()) console.out << fmt::format("no runs in {}\n", (*store)->location());
  return ExitCode::ok;
}

struct BaselineShow {
  std::string run;
  ShowFlags show;
};

ExitCode show(const BaselineShow& command, const policy::Policy& policy, const Console& console) {
  const auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  if (!store) return console.fail(store.error());
  const auto pin = (*store)->pin(command.run);
  if (!pin) return console.fail(pin.error());
  if (*pin) console.out << pin_sentence(**pin) << '\n';
  auto run = (*store)->load(*pin ? (*pin)->runs.front() : command.run);
  if (!run) return console.fail(run.error());
  if (run->samples) {
    const auto samples = (*store)->load_samples(*run);
    if (!samples && samples.error().code != base::ErrorCode::not_found) return console.fail(samples.error());
  }
  const auto report = gate::describe_run(*run, policy);
  if (!report) return console.fail(report.error());
  const ExitCode shown = present(*report, command.show, console);
  return shown == ExitCode::error ? shown : ExitCode::ok;
}

struct BaselinePin {
  std::string name;
  std::optional<std::string> run;     ///< absent: all stored runs of the commit
  std::optional<std::string> commit;  ///< absent: HEAD
  bool move = false;
};

ExitCode pin(const BaselinePin& command, const policy::Policy& policy, const Console& console) {
  const auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  if (!store) return console.fail(store.error());
  workflow::PinRequest request;
  request.name = command.name;
  request.run = command.run;
  request.commit = command.commit;
  request.move = command.move;
  const auto added = workflow::add_pin(**store, request);
  if (!added) return console.fail(added.error());
  console.out << pin_sentence(*added) << '\n';
  return ExitCode::ok;
}

struct BaselineUnpin {
  std::string name;
};

ExitCode unpin(const BaselineUnpin& command, const policy::Policy& policy, const Console& console) {
  const auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  if (!store) return console.fail(store.error());
  if (const auto removed = workflow::remove_pin(**store, command.name); !removed) return console.fail(removed.error());
  console.out << fmt::format("pin {}: removed; its runs stay in {}\n", command.name, (*store)->location());
  return ExitCode::ok;
}

base::Result<workflow::StoreBranch> store_branch(const std::string& remote, const policy::Policy& policy) {
  const auto folder = baselines::store_folder(policy.store);
  if (!folder) return folder.error();
  workflow::StoreBranch where;
  where.remote = remote;
  where.branch = policy.branch;
  where.store = *folder;
  return where;
}

struct BaselinePull {
  std::string remote = "origin";
};

ExitCode pull(const BaselinePull& command, const policy::Policy& policy, const Console& console) {
  const process::InterruptScope interruptible;  // until the temporary repository is removed
  const auto where = store_branch(command.remote, policy);
  if (!where) return console.fail(where.error());
  const auto pulled = workflow::pull_store(*where);
  if (!pulled) return console.fail(pulled.error());
  if (!pulled->branch_exists) {
    console.out << fmt::format(
        "no data branch yet: {} has no branch {}; the first `torchgate baseline push` creates it, in a job of the main "
        "branch after `torchgate baseline add`\n",
        command.remote, policy.branch);
    return ExitCode::ok;
  }
  console.out << fmt::format("{} added to {} from branch {} of {} ({}); {} already stored\n",
                             base::counted(pulled->runs_added, "run", "runs"), policy.store, policy.branch,
                             command.remote, base::counted(pulled->files_added, "file", "files"),
                             pulled->runs_already_there);
  return ExitCode::ok;
}

struct BaselinePush {
  std::string remote = "origin";
  std::uint64_t objects_up_to = 0;  ///< bytes; 0: none
};

ExitCode push(const BaselinePush& command, const policy::Policy& policy, const Console& console) {
  const process::InterruptScope interruptible;
  const auto where = store_branch(command.remote, policy);
  if (!where) return console.fail(where.error());
  const auto pushed = workflow::push_store(*where, command.objects_up_to);
  if (!pushed) return console.fail(pushed.error());
  console.out << fmt::format("{} added to branch {} of {} ({}, {}); {} already there\n",
                             base::counted(pushed->runs_added, "run", "runs"), policy.branch, command.remote,
                             base::counted(pushed->files_added, "file", "files"),
                             base::counted(pushed->pushes, "push", "pushes"), pushed->runs_already_there);
  return ExitCode::ok;
}

void remote_option(Options& options, std::string& remote) {
  options.add("--remote REMOTE", &remote, "Remote of this repository, URL or folder (default origin)");
}

void branch_option(Options& options) {
  options.key("--branch NAME", "baseline.branch", "The data branch (default torchgate-baselines)");
}

}  // namespace

Invocation define_baseline_add(Options& options) {
  const auto command = std::make_shared<BaselineAdd>();
  options.add("run", &command->run, "Name, file or id of the run").required();
  options.add("--uncommitted", &command->uncommitted,
              "Also accept a run of a modified work tree; it is not tied to a commit");
  options.add(
      "--without-objects", &command->without_objects,
      "Do not store executables and libraries; suspects can be confirmed only where these are found or rebuilt");
  options
      .add("--objects-only", &command->objects_only,
           "Store only the executables and libraries of this run, which may be one shard")
      .excludes("--without-objects");
  store_option(options);
  return invocation(command, add);
}

Invocation define_baseline_list(Options& options) {
  const auto command = std::make_shared<BaselineList>();
  options.add("--all-hosts", &command->all_hosts, "List runs of all hosts (the default)");
  options.add("--json", &command->json, "Print JSON");
  store_option(options);
  return invocation(command, list);
}

Invocation define_baseline_show(Options& options) {
  const auto command = std::make_shared<BaselineShow>();
  options.add("run", &command->run, "Run id, the beginning of it, or the name of a pin").required();
  show_report_options(options, command->show, [] { return std::vector<std::string>(); });  // of the store alone
  store_option(options);
  return invocation(command, show);
}

Invocation define_baseline_pin(Options& options) {
  const auto command = std::make_shared<BaselinePin>();
  options.add("name", &command->name, "Name of the pin, such as v1.2").required();
  options.add("run", &command->run, "Id of a stored run (default: all of the commit)");
  options.add("--commit COMMIT", &command->commit, "Pin the stored runs of this commit (default HEAD)").excludes("run");
  options.add("--move", &command->move, "Replace an existing pin of this name");
  store_option(options);
  return invocation(command, pin);
}

Invocation define_baseline_unpin(Options& options) {
  const auto command = std::make_shared<BaselineUnpin>();
  options.add("name", &command->name, "Name of the pin").required();
  store_option(options);
  return invocation(command, unpin);
}

Invocation define_baseline_pull(Options& options) {
  const auto command = std::make_shared<BaselinePull>();
  remote_option(options, command->remote);
  branch_option(options);
  store_option(options);
  return invocation(command, pull);
}

Invocation define_baseline_push(Options& options) {
  const auto command = std::make_shared<BaselinePush>();
  remote_option(options, command->remote);
  options.add("--objects-up-to BYTES", &command->objects_up_to,
              "Also push executables and libraries of at most this many bytes (default 0: none)");
  branch_option(options);
  store_option(options);
  return invocation(command, push);
}

}  // namespace torchgate::cli
