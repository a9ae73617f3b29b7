// SPDX-License-Identifier: Apache-2.0
#include "ci/github/client/artifact.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/ci/github/client/planned_http.hpp"

namespace torchgate::github {
namespace {

using testing::PlannedHttp;

// Two calls of one workflow: "Re-run failed jobs" has measured the other one again, after this one's upload.
base::Result<std::string> download(std::optional<std::int64_t> uploaded) {
  PlannedHttp http;
  const std::string run = "/repos/acme/nets/actions/runs/5";
  http.plan("GET", run + "/artifacts?name=cpu&per_page=100", 200,
            R"({"artifacts": [{"id": 8, "name": "cpu", "created_at": "2026-03-01T10:00:00Z"},
                              {"id": 6, "name": "cpu", "created_at": "2026-03-01T09:00:00Z"}]})");
  http.plan("GET", run, 200, R"({"id": 5, "run_started_at": "2026-03-01T11:00:00Z"})");
  http.plan("GET", run + "/jobs?filter=latest&per_page=100", 200,
            R"json({"jobs": [{"name": "cpu / measure (1/1)", "started_at": "2026-03-01T09:51:00Z"},
                             {"name": "gpu / measure (1/1)", "started_at": "2026-03-01T11:00:02Z"}]})json");
  http.plan("GET", "/repos/acme/nets/actions/artifacts/8/zip", 200, "the bytes");
  Api api = testing::api_over(http);
  return download_artifact(api, 5, "cpu", uploaded);
}

TEST(Artifact, WhoseUploadIsKnownIsNotOfAnEarlierAttempt) {
  const auto known = download(8);
  ASSERT_TRUE(known) << known.error().message;
  EXPECT_EQ(*known, "the bytes");
}

TEST(Artifact, MayBeOfAnEarlierAttemptWhereItsUploadIsNotKnown) {
  const auto unknown = download(std::nullopt);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("of an earlier attempt"), std::string::npos) << unknown.error().message;
}

TEST(Artifact, IsTheOneThatTheMeasuringJobUploaded) {
  const auto other = download(6);
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("the newest one is 8, the measuring job uploaded 6"), std::string::npos)
      << other.error().message;
}

}  // namespace
}  // namespace torchgate::github
