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

constexpr const char* checks = "/repos/acme/nets/commits/abc/check-runs?filter=all&check_name=torchgate&per_page=100";
constexpr const char* post = "POST /repos/acme/nets/check-runs";

std::string completed(int id, const std::string& origin, const std::string& conclusion) {
  return R"({"id": )" + std::to_string(id) + R"(, "external_id": "torchgate-)" +
         base::sha256("torchgate").substr(0, 16) + "." + origin + R"(", "status": "completed", "conclusion": ")" +
         conclusion + R"(", "output": {"title": "t", "summary": "s"}})";
}

// The jobs of events of one workflow run start in any order: that of `in_progress` may be later than that of `completed`.
TEST(BeginCheck, IsNotInProgressAfterTheVerdictOnTheSameAttempt) {
  const auto begun = [](const std::string& existing, const std::string& origin) {
    testing::PlannedHttp http;
    http.plan("GET", checks, 200, R"({"check_runs": [)" + existing + "]}");
    http.plan("POST", "/repos/acme/nets/check-runs", 201, R"({"id": 5})");
    Api api = testing::api_over(http);
    const auto answer = begin_check(api, {"torchgate", "abc", "", origin});
    EXPECT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(http.times_sent(post), *answer ? 1U : 0U);
    return *answer;
  };
  EXPECT_FALSE(begun(completed(1, "13.1/9.1", "success"), "12.1/9.1"));
  EXPECT_TRUE(begun(completed(1, "13.1/9.1", "success"), "12.1/9.2")) << "measured again";
  EXPECT_TRUE(begun(completed(1, "13.1", "success"), "13.2")) << "one workflow, started again";
  EXPECT_TRUE(begun("", "12.1/9.1"));
}

TEST(BeginCheck, TakesTheVerdictThatWasToldAtTheSameTime) {
  testing::PlannedHttp http;
  http.plan("GET", checks, 200, R"({"check_runs": []})");
  http.plan("GET", checks, 200, R"({"check_runs": [)" + completed(1, "13.1/9.1", "neutral") + "]}");
  http.plan("POST", "/repos/acme/nets/check-runs", 201, R"({"id": 5})");
  http.plan("PATCH", "/repos/acme/nets/check-runs/5", 200, "{}");
  Api api = testing::api_over(http);
  const auto answer = begin_check(api, {"torchgate", "abc", "", "12.1/9.1"});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_FALSE(*answer);
  EXPECT_NE(http.last_body().find(R"("conclusion":"neutral")"), std::string::npos) << http.last_body();
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
