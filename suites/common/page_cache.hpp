// SPDX-License-Identifier: Apache-2.0
// Files that are read from the disk, also when they have just been written.
#pragma once

#include <string>

namespace torchgate::suites {

/// The kernel forgets the pages of the file, after writing those that are not on the disk yet: for the untimed set-up of each_time(). Throws
/// std::runtime_error if the file cannot be opened or written, and bench::Skip if its pages stay in memory, as on a tmpfs, which reports no failure.
void drop_from_page_cache(const std::string& path);

}  // namespace torchgate::suites
