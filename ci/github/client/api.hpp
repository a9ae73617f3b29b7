// SPDX-License-Identifier: Apache-2.0
// Calls of GitHub's REST API: pages, rate limits, answers that got lost, errors that say what to do. The token is sent in a header
// and occurs in no message.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ci/github/client/http.hpp"
#include "harness/base/result.hpp"

namespace torchgate::github {

struct Access {
  std::string url = "https://api.github.com";  ///< without a slash at its end
  std::string repository;                      ///< "owner/name"
  std::string token;
};

/// From GITHUB_API_URL, GITHUB_REPOSITORY and TORCHGATE_GITHUB_TOKEN or GITHUB_TOKEN; VARIABLE returns the value of an environment
/// variable, empty if it is not set. REPOSITORY, unless empty, wins. bad_input: one is missing or malformed.
base::Result<Access> access_from(const std::function<std::string(const char*)>& variable,
                                 const std::string& repository);

/// How long calls are repeated.
struct Patience {
  std::function<void(std::chrono::seconds)> sleep;
  /// Of all waits of a program for rate limits. A secondary limit asks for a minute, the primary one for up to an hour, which a CI
  /// job should not spend idle.
  std::chrono::seconds rate_limits{900};
  /// Tries of one call that gets no answer or a 5xx. Waits double from one second: 1 + 2 + 4 + 8.
  int tries = 5;
};

/// An answer that is final: done (2xx), or one that the caller may have to act on: 404, 410, 422, and 409 (conflict).
struct Answer {
  long status = 0;
  std::string body;
  std::string next_page;  ///< address of the next page of a list; empty: this is the last one

  [[nodiscard]] bool done() const { return status >= 200 && status < 300; }
};

class Api {
 public:
  /// HTTP must outlive it.
  Api(Access access, Http& http, Patience patience);

  /// GET, PATCH, PUT or DELETE of PATH below the API's address ("/user"), or a POST (reactions): what does no harm when it is
  /// repeated. bad_input: 401, 403, or
  /// another refusal; io: no answer after all tries.
  base::Result<Answer> send(const std::string& method, const std::string& path, const std::string& body = "");

  /// GET of all pages of a list, 100 elements each: the text of every page. REQUIRES that PATH has no `per_page`.
  base::Result<std::vector<std::string>> pages(const std::string& path);

  /// POST, for something that must not exist twice. Where no answer came, or a 5xx, it may exist: FIND looks for it then, and
  /// before the first try, and returns the text of the existing one.
  using Find = std::function<base::Result<std::optional<std::string>>()>;
  base::Result<Answer> create(const std::string& path, const std::string& body, const Find& find);

  /// A file that the API redirects to (artifacts): its bytes. The token is not sent to the other host.
  base::Result<std::string> download(const std::string& path);

  /// "/repos/owner/name"
  [[nodiscard]] std::string repository_path() const { return "/repos/" + access_.repository; }
  [[nodiscard]] const Access& access() const { return access_; }

  /// An error for an answer that is not done(), while DOING ("reading pull request 12"), with GitHub's own message.
  [[nodiscard]] base::Error problem(const Answer& answer, const std::string& doing) const;

 private:
  struct Tried;  // one try: an answer, or that there was none
  base::Result<Tried> try_once(const HttpRequest& request);
  base::Result<HttpAnswer> repeat(const HttpRequest& request, const std::function<base::Result<Tried>()>& once);
  base::Result<void> wait_for_limit(const HttpAnswer& answer);
  [[nodiscard]] std::string path_of(const std::string& url) const;
  [[nodiscard]] HttpRequest request(const std::string& method, const std::string& url, const std::string& body) const;
  [[nodiscard]] std::string without_token(std::string text) const;
  [[nodiscard]] base::Error refusal(const HttpAnswer& answer, const HttpRequest& request) const;

  Access access_;
  Http& http_;
  Patience patience_;
  std::chrono::seconds waited_{0};
};

/// TEXT for use in a path or query: everything but letters, digits and "-._~" as %XX.
std::string percent_encoded(std::string_view text);

}  // namespace torchgate::github
