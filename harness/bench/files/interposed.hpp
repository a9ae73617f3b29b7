// SPDX-License-Identifier: Apache-2.0
// What interposed.cpp notes, for files_read().
#pragma once

#include <spawn.h>

#include "harness/bench/files/read_log.hpp"

namespace torchgate::bench {

/// The files and the environment variables (by name) that this process looked up.
ReadLog& read_log() noexcept;
ReadLog& variable_log() noexcept;

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
