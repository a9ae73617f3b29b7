// SPDX-License-Identifier: Apache-2.0
#include "ci/github/client/issue.hpp"

#include <gtest/gtest.h>

#include "tests/ci/github/client/planned_http.hpp"

namespace torchgate::github {
namespace {

constexpr const char* list = "/repos/acme/nets/issues?state=all&labels=slow&per_page=100";
constexpr const char* actions = "github-actions[bot]";

std::string issue_text(int number, const std::string& author) {
  return R"({"number": )" + std::to_string(number) + R"(, "state": "open", "title": "t", "user": {"login": ")" +
         author + R"("}, "labels": [{"name": "slow"}], "body": "text\n\n)" + issue_marker("key") + R"("})";
}

TEST(CreateIssue, NamesTheAuthorThatTheTokenWritesAs) {
  testing::PlannedHttp http;
  http.plan("GET", list, 200, "[" + issue_text(3, "my-app[bot]") + "," + issue_text(4, "my-app[bot]") + "]");
  http.plan("POST", "/repos/acme/nets/issues", 201, issue_text(4, "my-app[bot]"));
  http.plan("PATCH", "/repos/acme/nets/issues/4", 200, "{}");
  Api api = testing::api_over(http);
  const auto created = create_issue(api, {actions, "slow"}, "key", "t", "text");
  ASSERT_FALSE(created);
  EXPECT_NE(created.error().message.find("issue 4 was created as my-app[bot]"), std::string::npos)
      << created.error().message;
  EXPECT_NE(created.error().message.find("give --author 'my-app[bot]'"), std::string::npos) << created.error().message;
  EXPECT_EQ(http.times_sent("PATCH /repos/acme/nets/issues/4"), 1U) << "of the next call there is no further issue";
}

TEST(CreateIssue, NeedsItsLabel) {
  testing::PlannedHttp http;
  http.plan("GET", list, 200, "[]");
  http.plan("POST", "/repos/acme/nets/issues", 201,
            R"({"number": 4, "user": {"login": "github-actions[bot]"}, "labels": []})");
  Api api = testing::api_over(http);
  const auto created = create_issue(api, {actions, "slow"}, "key", "t", "text");
  ASSERT_FALSE(created);
  EXPECT_NE(created.error().message.find("without the label slow; give the token `issues: write`"), std::string::npos)
      << created.error().message;
}

}  // namespace
}  // namespace torchgate::github
