// SPDX-License-Identifier: Apache-2.0
#include "ci/github/client/check_run.hpp"

#include <gtest/gtest.h>

#include "harness/base/content_hash.hpp"
#include "tests/ci/github/client/planned_http.hpp"

namespace torchgate::github {
namespace {

std::string check_text(int id, const std::string& more) {
  return R"({"id": )" + std::to_string(id) + R"(, "external_id": "torchgate-)" +
         base::sha256("torchgate").substr(0, 16) + R"(", )" + more + "}";
}

base::Result<std::optional<KnownCheck>> check_of(const std::string& checks) {
  testing::PlannedHttp http;
  http.plan("GET", "/repos/acme/nets/commits/abc/check-runs?filter=all&check_name=torchgate&per_page=100", 200,
            R"({"check_runs": [)" + checks + "]}");
  Api api = testing::api_over(http);
  return newest_check(api, {"torchgate", "abc", ""});
}

TEST(NewestCheck, IsTheLastThatBegan) {
  const std::string old = check_text(1, R"("status": "completed", "completed_at": "2026-03-01T10:00:00Z")");
  const auto one = check_of(old);
  ASSERT_TRUE(one && *one);
  EXPECT_TRUE((*one)->completed);
  EXPECT_EQ((*one)->completed_at, "2026-03-01T10:00:00Z");
  const auto again = check_of(check_text(2, R"("status": "in_progress", "completed_at": null)") + "," + old);
  EXPECT_FALSE((*again)->completed);
  EXPECT_EQ((*again)->completed_at, "");
}

TEST(NewestCheck, IgnoresChecksOfOtherPrograms) {
  EXPECT_FALSE(*check_of(""));
  EXPECT_FALSE(*check_of(R"({"id": 9, "external_id": "other", "status": "completed"})"));
  EXPECT_FALSE(*check_of(R"({"id": 9, "status": "completed"})"));
}

}  // namespace
}  // namespace torchgate::github
