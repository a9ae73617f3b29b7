// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/system_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <system_error>

namespace torchgate::machine {
namespace {

constexpr std::string_view white_space = " \t\n";
// The ticks of a thousand CPUs reach this after 300 years of uptime.
constexpr std::int64_t largest_count = std::int64_t{1} << 50U;
// /proc/cpuinfo of the largest machines sold (about 2000 logical CPUs at 1.5 KiB) still fits.
constexpr std::size_t limit_bytes = 4 * 1024 * 1024;

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  std::size_t begin = text.find_first_not_of(separators);
  while (begin != std::string_view::npos) {
    const std::size_t end = text.find_first_of(separators, begin);
    parts.push_back(text.substr(begin, end == std::string_view::npos ? end : end - begin));
    begin = end == std::string_view::npos ? end : text.find_first_not_of(separators, end);
  }
  return parts;
}

base::Error cannot_read(const std::string& path, int error) {
  if (error == ENOENT || error == ENOTDIR) return {base::ErrorCode::not_found, "no such file: " + path};
  return {base::ErrorCode::io, "cannot read " + path + ": " + std::generic_category().message(error)};
}

template <class Number>
std::optional<Number> to_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

base::Result<std::string> read_system_file(const std::filesystem::path& root, const std::string& path) {
  const std::filesystem::path file = root / std::filesystem::path(path).relative_path();
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return cannot_read(path, errno);
  std::string text;
  std::array<char, 16384> piece;
  ssize_t got = 0;
  while (text.size() < limit_bytes && (got = read(descriptor, piece.data(), piece.size())) != 0) {
    if (got > 0) text.append(piece.data(), static_cast<std::size_t>(got));
    if (got < 0 && errno != EINTR) break;
  }
  const int error = errno;
  close(descriptor);
  if (got < 0) return cannot_read(path, error);
  text.erase(text.find_last_not_of(white_space) + 1);
  return text;
}

std::vector<std::string_view> lines(std::string_view text) {
  return split(text, "\n");
}
std::vector<std::string_view> words(std::string_view text) {
  return split(text, white_space);
}

std::optional<std::int64_t> to_integer(std::string_view text) {
  return to_number<std::int64_t>(text);
}
std::optional<double> to_real(std::string_view text) {
  const auto number = to_number<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}
std::optional<std::int64_t> to_count(std::string_view text) {
  const auto number = to_integer(text);
  return number && *number >= 0 && *number <= largest_count ? number : std::nullopt;
}

}  // namespace torchgate::machine
