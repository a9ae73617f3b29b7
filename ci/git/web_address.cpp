// SPDX-License-Identifier: Apache-2.0
#include "ci/git/web_address.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "ci/git/run_git.hpp"

namespace torchgate::git {
namespace {

constexpr std::size_t longest_address = 300;
constexpr std::string_view path_characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~-/";

struct ServerAddress {
  std::string origin;  ///< "https://host:8443"
  std::string host;    ///< in lower case, without the port
  std::string path;    ///< "owner/name"
};

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

bool can_be_a_host(std::string_view host) {
  constexpr std::string_view characters = "abcdefghijklmnopqrstuvwxyz0123456789.-";
  return !host.empty() && host.find_first_not_of(characters) == std::string_view::npos;
}

/// "owner/name" of "/owner/name.git/"; empty: not the path of a repository on a server.
std::string repository_path(std::string_view path) {
  while (path.starts_with('/')) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  if (path.ends_with(".git")) path.remove_suffix(4);
  const bool valid = path.find('/') != std::string_view::npos && path.find("//") == std::string_view::npos &&
                     path.find("..") == std::string_view::npos &&
                     path.find_first_not_of(path_characters) == std::string_view::npos;
  return valid ? std::string(path) : std::string();
}

/// "host", "8443" of "user:password@host:8443".
std::pair<std::string, std::string> host_and_port(std::string_view authority) {
  if (const auto at = authority.rfind('@'); at != std::string_view::npos) authority.remove_prefix(at + 1);
  const auto colon = authority.find(':');
  if (colon == std::string_view::npos) return {lower_case(authority), ""};
  return {lower_case(authority.substr(0, colon)), std::string(authority.substr(colon + 1))};
}

std::optional<ServerAddress> server_address(std::string_view remote) {
  if (remote.size() > longest_address) return std::nullopt;
  ServerAddress address;
  const auto scheme_end = remote.find("://");
  if (scheme_end == std::string_view::npos) {
    // host:path of ssh, which a path with a slash before the colon is not.
    const auto colon = remote.find(':');
    if (colon == std::string_view::npos || remote.find('/') < colon) return std::nullopt;
    address.host = host_and_port(remote.substr(0, colon)).first;
    address.origin = "https://" + address.host;
    address.path = repository_path(remote.substr(colon + 1));
  } else {
    const std::string scheme = lower_case(remote.substr(0, scheme_end));
    const bool web = scheme == "https" || scheme == "http";
    if (!web && scheme != "ssh" && scheme != "git+ssh") return std::nullopt;
    remote.remove_prefix(scheme_end + 3);
    const auto slash = remote.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    const auto [host, port] = host_and_port(remote.substr(0, slash));
    const bool has_port = web && !port.empty() &&
                          std::all_of(port.begin(), port.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    address.host = host;
    // The port of ssh is not that of the pages.
    address.origin = (scheme == "http" ? "http://" : "https://") + host + (has_port ? ":" + port : "");
    address.path = repository_path(remote.substr(slash));
  }
  if (!can_be_a_host(address.host) || address.path.empty()) return std::nullopt;
  return address;
}

/// Whether NAME, an environment variable, has the address of a server on HOST.
bool is_server_of(const Variables& variable, const char* name, std::string_view host) {
  const auto server = server_address(variable(name) + "/owner/name");
  return server && server->host == host;
}

}  // namespace

std::optional<WebAddress> web_address(std::string_view remote, const Variables& variable) {
  const auto server = server_address(remote);
  if (!server) return std::nullopt;
  const std::string& host = server->host;
  const std::string page = server->origin + "/" + server->path;
  const auto named = [&](const char* part) { return host.find(part) != std::string::npos; };
  if (named("gitlab") || is_server_of(variable, "CI_SERVER_URL", host))
    return WebAddress{page + "/-/commit/", page + "/-/compare/"};
  if (host == "bitbucket.org") return WebAddress{page + "/commits/", ""};
  const bool known = host == "github.com" || host == "codeberg.org" || named("gitea") || named("forgejo") ||
                     is_server_of(variable, "GITHUB_SERVER_URL", host);
  if (known) return WebAddress{page + "/commit/", page + "/compare/"};
  return std::nullopt;
}

std::optional<WebAddress> web_address_of(const Repository& repository, const Variables& variable) {
  const auto answer = run_git(repository.root(), {"remote", "get-url", "origin"});
  if (!answer || answer->exit_code != 0) return std::nullopt;
  std::string_view line = answer->output;
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  if (const auto newline = line.rfind('\n'); newline != std::string_view::npos) line.remove_prefix(newline + 1);
  return web_address(line, variable);
}

}  // namespace torchgate::git
