// SPDX-License-Identifier: Apache-2.0
#include "ci/github/client/artifact.hpp"

#include <fmt/format.h>

#include "ci/github/artifact/artifact_limits.hpp"
#include "ci/github/client/answer_json.hpp"
#include "ci/github/client/issue_comment.hpp"
#include "ci/github/client/workflow_run.hpp"
#include "harness/base/shown_text.hpp"

namespace torchgate::github {

using base::Error;
using base::ErrorCode;

namespace {

// Of an attempt that ended early: the verdict of the one before it must not be reached again. Where only the judging job was run again,
// there are no newer measurements.
base::Result<bool> is_of_earlier_measuring(Api& api, std::int64_t run, const Json& artifact) {
  const auto started = started_at(api, run);
  if (!started) return started.error();
  if (!is_before(text_at(artifact, {"created_at"}), *started)) return false;
  return measured_again(api, run, *started);
}

}  // namespace

base::Result<std::string> download_artifact(Api& api, std::int64_t run, const std::string& name,
                                            std::optional<std::int64_t> uploaded) {
  const auto all = elements(
      api, fmt::format("{}/actions/runs/{}/artifacts?name={}", api.repository_path(), run, percent_encoded(name)),
      "artifacts");
  if (!all) return all.error();
  const Json* newest = nullptr;  // a job that was run again uploads another one
  for (const Json& each : *all) {
    if (text_at(each, {"name"}) == name && (newest == nullptr || number_at(each, {"id"}) > number_at(*newest, {"id"})))
      newest = &each;
  }
  const std::string what = fmt::format("artifact {} of workflow run {}", base::shown(name), run);
  if (newest == nullptr)
    return Error{ErrorCode::not_found, what + ": missing; the job that uploads it ended early, see its log"};
  if (newest->contains("expired") && (*newest)["expired"] == true)
    return Error{ErrorCode::not_found, what + ": expired; run the workflow again"};
  if (uploaded) {
    if (const std::int64_t id = number_at(*newest, {"id"}); id != *uploaded) {
      return Error{ErrorCode::not_found, fmt::format("{}: the newest one is {}, the measuring job uploaded {}; run all "
                                                     "jobs of the workflow again",
                                                     what, id, *uploaded)};
    }
  } else {
    const auto earlier = is_of_earlier_measuring(api, run, *newest);
    if (!earlier) return earlier.error();
    if (*earlier)
      return Error{ErrorCode::not_found, what + ": of an earlier attempt; run all jobs of the workflow again"};
  }
  if (const std::int64_t bytes = number_at(*newest, {"size_in_bytes"}); bytes > max_artifact_bytes) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: {} bytes, at most {} are downloaded", what, bytes, max_artifact_bytes)};
  }
  return api.download(fmt::format("{}/actions/artifacts/{}/zip", api.repository_path(), number_at(*newest, {"id"})));
}

}  // namespace torchgate::github
