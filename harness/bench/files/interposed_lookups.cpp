// SPDX-License-Identifier: Apache-2.0
// stat(), access() and the like, in front of the C library's as in interposed.cpp: a process that asks whether a file exists, or how large it is, depends on
// it without opening it. Also mkdir(): a folder that the process makes is its own.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "harness/bench/files/interposed.hpp"
#include "harness/bench/files/next_definition.hpp"

namespace torchgate::bench {
namespace {

thread_local int own_lookups = 0;  // scopes of OwnLookups

int stat_of_kernel(int folder, const char* path, void* found, int flags) noexcept {
  return static_cast<int>(syscall(SYS_newfstatat, folder, path, found, flags));
}

// An existing folder is not noted: it has no content that could be compared. What it contains is noted where it is listed.
void note_lookup(int folder, const char* path, bool is_found, bool is_file) noexcept {
  const KeepErrno keep;
  const bool is_absent = !is_found && (errno == ENOENT || errno == ENOTDIR);
  if (own_lookups > 0 || path == nullptr || *path == '\0' || (is_found ? !is_file : !is_absent)) return;
  if (*path != '/' && folder != AT_FDCWD) return read_log().note_unknown("it looks for a path relative to a folder");
  note_path(path, static_cast<std::uint32_t>(Opened::asked));
}

int noted_stat(int result, int folder, const char* path, const struct stat* found) noexcept {
  note_lookup(folder, path, result == 0, result == 0 && S_ISREG(found->st_mode));
  return result;
}
int noted_stat(int result, int folder, const char* path, const struct stat64* found) noexcept {
  note_lookup(folder, path, result == 0, result == 0 && S_ISREG(found->st_mode));
  return result;
}

// The answer of access() does not say whether it is a file.
int noted_access(int result, int folder, const char* path) noexcept {
  struct stat found {};
  const KeepErrno keep;
  const bool is_file =
      result == 0 && stat_of_kernel(folder, content_to_read(folder, path), &found, 0) == 0 && S_ISREG(found.st_mode);
  if (result != 0 || is_file) note_lookup(folder, path, result == 0, is_file);
  return result;
}

void note_folder_made(int result, int folder, const char* path) noexcept {
  if (result == 0 && (*path == '/' || folder == AT_FDCWD)) note_path(path, static_cast<std::uint32_t>(Opened::made));
}

}  // namespace

OwnLookups::OwnLookups() noexcept {
  ++own_lookups;
}
OwnLookups::~OwnLookups() {
  --own_lookups;
}

}  // namespace torchgate::bench

using namespace torchgate::bench;

// NOLINTBEGIN: the names and signatures are the C library's
extern "C" {

// What libraries call that were linked with a glibc before 2.33; the headers of later ones do not declare it.
int __xstat(int version, const char* path, struct stat* found) noexcept;
int __xstat64(int version, const char* path, struct stat64* found) noexcept;
int __lxstat(int version, const char* path, struct stat* found) noexcept;
int __lxstat64(int version, const char* path, struct stat64* found) noexcept;
int __fxstatat(int version, int folder, const char* path, struct stat* found, int flags) noexcept;
int __fxstatat64(int version, int folder, const char* path, struct stat64* found, int flags) noexcept;

// A glibc has the one kind or the other, or both: what it has not is asked of the kernel, whose structure is the same.
#define TORCHGATE_STAT(name, structure, flags)                                                                   \
  TORCHGATE_NEXT_OF(name)                                                                                        \
  int name(const char* path, struct structure* found) noexcept {                                                 \
    auto* const next = TORCHGATE_NEXT(name);                                                                     \
    const char* const content = content_to_read(AT_FDCWD, path);                                                 \
    const int result = next != nullptr ? next(content, found) : stat_of_kernel(AT_FDCWD, content, found, flags); \
    return noted_stat(result, AT_FDCWD, path, found);                                                            \
  }
TORCHGATE_STAT(stat, stat, 0)
TORCHGATE_STAT(stat64, stat64, 0)
TORCHGATE_STAT(lstat, stat, AT_SYMLINK_NOFOLLOW)
TORCHGATE_STAT(lstat64, stat64, AT_SYMLINK_NOFOLLOW)

#define TORCHGATE_STATAT(name, structure)                                                                      \
  TORCHGATE_NEXT_OF(name)                                                                                      \
  int name(int folder, const char* path, struct structure* found, int flags) noexcept {                        \
    auto* const next = TORCHGATE_NEXT(name);                                                                   \
    const char* const content = content_to_read(folder, path);                                                 \
    const int result =                                                                                         \
        next != nullptr ? next(folder, content, found, flags) : stat_of_kernel(folder, content, found, flags); \
    return noted_stat(result, folder, path, found);                                                            \
  }
TORCHGATE_STATAT(fstatat, stat)
TORCHGATE_STATAT(fstatat64, stat64)

#define TORCHGATE_XSTAT(name, structure, flags)                                                            \
  TORCHGATE_NEXT_OF(name)                                                                                  \
  int name(int version, const char* path, struct structure* found) noexcept {                              \
    auto* const next = TORCHGATE_NEXT(name);                                                               \
    const char* const content = content_to_read(AT_FDCWD, path);                                           \
    const int result =                                                                                     \
        next != nullptr ? next(version, content, found) : stat_of_kernel(AT_FDCWD, content, found, flags); \
    return noted_stat(result, AT_FDCWD, path, found);                                                      \
  }
TORCHGATE_XSTAT(__xstat, stat, 0)
TORCHGATE_XSTAT(__xstat64, stat64, 0)
TORCHGATE_XSTAT(__lxstat, stat, AT_SYMLINK_NOFOLLOW)
TORCHGATE_XSTAT(__lxstat64, stat64, AT_SYMLINK_NOFOLLOW)

#define TORCHGATE_XSTATAT(name, structure)                                                           \
  TORCHGATE_NEXT_OF(name)                                                                            \
  int name(int version, int folder, const char* path, struct structure* found, int flags) noexcept { \
    auto* const next = TORCHGATE_NEXT(name);                                                         \
    const char* const content = content_to_read(folder, path);                                       \
    const int result = next != nullptr ? next(version, folder, content, found, flags)                \
                                       : stat_of_kernel(folder, content, found, flags);              \
    return noted_stat(result, folder, path, found);                                                  \
  }
TORCHGATE_XSTATAT(__fxstatat, stat)
TORCHGATE_XSTATAT(__fxstatat64, stat64)

TORCHGATE_NEXT_OF(statx)
int statx(int folder, const char* path, int flags, unsigned int mask, struct statx* found) noexcept {
  const int result = TORCHGATE_NEXT(statx)(folder, content_to_read(folder, path), flags, mask, found);
  note_lookup(folder, path, result == 0, result == 0 && S_ISREG(found->stx_mode));
  return result;
}

TORCHGATE_NEXT_OF(access)
int access(const char* path, int mode) noexcept {
  return noted_access(TORCHGATE_NEXT(access)(content_to_read(AT_FDCWD, path), mode), AT_FDCWD, path);
}
TORCHGATE_NEXT_OF(faccessat)
int faccessat(int folder, const char* path, int mode, int flags) noexcept {
  return noted_access(TORCHGATE_NEXT(faccessat)(folder, content_to_read(folder, path), mode, flags), folder, path);
}

TORCHGATE_NEXT_OF(mkdir)
int mkdir(const char* path, mode_t mode) noexcept {
  const int result = TORCHGATE_NEXT(mkdir)(path, mode);
  note_folder_made(result, AT_FDCWD, path);
  return result;
}
TORCHGATE_NEXT_OF(mkdirat)
int mkdirat(int folder, const char* path, mode_t mode) noexcept {
  const int result = TORCHGATE_NEXT(mkdirat)(folder, path, mode);
  note_folder_made(result, folder, path);
  return result;
}
TORCHGATE_NEXT_OF(mkdtemp)
char* mkdtemp(char* path) noexcept {
  char* const made = TORCHGATE_NEXT(mkdtemp)(path);
  if (made != nullptr) note_folder_made(0, AT_FDCWD, made);
  return made;
}

}  // extern "C"
// NOLINTEND
