// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/report_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <span>
#include <system_error>
#include <utility>

namespace torchgate::launch {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

Error bad(const std::string& why) {
  return {ErrorCode::bad_input, why};
}

constexpr const char* no_regular_file =
    "not a regular file (a link, pipe, socket or folder); write the report into a new file";

}  // namespace

ReportFile::ReportFile(const std::filesystem::path& path)
    : folder_(open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)),
      name_(path.filename().string()) {}

Result<process::Descriptor> ReportFile::open_regular(std::int64_t limit_bytes) const {
  const Error missing{ErrorCode::not_found, "missing"};
  if (!folder_.open()) return missing;
  process::Descriptor file(
      openat(folder_.get(), name_.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file.open()) {
    if (errno == ENOENT) return missing;
    if (errno == ELOOP || errno == ENXIO) return bad(no_regular_file);
    return bad("cannot be opened: " + std::generic_category().message(errno));
  }
  struct stat status {};
  if (fstat(file.get(), &status) != 0) return bad("cannot be read: " + std::generic_category().message(errno));
  if (!S_ISREG(status.st_mode)) return bad(no_regular_file);
  if (status.st_nlink != 1) return bad("has other names (hard links); write the report into a new file");
  if (status.st_size > limit_bytes)
    return bad("larger than the limit of " + std::to_string(limit_bytes) + " bytes for such a file");
  return file;
}

Result<base::TextSource> ReportFile::source(std::int64_t limit_bytes) const {
  auto opened = open_regular(limit_bytes);
  if (!opened) return opened.error();
  // Shared: a std::function is copyable, an open file is not.
  const auto file = std::make_shared<const process::Descriptor>(std::move(opened).value());
  return base::TextSource([file, left = limit_bytes](std::span<char> space) mutable -> Result<std::size_t> {
    const auto most = std::min(space.size(), static_cast<std::size_t>(left));
    for (;;) {
      const ssize_t got = read(file->get(), space.data(), most);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return bad("cannot be read: " + std::generic_category().message(errno));
      left -= got;
      return static_cast<std::size_t>(got);
    }
  });
}

Result<std::string> ReportFile::text(std::int64_t limit_bytes) const {
  const auto next = source(limit_bytes);
  if (!next) return next.error();
  constexpr std::size_t piece_bytes = std::size_t{1} << 20;
  std::string text;
  for (std::size_t filled = 0;;) {
    text.resize(filled + piece_bytes);
    const auto got = (*next)(std::span(text).subspan(filled));
    if (!got) return got.error();
    filled += *got;
    text.resize(filled);
    if (*got == 0) return text;
  }
}

bool ReportFile::exists() const {
  struct stat status {};
  return folder_.open() && fstatat(folder_.get(), name_.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

void ReportFile::remove() const {
  if (folder_.open()) unlinkat(folder_.get(), name_.c_str(), 0);
}

}  // namespace torchgate::launch
