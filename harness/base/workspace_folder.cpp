// SPDX-License-Identifier: Apache-2.0
#include "harness/base/workspace_folder.hpp"

#include <string_view>

#include "harness/base/posix_file.hpp"

namespace torchgate::base {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view workspace_name = ".torchgate";

/// Without it the folder can still be used: failures are ignored.
void write_gitignore(const fs::path& workspace) {
  constexpr std::string_view everything = "*\n";
  constexpr mode_t mode = 0644;
  const fs::path file = workspace / ".gitignore";
  const PosixFile created(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));  // never through a link
  if (created.is_open()) static_cast<void>(::write(created.descriptor(), everything.data(), everything.size()) > 0);
}

}  // namespace

void create_folders(const fs::path& folder, std::error_code& failed) {
  fs::create_directories(folder, failed);
  if (failed) return;
  for (fs::path each = folder; each.has_relative_path(); each = each.parent_path())
    if (each.filename() == workspace_name) return write_gitignore(each);
}

}  // namespace torchgate::base
