// SPDX-License-Identifier: Apache-2.0
#include "tests/ci/github/client/planned_http.hpp"

#include <algorithm>
#include <string_view>

namespace torchgate::github::testing {
namespace {

constexpr std::string_view address = "https://api.github.com";

}  // namespace

void PlannedHttp::plan(const std::string& method, const std::string& path, long status, const std::string& body,
                       const std::map<std::string, std::string>& headers) {
  answers_[method + " " + path].push_back({status, headers, body});
}

base::Result<HttpAnswer> PlannedHttp::send(const HttpRequest& request) {
  sent_.push_back(request.method + " " + request.url.substr(address.size()));
  if (!request.body.empty()) last_body_ = request.body;
  const auto planned = answers_.find(sent_.back());
  if (planned == answers_.end()) return HttpAnswer{404, {}, R"({"message": "not planned"})"};
  HttpAnswer answer = planned->second.front();
  if (planned->second.size() > 1) planned->second.erase(planned->second.begin());
  if (answer.status == 0) return base::Error{base::ErrorCode::io, "the connection ended"};
  return answer;
}

std::size_t PlannedHttp::times_sent(const std::string& request) const {
  return static_cast<std::size_t>(std::count(sent_.begin(), sent_.end(), request));
}

Api api_over(PlannedHttp& http, std::vector<std::chrono::seconds>* waits) {
  Access access;
  access.repository = "acme/nets";
  access.token = "secret";
  Patience patience;
  patience.sleep = [waits](std::chrono::seconds wait) {
    if (waits != nullptr) waits->push_back(wait);
  };
  return {access, http, patience};
}

}  // namespace torchgate::github::testing
