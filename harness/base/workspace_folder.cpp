// SPDX-License-Identifier: Apache-2.0
#include "harness/base/workspace_folder.hpp"

#include <string_view>

#include "harness/base/atomic_file.hpp"

namespace torchgate::base {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view workspace_name = ".torchgate";

/// Without it the folder can still be used: failures are ignored. Never through a link, which stays.
void write_gitignore(const fs::path& workspace) {
  constexpr std::string_view everything = "*\n";
  const fs::path file = workspace / ".gitignore";
  std::error_code absent;
  const fs::file_status status = fs::symlink_status(file, absent);
  const bool empty = fs::is_regular_file(status) && fs::file_size(file, absent) == 0;  // of a full disk
  if (fs::exists(status) && !empty) return;
  if (const auto written = write_file_atomically(file, everything, empty); !written) return;
}

}  // namespace

void create_folders(const fs::path& folder, std::error_code& failed) {
  fs::create_directories(folder, failed);
  if (failed) return;
  for (fs::path each = folder; each.has_relative_path(); each = each.parent_path())
    if (each.filename() == workspace_name) return write_gitignore(each);
}

}  // namespace torchgate::base
