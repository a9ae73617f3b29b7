// SPDX-License-Identifier: Apache-2.0
// HTTP by libcurl, loaded at run time.
//
// Not linked: the released program is one file for Debian 11 to Ubuntu 24.04, whose libcurl and OpenSSL have other versions;
// TLS and its certificates stay those of the system, with their updates; and commands that never use the network do not load
// thirty libraries.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "ci/github/client/http.hpp"
#include "harness/base/result.hpp"

namespace torchgate::github {

struct HttpLimits {
  std::chrono::milliseconds connect{10'000};
  /// Of a whole request. GitHub ends its own work on a request after 10 s; the rest is a slow network.
  std::chrono::milliseconds answer{60'000};
  /// Of a body. A page of 100 comments of 64 KiB is 7 MB as JSON; artifacts have a limit of their own.
  std::int64_t body_bytes = std::int64_t{16} << 20;
};

/// USER_AGENT: GitHub refuses requests without one. not_found: libcurl.so.4 cannot be loaded; the message names the package.
base::Result<std::unique_ptr<Http>> open_curl(const HttpLimits& limits, std::string user_agent);

}  // namespace torchgate::github
