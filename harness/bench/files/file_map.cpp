// SPDX-License-Identifier: Apache-2.0
// Compiled as interposed.cpp, which it is part of.
#include "harness/bench/files/file_map.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "harness/bench/files/next_definition.hpp"
#include "harness/record/process.hpp"

namespace torchgate::bench {
namespace {

/// Not by getenv(), which notes that the process looked the variable up.
const char* map_file() noexcept {
  const std::size_t length = std::strlen(record::file_map_variable);
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    if (std::strncmp(*entry, record::file_map_variable, length) == 0 && (*entry)[length] == '=')
      return *entry + length + 1;
  return nullptr;
}

}  // namespace

const char* FileMap::placed(std::string_view path) noexcept {
  if (state() != State::read) return nullptr;
  for (std::size_t i = 0; i < files_; ++i)
    if (path == entries_[i].path) return entries_[i].placed;
  return nullptr;
}

FileMap::State FileMap::state() noexcept {
  State seen = State::unknown;
  if (!state_.compare_exchange_strong(seen, State::reading))
    return seen == State::reading ? State::failed : seen;  // another thread or a signal handler opens a file meanwhile
  const State found = read();
  state_.store(found);
  return found;
}

FileMap::State FileMap::read() noexcept {
  const KeepErrno keep;
  const char* const file = map_file();
  if (file == nullptr || *file == '\0') return State::none;
  const long descriptor = syscall(SYS_openat, AT_FDCWD, file, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return State::failed;
  std::size_t bytes = 0;
  long got = 0;
  do {
    got = syscall(SYS_read, descriptor, text_.data() + bytes, text_.size() - bytes);
    if (got > 0) bytes += static_cast<std::size_t>(got);
  } while (got > 0 || (got < 0 && errno == EINTR));
  syscall(SYS_close, descriptor);
  return got < 0 || bytes == text_.size() ? State::failed : parse(bytes);
}

FileMap::State FileMap::parse(std::size_t bytes) noexcept {
  char* at = text_.data();
  char* const end = at + bytes;
  while (at < end) {
    char* const tab = static_cast<char*>(std::memchr(at, '\t', static_cast<std::size_t>(end - at)));
    char* const line_end = static_cast<char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    if (tab == nullptr || line_end == nullptr || tab > line_end || files_ == entries_.size()) return State::failed;
    *tab = *line_end = '\0';
    entries_[files_++] = {at, tab + 1};
    at = line_end + 1;
  }
  return State::read;
}

}  // namespace torchgate::bench
