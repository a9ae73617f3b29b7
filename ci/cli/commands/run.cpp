// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "ci/cli/command_table.hpp"
#include "ci/cli/commands/measured_run.hpp"
#include "ci/cli/progress.hpp"
#include "ci/cli/shared_options.hpp"
#include "ci/cli/suite_table.hpp"
#include "ci/gate/evidence/machine_doubts.hpp"
#include "ci/workflow/measure/duration_text.hpp"
#include "ci/workflow/measure/measuring.hpp"
#include "ci/workflow/measure/shard_plan.hpp"
#include "ci/workflow/measure/skip_unchanged.hpp"
#include "ci/workflow/workspace/own_evidence.hpp"
#include "ci/workflow/workspace/recorded_files.hpp"
#include "ci/workflow/workspace/unfinished.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/base/counted.hpp"
#include "harness/base/limits.hpp"
#include "harness/record/warnings.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::cli {
namespace {

base::Result<std::vector<std::string>> suites_of(const RunCommand& command, const policy::Run& policy) {
  const auto& suites = command.suites.empty() ? policy.suites : command.suites;
  if (suites.empty()) {
    return base::Error{base::ErrorCode::bad_input,
                       "no suites: name an executable or a folder with --suite, or set run.suites in torchgate.toml"};
  }
  return suites;
}

std::string list_text(const launch::Forecast& forecast) {
  using reports::one_line;
  std::string text;
  std::map<std::string_view, std::vector<const record::Case*>> of_group;
  for (const record::Case& definition : forecast.cases) of_group[definition.group].push_back(&definition);
  for (const record::Group& group : forecast.groups) {
    text += one_line(group.name) + '\n';
    for (const record::Case* definition : of_group[group.name]) {
      const std::string skipped = definition->skipped ? "  (skipped: " + *definition->skipped + ")" : "";
      text += "  " + one_line(definition->name + skipped) + '\n';
    }
  }
  for (const record::Process& lost : forecast.failed)
    text += one_line(fmt::format("{}: {}", lost.suite, reports::joined_lines(lost.message))) + '\n';
  text += suite_table(forecast);
  const auto runnable =
      std::count_if(forecast.cases.begin(), forecast.cases.end(), [](const auto& c) { return !c.skipped; });
  text += fmt::format("{} ({} skipped) in {}, {}", base::counted(runnable, "case", "cases"),
                      static_cast<std::ptrdiff_t>(forecast.cases.size()) - runnable,
                      base::counted(forecast.groups.size(), "group", "groups"),
                      base::counted(forecast.processes, "process", "processes"));
  if (forecast.seconds)
    text += fmt::format(", about {}",
                        workflow::duration_text(std::chrono::seconds(static_cast<std::int64_t>(*forecast.seconds))));
  if (forecast.count) text += "\n" + launch::words_of(*forecast.count);
  return text + '\n';
}

std::string list_json(const launch::Forecast& forecast) {
  nlohmann::ordered_json json;
  json["schema"] = "torchgate.list/1";
  json["processes"] = forecast.processes;
  json["seconds"] = forecast.seconds ? nlohmann::ordered_json(*forecast.seconds) : nlohmann::ordered_json(nullptr);
  if (forecast.count) {
    const launch::CountForecast& count = *forecast.count;
    json["instructions"] = {{"counter", count.counter},     {"unknown", count.unknown}, {"cases", count.cases},
                            {"processes", count.processes}, {"at_once", count.at_once}, {"seconds", count.seconds}};
  }
  json["suites"] = nlohmann::ordered_json::array();
  for (const launch::SuiteForecast& suite : forecast.suites) {
    nlohmann::ordered_json one{
        {"name", suite.name}, {"groups", suite.groups}, {"cases", suite.cases}, {"skipped", suite.skipped}};
    one["seconds"] = suite.seconds ? nlohmann::ordered_json(*suite.seconds) : nlohmann::ordered_json(nullptr);
    json["suites"].push_back(std::move(one));
  }
  json["cases"] = nlohmann::ordered_json::array();
  for (const record::Case& definition : forecast.cases) {
    nlohmann::ordered_json one{{"name", definition.name}, {"group", definition.group}};
    one["skipped"] = definition.skipped ? nlohmann::ordered_json(*definition.skipped) : nlohmann::ordered_json(nullptr);
    json["cases"].push_back(std::move(one));
  }
  json["failed"] = nlohmann::ordered_json::array();
  for (const record::Process& lost : forecast.failed)
    json["failed"].push_back({{"suite", lost.suite}, {"message", lost.message}});
  return json.dump(1) + '\n';
}

std::string shards_text(const workflow::ShardPlan& plan, const std::string& file) {
  std::string text = fmt::format("{}: {} in {}\n", file, base::counted(plan.seconds.size(), "group", "groups"),
                                 base::counted(plan.plan.shards, "shard", "shards"));
  for (std::size_t i = 0; i < plan.plan.division.size(); ++i) {
    double seconds = 0;
    for (const std::string& group : plan.plan.division[i]) seconds += plan.seconds.at(group);
    seconds *= static_cast<double>(plan.plan.processes);
    text += fmt::format("  shard {}/{}: {}, about {}\n", i + 1, plan.plan.shards,
                        base::counted(plan.plan.division[i].size(), "group", "groups"),
                        workflow::duration_text(std::chrono::seconds(static_cast<std::int64_t>(seconds))));
  }
  return text;
}

ExitCode list(const launch::Request& request, bool json, const Console& console) {
  const auto forecast = launch::forecast(request);
  if (!forecast) return console.fail(forecast.error());
  console.out << (json ? list_json(*forecast) : list_text(*forecast));
  return forecast->failed.empty() ? ExitCode::ok : ExitCode::failed;  // as `run` ends
}

std::int64_t cases_unchanged(const record::Run& run) {
  return std::count_if(run.cases.begin(), run.cases.end(), [&](const record::Case& each) {
    return !each.skipped && std::any_of(run.unchanged.begin(), run.unchanged.end(),
                                        [&](const auto& group) { return group.group == each.group; });
  });
}

// ", instructions of 96 cases counted (3 calls of each; ...), of 4 unknown (the first: fusion/x: its process ...)"
std::string counted_words(const record::Run& run) {
  if (run.instructions.empty()) return "";
  std::size_t known = 0;
  const record::InstructionCount* first = nullptr;
  for (const record::InstructionCount& each : run.instructions) {
    if (!each.per_call.empty()) ++known;
    if (each.per_call.empty() && first == nullptr) first = &each;
  }
  std::string text = fmt::format(", instructions of {} counted", base::counted(known, "case", "cases"));
  if (known > 0 && run.plan.count)
    text += fmt::format(" ({} of each; work done less often is not in it)",
                        base::counted(static_cast<std::size_t>(run.plan.count->calls), "call", "calls"));
  if (first == nullptr) return text;
  return text + reports::one_line(fmt::format(", of {} unknown (the first: {}: {})", run.instructions.size() - known,
                                              first->case_name, first->unknown));
}

// What the run came to, by itself: without a baseline only a failed or wrong case is bad news.
ExitCode summary(const record::Run& run, const std::string& path, const policy::Policy& policy,
                 const Console& console) {
  std::int64_t measured = 0;
  std::int64_t bad = 0;
  std::int64_t lost = 0;
  for (const record::Process& process : run.processes) {
    if (process.status != record::ProcessStatus::ok) ++lost;
    for (const record::CaseResult& result : process.cases) {
      if (result.status == record::CaseStatus::ok) ++measured;
      if (result.status == record::CaseStatus::failed || result.status == record::CaseStatus::wrong) ++bad;
    }
  }
  const auto skipped =
      std::count_if(run.cases.begin(), run.cases.end(), [](const auto& c) { return c.skipped.has_value(); });
  const gate::MachineFindings machine = gate::machine_findings({{&run, ""}}, policy);
  for (const reports::Doubt& found : machine.doubts)
    console.warn(found.fix.empty() ? found.fact.words() : found.fact.words() + "; " + found.fix);
  for (const facts::Fact& context : machine.context) console.err << reports::one_line(context.words()) << '\n';
  for (const std::string& warning : run.warnings) console.warn(warning);
  console.out << suite_table(run);
  console.out << fmt::format("{}: {} of {}", path, base::counted(measured, "result", "results"),
                             base::counted(run.cases.size() - static_cast<std::size_t>(skipped), "case", "cases"));
  if (run.plan.shards > 1) console.out << fmt::format(", shard {} of {}", run.plan.shard, run.plan.shards);
  if (!run.unchanged.empty())
    console.out << fmt::format(", {} unchanged and not measured", base::counted(cases_unchanged(run), "case", "cases"));
  if (skipped > 0) console.out << fmt::format(", {} skipped", base::counted(skipped, "case", "cases"));
  console.out << counted_words(run);
  if (bad > 0) console.out << fmt::format(", {} failed or wrong", base::counted(bad, "result", "results"));
  if (lost > 0) console.out << fmt::format(", {} lost", base::counted(lost, "process", "processes"));
  if (run.interrupted) {
    console.out << ", interrupted before the plan was complete";
    if (!run.processes.empty()) console.out << fmt::format("; resume it with `torchgate run --resume {}`", run.id);
  }
  console.out << '\n';
  if (run.interrupted) return ExitCode::interrupted;
  return bad > 0 || lost > 0 ? ExitCode::failed : ExitCode::ok;
}

// What the flags ask for: suites, one shard of them, or the rest of an unfinished run.
base::Result<void> fill_in(launch::Request& request, const RunCommand& command, const policy::Run& policy,
                           const workflow::Workspace& workspace) {
  if (command.resume) {
    if (!command.suites.empty() || command.shard || command.shards || command.measure.seed)
      return base::Error{base::ErrorCode::bad_input,
                         "--resume uses the plan of the unfinished run; remove the other flags"};
    auto unfinished = workflow::find_unfinished(workspace, *command.resume, 1);
    if (!unfinished) return unfinished.error();
    const workflow::RecordedFiles files(workspace, command.run_recorded_files);
    if (auto ours = files.check_resumed(**unfinished); !ours) return ours;
    request = launch::resumed(std::move(request), *unfinished);
    return {};
  }
  const auto suites = suites_of(command, policy);
  if (!suites) return suites.error();
  request.sides = {workflow::side("run", *suites, workflow::source_here())};
  if (command.shard && command.shards)
    return base::Error{
        base::ErrorCode::bad_input,
        "--shards and --shard cannot be combined: --shards writes a plan, --shard measures one part of it"};
  if (command.plan && !command.shard && !command.shards)
    return base::Error{base::ErrorCode::bad_input,
                       "--shard-plan needs --shards N, which writes it, or --shard I/N, which uses it"};
  if (!command.shard) return {};
  if (auto used = workflow::use_shard({*command.shard, command.plan, command.measure}, request); !used) return used;
  if (request.count) request.count = launch::count_request(request.count->counter, request.plan.profile);
  return {};
}

}  // namespace

base::Result<MeasuredRun> measured_run(launch::Request request, const RunCommand& command, const policy::Policy& policy,
                                       const Console& console) {
  const workflow::Workspace workspace;
  ConsoleNarrator narrator(console);
  if (!command.resume) {
    if (!request.sides.front().source.commit)
      if (const auto why = workflow::source_unknown_because())
        request.warnings.push_back(record::commit_unknown + *why);
    workflow::remember_suites(request, narrator);
    workflow::offer_unfinished(workspace, 1, narrator);
  }
  if (command.skip_unchanged && !command.resume) workflow::skip_unchanged(request, policy, narrator);
  workflow::keep_as_it_goes(request, workspace, command.save);
  std::unique_ptr<workflow::RunLog> log;
  if (command.log) {
    auto opened = workflow::RunLog::open(*command.log, request);
    if (!opened) return opened.error();
    log = std::move(opened).value();
  }
  auto run = workflow::measure(request, narrator, log.get());
  if (!run) return run.error();
  auto path = workflow::save_finished(workspace, *run, workflow::save_name(request));
  if (!path) return path.error();
  return MeasuredRun{*std::move(run), *std::move(path)};
}

base::Result<launch::Request> run_request(const RunCommand& command, const policy::Policy& policy) {
  if (auto valid = workflow::check_save_name(command.save); !valid) return valid.error();
  launch::Request request = workflow::request(command.measure, policy);
  if (auto made = fill_in(request, command, policy, workflow::Workspace()); !made) return made.error();
  return request;
}

namespace {

ExitCode run_command(const RunCommand& command, const policy::Policy& policy, const Console& console) {
  if (command.resume || command.skip_unchanged) {
    if (const auto checked = workflow::check_evidence_is_not_committed(policy.store); !checked)
      return console.fail(checked.error());
  }
  for (const std::string& doubt : policy.doubts) console.warn(doubt);
  auto asked = run_request(command, policy);
  if (!asked) return console.fail(asked.error());
  launch::Request request = std::move(asked).value();
  if (command.list) return list(request, command.json, console);
  if (command.shards) {
    if (!command.plan)
      return console.fail(
          {base::ErrorCode::bad_input,
           "--shards needs --shard-plan FILE, where the plan is written (give each machine that file with "
           "--shard i/n --shard-plan FILE)"});
    const auto plan = workflow::write_shard_plan(*command.plan, *command.shards, request, policy);
    if (!plan) return console.fail(plan.error());
    console.out << shards_text(*plan, *command.plan);
    return ExitCode::ok;
  }
  const auto measured = measured_run(std::move(request), command, policy, console);
  if (!measured) return console.fail(measured.error());
  return summary(measured->run, measured->path.string(), policy, console);
}

}  // namespace

Invocation define_run(Options& options) {
  const auto command = std::make_shared<RunCommand>();
  suite_option(options, command->suites);
  measure_options(options, command->measure);
  save_option(options, command->save);
  options.key("--processes N", "run.processes", "Processes per group (default 5)");
  sampling_options(options, command->measure);
  limit_options(options);
  policy_from_option(options);
  noisy_option(options);
  better_option(options);
  options.add("--shard I/N", &command->shard,
              "Measure shard I of N (from 1); run all N with the same flags, then `torchgate merge`");
  options
      .add("--shards N", &command->shards,
           "Write a --shard-plan that splits the groups into N shards by their previous run time, then exit")
      .from_to(2, base::max_shards);
  options.add("--shard-plan FILE", &command->plan, "Shard plan: written with --shards N, read with --shard I/N");
  options.renamed("--plan", "--shard-plan FILE");
  Option resume =
      resume_option(options, command->resume, "Resume an interrupted or killed run with its plan, seed and name");
  recorded_files_option(options, command->run_recorded_files, "With --resume: ").needs("--resume");
  options.add(
      "--skip-unchanged", &command->skip_unchanged,
      "Do not measure groups whose executable, libraries and files read are the same as in the baseline of this "
      "commit; `torchgate gate` calls their cases unchanged");
  store_option(options, "With --skip-unchanged: the baseline store");
  options.add("--log FILE", &command->log,
              "Append a JSON line for each process and case to FILE while measuring (reports/schemas/log.schema.json)");
  options.add("--list", &command->list, "List what would run and how long it would take, then exit");
  options.add("--json", &command->json, "With --list: print JSON").needs("--list");
  // The plan of the unfinished run says what these say.
  for (const char* const other :
       {"--filter", "--quick", "--full", "--processes", "--warmup", "--samples", "--shard-plan", "--skip-unchanged"})
    resume.excludes(other);
  return invocation(command, run_command);
}

}  // namespace torchgate::cli
