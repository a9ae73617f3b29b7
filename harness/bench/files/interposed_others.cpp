// SPDX-License-Identifier: Apache-2.0
// What a process reads besides files: folders, environment variables, what other programs read. Defined in front of the C library
// as in interposed.cpp.
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "harness/bench/files/interposed.hpp"
#include "harness/bench/files/next_definition.hpp"

namespace torchgate::bench {
namespace {

constinit ReadLog variables_of_process;

void note_folder(const char* path) noexcept {
  if (path == nullptr || !ReadLog::is_kernel_path(path)) read_log().note_unknown("it lists a folder");
}

void note_program() noexcept {
  read_log().note_unknown("it starts another program");
}

void note_variable(const char* name) noexcept {
  variables_of_process.note(name, static_cast<std::uint32_t>(Opened::read));
}

}  // namespace

ReadLog& variable_log() noexcept {
  return variables_of_process;
}

}  // namespace torchgate::bench

using namespace torchgate::bench;

// NOLINTBEGIN: the names and signatures are the C library's
extern "C" {

// Folders: what is in them is not recorded.
TORCHGATE_NEXT_OF(opendir)
DIR* opendir(const char* path) {
  note_folder(path);
  return TORCHGATE_NEXT(opendir)(path);
}
TORCHGATE_NEXT_OF(fdopendir)
DIR* fdopendir(int folder) {
  note_folder(nullptr);
  return TORCHGATE_NEXT(fdopendir)(folder);
}
TORCHGATE_NEXT_OF(scandir)
int scandir(const char* path, dirent*** list, int (*filter)(const dirent*),
            int (*compare)(const dirent**, const dirent**)) {
  note_folder(path);
  return TORCHGATE_NEXT(scandir)(path, list, filter, compare);
}
TORCHGATE_NEXT_OF(scandir64)
int scandir64(const char* path, dirent64*** list, int (*filter)(const dirent64*),
              int (*compare)(const dirent64**, const dirent64**)) {
  note_folder(path);
  return TORCHGATE_NEXT(scandir64)(path, list, filter, compare);
}
TORCHGATE_NEXT_OF(nftw)
int nftw(const char* path, __nftw_func_t visit, int descriptors, int flags) {
  note_folder(path);
  return TORCHGATE_NEXT(nftw)(path, visit, descriptors, flags);
}
TORCHGATE_NEXT_OF(nftw64)
int nftw64(const char* path, __nftw64_func_t visit, int descriptors, int flags) {
  note_folder(path);
  return TORCHGATE_NEXT(nftw64)(path, visit, descriptors, flags);
}
TORCHGATE_NEXT_OF(ftw)
int ftw(const char* path, __ftw_func_t visit, int descriptors) {
  note_folder(path);
  return TORCHGATE_NEXT(ftw)(path, visit, descriptors);
}
TORCHGATE_NEXT_OF(ftw64)
int ftw64(const char* path, __ftw64_func_t visit, int descriptors) {
  note_folder(path);
  return TORCHGATE_NEXT(ftw64)(path, visit, descriptors);
}
TORCHGATE_NEXT_OF(glob)
int glob(const char* pattern, int flags, int (*error)(const char*, int), glob_t* found) {
  note_folder(pattern);
  return TORCHGATE_NEXT(glob)(pattern, flags, error, found);
}
TORCHGATE_NEXT_OF(glob64)
int glob64(const char* pattern, int flags, int (*error)(const char*, int), glob64_t* found) {
  note_folder(pattern);
  return TORCHGATE_NEXT(glob64)(pattern, flags, error, found);
}

TORCHGATE_NEXT_OF(getenv)
char* getenv(const char* name) noexcept {
  note_variable(name);
  return TORCHGATE_NEXT(getenv)(name);
}
TORCHGATE_NEXT_OF(secure_getenv)
char* secure_getenv(const char* name) noexcept {
  note_variable(name);
  return TORCHGATE_NEXT(secure_getenv)(name);
}

// Other programs: what they read is not recorded. vfork() cannot be wrapped; files_read() sees its children.
TORCHGATE_NEXT_OF(fork)
pid_t fork() noexcept {
  note_program();
  return TORCHGATE_NEXT(fork)();
}
TORCHGATE_NEXT_OF(system)
int system(const char* command) {
  note_program();
  return TORCHGATE_NEXT(system)(command);
}
TORCHGATE_NEXT_OF(popen)
FILE* popen(const char* command, const char* mode) {
  note_program();
  return TORCHGATE_NEXT(popen)(command, mode);
}
TORCHGATE_NEXT_OF(posix_spawn)
int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const arguments[], char* const environment[]) {
  note_program();
  return TORCHGATE_NEXT(posix_spawn)(pid, path, actions, attributes, arguments, environment);
}
TORCHGATE_NEXT_OF(posix_spawnp)
int posix_spawnp(pid_t* pid, const char* file, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const arguments[], char* const environment[]) {
  note_program();
  return TORCHGATE_NEXT(posix_spawnp)(pid, file, actions, attributes, arguments, environment);
}

}  // extern "C"
// NOLINTEND

namespace torchgate::bench {
namespace {

std::atomic<bool> spawned_unnoted{false};

template <class Function>
std::pair<const char*, void*> ours(const char* name, Function* function) {
  return {name, reinterpret_cast<void*>(function)};
}

}  // namespace

int spawn_unnoted(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions, char* const* arguments,
                  char* const* environment) {
  spawned_unnoted = true;
  return TORCHGATE_NEXT(posix_spawn)(pid, path, actions, nullptr, arguments, environment);
}

bool has_spawned_unnoted() {
  return spawned_unnoted;
}

bool is_interposed() {
  const std::array all{ours("open", &::open),       ours("open64", &::open64),
                       ours("openat", &::openat),   ours("openat64", &::openat64),
                       ours("fopen", &::fopen),     ours("fopen64", &::fopen64),
                       ours("freopen", &::freopen), ours("chdir", &::chdir),
                       ours("opendir", &::opendir), ours("getenv", &::getenv),
                       ours("fork", &::fork),       ours("system", &::system),
                       ours("popen", &::popen),     ours("posix_spawn", &::posix_spawn),
                       ours("access", &::access),   ours("mkdir", &::mkdir)};
  return std::all_of(all.begin(), all.end(),
                     [](const auto& each) { return dlsym(RTLD_DEFAULT, each.first) == each.second; });
}

}  // namespace torchgate::bench
