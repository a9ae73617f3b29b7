// SPDX-License-Identifier: Apache-2.0
// Which workflow and job a verdict is of. Two workflows may judge one commit (CPU and GPU): each key has a check and a comment of its own,
// and a newer verdict replaces older ones of its own key only.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "harness/base/result.hpp"

namespace torchgate::github {

/// The key whose check has no suffix: that of performance.yml, the file in README.md.
inline constexpr const char* default_key = "performance";

struct VerdictKey {
  std::string text;  ///< letters, digits and "._-"; empty: unknown
  bool operator==(const VerdictKey&) const = default;
};

/// VARIABLE returns the value of an environment variable, empty if it is not set.
using Variable = std::function<std::string(const char*)>;

/// NAMED, if it is given (bad_input: it is not a key). Else the file of the workflow (GITHUB_WORKFLOW_REF; its name, GITHUB_WORKFLOW,
/// where that is not set) and its job: "gpu.gate". EVENT is the text of GITHUB_EVENT_PATH, empty if there is none: on `workflow_run` the
/// key is that of the workflow that measured, without a job. Unknown outside of GitHub Actions, and on other events that are
/// about another workflow's run (`issue_comment`).
base::Result<VerdictKey> verdict_key(const std::optional<std::string>& named, const Variable& variable,
                                     const std::string& event);

/// The same without the job: begin, measuring and judging are different jobs of one workflow.
base::Result<VerdictKey> workflow_key(const std::optional<std::string>& named, const Variable& variable,
                                      const std::string& event);

/// The key of a workflow by its file (".github/workflows/gpu.yml" is "gpu") or its name. A name that is not a key ("GPU tests") becomes
/// one with some digits of its hash.
std::string key_of_workflow(const std::string& file_or_name);

/// The name of check and comment: NAME for the default key and an unknown one, else "NAME/KEY".
std::string keyed_name(const std::string& name, const std::string& key);

/// "RUN.ATTEMPT" of this job, "" outside of GitHub Actions: two verdicts of one attempt with one key are of two jobs. Where EVENT is
/// `workflow_run`, "/RUN.ATTEMPT" of the run that it is about follows.
std::string origin_of(const Variable& variable, const std::string& event = "");

}  // namespace torchgate::github
