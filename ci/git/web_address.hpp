// SPDX-License-Identifier: Apache-2.0
// Where a repository can be read in a browser, from the address of its remote.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ci/git/remote.hpp"
#include "ci/git/repository.hpp"

namespace torchgate::git {

/// Beginnings of addresses.
struct WebAddress {
  std::string commit;   ///< followed by a full hash
  std::string compare;  ///< followed by "HASH...HASH"; empty: that server has no such page

  bool operator==(const WebAddress&) const = default;
};

/// Of the address of a remote ("https://github.com/o/r.git", "git@gitlab.com:g/s/r.git", "ssh://git@host:2222/o/r"), without user and password.
/// Absent: no server whose pages are known. Those are github.com, GITHUB_SERVER_URL, gitlab.com and other hosts with "gitlab" in
/// their name, CI_SERVER_URL, codeberg.org and hosts with "gitea" or "forgejo" in their name, and bitbucket.org. An address of https has the port
/// and the prefix of the pages ("https://host:8443/prefix/o/r"), one of ssh has neither: they are those of the variable, else none. VARIABLE
/// returns the value of an environment variable.
std::optional<WebAddress> web_address(std::string_view remote, const Variables& variable = environment_variable);

/// Of the remote `origin` of REPOSITORY; absent also where it has none.
std::optional<WebAddress> web_address_of(const Repository& repository,
                                         const Variables& variable = environment_variable);

}  // namespace torchgate::git
