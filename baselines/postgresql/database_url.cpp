// SPDX-License-Identifier: Apache-2.0
#include "baselines/postgresql/database_url.hpp"

#include <algorithm>
#include <array>

namespace torchgate::baselines::postgresql {
namespace {

using base::Error;
using base::ErrorCode;

constexpr std::array<std::string_view, 2> schemes = {"postgresql://", "postgres://"};

Error malformed() {
  return {ErrorCode::bad_input,
          "invalid URL of a PostgreSQL store (not shown: it may have a password); use "
          "postgresql://user@host:5432/database, with special characters percent-encoded (@ is %40, / is %2F) and the "
          "password in PGPASSWORD or ~/.pgpass"};
}

/// "host", "host:port" or "[::1]:port", several with commas.
bool has_numeric_ports(std::string_view hosts) {
  while (true) {
    const auto comma = hosts.find(',');
    std::string_view host = hosts.substr(0, comma);
    if (host.starts_with('[')) host.remove_prefix(std::min(host.size(), host.find(']') + 1));
    const auto colon = host.find(':');
    if (colon != std::string_view::npos && host.find_first_not_of("0123456789", colon + 1) != std::string_view::npos)
      return false;
    if (comma == std::string_view::npos) return true;
    hosts.remove_prefix(comma + 1);
  }
}

int hex_digit(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  constexpr char to_lower = 'a' - 'A';
  const auto found = digits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c + to_lower) : c);
  return found == std::string_view::npos ? -1 : static_cast<int>(found);
}

std::optional<std::string> percent_decoded(std::string_view text) {
  constexpr int hex_base = 16;
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int first = hex_digit(text[i + 1]);
    const int second = hex_digit(text[i + 2]);
    if (first < 0 || second < 0) return std::nullopt;
    decoded += static_cast<char>(first * hex_base + second);
    i += 2;
  }
  return decoded;
}

}  // namespace

bool is_database_url(std::string_view location) {
  return std::any_of(schemes.begin(), schemes.end(),
                     [&](std::string_view scheme) { return location.starts_with(scheme); });
}

base::Result<DatabaseUrl> parse_database_url(std::string_view location) {
  if (!is_database_url(location)) return malformed();
  const std::string scheme(location.substr(0, location.find("://") + 3));
  const std::string_view rest = location.substr(scheme.size());
  const auto question = rest.find('?');
  const std::string_view place = rest.substr(0, question);
  const std::string_view parameters =
      question == std::string_view::npos ? std::string_view() : rest.substr(question + 1);
  // One @ at most, and before any slash: else a password with such a character would pass for a host or a database.
  const auto at = place.find('@');
  if (std::count(rest.begin(), rest.end(), '@') > (at == std::string_view::npos ? 0 : 1)) return malformed();
  const std::string_view user = at == std::string_view::npos ? std::string_view() : place.substr(0, at);
  const std::string_view server = at == std::string_view::npos ? place : place.substr(at + 1);
  if (user.find('/') != std::string_view::npos || !has_numeric_ports(server.substr(0, server.find('/'))))
    return malformed();
  if (std::any_of(rest.begin(), rest.end(), [](char c) { return c == ' ' || static_cast<unsigned char>(c) < ' '; }))
    return malformed();

  DatabaseUrl url;
  url.shown = scheme + (user.empty() ? "" : std::string(user.substr(0, user.find(':'))) + "@") + std::string(server);
  url.for_libpq = scheme + std::string(place);
  char separator = '?';
  for (std::string_view left = parameters; !left.empty();) {
    const std::string_view parameter = left.substr(0, left.find('&'));
    left.remove_prefix(std::min(left.size(), parameter.size() + 1));
    const auto equals = parameter.find('=');
    if (parameter.substr(0, equals) != objects_parameter) {
      url.for_libpq += separator + std::string(parameter);
      separator = '&';
      continue;
    }
    const auto folder = equals == std::string_view::npos ? std::nullopt : percent_decoded(parameter.substr(equals + 1));
    if (!folder || !folder->starts_with('/') || folder->find('\0') != std::string::npos)
      return Error{ErrorCode::bad_input,
                   url.shown + ": invalid " + std::string(objects_parameter) + "; give the absolute path of a folder"};
    url.objects = std::filesystem::path(*folder);
  }
  return url;
}

}  // namespace torchgate::baselines::postgresql
