// SPDX-License-Identifier: Apache-2.0
// GitHub's answers as a test plans them; tests/e2e/github_stub.py answers over real HTTP.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "ci/github/client/api.hpp"
#include "ci/github/client/http.hpp"

namespace torchgate::github::testing {

class PlannedHttp : public Http {
 public:
  /// The next answer to METHOD and PATH ("/repos/acme/nets/..."); the last one is repeated. Status 0: none, the connection ended.
  void plan(const std::string& method, const std::string& path, long status, const std::string& body,
            const std::map<std::string, std::string>& headers = {});

  base::Result<HttpAnswer> send(const HttpRequest& request) override;

  /// "POST /repos/acme/nets/...", in their order.
  [[nodiscard]] const std::vector<std::string>& sent() const { return sent_; }
  [[nodiscard]] std::size_t times_sent(const std::string& request) const;
  [[nodiscard]] const std::string& last_body() const { return last_body_; }  ///< that was not empty

 private:
  std::map<std::string, std::vector<HttpAnswer>> answers_;
  std::vector<std::string> sent_;
  std::string last_body_;
};

/// An API that waits for nothing; WAITS gets how long it would have.
Api api_over(PlannedHttp& http, std::vector<std::chrono::seconds>* waits = nullptr);

}  // namespace torchgate::github::testing
