// SPDX-License-Identifier: Apache-2.0
// One HTTP request and its answer. curl_http.hpp sends them; nothing here retries (api.hpp does).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/base/result.hpp"

namespace torchgate::github {

struct HttpRequest {
  std::string method;
  std::string url;                   ///< https://, or http:// to a loopback address
  std::vector<std::string> headers;  ///< "name: value"
  std::string body;
};

struct HttpAnswer {
  long status = 0;
  std::map<std::string, std::string> headers;  ///< names in lower case; of duplicates the last
  std::string body;
};

class Http {
 public:
  virtual ~Http() = default;

  /// The answer, whatever its status; redirects are not followed. io: no complete answer; whether the server carried the request
  /// out is unknown. bad_input: a URL that is not allowed. not_found: no HTTP library on this machine.
  virtual base::Result<HttpAnswer> send(const HttpRequest& request) = 0;
};

}  // namespace torchgate::github
