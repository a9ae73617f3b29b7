// SPDX-License-Identifier: Apache-2.0
#include "ci/github/client/sticky_comment.hpp"

#include <gtest/gtest.h>

#include "reports/formats/markdown.hpp"
#include "tests/ci/github/client/planned_http.hpp"

namespace torchgate::github {
namespace {

// Of the body of a new comment, the text: JSON adds nothing to letters.
std::string written(const StickyComment& comment) {
  testing::PlannedHttp http;
  http.plan("GET", "/repos/acme/nets/issues/7/comments?per_page=100", 200, "[]");
  http.plan("POST", "/repos/acme/nets/issues/7/comments", 201, R"({"id": 1, "user": {"login": "a"}})");
  Api api = testing::api_over(http);
  const auto kept = keep_comment(api, comment);
  EXPECT_TRUE(kept) << kept.error().message;
  return http.last_body();
}

// What `gate --markdown` writes at most, and what the comment has below it.
TEST(KeepComment, HasTheLargestReportWithItsFooter) {
  constexpr std::size_t most_characters = 65'536;  // of a comment, for GitHub
  const std::string report(reports::MarkdownOptions().limit_bytes, 'r');
  const std::string footer(1000, 'f');
  const std::string body = written({7, "torchgate", "a", report + footer, "short"});
  EXPECT_NE(body.find(report + footer), std::string::npos) << body.substr(0, 100);
  EXPECT_LE(body.size(), most_characters);
}

TEST(KeepComment, HasTheShortTextInsteadOfALongerOne) {
  const std::string longest(most_comment_bytes, 'r');
  EXPECT_NE(written({7, "torchgate", "a", longest, "short"}).find(longest), std::string::npos);
  EXPECT_EQ(written({7, "torchgate", "a", longest + "r", "short"}).find("short"), std::string(R"({"body":")").size());
}

}  // namespace
}  // namespace torchgate::github
