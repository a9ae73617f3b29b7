// SPDX-License-Identifier: Apache-2.0
#include "ci/github/comment/verdict_key.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace torchgate::github {
namespace {

using Environment = std::map<std::string, std::string>;

Variable variables(Environment environment) {
  return [environment = std::move(environment)](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
  };
}

std::string key(const Environment& environment, const std::string& event = "") {
  return verdict_key(std::nullopt, variables(environment), event).value().text;
}

TEST(VerdictKey, IsOfTheWorkflowAndItsJob) {
  const std::string file = "acme/nets/.github/workflows/gpu.yml";
  EXPECT_EQ(key({}), "");
  EXPECT_EQ(key({{"GITHUB_WORKFLOW_REF", file + "@refs/pull/7/merge"}}), "gpu");
  EXPECT_EQ(
      key({{"GITHUB_WORKFLOW_REF", file + "@refs/heads/main"}, {"GITHUB_WORKFLOW", "other"}, {"GITHUB_JOB", "gate"}}),
      "gpu.gate");
  EXPECT_EQ(key({{"GITHUB_WORKFLOW", "CPU"}, {"GITHUB_JOB", "gate"}}), "CPU.gate");
  EXPECT_EQ(key({{"GITHUB_JOB", "gate"}}), "") << "a job of an unknown workflow";
}

TEST(VerdictKey, OfAnotherWorkflowsRunIsOfThatWorkflow) {
  const Environment forks = {
      {"GITHUB_EVENT_NAME", "workflow_run"},
      {"GITHUB_WORKFLOW_REF", "acme/nets/.github/workflows/performance-forks.yml@refs/heads/main"},
      {"GITHUB_JOB", "judge"}};
  EXPECT_EQ(key(forks, R"({"workflow_run": {"path": ".github/workflows/gpu.yml@main", "name": "GPU"}})"), "gpu");
  EXPECT_EQ(key(forks, R"({"workflow_run": {"name": "GPU"}})"), "GPU");
  EXPECT_EQ(key(forks, R"({"workflow_run": {}})"), "");
  EXPECT_EQ(key({{"GITHUB_EVENT_NAME", "issue_comment"}, {"GITHUB_WORKFLOW", "performance commands"}}), "");
}

TEST(VerdictKey, WithoutTheJobIsTheSameInEachJob) {
  const Environment begin = {{"GITHUB_WORKFLOW_REF", "a/b/.github/workflows/gpu.yml@x"}, {"GITHUB_JOB", "begin"}};
  EXPECT_EQ(workflow_key(std::nullopt, variables(begin), "").value().text, "gpu");
}

TEST(VerdictKey, OfNamesThatDifferDiffer) {
  std::set<std::string> keys;
  const std::vector<std::string> names = {
      "gpu.yml", "gpu.yaml", "x/gpu..yml", "GPU tests", "GPU-tests", "GPU/tests",           "GPU.tests",
      "Größe",   "größe",    "测试",       "测",        "..",        std::string(100, 'a'), std::string(101, 'a'),
      "-gpu",    "gpu.lock"};
  for (const std::string& name : names) {
    const std::string one = key_of_workflow(name);
    EXPECT_TRUE(workflow_key(one, variables({}), "")) << name << ": " << one;
    keys.insert(one);
  }
  EXPECT_EQ(keys.size(), names.size());
  EXPECT_EQ(key_of_workflow(""), "");
}

TEST(VerdictKey, ThatIsNamedIsChecked) {
  EXPECT_EQ(verdict_key("gpu", variables({{"GITHUB_WORKFLOW", "CPU"}}), "").value().text, "gpu");
  for (const char* bad : {"", "a b", "a/b", "../x", "-x", ".x", "x.", "a..b", "a\nb", "(main)", "x.lock"})
    EXPECT_FALSE(verdict_key(bad, variables({}), "")) << bad;
  EXPECT_FALSE(verdict_key(std::string(65, 'a'), variables({}), ""));
}

TEST(KeyedName, HasNoSuffixForTheDefault) {
  EXPECT_EQ(keyed_name("torchgate", ""), "torchgate");
  EXPECT_EQ(keyed_name("torchgate", "performance"), "torchgate");
  EXPECT_EQ(keyed_name("torchgate", "gpu"), "torchgate/gpu");
}

TEST(Origin, IsRunAndAttempt) {
  EXPECT_EQ(origin_of(variables({})), "");
  EXPECT_EQ(origin_of(variables({{"GITHUB_RUN_ID", "12"}, {"GITHUB_RUN_ATTEMPT", "2"}})), "12.2");
  EXPECT_EQ(origin_of(variables({{"GITHUB_RUN_ID", "12"}})), "12.1");
  EXPECT_EQ(origin_of(variables({{"GITHUB_RUN_ID", "unknown"}})), "");
}

TEST(Origin, NamesTheRunThatTheEventIsAbout) {
  const auto job = variables({{"GITHUB_RUN_ID", "12"}, {"GITHUB_RUN_ATTEMPT", "2"}});
  EXPECT_EQ(origin_of(job, R"({"workflow_run": {"id": 9, "run_attempt": 3}})"), "12.2/9.3");
  for (const char* other :
       {"", "{}", "[]", R"({"workflow_run": {"id": 9}})", R"({"workflow_run": {"id": "9", "run_attempt": 3}})"})
    EXPECT_EQ(origin_of(job, other), "12.2") << other;
}

}  // namespace
}  // namespace torchgate::github
