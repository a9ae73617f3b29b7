// SPDX-License-Identifier: Apache-2.0
#include "ci/github/client/api.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "tests/ci/github/client/planned_http.hpp"

namespace torchgate::github {
namespace {

using std::chrono::seconds;
using testing::PlannedHttp;

struct Waited {
  base::Result<Answer> answer;
  std::vector<seconds> waits;

  [[nodiscard]] seconds sum() const { return std::accumulate(waits.begin(), waits.end(), seconds(0)); }
};

Waited wait_for_ever(const std::map<std::string, std::string>& headers) {
  PlannedHttp http;
  http.plan("GET", "/repos/acme/nets/pulls/1", 429, "{}", headers);
  std::vector<seconds> waits;
  Api api = testing::api_over(http, &waits);
  auto answer = api.send("GET", "/repos/acme/nets/pulls/1");
  return {std::move(answer), waits};
}

TEST(RateLimit, IsWaitedForAsLongAsAsked) {
  PlannedHttp http;
  http.plan("GET", "/repos/acme/nets/pulls/1", 429, "{}", {{"retry-after", "7"}});
  http.plan("GET", "/repos/acme/nets/pulls/1", 200, "{}");
  std::vector<seconds> waits;
  Api api = testing::api_over(http, &waits);
  EXPECT_TRUE(api.send("GET", "/repos/acme/nets/pulls/1"));
  EXPECT_EQ(waits, std::vector<seconds>{seconds(7)});
}

TEST(RateLimit, EndsAlsoWhereTheServerAsksForNoWait) {
  for (const char* after : {"0", "-5", "1", "60", ""}) {
    const Waited waited = wait_for_ever({{"retry-after", after}});
    ASSERT_FALSE(waited.answer) << after;
    EXPECT_NE(waited.answer.error().message.find("rate limit"), std::string::npos) << waited.answer.error().message;
    EXPECT_LE(waited.sum(), Patience{}.rate_limits) << after;
    EXPECT_GT(waited.sum(), Patience{}.rate_limits / 2) << after;
  }
}

TEST(RateLimit, OfAnyNumberIsRefusedAtOnce) {
  for (const char* number : {"9223372036854775807", "1000000000"}) {
    EXPECT_TRUE(wait_for_ever({{"retry-after", number}}).waits.empty()) << number;
  }
  const Waited reset = wait_for_ever({{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", "9223372036854775807"}});
  EXPECT_FALSE(reset.answer);
  EXPECT_TRUE(reset.waits.empty());
  const Waited past = wait_for_ever({{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", "-9223372036854775807"}});
  EXPECT_FALSE(past.answer);
  EXPECT_EQ(past.sum(), Patience{}.rate_limits);
}

}  // namespace
}  // namespace torchgate::github
