// SPDX-License-Identifier: Apache-2.0
#include "ci/github/client/issue_comment.hpp"

#include <fmt/format.h>

#include <string_view>

#include "ci/github/client/answer_json.hpp"
#include "harness/base/shown_text.hpp"

namespace torchgate::github {
namespace {

constexpr long not_a_collaborator = 404;

// Letters, digits and hyphens, for bots "[bot]", for managed users "_company": it is put into a path and into messages.
bool is_login(const std::string& text) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_[]";
  constexpr std::size_t most_bytes = 100;
  return !text.empty() && text.size() <= most_bytes && text.find_first_not_of(allowed) == std::string::npos;
}

}  // namespace

base::Result<IssueComment> issue_comment(const std::string& event) {
  const Json json = Json::parse(event, nullptr, false);
  IssueComment comment;
  comment.id = number_at(json, {"comment", "id"});
  comment.number = number_at(json, {"issue", "number"});
  comment.created = text_at(json, {"action"}) == "created";
  comment.by_person = text_at(json, {"comment", "user", "type"}) == "User";
  comment.login = text_at(json, {"comment", "user", "login"});
  comment.user_id = number_at(json, {"comment", "user", "id"});
  comment.body = text_at(json, {"comment", "body"});
  comment.created_at = text_at(json, {"comment", "created_at"});
  const bool complete = comment.id > 0 && comment.number > 0 && comment.user_id > 0 && is_login(comment.login) &&
                        is_utc_second(comment.created_at);
  if (!complete) {
    return base::Error{base::ErrorCode::bad_input,
                       "GITHUB_EVENT_PATH: not an issue_comment event; run `torchgate perf` in a workflow with `on: "
                       "{issue_comment: {types: [created]}}`"};
  }
  const Json& issue = json["issue"];
  comment.on_pull_request = issue.contains("pull_request") && issue["pull_request"].is_object();
  return comment;
}

base::Result<bool> author_may_write(Api& api, const IssueComment& comment) {
  const std::string doing = "reading the permission of " + base::shown(comment.login);
  const auto answer =
      api.send("GET", api.repository_path() + "/collaborators/" + percent_encoded(comment.login) + "/permission");
  if (!answer) return answer.error();
  if (answer->status == not_a_collaborator) return false;
  if (!answer->done()) return api.problem(*answer, doing);
  const auto json = parsed(answer->body, doing);
  if (!json) return json.error();
  if (number_at(*json, {"user", "id"}) != comment.user_id) return false;
  // "permission" has admin, write, read and none: maintain counts as write, triage as read, a role of one's own as what it is
  // based on.
  const std::string permission = text_at(*json, {"permission"});
  return permission == "admin" || permission == "maintain" || permission == "write";
}

base::Result<void> react(Api& api, const IssueComment& comment, Reaction reaction) {
  const char* const content = reaction == Reaction::rocket ? "rocket" : "confused";
  const auto answer =
      api.send("POST", fmt::format("{}/issues/comments/{}/reactions", api.repository_path(), comment.id),
               dumped({{"content", content}}));
  if (!answer) return answer.error();
  if (!answer->done()) return api.problem(*answer, fmt::format("reacting to comment {}", comment.id));
  return {};
}

bool is_utc_second(const std::string& text) {
  constexpr std::string_view form = "0000-00-00T00:00:00Z";
  if (text.size() != form.size()) return false;
  for (std::size_t at = 0; at < form.size(); ++at) {
    const bool fits = form[at] == '0' ? text[at] >= '0' && text[at] <= '9' : text[at] == form[at];
    if (!fits) return false;
  }
  return true;
}

bool is_before(const std::string& a, const std::string& b) {
  return is_utc_second(a) && is_utc_second(b) && a < b;
}

}  // namespace torchgate::github
