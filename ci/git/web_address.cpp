// SPDX-License-Identifier: Apache-2.0
#include "ci/git/web_address.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "ci/git/run_git.hpp"
#include "harness/base/lower_case.hpp"

namespace torchgate::git {
namespace {

using base::lower_case;

constexpr std::size_t longest_address = 300;
constexpr std::string_view path_characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~-/";

// Names of servers for ssh on port 443, which have no pages, and where the pages are.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> names_for_ssh = {
    {{"ssh.github.com", "github.com"}, {"altssh.gitlab.com", "gitlab.com"}, {"altssh.bitbucket.org", "bitbucket.org"}}};

struct ServerAddress {
  bool web = false;                 ///< of http or https: the pages have its port and its prefix; else neither is known
  std::string scheme = "https://";  ///< of the pages
  std::string host;                 ///< in lower case, without the port
  std::string port;                 ///< ":8443", or empty
  std::string path;                 ///< "owner/name", "prefix/owner/name"

  [[nodiscard]] std::string place() const { return host + port + "/" + path; }
};

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
    // host:path or [host:port]:path of ssh, which a path with a slash before the colon is not.
    const std::size_t bracket = remote.starts_with('[') ? 1 : 0;
    const auto end = remote.find(bracket == 1 ? "]:" : ":");
    if (end == std::string_view::npos || remote.find('/') < end) return std::nullopt;
    address.host = host_and_port(remote.substr(bracket, end - bracket)).first;
    address.path = repository_path(remote.substr(end + bracket + 1));
  } else {
    const std::string scheme = lower_case(remote.substr(0, scheme_end));
    address.web = scheme == "https" || scheme == "http";
    if (!address.web && scheme != "ssh" && scheme != "git+ssh") return std::nullopt;
    remote.remove_prefix(scheme_end + 3);
    const auto slash = remote.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    const auto [host, port] = host_and_port(remote.substr(0, slash));
    address.host = host;
    if (address.web) {
      address.scheme = scheme + "://";
      if (!port.empty() && std::all_of(port.begin(), port.end(), [](unsigned char c) { return std::isdigit(c) != 0; }))
        address.port = ":" + port;
    }
    address.path = repository_path(remote.substr(slash));
  }
  for (const auto& [for_ssh, for_pages] : names_for_ssh) {
    if (address.host == for_ssh) address.host = for_pages;
  }
  if (!can_be_a_host(address.host) || address.path.empty()) return std::nullopt;
  return address;
}

/// The page of the repository at ADDRESS if the environment variable NAME has the address of its server; else empty.
std::string page_on(const Variables& variable, const char* name, const ServerAddress& address) {
  constexpr std::string_view example = "owner/name";
  std::string url = variable(name);
  while (url.ends_with('/')) url.pop_back();
  auto server = server_address(url + "/" + std::string(example));
  if (!server || server->host != address.host) return {};
  server->path.resize(server->path.size() - example.size());
  // One host may have several servers, at other ports or below other prefixes; ssh has a port of its own and no prefix.
  if (!address.web) return server->scheme + server->place() + address.path;
  return address.place().starts_with(server->place()) ? address.scheme + address.place() : std::string();
}

}  // namespace

std::optional<WebAddress> web_address(std::string_view remote, const Variables& variable) {
  const auto address = server_address(remote);
  if (!address) return std::nullopt;
  const std::string& host = address->host;
  const auto named = [&](const char* part) { return host.find(part) != std::string::npos; };
  std::string page = page_on(variable, "CI_SERVER_URL", *address);
  const bool gitlab = !page.empty() || named("gitlab");
  if (page.empty()) page = page_on(variable, "GITHUB_SERVER_URL", *address);
  const bool known =
      !page.empty() || host == "github.com" || host == "codeberg.org" || named("gitea") || named("forgejo");
  if (page.empty()) page = address->scheme + address->place();
  if (gitlab) return WebAddress{page + "/-/commit/", page + "/-/compare/"};
  if (host == "bitbucket.org") return WebAddress{page + "/commits/", ""};
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
