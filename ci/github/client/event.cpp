// SPDX-License-Identifier: Apache-2.0
#include "ci/github/client/event.hpp"

#include <string_view>
#include <utility>

#include "ci/github/client/answer_json.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::github {
namespace {

MeasuredHead merge_group_in(const Json& json) {
  constexpr std::string_view branches = "refs/heads/";
  MeasuredHead::Queue queue;
  queue.base_branch = text_at(json, {"merge_group", "base_ref"});
  if (queue.base_branch.starts_with(branches)) queue.base_branch.erase(0, branches.size());
  queue.base_sha = text_at(json, {"merge_group", "base_sha"});
  queue.default_branch = text_at(json, {"repository", "default_branch"});
  // Without its base there is nothing to judge it against.
  if (queue.base_branch.empty() || !record::is_full_commit(queue.base_sha)) return {};
  return {0, text_at(json, {"merge_group", "head_sha"}), text_at(json, {"repository", "full_name"}), std::move(queue)};
}

}  // namespace

base::Result<MeasuredHead> measured_head(const std::string& event) {
  const Json json = Json::parse(event, nullptr, false);
  MeasuredHead head;
  if (json.is_object() && json.contains("pull_request")) {
    head = {number_at(json, {"pull_request", "number"}), text_at(json, {"pull_request", "head", "sha"}),
            text_at(json, {"pull_request", "head", "repo", "full_name"})};
  } else if (json.is_object() && json.contains("merge_group")) {
    head = merge_group_in(json);
  } else if (json.is_object() && json.contains("workflow_run")) {
    head = {0, text_at(json, {"workflow_run", "head_sha"}),
            text_at(json, {"workflow_run", "head_repository", "full_name"})};
  }
  if (record::is_full_commit(head.sha)) return head;
  return base::Error{
      base::ErrorCode::bad_input,
      "GITHUB_EVENT_PATH: not a pull_request, merge_group or workflow_run event; name the pull request with "
      "--pull-request N --head SHA"};
}

std::string workflow_of_event(const std::string& event) {
  const Json json = Json::parse(event, nullptr, false);
  const std::string path = text_at(json, {"workflow_run", "path"});
  if (!path.empty()) return path.substr(0, path.find('@'));  // of a reusable workflow with its version
  return text_at(json, {"workflow_run", "name"});
}

std::string attempt_of_event(const std::string& event) {
  const Json json = Json::parse(event, nullptr, false);
  const std::int64_t run = number_at(json, {"workflow_run", "id"});
  const std::int64_t attempt = number_at(json, {"workflow_run", "run_attempt"});
  return run > 0 && attempt > 0 ? std::to_string(run) + "." + std::to_string(attempt) : "";
}

}  // namespace torchgate::github
