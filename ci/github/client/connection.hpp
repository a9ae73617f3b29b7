// SPDX-License-Identifier: Apache-2.0
// GitHub's API as the environment of a job describes it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "ci/github/client/api.hpp"
#include "ci/github/client/curl_http.hpp"
#include "ci/github/client/http.hpp"
#include "harness/base/result.hpp"

namespace torchgate::github {

struct GithubSession {
  std::unique_ptr<Http> http;
  std::unique_ptr<Api> api;
};

/// REPOSITORY "owner/name", empty: GITHUB_REPOSITORY. NOTE is told of waits longer than a moment. bad_input: a variable is missing
/// or malformed; not_found: libcurl is not installed.
base::Result<GithubSession> open_github(const std::string& repository,
                                        const std::function<void(const std::string&)>& note,
                                        const HttpLimits& limits = {});

/// The page of this job: GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID; empty outside of GitHub Actions.
std::string job_url();

/// The text of the file GITHUB_EVENT_PATH. bad_input: it is not set (INSTEAD says what to do then) or cannot be read.
base::Result<std::string> event_text(
    const std::string& instead = "name the pull request with --pull-request N --head SHA");

}  // namespace torchgate::github
