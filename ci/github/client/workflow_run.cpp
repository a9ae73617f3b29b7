// SPDX-License-Identifier: Apache-2.0
#include "ci/github/client/workflow_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "ci/github/client/answer_json.hpp"
#include "ci/github/client/issue_comment.hpp"
#include "harness/base/shown_text.hpp"

namespace torchgate::github {
namespace {

WorkflowRun run_in(const Json& json) {
  WorkflowRun run;
  run.id = number_at(json, {"id"});
  run.attempt = number_at(json, {"run_attempt"});
  run.started_at = text_at(json, {"run_started_at"});
  run.completed = text_at(json, {"status"}) == "completed";
  run.needs_approval =
      text_at(json, {"conclusion"}) == "action_required" || text_at(json, {"status"}) == "action_required";
  const std::string path = text_at(json, {"path"});
  run.file = path.substr(0, path.find('@'));  // of a reusable workflow with its version
  run.name = text_at(json, {"name"});
  return run;
}

// Pull requests of one branch into two others have their newest commit in common. Runs of forks list none.
bool is_of(const Json& json, const PullRequest& pull) {
  if (text_at(json, {"event"}) != "pull_request" || text_at(json, {"head_sha"}) != pull.head_sha ||
      text_at(json, {"head_repository", "full_name"}) != pull.head_repository)
    return false;
  if (!json.contains("pull_requests") || !json["pull_requests"].is_array() || json["pull_requests"].empty())
    return true;
  const Json& listed = json["pull_requests"];
  return std::any_of(listed.begin(), listed.end(),
                     [&](const Json& each) { return number_at(each, {"number"}) == pull.number; });
}

bool is_called(const WorkflowRun& run, const std::string& workflow) {
  return run.name == workflow || run.file == workflow || run.file.ends_with("/" + workflow);
}

base::Result<Json> read_run(Api& api, std::int64_t run) {
  const std::string doing = fmt::format("reading workflow run {}", run);
  const auto answer = api.send("GET", fmt::format("{}/actions/runs/{}", api.repository_path(), run));
  if (!answer) return answer.error();
  if (!answer->done()) return api.problem(*answer, doing);
  return parsed(answer->body, doing);
}

// "gate / measure (1/1)": the last part, up to its matrix. A shard's name has a slash, too, but no spaces around it.
std::string own_name(const std::string& job) {
  const std::size_t slash = job.rfind(" / ");
  const std::string own = slash == std::string::npos ? job : job.substr(slash + 3);
  return own.substr(0, own.find(" ("));
}

bool is_confirming(const std::string& job) {
  return own_name(job) == "confirm";
}

bool is_measuring(const std::string& job) {
  return own_name(job) == "measure" || is_confirming(job);
}

std::string run_path(const Api& api, const WorkflowRun& run) {
  return fmt::format("{}/actions/runs/{}", api.repository_path(), run.id);
}

}  // namespace

base::Result<std::optional<WorkflowRun>> newest_run(Api& api, const PullRequest& pull, const std::string& workflow) {
  const auto all = elements(
      api, api.repository_path() + "/actions/runs?event=pull_request&head_sha=" + percent_encoded(pull.head_sha),
      "workflow_runs");
  if (!all) return all.error();
  std::optional<WorkflowRun> newest;
  std::set<std::string> files;
  for (const Json& each : *all) {
    if (!is_of(each, pull)) continue;
    WorkflowRun run = run_in(each);
    if (run.id <= 0 || (!workflow.empty() && !is_called(run, workflow))) continue;
    files.insert(run.file);
    if (!newest || run.id > newest->id) newest = std::move(run);
  }
  if (files.size() > 1) {
    return base::Error{base::ErrorCode::bad_input,
                       fmt::format("{} workflows ran for this commit ({}, {}{}); name the one that measures with "
                                   "--workflow FILE",
                                   files.size(), base::shown(*files.begin()), base::shown(*std::next(files.begin())),
                                   files.size() > 2 ? ", ..." : "")};
  }
  return newest;
}

base::Result<void> run_again(Api& api, const WorkflowRun& run) {
  const std::string doing = fmt::format("running workflow run {} again", run.id);
  const auto is_started = [&]() -> base::Result<std::optional<std::string>> {
    const auto answer = api.send("GET", run_path(api, run));
    if (!answer) return answer.error();
    if (!answer->done()) return api.problem(*answer, doing);
    const auto json = parsed(answer->body, doing);
    if (!json) return json.error();
    if (run_in(*json).attempt <= run.attempt) return std::optional<std::string>();
    return std::optional<std::string>("{}");
  };
  const auto answer = api.create(run_path(api, run) + "/rerun", "{}", is_started);
  if (!answer) return answer.error();
  if (!answer->done()) return api.problem(*answer, doing);
  return {};
}

base::Result<bool> has_artifact(Api& api, const WorkflowRun& run, const std::string& name) {
  const auto all = elements(api, run_path(api, run) + "/artifacts?name=" + percent_encoded(name), "artifacts");
  if (!all) return all.error();
  return std::any_of(all->begin(), all->end(), [&](const Json& each) {
    const bool expired = each.contains("expired") && each["expired"] == true;
    return text_at(each, {"name"}) == name && !expired;
  });
}

base::Result<bool> measured_again(Api& api, std::int64_t run, const std::string& started) {
  const auto jobs =
      elements(api, fmt::format("{}/actions/runs/{}/jobs?filter=latest", api.repository_path(), run), "jobs");
  if (!jobs) return jobs.error();
  bool any = false;
  for (const Json& job : *jobs) {
    if (!is_measuring(text_at(job, {"name"}))) continue;
    // Of one shard, confirm is skipped in each attempt; where measure is, this attempt has no measurements.
    if (text_at(job, {"conclusion"}) == "skipped" && is_confirming(text_at(job, {"name"}))) continue;
    any = true;
    if (!is_before(text_at(job, {"started_at"}), started)) return true;
  }
  return !any;
}

base::Result<std::string> started_at(Api& api, std::int64_t run) {
  const auto json = read_run(api, run);
  if (!json) return json.error();
  return text_at(*json, {"run_started_at"});
}

base::Result<std::string> workflow_file(Api& api, std::int64_t run) {
  const auto json = read_run(api, run);
  if (!json) return json.error();
  return run_in(*json).file;
}

}  // namespace torchgate::github
