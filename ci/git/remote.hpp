// SPDX-License-Identifier: Apache-2.0
// Another repository, as the user's own reaches it: where it is, and with which credentials.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ci/git/repository.hpp"
#include "harness/base/result.hpp"
#include "harness/record/process.hpp"

namespace torchgate::git {

/// The value of an environment variable; empty if it is not set.
using Variables = std::function<std::string(const char*)>;
std::string environment_variable(const char* name);

/// Secrets are never part of an argument list or a URL that we make: they reach git in its environment, which other users cannot read.
class Remote {
 public:
  /// The name by which environment() configures it.
  static constexpr const char* configured_name = "torchgate-data-branch";

  /// NAME: a remote of REPOSITORY, a URL or a folder. Of the repository's own settings those for transfers apply (`http.*`,
  /// `credential.*`, `core.sshCommand`, as actions/checkout writes them). TORCHGATE_GITHUB_TOKEN, else GITHUB_TOKEN, is used
  /// for https URLs of GITHUB_SERVER_URL (https://github.com). not_found: no such remote; bad_input: a URL with a password in
  /// it, or a token that cannot be one.
  static base::Result<Remote> find(const std::optional<Repository>& repository, const std::string& name,
                                   const Variables& variable = environment_variable);

  /// For messages.
  [[nodiscard]] const std::string& name() const { return name_; }

  /// The user's repository has a remote-tracking branch of it: then it has references, or had some.
  [[nodiscard]] bool had_references() const { return had_references_; }

  /// "sha1" or "sha256": as the user's repository.
  [[nodiscard]] const std::string& object_format() const { return object_format_; }

  /// What a git command needs that is to reach it as `configured_name`; SETTINGS are added to its configuration.
  [[nodiscard]] std::vector<record::Parameter> environment(
      std::vector<std::pair<std::string, std::string>> settings) const;

  /// TEXT without the secrets that are known here, and without passwords in URLs.
  [[nodiscard]] std::string redacted(std::string text) const;

 private:
  Remote() = default;

  std::string name_;
  std::string object_format_ = "sha1";
  std::vector<std::pair<std::string, std::string>> settings_;
  std::vector<std::string> secrets_;
  std::size_t earlier_settings_ = 0;  ///< GIT_CONFIG_COUNT that we were started with
  bool had_references_ = false;
};

}  // namespace torchgate::git
