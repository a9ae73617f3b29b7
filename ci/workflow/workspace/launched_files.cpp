// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/workspace/launched_files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <sstream>
#include <system_error>

#include "harness/base/hexadecimal.hpp"
#include "harness/base/whole_io.hpp"
#include "harness/base/workspace_folder.hpp"
#include "harness/process/descriptor.hpp"

namespace torchgate::workflow {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;

constexpr const char* suites_key = "suites";
constexpr std::size_t hash_digits = 64;
// About 60,000 lines. A full list is cleared: its programs have to be measured again, or named by a user.
constexpr off_t most_list_bytes = off_t{8} << 20;

bool fits_a_line(const std::string& path) {
  return !path.empty() &&
         std::none_of(path.begin(), path.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; });
}

/// Whether it is a regular file that only this user may write.
bool is_ours(int descriptor, struct stat& status) {
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool is_key(const std::string& key) {
  return key == suites_key || (key.size() == hash_digits && base::is_lower_hex(key));
}

std::set<std::pair<std::string, std::string>> parse(const std::string& text) {
  std::set<std::pair<std::string, std::string>> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line) && !in.eof();) {  // a last line without a newline is incomplete
    const std::size_t gap = line.find("  /");
    if (gap != std::string::npos && is_key(line.substr(0, gap)))
      lines.emplace(line.substr(0, gap), line.substr(gap + 2));
  }
  return lines;
}

}  // namespace

std::string place_of(const fs::path& path) {
  std::error_code ignored;
  const fs::path place = fs::absolute(path, ignored).lexically_normal();
  return (place.has_filename() ? place : place.parent_path()).string();
}

LaunchedFiles::LaunchedFiles(fs::path file) : file_(std::move(file)) {
  const process::Descriptor list(::open(file_.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!list.open() || !is_ours(list.get(), status) || status.st_size > 2 * most_list_bytes) return;
  if (const auto text = base::read_all(list.get(), static_cast<std::size_t>(status.st_size))) lines_ = parse(*text);
}

base::Result<void> LaunchedFiles::add(const std::vector<launch::FileHash>& files) {
  std::vector<Line> lines;
  lines.reserve(files.size());
  for (const launch::FileHash& file : files) lines.emplace_back(file.sha256, place_of(file.path));
  return add_lines(lines);
}

base::Result<void> LaunchedFiles::add_suites(const std::vector<fs::path>& named) {
  std::vector<Line> lines;
  lines.reserve(named.size());
  for (const fs::path& path : named) lines.emplace_back(suites_key, place_of(path));
  return add_lines(lines);
}

base::Result<void> LaunchedFiles::add_lines(const std::vector<Line>& lines) {
  std::string text;
  for (const Line& line : lines) {
    if (!is_key(line.first) || !fits_a_line(line.second) || !lines_.insert(line).second) continue;
    text += line.first + "  " + line.second + '\n';
  }
  if (text.empty()) return {};
  const auto failure = [&](int number) {
    return Error{ErrorCode::io, file_.string() + ": cannot be written: " + std::generic_category().message(number) +
                                    "; until it can, what is measured here cannot be run again from its record"};
  };
  std::error_code no_folder;
  base::create_folders(file_.parent_path(), no_folder);
  if (no_folder) return failure(no_folder.value());
  constexpr mode_t for_us = S_IRUSR | S_IWUSR;
  const process::Descriptor list(
      ::open(file_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, for_us));
  struct stat status {};
  if (!list.open()) return failure(errno);
  while (::flock(list.get(), LOCK_EX) != 0)
    if (errno != EINTR) return failure(errno);
  if (!is_ours(list.get(), status)) {
    return Error{ErrorCode::io, file_.string() + ": not a regular file that only this user can write; remove it"};
  }
  if (status.st_size > most_list_bytes && ::ftruncate(list.get(), 0) != 0) return failure(errno);
  // The newline in front ends an incomplete line of a killed writer.
  if (const int number = base::write_all(list.get(), status.st_size > 0 ? "\n" + text : text); number != 0)
    return failure(number);
  return {};
}

bool LaunchedFiles::has(const fs::path& path, const std::string& sha256) const {
  return sha256 != suites_key && lines_.contains({sha256, place_of(path)});
}

bool LaunchedFiles::has_suites(const fs::path& path) const {
  return lines_.contains({suites_key, place_of(path)});
}

}  // namespace torchgate::workflow
