// SPDX-License-Identifier: Apache-2.0
#include "ci/github/client/pull_request.hpp"

#include <fmt/format.h>

#include "ci/github/client/answer_json.hpp"
#include "harness/base/shown_text.hpp"

namespace torchgate::github {
namespace {

PullRequest pull_request_in(const Json& json) {
  return {number_at(json, {"number"}),
          text_at(json, {"state"}) == "open",
          text_at(json, {"head", "sha"}),
          text_at(json, {"head", "repo", "full_name"}),
          text_at(json, {"base", "ref"}),
          text_at(json, {"base", "sha"}),
          text_at(json, {"base", "repo", "default_branch"})};
}

}  // namespace

std::string check_name(const std::string& name, const PullRequest& pull) {
  const bool is_default = pull.default_branch.empty() || pull.base_branch == pull.default_branch;
  return is_default ? name : fmt::format("{} ({})", name, pull.base_branch);
}

base::Result<PullRequest> pull_request(Api& api, std::int64_t number) {
  const std::string doing = fmt::format("reading pull request {}", number);
  const auto answer = api.send("GET", fmt::format("{}/pulls/{}", api.repository_path(), number));
  if (!answer) return answer.error();
  if (!answer->done()) return api.problem(*answer, doing);
  const auto json = parsed(answer->body, doing);
  if (!json) return json.error();
  PullRequest found = pull_request_in(*json);
  if (found.number != number || found.head_sha.empty())
    return base::Error{base::ErrorCode::bad_input, "GitHub: " + doing + ": the answer is not a pull request"};
  return found;
}

base::Result<PullRequest> pull_request_of_head(Api& api, const std::string& sha, const std::string& head_repository) {
  const auto open = elements(api, api.repository_path() + "/pulls?state=open&sort=updated&direction=desc");
  if (!open) return open.error();
  std::vector<PullRequest> found;
  for (const Json& each : *open) {
    PullRequest candidate = pull_request_in(each);
    if (candidate.head_sha == sha && candidate.head_repository == head_repository)
      found.push_back(std::move(candidate));
  }
  if (found.size() == 1) return found.front();
  if (found.size() > 1) {
    return base::Error{
        base::ErrorCode::bad_input,
        fmt::format("{} pull requests of one branch: all have the newest commit {} of {}, so it is unknown "
                    "which one was measured; push one of them from another branch",
                    found.size(), base::shown(sha), base::shown(head_repository))};
  }
  return base::Error{base::ErrorCode::not_found,
                     fmt::format("0 open pull requests have the newest commit {} of {}, expected 1; a newer push or a "
                                 "closed pull request needs no comment",
                                 base::shown(sha), base::shown(head_repository))};
}

}  // namespace torchgate::github
