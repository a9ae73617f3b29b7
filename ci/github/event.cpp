// SPDX-License-Identifier: Apache-2.0
#include "ci/github/event.hpp"

#include "ci/github/json_text.hpp"

namespace torchgate::github {
namespace {

bool is_commit(const std::string& text) {
  constexpr std::size_t sha1_digits = 40;
  constexpr std::size_t sha256_digits = 64;
  return (text.size() == sha1_digits || text.size() == sha256_digits) &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

base::Result<MeasuredHead> measured_head(const std::string& event) {
  const Json json = Json::parse(event, nullptr, false);
  MeasuredHead head;
  if (json.is_object() && json.contains("pull_request")) {
    head = {number_at(json, {"pull_request", "number"}), text_at(json, {"pull_request", "head", "sha"}),
            text_at(json, {"pull_request", "head", "repo", "full_name"})};
  } else if (json.is_object() && json.contains("workflow_run")) {
    head = {0, text_at(json, {"workflow_run", "head_sha"}),
            text_at(json, {"workflow_run", "head_repository", "full_name"})};
  }
  if (is_commit(head.sha)) return head;
  return base::Error{base::ErrorCode::bad_input,
                     "GITHUB_EVENT_PATH: not a pull_request or workflow_run event; name the pull request with "
                     "--pull-request N --head SHA"};
}

}  // namespace torchgate::github
