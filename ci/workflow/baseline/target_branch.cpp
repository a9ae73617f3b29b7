// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/baseline/target_branch.hpp"

#include <cstdint>

#include "ci/workflow/workspace/ci_pull_request.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/json/json_reader.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::workflow {
namespace {

constexpr std::int64_t largest_event = 26'000'000;  // a payload of GitHub has at most 25 MB

// "before" of a push event of GitHub's, which has no variable for it.
std::string before_of_event(const std::string& file) {
  if (file.empty()) return "";
  const auto text = base::read_file(file, largest_event);
  if (!text) return "";
  std::string before;
  json::JsonReader reader(*text, file);
  reader.object({}, [&](std::string_view key) {
    if (key == "before" && reader.peek() == json::JsonReader::Kind::string)
      before = reader.string();
    else
      reader.skip();
  });
  return reader.failed() ? "" : before;
}

}  // namespace

std::string target_tip(const git::Repository& repository, const std::function<std::string(const char*)>& variable) {
  const auto known = [&](const std::string& commit) {
    return record::is_full_commit(commit) && repository.has_commit(commit);
  };
  if (const auto pull = pull_request(variable)) {
    if (!pull->branch.empty()) {
      if (const auto tip = repository.resolve_reference("refs/remotes/origin/" + pull->branch)) return *tip;
    }
    return known(pull->base_commit) ? pull->base_commit : "";
  }
  // GitLab's and Jenkins'.
  for (const char* const name : {"CI_COMMIT_BEFORE_SHA", "GIT_PREVIOUS_COMMIT"})
    if (std::string before = variable(name); known(before)) return before;
  if (std::string before = before_of_event(variable("GITHUB_EVENT_PATH")); known(before)) return before;
  return "";
}

}  // namespace torchgate::workflow
