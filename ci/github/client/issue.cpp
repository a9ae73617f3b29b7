// SPDX-License-Identifier: Apache-2.0
#include "ci/github/client/issue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ci/github/client/answer_json.hpp"
#include "harness/base/content_hash.hpp"
#include "harness/base/hexadecimal.hpp"
#include "harness/base/shown_text.hpp"

namespace torchgate::github {
namespace {

constexpr const char* marker_begin = "<!-- torchgate-issue ";
constexpr const char* marker_end = " -->";
constexpr std::size_t marker_digits = 16;

std::string without_line_ends(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.pop_back();
  return text;
}

bool is_issue_marker(const std::string& line) {
  const std::string_view begin = marker_begin;
  const std::string_view end = marker_end;
  return line.size() == begin.size() + marker_digits + end.size() && line.starts_with(begin) && line.ends_with(end) &&
         base::is_lower_hex(std::string_view(line).substr(begin.size(), marker_digits));
}

bool has_label(const Json& issue, const std::string& label) {
  const auto labels = issue.find("labels");
  if (labels == issue.end() || !labels->is_array()) return false;
  return std::any_of(labels->begin(), labels->end(),
                     [&](const Json& each) { return text_at(each, {"name"}) == label; });
}

std::optional<OwnIssue> own_issue_in(const Json& json, const IssueOwner& owner) {
  if (!json.is_object() || json.contains("pull_request") || text_at(json, {"user", "login"}) != owner.author ||
      !has_label(json, owner.label))
    return std::nullopt;
  OwnIssue issue;
  issue.text = without_line_ends(text_at(json, {"body"}));
  const std::size_t line = issue.text.rfind('\n');
  if (line == std::string::npos || !is_issue_marker(issue.text.substr(line + 1))) return std::nullopt;
  issue.marker = issue.text.substr(line + 1);
  issue.text = without_line_ends(issue.text.substr(0, line));
  issue.number = number_at(json, {"number"});
  issue.open = text_at(json, {"state"}) == "open";
  issue.title = text_at(json, {"title"});
  return issue;
}

std::string issue_body(const std::string& text, const std::string& marker) {
  return without_line_ends(text) + "\n\n" + marker;
}

std::string one_issue_path(const Api& api, std::int64_t number) {
  return fmt::format("{}/issues/{}", api.repository_path(), number);
}

base::Result<std::vector<Json>> labelled_issues(Api& api, const std::string& label) {
  return elements(api, fmt::format("{}/issues?state=all&labels={}", api.repository_path(), percent_encoded(label)));
}

// Of one key, the oldest first, as GitHub wrote them.
base::Result<std::vector<Json>> issues_with(Api& api, const IssueOwner& owner, const std::string& marker) {
  auto all = labelled_issues(api, owner.label);
  if (!all) return all.error();
  std::vector<Json> found;
  for (Json& each : *all) {
    if (const auto own = own_issue_in(each, owner); own && own->marker == marker) found.push_back(std::move(each));
  }
  std::sort(found.begin(), found.end(),
            [](const Json& a, const Json& b) { return number_at(a, {"number"}) < number_at(b, {"number"}); });
  return found;
}

base::Result<void> patch_issue(Api& api, std::int64_t number, const Json& body) {
  const auto answer = api.send("PATCH", one_issue_path(api, number), dumped(body));
  if (!answer) return answer.error();
  if (!answer->done()) return api.problem(*answer, fmt::format("changing issue {}", number));
  return {};
}

// Two jobs may have created one each. Issues cannot be deleted; a closed one keeps its marker, and the oldest wins.
base::Result<OwnIssue> close_duplicates(Api& api, const IssueOwner& owner, const std::vector<Json>& found) {
  for (std::size_t i = 1; i < found.size(); ++i) {
    if (text_at(found[i], {"state"}) != "open") continue;
    const auto closed =
        patch_issue(api, number_at(found[i], {"number"}), {{"state", "closed"}, {"state_reason", "not_planned"}});
    if (!closed) return closed.error();
  }
  return *own_issue_in(found.front(), owner);
}

// What else there is was looked for as of another author, so nothing was known of it. Each further call would create one more.
base::Error by_another_author(Api& api, const IssueOwner& author, const std::string& marker, const Json& created) {
  if (const auto found = issues_with(api, author, marker); found && !found->empty())
    static_cast<void>(close_duplicates(api, author, *found));
  return {
      base::ErrorCode::bad_input,
      fmt::format("GitHub: issue {0} was created as {1}, whose other issues were not looked for; give --author '{1}'",
                  number_at(created, {"number"}), base::shown(author.author))};
}

}  // namespace

std::string issue_marker(const std::string& key) {
  return marker_begin + base::sha256(key).substr(0, marker_digits) + marker_end;
}

base::Result<std::vector<OwnIssue>> own_issues(Api& api, const IssueOwner& owner) {
  const auto all = labelled_issues(api, owner.label);
  if (!all) return all.error();
  std::vector<OwnIssue> own;
  for (const Json& each : *all) {
    if (auto issue = own_issue_in(each, owner)) own.push_back(std::move(*issue));
  }
  std::sort(own.begin(), own.end(), [](const OwnIssue& a, const OwnIssue& b) { return a.number < b.number; });
  return own;
}

base::Result<OwnIssue> create_issue(Api& api, const IssueOwner& owner, const std::string& key, const std::string& title,
                                    const std::string& text) {
  const std::string marker = issue_marker(key);
  const auto find = [&]() -> base::Result<std::optional<std::string>> {
    const auto found = issues_with(api, owner, marker);
    if (!found) return found.error();
    if (found->empty()) return std::optional<std::string>();
    return std::optional(dumped(found->front()));
  };
  const Json body = {{"title", title}, {"body", issue_body(text, marker)}, {"labels", {owner.label}}};
  const auto answer = api.create(api.repository_path() + "/issues", dumped(body), find);
  if (!answer) return answer.error();
  if (!answer->done()) return api.problem(*answer, "creating an issue");
  const auto json = parsed(answer->body, "creating an issue");
  if (!json) return json.error();
  const std::string author = text_at(*json, {"user", "login"});
  if (!author.empty() && author != owner.author) return by_another_author(api, {author, owner.label}, marker, *json);
  if (!own_issue_in(*json, owner)) {
    return base::Error{base::ErrorCode::bad_input,
                       fmt::format("GitHub: issue {} was created without the label {}; give the token `issues: write`, "
                                   "and delete that issue",
                                   number_at(*json, {"number"}), owner.label)};
  }
  const auto found = issues_with(api, owner, marker);
  if (!found) return found.error();
  if (found->empty()) return *own_issue_in(*json, owner);  // a list may be some seconds old
  return close_duplicates(api, owner, *found);
}

base::Result<void> change_issue(Api& api, std::int64_t number, const std::string& marker, const IssueChange& change) {
  Json body = {{"title", change.title}, {"body", issue_body(change.text, marker)}};
  if (change.close) {
    body["state"] = "closed";
    body["state_reason"] = *change.close == CloseReason::completed ? "completed" : "not_planned";
  }
  return patch_issue(api, number, body);
}

}  // namespace torchgate::github
