// SPDX-License-Identifier: Apache-2.0
#include "ci/github/client/issue_comment.hpp"

#include <gtest/gtest.h>

#include "tests/ci/github/client/planned_http.hpp"

namespace torchgate::github {
namespace {

using testing::PlannedHttp;

std::string event(const std::string& user = R"({"login": "ann", "id": 5, "type": "User"})",
                  const std::string& issue = R"({"number": 7, "pull_request": {}})",
                  const std::string& action = "created") {
  return R"({"action": ")" + action + R"(", "issue": )" + issue +
         R"(, "comment": {"id": 3, "body": "/perf rerun", "created_at": "2026-03-01T11:00:00Z", "user": )" + user +
         "}}";
}

TEST(IssueComment, IsReadFromTheEvent) {
  const auto comment = issue_comment(event());
  ASSERT_TRUE(comment) << comment.error().message;
  EXPECT_EQ(comment->id, 3);
  EXPECT_EQ(comment->number, 7);
  EXPECT_EQ(comment->login, "ann");
  EXPECT_EQ(comment->body, "/perf rerun");
  EXPECT_TRUE(comment->created && comment->by_person && comment->on_pull_request);
}

TEST(IssueComment, TellsBotsIssuesAndEditsApart) {
  EXPECT_FALSE(issue_comment(event(R"({"login": "ci[bot]", "id": 5, "type": "Bot"})"))->by_person);
  EXPECT_FALSE(issue_comment(event(R"({"login": "acme", "id": 5, "type": "Organization"})"))->by_person);
  EXPECT_FALSE(issue_comment(event(R"({"login": "ann", "id": 5})"))->by_person);
  const std::string ann = R"({"login": "ann", "id": 5, "type": "User"})";
  EXPECT_FALSE(issue_comment(event(ann, R"({"number": 7})"))->on_pull_request);
  EXPECT_FALSE(issue_comment(event(ann, R"({"number": 7, "pull_request": null})"))->on_pull_request);
  EXPECT_FALSE(issue_comment(event(ann, R"({"number": 7, "pull_request": {}})", "edited"))->created);
}

TEST(IssueComment, RefusesOtherEvents) {
  for (const std::string& text :
       {std::string(), std::string("[]"), std::string("{}"), std::string(R"({"pull_request": {}})"),
        event(R"({"login": "../x", "id": 5, "type": "User"})"), event(R"({"login": "", "id": 5, "type": "User"})"),
        event(R"({"login": "ann", "id": "5", "type": "User"})"), event(R"({"login": "ann", "type": "User"})"),
        event(R"("ann")"), event(R"({"login": "ann", "id": 5, "type": "User"})", "[]"),
        event(R"({"login": "ann", "id": 5, "type": "User"})", R"({"number": -7})")}) {
    EXPECT_FALSE(issue_comment(text)) << text;
  }
}

TEST(IssueComment, NeedsWritePermissionOfTheSamePerson) {
  const struct {
    long status;
    const char* body;
    bool may;
  } rows[] = {{200, R"({"permission": "admin", "user": {"id": 5}})", true},
              {200, R"({"permission": "maintain", "user": {"id": 5}})", true},
              {200, R"({"permission": "write", "user": {"id": 5}})", true},
              {200, R"({"permission": "triage", "user": {"id": 5}})", false},
              {200, R"({"permission": "read", "role_name": "admin", "user": {"id": 5}})", false},
              {200, R"({"permission": "none", "user": {"id": 5}})", false},
              {200, R"({"permission": ["write"], "user": {"id": 5}})", false},
              {200, R"({"permission": "admin", "user": {"id": 6}})", false},
              {200, R"({"permission": "admin"})", false},
              {404, R"({"message": "ann is not a user"})", false}};
  for (const auto& row : rows) {
    PlannedHttp http;
    http.plan("GET", "/repos/acme/nets/collaborators/ann/permission", row.status, row.body);
    Api api = testing::api_over(http);
    const auto may = author_may_write(api, *issue_comment(event()));
    ASSERT_TRUE(may) << row.body;
    EXPECT_EQ(*may, row.may) << row.body;
  }
  for (const auto& [status, body] : {std::pair(403L, "{}"), std::pair(500L, "{}"), std::pair(200L, "not JSON")}) {
    PlannedHttp http;
    http.plan("GET", "/repos/acme/nets/collaborators/ann/permission", status, body);
    Api api = testing::api_over(http);
    EXPECT_FALSE(author_may_write(api, *issue_comment(event()))) << status;
  }
}

TEST(IssueComment, ComparesOnlyTimesOfOneForm) {
  EXPECT_TRUE(is_before("2026-02-28T23:59:59Z", "2026-03-01T00:00:00Z"));
  EXPECT_FALSE(is_before("2026-03-01T00:00:00Z", "2026-03-01T00:00:00Z"));
  EXPECT_FALSE(is_before("2026-03-01T00:00:01Z", "2026-03-01T00:00:00Z"));
  for (const char* other : {"", "2026-03-01", "2026-02-01T00:00:00+00:00", "2026-02-01T00:00:00.000Z",
                            "2026-02-01 00:00:00Z", "0", "20a6-02-01T00:00:00Z"})
    EXPECT_FALSE(is_before(other, "2026-03-01T00:00:00Z")) << other;
}

}  // namespace
}  // namespace torchgate::github
