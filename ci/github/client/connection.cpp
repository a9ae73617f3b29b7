// SPDX-License-Identifier: Apache-2.0
#include "ci/github/client/connection.hpp"

#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <utility>

#include "ci/git/remote.hpp"
#include "harness/base/atomic_file.hpp"

namespace torchgate::github {
namespace {

// GitHub's events have a pull request's description in them: 65,536 characters, and 25 MB is its limit for webhooks.
constexpr std::int64_t largest_event_bytes = 25 << 20;
// Shorter waits are not worth a line.
constexpr std::chrono::seconds worth_a_note{10};

}  // namespace

base::Result<GithubSession> open_github(const std::string& repository,
                                        const std::function<void(const std::string&)>& note, const HttpLimits& limits) {
  auto access = access_from(git::environment_variable, repository);
  if (!access) return access.error();
  auto http = open_curl(limits, TORCHGATE_USER_AGENT);
  if (!http) return http.error();
  Patience patience;
  patience.sleep = [note](std::chrono::seconds wait) {
    if (wait >= worth_a_note) note(fmt::format("waiting {} s for GitHub", wait.count()));
    std::this_thread::sleep_for(wait);
  };
  GithubSession session{std::move(http).value(), nullptr};
  session.api = std::make_unique<Api>(std::move(access).value(), *session.http, std::move(patience));
  return session;
}

std::string job_url() {
  const std::string server = git::environment_variable("GITHUB_SERVER_URL");
  const std::string repository = git::environment_variable("GITHUB_REPOSITORY");
  const std::string run = git::environment_variable("GITHUB_RUN_ID");
  if (server.empty() || repository.empty() || run.empty()) return "";
  return fmt::format("{}/{}/actions/runs/{}", server, repository, run);
}

base::Result<std::string> event_text(const std::string& instead) {
  const std::string file = git::environment_variable("GITHUB_EVENT_PATH");
  if (file.empty()) {
    return base::Error{base::ErrorCode::bad_input, "GITHUB_EVENT_PATH: not set; " + instead};
  }
  return base::read_file(file, largest_event_bytes);
}

}  // namespace torchgate::github
