// SPDX-License-Identifier: Apache-2.0
// Which files this process read: a suite executable defines open(), fopen() and the like itself, in front of the C library's,
// and notes each path (interposed.cpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace torchgate::bench {

struct FilesRead {
  /// Absolute paths, then "$NAME" of each environment variable that was looked up; each once. Absent: not known.
  std::optional<std::vector<std::string>> paths;
  std::string unknown;  ///< why not: "it starts another program"
};

/// Files that were opened for reading since the process was started, also by libraries and before main(), without those that the
/// process made itself; missing files that it looked for are in the list, and files that it only asked about (stat(), access()).
/// Not known: when the process started a program or forked, read a directory, unloaded a library, changed a file that it reads, or
/// opened too many; also when the executable was linked without these definitions. What the C library opens for itself (locales, time zones, name services) is not seen.
FilesRead files_read();

/// Of several processes that work together: all their files, or unknown if one of them is.
FilesRead all_files_read(const std::vector<FilesRead>& ranks);

}  // namespace torchgate::bench
