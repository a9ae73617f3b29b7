// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/workspace/ci_pull_request.hpp"

#include <array>
#include <string_view>

namespace torchgate::workflow {
namespace {

// One row per CI system: the variables that mark a pull request, from its documentation.
struct System {
  const char* name;
  const char* said_by;  // set in pull requests only ...
  const char* said_as;  // ... with a value that begins like this, "" for any
  const char* not_as;   // ... and is not this one
  const char* branch;   // the branch to merge into
  const char* commit;   // a commit of that branch; null: not given by the system
};
constexpr std::array systems{
    System{"GitHub", "GITHUB_EVENT_NAME", "pull_request", "", "GITHUB_BASE_REF", nullptr},
    System{"GitLab", "CI_MERGE_REQUEST_IID", "", "", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
           "CI_MERGE_REQUEST_DIFF_BASE_SHA"},
    System{"Jenkins", "CHANGE_ID", "", "", "CHANGE_TARGET", nullptr},
    System{"Buildkite", "BUILDKITE_PULL_REQUEST", "", "false", "BUILDKITE_PULL_REQUEST_BASE_BRANCH", nullptr},
};

// "refs/heads/gh-readonly-queue/release/2/pr-7-ab12": the branch that a merge group goes into is the middle; "" if it is not of that form.
std::string queue_branch(std::string_view reference) {
  constexpr std::string_view begin = "refs/heads/gh-readonly-queue/";
  if (!reference.starts_with(begin)) return "";
  reference.remove_prefix(begin.size());
  const std::size_t last = reference.rfind("/pr-");
  return last == std::string_view::npos ? "" : std::string(reference.substr(0, last));
}

}  // namespace

std::optional<PullRequest> pull_request(const std::function<std::string(const char*)>& variable) {
  if (variable("GITHUB_EVENT_NAME") == "merge_group")
    return PullRequest{"GitHub", queue_branch(variable("GITHUB_REF")), "GITHUB_REF", ""};
  for (const System& system : systems) {
    const std::string said = variable(system.said_by);
    const std::string branch = variable(system.branch);
    const std::string commit = system.commit == nullptr ? "" : variable(system.commit);
    const bool is_one = !said.empty() && said != system.not_as && said.starts_with(system.said_as);
    // Its branch or commit alone is enough: all of them are empty or not set outside of pull requests.
    if (is_one || !branch.empty() || !commit.empty()) return PullRequest{system.name, branch, system.branch, commit};
  }
  return std::nullopt;
}

bool is_push(const std::function<std::string(const char*)>& variable) {
  if (pull_request(variable)) return false;
  return variable("GITHUB_EVENT_NAME") == "push" || variable("CI_PIPELINE_SOURCE") == "push";
}

}  // namespace torchgate::workflow
