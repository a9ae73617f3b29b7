// SPDX-License-Identifier: Apache-2.0
// open(), fopen() and the like, in front of the C library's: each notes the path and calls the next definition. The executable
// exports them (exported_symbols.txt), so the calls of all libraries come here. Compiled alone, without fortified headers.
#include "harness/bench/files/interposed.hpp"
#include "harness/bench/files/file_map.hpp"
#include "harness/bench/files/next_definition.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstring>
#include <string_view>
#include <utility>

namespace torchgate::bench {
namespace {

constinit ReadLog log_of_process;
constinit FileMap map_of_process;
constinit std::array<char, PATH_MAX> start_folder{};  // with a slash at the end; empty: not known
constinit std::atomic<bool> left_start_folder{false};

constexpr std::uint32_t bit(Opened kind) {
  return static_cast<std::uint32_t>(kind);
}

void note_absolute(std::string_view path, std::uint32_t kinds) noexcept {
  log_of_process.note(path, kinds);
}

/// PATH from the folder that this process was started in. Empty: not known.
class Absolute {
 public:
  explicit Absolute(const char* path) noexcept {
    const std::size_t name = std::strlen(path);
    const std::size_t folder = *path == '/' ? 0 : std::strlen(start_folder.data());
    if (*path != '/' && (folder == 0 || left_start_folder.load())) return;
    if (folder + name >= text_.size()) return;
    std::memcpy(text_.data(), start_folder.data(), folder);
    std::memcpy(text_.data() + folder, path, name);
    length_ = folder + name;
  }
  [[nodiscard]] std::string_view text() const noexcept { return {text_.data(), length_}; }

 private:
  std::array<char, PATH_MAX> text_;
  std::size_t length_ = 0;
};

/// Where the content of PATH is that this process is to read: PATH itself, but for a file of the map.
const char* content_of(int folder, const char* path, bool only_reads) noexcept {
  if (path == nullptr || *path == '\0' || (*path != '/' && folder != AT_FDCWD) || !map_of_process.in_effect())
    return path;
  const char* const placed = map_of_process.placed(Absolute(path).text());
  if (placed == nullptr) return path;
  if (only_reads) return placed;
  log_of_process.note_unknown("it writes to a file whose content was restored for it");
  return path;
}

bool only_reads(int flags) {
  return (flags & O_ACCMODE) == O_RDONLY && (flags & (O_CREAT | O_TRUNC | O_DIRECTORY)) == 0;
}

bool only_reads(const char* mode) {
  return mode != nullptr && *mode == 'r' && std::strchr(mode, '+') == nullptr;
}

void note(const char* path, std::uint32_t kinds) noexcept {
  if (path == nullptr || *path == '\0' || kinds == 0) return;
  if (*path == '/') return note_absolute(path, kinds);
  if (start_folder[0] == '\0' || left_start_folder.load()) {
    if (kinds != bit(Opened::made)) log_of_process.note_unknown("it opens a relative path after chdir()");
    return;
  }
  std::array<char, PATH_MAX> absolute;
  const std::size_t folder = std::strlen(start_folder.data());
  const std::size_t name = std::strlen(path);
  if (folder + name >= absolute.size()) return log_of_process.note_unknown("it opens a path that is too long");
  std::memcpy(absolute.data(), start_folder.data(), folder);
  std::memcpy(absolute.data() + folder, path, name);
  note_absolute({absolute.data(), folder + name}, kinds);
}

bool absent(int error) {
  return error == ENOENT || error == ENOTDIR;
}

/// What an open() with FLAGS that returned a descriptor, or failed with errno, did.
std::uint32_t kinds_of(int flags, bool opened) {
  const int access = flags & O_ACCMODE;
  if ((flags & O_PATH) != 0) return 0;
#ifdef O_TMPFILE
  if ((flags & O_TMPFILE) == O_TMPFILE) return 0;
#endif
  if (!opened) {
    if (access == O_WRONLY || (flags & O_EXCL) != 0) return 0;
    return absent(errno) ? bit(Opened::missing) : bit(Opened::read);
  }
  const bool fresh = (flags & O_CREAT) != 0 && (flags & O_EXCL) != 0;
  if (fresh || (access != O_RDONLY && (flags & O_TRUNC) != 0)) return bit(Opened::made);
  if (access == O_RDONLY) return bit(Opened::read);
  return bit(Opened::written) | (access == O_RDWR ? bit(Opened::read) : 0U);
}

/// The same for the mode of an fopen().
std::uint32_t kinds_of(const char* mode, bool opened) {
  if (mode == nullptr) return 0;
  const bool both = std::strchr(mode, '+') != nullptr;
  const std::uint32_t read = bit(Opened::read);
  switch (*mode) {
    case 'w':
      return opened ? bit(Opened::made) : 0U;
    case 'a':
      return opened ? bit(Opened::written) | (both ? read : 0U) : 0U;
    default:
      if (!opened) return absent(errno) ? bit(Opened::missing) : read;
      return both ? read | bit(Opened::written) : read;
  }
}

void note_open(int folder, const char* path, int flags, bool opened) noexcept {
  const KeepErrno keep;
  const std::uint32_t kinds = kinds_of(flags, opened);
  if (path == nullptr || kinds == 0 || kinds == bit(Opened::made)) {
    if (path != nullptr && (*path == '/' || folder == AT_FDCWD)) note(path, kinds);
    return;
  }
  if (*path != '/' && folder != AT_FDCWD) return log_of_process.note_unknown("it opens a path relative to a folder");
  if ((flags & O_DIRECTORY) != 0) {
    if (!ReadLog::is_kernel_path(path)) log_of_process.note_unknown("it lists a folder");
    return;
  }
  note(path, kinds);
}

mode_t mode_of(int flags, va_list arguments) {
  const bool creates = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  return creates ? static_cast<mode_t>(va_arg(arguments, int)) : 0;
}

}  // namespace

void note_path(const char* path, std::uint32_t kinds) noexcept {
  note(path, kinds);
}

const char* content_to_read(int folder, const char* path) noexcept {
  return content_of(folder, path, /*only_reads=*/true);
}

bool has_restored_files() noexcept {
  return map_of_process.in_effect();
}

ReadLog& read_log() noexcept {
  return log_of_process;
}

}  // namespace torchgate::bench

using namespace torchgate::bench;

// NOLINTBEGIN: the names and signatures are the C library's
extern "C" {

int __open_2(const char* path, int flags);
int __open64_2(const char* path, int flags);
int __openat_2(int folder, const char* path, int flags);
int __openat64_2(int folder, const char* path, int flags);

#define TORCHGATE_OPEN(name)                                                                           \
  TORCHGATE_NEXT_OF(name)                                                                              \
  int name(const char* path, int flags, ...) {                                                         \
    va_list arguments;                                                                                 \
    va_start(arguments, flags);                                                                        \
    const mode_t mode = mode_of(flags, arguments);                                                     \
    va_end(arguments);                                                                                 \
    const int file = TORCHGATE_NEXT(name)(content_of(AT_FDCWD, path, only_reads(flags)), flags, mode); \
    note_open(AT_FDCWD, path, flags, file >= 0);                                                       \
    return file;                                                                                       \
  }
TORCHGATE_OPEN(open)
TORCHGATE_OPEN(open64)

#define TORCHGATE_OPENAT(name)                                                                               \
  TORCHGATE_NEXT_OF(name)                                                                                    \
  int name(int folder, const char* path, int flags, ...) {                                                   \
    va_list arguments;                                                                                       \
    va_start(arguments, flags);                                                                              \
    const mode_t mode = mode_of(flags, arguments);                                                           \
    va_end(arguments);                                                                                       \
    const int file = TORCHGATE_NEXT(name)(folder, content_of(folder, path, only_reads(flags)), flags, mode); \
    note_open(folder, path, flags, file >= 0);                                                               \
    return file;                                                                                             \
  }
TORCHGATE_OPENAT(openat)
TORCHGATE_OPENAT(openat64)

#define TORCHGATE_OPEN_2(name)                                                                   \
  TORCHGATE_NEXT_OF(name)                                                                        \
  int name(const char* path, int flags) {                                                        \
    const int file = TORCHGATE_NEXT(name)(content_of(AT_FDCWD, path, only_reads(flags)), flags); \
    note_open(AT_FDCWD, path, flags, file >= 0);                                                 \
    return file;                                                                                 \
  }
TORCHGATE_OPEN_2(__open_2)
TORCHGATE_OPEN_2(__open64_2)

#define TORCHGATE_OPENAT_2(name)                                                                       \
  TORCHGATE_NEXT_OF(name)                                                                              \
  int name(int folder, const char* path, int flags) {                                                  \
    const int file = TORCHGATE_NEXT(name)(folder, content_of(folder, path, only_reads(flags)), flags); \
    note_open(folder, path, flags, file >= 0);                                                         \
    return file;                                                                                       \
  }
TORCHGATE_OPENAT_2(__openat_2)
TORCHGATE_OPENAT_2(__openat64_2)

#define TORCHGATE_CREAT(name)                                           \
  TORCHGATE_NEXT_OF(name)                                               \
  int name(const char* path, mode_t mode) {                             \
    const int file = TORCHGATE_NEXT(name)(path, mode);                  \
    note_open(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, file >= 0); \
    return file;                                                        \
  }
TORCHGATE_CREAT(creat)
TORCHGATE_CREAT(creat64)

#define TORCHGATE_FOPEN(name)                                                                    \
  TORCHGATE_NEXT_OF(name)                                                                        \
  FILE* name(const char* path, const char* mode) {                                               \
    FILE* const file = TORCHGATE_NEXT(name)(content_of(AT_FDCWD, path, only_reads(mode)), mode); \
    const KeepErrno keep;                                                                        \
    note(path, kinds_of(mode, file != nullptr));                                                 \
    return file;                                                                                 \
  }
TORCHGATE_FOPEN(fopen)
TORCHGATE_FOPEN(fopen64)

#define TORCHGATE_FREOPEN(name)                                                                          \
  TORCHGATE_NEXT_OF(name)                                                                                \
  FILE* name(const char* path, const char* mode, FILE* stream) {                                         \
    FILE* const file = TORCHGATE_NEXT(name)(content_of(AT_FDCWD, path, only_reads(mode)), mode, stream); \
    const KeepErrno keep;                                                                                \
    note(path, kinds_of(mode, file != nullptr));                                                         \
    return file;                                                                                         \
  }
TORCHGATE_FREOPEN(freopen)
TORCHGATE_FREOPEN(freopen64)

#define TORCHGATE_MKSTEMP(name)                   \
  TORCHGATE_NEXT_OF(name)                         \
  int name(char* path) {                          \
    const int file = TORCHGATE_NEXT(name)(path);  \
    const KeepErrno keep;                         \
    if (file >= 0) note(path, bit(Opened::made)); \
    return file;                                  \
  }
TORCHGATE_MKSTEMP(mkstemp)
TORCHGATE_MKSTEMP(mkstemp64)

#define TORCHGATE_MKOSTEMP(name)                        \
  TORCHGATE_NEXT_OF(name)                               \
  int name(char* path, int flags) {                     \
    const int file = TORCHGATE_NEXT(name)(path, flags); \
    const KeepErrno keep;                               \
    if (file >= 0) note(path, bit(Opened::made));       \
    return file;                                        \
  }
TORCHGATE_MKOSTEMP(mkostemp)
TORCHGATE_MKOSTEMP(mkostemp64)

TORCHGATE_NEXT_OF(chdir)
int chdir(const char* path) noexcept {
  left_start_folder.store(true);
  return TORCHGATE_NEXT(chdir)(path);
}
TORCHGATE_NEXT_OF(fchdir)
int fchdir(int folder) noexcept {
  left_start_folder.store(true);
  return TORCHGATE_NEXT(fchdir)(folder);
}

}  // extern "C"
// NOLINTEND

namespace torchgate::bench {
namespace {

/// The folder that relative names start from. Before main(), and before other constructors of the executable.
__attribute__((constructor(101))) void remember_start_folder() {
  const KeepErrno keep;
  if (getcwd(start_folder.data(), start_folder.size() - 1) == nullptr) {
    start_folder[0] = '\0';
    return;
  }
  const std::size_t length = std::strlen(start_folder.data());
  if (start_folder[length - 1] != '/') std::memcpy(start_folder.data() + length, "/", 2);
}

}  // namespace

}  // namespace torchgate::bench
