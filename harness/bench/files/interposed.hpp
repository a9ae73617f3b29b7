// SPDX-License-Identifier: Apache-2.0
// What interposed.cpp notes, for files_read().
#pragma once

#include <spawn.h>

#include <cstdint>

#include "harness/bench/files/read_log.hpp"

namespace torchgate::bench {

/// The files and the environment variables (by name) that this process looked up.
ReadLog& read_log() noexcept;
ReadLog& variable_log() noexcept;

/// PATH, from the folder that this process was started in, was opened or looked for in the ways of KINDS (bits of Opened).
void note_path(const char* path, std::uint32_t kinds) noexcept;

/// While it lives, what this thread only asks about is not noted: the harness looks at files that it reports in another way.
class OwnLookups {
 public:
  OwnLookups() noexcept;
  ~OwnLookups();
  OwnLookups(const OwnLookups&) = delete;
  OwnLookups& operator=(const OwnLookups&) = delete;
};

/// Where the content of PATH is that this process is to read: PATH itself, but for a file of the map (file_map.hpp).
const char* content_to_read(int folder, const char* path) noexcept;

/// This process has a file map (file_map.hpp), and reads the files in it from where it says.
bool has_restored_files() noexcept;

/// Calls of libraries reach the functions of interposed.cpp. False if the executable was linked without exporting them, or
/// another library is in front of it.
bool is_interposed();

/// posix_spawn() of a process that reports itself what it reads: it leaves the list of this process's files known.
int spawn_unnoted(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions, char* const* arguments,
                  char* const* environment);
/// Whether it was called: then getrusage() has children that are accounted for.
bool has_spawned_unnoted();

}  // namespace torchgate::bench
