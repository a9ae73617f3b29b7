// SPDX-License-Identifier: Apache-2.0
#include "ci/github/client/workflow_run.hpp"

#include <gtest/gtest.h>

#include "tests/ci/github/client/planned_http.hpp"

namespace torchgate::github {
namespace {

using testing::PlannedHttp;

const char* const runs_path = "/repos/acme/nets/actions/runs?event=pull_request&head_sha=abc&per_page=100";
const PullRequest pull{7, true, "abc", "fork/nets", "main", "", ""};

// MORE are members that replace those before them.
std::string run_text(int id, const std::string& more = "") {
  return R"({"event": "pull_request", "head_sha": "abc", "head_repository": {"full_name": "fork/nets"}, "run_attempt": 1,
             "run_started_at": "2026-03-01T09:50:00Z", "status": "completed", "conclusion": "failure", "name": "perf",
             "path": ".github/workflows/perf.yml", "pull_requests": [], "id": )" +
         std::to_string(id) + (more.empty() ? "" : ", " + more) + "}";
}

base::Result<std::optional<WorkflowRun>> newest_of(const std::string& runs, const std::string& workflow = "") {
  PlannedHttp http;
  http.plan("GET", runs_path, 200, R"({"total_count": 1, "workflow_runs": [)" + runs + "]}");
  Api api = testing::api_over(http);
  return newest_run(api, pull, workflow);
}

TEST(WorkflowRun, IsTheNewestOfThePullRequest) {
  const auto found = newest_of(run_text(5) + "," + run_text(9, R"("status": "in_progress")") + "," + run_text(8));
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->id, 9);
  EXPECT_FALSE((*found)->completed);
  EXPECT_EQ((*found)->started_at, "2026-03-01T09:50:00Z");
  EXPECT_EQ((*found)->attempt, 1);
  EXPECT_TRUE((*newest_of(run_text(5)))->completed);
  EXPECT_TRUE((*newest_of(run_text(5, R"("conclusion": "action_required")")))->needs_approval);
}

TEST(WorkflowRun, IsNotOneOfAnotherPullRequest) {
  for (const char* more : {R"("event": "push")", R"("event": "pull_request_target")", R"("head_sha": "abd")",
                           R"("id": 0)", R"("head_repository": {"full_name": "other/nets"})",
                           R"("head_repository": null)", R"("pull_requests": [{"number": 8}, {"number": 9}])"}) {
    const auto found = newest_of(run_text(5, more));
    ASSERT_TRUE(found) << more;
    EXPECT_FALSE(*found) << more;
  }
  EXPECT_TRUE(*newest_of(run_text(5, R"("pull_requests": [{"number": 8}, {"number": 7}])")));
}

TEST(WorkflowRun, IsChosenByFileOrName) {
  const std::string both =
      run_text(5) + "," + run_text(6, R"("name": "lint", "path": ".github/workflows/lint.yml@refs/heads/main")");
  EXPECT_FALSE(newest_of(both)) << "which of them is a guess";
  for (const char* name : {"perf", "perf.yml", ".github/workflows/perf.yml"})
    EXPECT_EQ((*newest_of(both, name))->id, 5) << name;
  EXPECT_EQ((*newest_of(both, "lint.yml"))->id, 6);
  for (const char* name : {"erf.yml", "yml", "other"}) EXPECT_FALSE(*newest_of(both, name)) << name;
}

class RunAgain : public ::testing::Test {
 protected:
  void attempt(int number) {
    http_.plan("GET", "/repos/acme/nets/actions/runs/5", 200,
               run_text(5, R"("run_attempt": )" + std::to_string(number)));
  }
  void post(long status) { http_.plan("POST", rerun_path_, status, "{}"); }
  base::Result<void> again() {
    Api api = testing::api_over(http_);
    WorkflowRun run;
    run.id = 5;
    run.attempt = 1;
    return run_again(api, run);
  }
  std::string rerun_path_ = "/repos/acme/nets/actions/runs/5/rerun";
  PlannedHttp http_;
};

TEST_F(RunAgain, PostsOnce) {
  attempt(1);
  post(201);
  EXPECT_TRUE(again());
  EXPECT_EQ(http_.times_sent("POST " + rerun_path_), 1U);
}

TEST_F(RunAgain, PostsAgainAfterAnAnswerThatDidNothing) {
  attempt(1);
  post(500);
  post(0);
  post(201);
  EXPECT_TRUE(again());
  EXPECT_EQ(http_.times_sent("POST " + rerun_path_), 3U);
}

TEST_F(RunAgain, PostsNotAgainIfTheLostAnswerDidIt) {
  attempt(1);
  attempt(2);
  post(0);
  EXPECT_TRUE(again());
  EXPECT_EQ(http_.times_sent("POST " + rerun_path_), 1U);
}

TEST_F(RunAgain, NamesThePermission) {
  attempt(1);
  post(403);
  const auto refused = again();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("actions: write"), std::string::npos) << refused.error().message;
}

TEST(WorkflowRun, HasItsArtifactUntilItExpires) {
  const auto has = [](const std::string& artifacts) {
    PlannedHttp http;
    http.plan("GET", "/repos/acme/nets/actions/runs/5/artifacts?name=measured&per_page=100", 200,
              R"({"artifacts": [)" + artifacts + "]}");
    Api api = testing::api_over(http);
    WorkflowRun run;
    run.id = 5;
    return *has_artifact(api, run, "measured");
  };
  EXPECT_TRUE(has(R"({"name": "measured", "expired": false})"));
  EXPECT_FALSE(has(R"({"name": "measured", "expired": true})"));
  EXPECT_FALSE(has(R"({"name": "other", "expired": false})"));
  EXPECT_FALSE(has(""));
}

bool measured_again_with(const std::string& jobs) {
  PlannedHttp http;
  http.plan("GET", "/repos/acme/nets/actions/runs/5/jobs?filter=latest&per_page=100", 200,
            R"({"jobs": [)" + jobs + "]}");
  Api api = testing::api_over(http);
  return measured_again(api, 5, "2026-03-01T10:00:00Z").value();
}

std::string job(const std::string& name, const std::string& started) {
  return R"({"name": ")" + name + R"(", "started_at": )" + (started.empty() ? "null" : '"' + started + '"') + "}";
}

TEST(MeasuredAgain, IsFalseOnlyWhereNoMeasuringJobBeganInTheNewestAttempt) {
  const std::string old = "2026-03-01T09:00:00Z";
  const std::string later = "2026-03-01T10:00:05Z";
  const std::string judge = job("gate / judge", later);
  const std::string measured = job("gate / measure (1/2)", old) + "," + job("gate / measure (2/2)", old);
  EXPECT_FALSE(measured_again_with(judge + "," + measured + "," + job("gate / confirm", old)));
  EXPECT_FALSE(measured_again_with(judge + "," + job("measure", old)));
  EXPECT_FALSE(measured_again_with(judge + "," + job("a / gate / confirm", old) + "," + job("lint", later)));
  EXPECT_TRUE(measured_again_with(judge + "," + measured + "," + job("gate / confirm", later)));
  EXPECT_TRUE(measured_again_with(job("gate / measure (1/2)", old) + "," + job("gate / measure (2/2)", later)));
  EXPECT_TRUE(measured_again_with(measured + "," + job("gate / confirm", "2026-03-01T10:00:00Z"))) << "the same second";
  EXPECT_TRUE(measured_again_with(measured + "," + job("gate / confirm", ""))) << "queued";
  EXPECT_TRUE(measured_again_with(measured + "," + job("gate / confirm", "yesterday")));
  const std::string skipped = R"(", "started_at": "2026-03-01T10:00:05Z", "conclusion": "skipped"})";
  EXPECT_FALSE(measured_again_with(measured + R"(,{"name": "gate / confirm)" + skipped));
  EXPECT_TRUE(measured_again_with(R"({"name": "gate / measure (1/1))" + skipped));
  EXPECT_TRUE(measured_again_with(R"({"name": "gate / confirm)" + skipped)) << "nothing was measured";
  EXPECT_TRUE(measured_again_with(judge)) << "jobs of other names";
  EXPECT_TRUE(measured_again_with(judge + "," + job("remeasure", old)));
  EXPECT_TRUE(measured_again_with(""));
}

}  // namespace
}  // namespace torchgate::github
