// SPDX-License-Identifier: Apache-2.0
#include "ci/git/remote.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "ci/git/run_git.hpp"

namespace torchgate::git {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
namespace fs = std::filesystem;
using Settings = std::vector<std::pair<std::string, std::string>>;

constexpr std::string_view header_key = ".extraheader";
/// Shorter ones are not secrets, and would be found in any text.
constexpr std::size_t shortest_secret = 8;

std::string base64(std::string_view bytes) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? alphabet[group >> (6U * (3 - k)) & 63U] : '=';
  }
  return text;
}

std::string last_line_of(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const auto newline = text.rfind('\n');
  return newline == std::string::npos ? text : text.substr(newline + 1);
}

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

bool is_url(const std::string& location) {
  return location.find("://") != std::string::npos;
}

/// A path, as opposed to a URL and to `host:path` of ssh.
bool is_folder(const std::string& location) {
  return !is_url(location) && location.find(':') >= std::min(location.find('/'), location.size());
}

/// Git takes it relative to its own repository, which is another one there.
std::string absolute(const std::string& location, const std::optional<Repository>& repository) {
  if (!is_folder(location)) return location;
  return ((repository ? repository->root() : fs::current_path()) / location).lexically_normal().string();
}

struct Locations {
  std::string fetch;
  std::string push;
};

Result<Locations> locations_of(const std::optional<Repository>& repository, const std::string& name) {
  if (repository) {
    const auto fetch = run_git(repository->root(), {"remote", "get-url", name});
    if (!fetch) return fetch.error();
    const auto push = run_git(repository->root(), {"remote", "get-url", "--push", name});
    if (!push) return push.error();
    if (fetch->exit_code == 0 && push->exit_code == 0) {
      return Locations{absolute(last_line_of(fetch->output), repository),
                       absolute(last_line_of(push->output), repository)};
    }
  }
  if (name.find('/') == std::string::npos && is_folder(name)) {
    if (!repository) {
      return Error{ErrorCode::not_found,
                   "no git repository here, so the remote '" + name +
                       "' is unknown; run this in the work tree, or name a URL, or a folder with a "
                       "/ in it"};
    }
    return Error{ErrorCode::not_found, "unknown remote '" + name + "' in " + repository->root().string() +
                                           "; name one of `git remote`, a URL, or a folder with a / in it"};
  }
  const auto authority = name.find("://");
  const auto at = name.find('@');
  if (name.starts_with("http") && authority != std::string::npos && at < name.find('/', authority + 3)) {
    return Error{ErrorCode::bad_input,
                 "the URL of the remote has a user or a password in it, and other users can read command lines; set "
                 "TORCHGATE_GITHUB_TOKEN or a credential helper of git"};
  }
  const std::string location = absolute(name, std::nullopt);
  return Locations{location, location};
}

/// Settings of the repository itself, those that it includes, too: what is only here does not apply in another repository.
Result<Settings> transfer_settings(const Repository& repository) {
  constexpr const char* wanted = R"(^(http|credential)\.|^core\.(sshcommand|askpass)$|^ssh\.variant$)";
  const auto answer = run_git(repository.root(), {"config", "--local", "--includes", "--null", "--get-regexp", wanted});
  if (!answer) return answer.error();
  Settings settings;
  if (answer->exit_code != 0) return settings;  // none
  std::istringstream entries(answer->output);
  for (std::string entry; std::getline(entries, entry, '\0');) {
    const auto newline = entry.find('\n');
    // A key alone is a switch that is on.
    if (newline == std::string::npos)
      settings.emplace_back(entry, "true");
    else
      settings.emplace_back(entry.substr(0, newline), entry.substr(newline + 1));
  }
  return settings;
}

std::string server_of(const Variables& variable) {
  std::string server = variable("GITHUB_SERVER_URL");
  if (server.empty()) server = "https://github.com";
  while (server.ends_with('/')) server.pop_back();
  return server;
}

void replace_all(std::string& text, const std::string& what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

}  // namespace

std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Result<Remote> Remote::find(const std::optional<Repository>& repository, const std::string& name,
                            const Variables& variable) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  if (name.empty() || name.front() == '-' || std::any_of(name.begin(), name.end(), is_control))
    return Error{ErrorCode::bad_input, "'" + name + "' cannot be a remote; name one of `git remote`, or a URL"};
  const auto locations = locations_of(repository, name);
  if (!locations) return locations.error();
  Remote remote;
  remote.name_ = name;
  const std::string key = std::string("remote.") + configured_name;
  remote.settings_ = {{key + ".url", locations->fetch}, {key + ".pushurl", locations->push}};
  if (repository) {
    const auto format = run_git(repository->root(), {"rev-parse", "--show-object-format"});
    if (!format) return format.error();
    if (format->exit_code == 0) remote.object_format_ = last_line_of(format->output);
    const auto tracking = run_git(repository->root(), {"for-each-ref", "--count=1", "refs/remotes/" + name + "/"});
    if (!tracking) return tracking.error();
    remote.had_references_ = tracking->output.find("refs/remotes/" + name + "/") != std::string::npos;
    const auto settings = transfer_settings(*repository);
    if (!settings) return settings.error();
    for (const auto& [setting, value] : *settings) {
      remote.settings_.emplace_back(setting, value);
      if (setting.ends_with(header_key)) remote.secrets_.push_back(value.substr(value.rfind(' ') + 1));
    }
  }
  const std::string earlier = variable("GIT_CONFIG_COUNT");
  std::from_chars(earlier.data(), earlier.data() + earlier.size(), remote.earlier_settings_);

  std::string token = variable("TORCHGATE_GITHUB_TOKEN");
  if (token.empty()) token = variable("GITHUB_TOKEN");
  const std::string server = server_of(variable);
  const bool on_server = locations->fetch.starts_with(server + "/") && locations->push.starts_with(server + "/");
  if (token.empty() || !on_server || !server.starts_with("https://")) return remote;
  if (!is_printable(token)) {
    return Error{ErrorCode::bad_input,
                 "the GitHub token in the environment has blanks or control characters in it; store the secret again "
                 "without a line break"};
  }
  const std::string credentials = base64("x-access-token:" + token);
  // The empty value removes the header that actions/checkout has put there: GitHub refuses two.
  remote.settings_.emplace_back("http." + server + "/" + std::string(header_key), "");
  remote.settings_.emplace_back("http." + server + "/" + std::string(header_key),
                                "AUTHORIZATION: basic " + credentials);
  remote.secrets_.push_back(token);
  remote.secrets_.push_back(credentials);
  return remote;
}

std::vector<record::Parameter> Remote::environment(Settings settings) const {
  settings.insert(settings.end(), settings_.begin(), settings_.end());
  std::vector<record::Parameter> variables;
  std::size_t number = earlier_settings_;
  for (auto& [key, value] : settings) {
    variables.push_back({"GIT_CONFIG_KEY_" + std::to_string(number), key});
    variables.push_back({"GIT_CONFIG_VALUE_" + std::to_string(number), std::move(value)});
    ++number;
  }
  variables.push_back({"GIT_CONFIG_COUNT", std::to_string(number)});
  return variables;
}

std::string Remote::redacted(std::string text) const {
  for (const std::string& secret : secrets_) {
    if (secret.size() >= shortest_secret) replace_all(text, secret, "***");
  }
  for (auto scheme = text.find("://"); scheme != std::string::npos; scheme = text.find("://", scheme + 3)) {
    const auto begin = scheme + 3;
    const auto end = std::min(text.find_first_of("/ \n'\"", begin), text.size());
    const auto at = text.rfind('@', end);
    if (at != std::string::npos && at > begin && at < end) text.replace(begin, at - begin, "***");
  }
  return text;
}

}  // namespace torchgate::git
