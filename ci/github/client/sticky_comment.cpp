// SPDX-License-Identifier: Apache-2.0
#include "ci/github/client/sticky_comment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "ci/github/client/answer_json.hpp"
#include "harness/base/content_hash.hpp"

namespace torchgate::github {
namespace {

constexpr long too_long = 422;

struct OwnComment {
  std::int64_t id = 0;
  std::string body;
};

std::string without_end(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.pop_back();
  return text;
}

std::string body_of(const StickyComment& comment, const std::string& text) {
  return without_end(text) + "\n\n" + comment_marker(comment.name);
}

std::string comments_path(const Api& api, std::int64_t number) {
  return fmt::format("{}/issues/{}/comments", api.repository_path(), number);
}

// Ours by marker and by author, the oldest first.
base::Result<std::vector<OwnComment>> own_comments(Api& api, const StickyComment& comment) {
  const auto all = elements(api, comments_path(api, comment.number));
  if (!all) return all.error();
  const std::string marker = comment_marker(comment.name);
  std::vector<OwnComment> own;
  for (const Json& each : *all) {
    std::string body = without_end(text_at(each, {"body"}));
    if (!body.ends_with("\n" + marker) || text_at(each, {"user", "login"}) != comment.author) continue;
    own.push_back({number_at(each, {"id"}), std::move(body)});
  }
  std::sort(own.begin(), own.end(), [](const OwnComment& a, const OwnComment& b) { return a.id < b.id; });
  return own;
}

std::string comment_path(const Api& api, std::int64_t id) {
  return fmt::format("{}/issues/comments/{}", api.repository_path(), id);
}

// The longest text that GitHub takes, in a new comment (id 0) or an existing one.
base::Result<Answer> write_text(Api& api, const StickyComment& comment, std::int64_t id) {
  const auto find = [&]() -> base::Result<std::optional<std::string>> {
    const auto own = own_comments(api, comment);
    if (!own) return own.error();
    if (own->empty()) return std::optional<std::string>();
    return std::optional(dumped({{"id", own->front().id}}));
  };
  const auto write = [&](const std::string& text) {
    const std::string body = dumped({{"body", body_of(comment, text)}});
    return id != 0 ? api.send("PATCH", comment_path(api, id), body)
                   : api.create(comments_path(api, comment.number), body, find);
  };
  if (comment.text.size() > most_comment_bytes) return write(comment.short_text);
  auto answer = write(comment.text);
  if (answer && answer->status == too_long) answer = write(comment.short_text);
  return answer;
}

base::Result<void> delete_comments(Api& api, const std::vector<OwnComment>& own) {
  for (const OwnComment& each : own) {
    const auto answer = api.send("DELETE", comment_path(api, each.id));
    if (!answer) return answer.error();
    if (!answer->done() && answer->status != 404) return api.problem(*answer, "deleting a duplicate comment");
  }
  return {};
}

}  // namespace

std::string comment_marker(const std::string& name) {
  constexpr std::size_t digits = 16;
  return "<!-- torchgate-comment " + base::sha256(name).substr(0, digits) + " -->";
}

base::Result<KeptComment> keep_comment(Api& api, const StickyComment& asked) {
  StickyComment comment = asked;
  auto own = own_comments(api, comment);
  if (!own) return own.error();
  KeptComment kept;
  if (own->empty()) {
    const auto answer = write_text(api, comment, 0);
    if (!answer) return answer.error();
    if (!answer->done()) return api.problem(*answer, fmt::format("writing the comment in {}", comment.number));
    const auto json = parsed(answer->body, "writing the comment");
    kept = {json ? number_at(*json, {"id"}) : 0, KeptComment::What::created};
    const std::string author = json ? text_at(*json, {"user", "login"}) : "";
    if (!author.empty() && author != comment.author) comment.author = kept.author = author;
    own = own_comments(api, comment);  // another job may have written one in the meantime
    if (!own) return own.error();
    if (own->empty() || own->front().id == kept.id) return kept;  // the other job deletes its own
  }
  if (auto deleted = delete_comments(api, {own->begin() + 1, own->end()}); !deleted) return deleted.error();
  kept.id = own->front().id;
  kept.what = KeptComment::What::stayed;
  if (comment.stays && comment.stays(own->front().body)) return kept;
  const bool same = own->front().body == body_of(comment, comment.text);
  kept.what = same ? KeptComment::What::unchanged : KeptComment::What::updated;
  if (same) return kept;
  const auto answer = write_text(api, comment, kept.id);
  if (!answer) return answer.error();
  if (!answer->done()) return api.problem(*answer, fmt::format("updating the comment in {}", comment.number));
  return kept;
}

base::Result<std::string> own_login(Api& api) {
  constexpr const char* actions = "github-actions[bot]";
  auto answer = api.send("GET", "/user");
  // 403 "Resource not accessible by integration": the token of an app, in GitHub Actions mostly of this one. Of another app is known when
  // it has written something.
  if (!answer && answer.error().message.find("not accessible by integration") != std::string::npos)
    return std::string(actions);
  if (!answer) return answer.error();
  if (!answer->done()) return api.problem(*answer, "reading the login of the token");
  const auto json = parsed(answer->body, "reading the login of the token");
  if (!json) return json.error();
  return text_at(*json, {"login"});
}

}  // namespace torchgate::github
