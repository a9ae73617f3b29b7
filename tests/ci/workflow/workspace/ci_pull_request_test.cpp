// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/workspace/ci_pull_request.hpp"

#include <gtest/gtest.h>

#include <map>

namespace {

using Environment = std::map<std::string, std::string>;

std::optional<torchgate::workflow::PullRequest> in(const Environment& environment) {
  return torchgate::workflow::pull_request([&](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
  });
}

bool is_push(const Environment& environment) {
  return torchgate::workflow::is_push([&](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
  });
}

TEST(Push, IsNotAPullRequest) {
  EXPECT_FALSE(is_push({})) << "a desk";
  EXPECT_TRUE(is_push({{"GITHUB_EVENT_NAME", "push"}, {"GITHUB_BASE_REF", ""}}));
  EXPECT_TRUE(is_push({{"CI_PIPELINE_SOURCE", "push"}}));
  EXPECT_FALSE(is_push({{"CI_PIPELINE_SOURCE", "push"}, {"CI_MERGE_REQUEST_IID", "7"}}));
  for (const char* event : {"pull_request", "schedule", "workflow_dispatch", "merge_group"})
    EXPECT_FALSE(is_push({{"GITHUB_EVENT_NAME", event}})) << event;
}

struct Row {
  const char* what;
  Environment environment;
  const char* system;  // null: no pull request
  const char* branch;
  const char* commit;
};

TEST(PullRequest, IsWhatTheSystemsSay) {
  const Row rows[] = {
      {"a desk", {}, nullptr, "", ""},
      {"GitHub", {{"GITHUB_EVENT_NAME", "pull_request"}, {"GITHUB_BASE_REF", "main"}}, "GitHub", "main", ""},
      {"GitHub, the base's workflow",
       {{"GITHUB_EVENT_NAME", "pull_request_target"}, {"GITHUB_BASE_REF", "r/1"}},
       "GitHub",
       "r/1",
       ""},
      {"GitHub, branch alone", {{"GITHUB_BASE_REF", "main"}}, "GitHub", "main", ""},
      {"GitHub, event alone", {{"GITHUB_EVENT_NAME", "pull_request"}}, "GitHub", "", ""},
      {"GitHub, merge queue",
       {{"GITHUB_EVENT_NAME", "merge_group"}, {"GITHUB_REF", "refs/heads/gh-readonly-queue/r/2/pr-7-ab12"}},
       "GitHub",
       "r/2",
       ""},
      {"GitHub, merge queue, another reference",
       {{"GITHUB_EVENT_NAME", "merge_group"}, {"GITHUB_REF", "refs/heads/main"}},
       "GitHub",
       "",
       ""},
      {"GitHub, push", {{"GITHUB_EVENT_NAME", "push"}, {"GITHUB_BASE_REF", ""}}, nullptr, "", ""},
      {"GitLab",
       {{"CI_MERGE_REQUEST_IID", "7"},
        {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main"},
        {"CI_MERGE_REQUEST_DIFF_BASE_SHA", "ab12"}},
       "GitLab",
       "main",
       "ab12"},
      {"GitLab, commit alone", {{"CI_MERGE_REQUEST_DIFF_BASE_SHA", "ab12"}}, "GitLab", "", "ab12"},
      {"GitLab, branch pipeline", {{"CI_COMMIT_BRANCH", "main"}, {"GITLAB_CI", "true"}}, nullptr, "", ""},
      {"Jenkins", {{"CHANGE_ID", "3"}, {"CHANGE_TARGET", "main"}}, "Jenkins", "main", ""},
      {"Jenkins, no target", {{"CHANGE_ID", "3"}}, "Jenkins", "", ""},
      {"Jenkins, branch", {{"BRANCH_NAME", "main"}, {"JENKINS_URL", "x"}}, nullptr, "", ""},
      {"Buildkite",
       {{"BUILDKITE_PULL_REQUEST", "9"}, {"BUILDKITE_PULL_REQUEST_BASE_BRANCH", "main"}},
       "Buildkite",
       "main",
       ""},
      {"Buildkite, branch",
       {{"BUILDKITE_PULL_REQUEST", "false"}, {"BUILDKITE_PULL_REQUEST_BASE_BRANCH", ""}},
       nullptr,
       "",
       ""},
  };
  for (const Row& row : rows) {
    const auto found = in(row.environment);
    ASSERT_EQ(found.has_value(), row.system != nullptr) << row.what;
    if (!found) continue;
    EXPECT_EQ(found->system, row.system) << row.what;
    EXPECT_EQ(found->branch, row.branch) << row.what;
    EXPECT_EQ(found->base_commit, row.commit) << row.what;
    EXPECT_FALSE(found->branch_from.empty()) << row.what;
  }
}

}  // namespace
