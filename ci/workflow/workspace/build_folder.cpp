// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/workspace/build_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <system_error>
#include <vector>

#include "ci/git/work_tree.hpp"
#include "harness/base/workspace_folder.hpp"

namespace torchgate::workflow {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;

constexpr const char* lock_name = "lock";
// More concurrent torchgate processes than expected on one repository; the limit ends the loop when no folder can be
// locked.
constexpr int most_numbers = 1000;

// Locks FOLDER. The descriptor is not open if another process holds the lock or has just removed its file.
process::Descriptor lock(const fs::path& folder) {
  const fs::path file = folder / lock_name;
  process::Descriptor descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  struct stat opened {};
  struct stat there {};
  if (!descriptor.open() || flock(descriptor.get(), LOCK_EX | LOCK_NB) != 0) return {};
  if (fstat(descriptor.get(), &opened) != 0 || stat(file.c_str(), &there) != 0 || opened.st_ino != there.st_ino)
    return {};
  return descriptor;
}

void remove_leftovers(const fs::path& folder, const git::Repository& repository) {
  std::error_code error;
  std::vector<fs::path> left;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().filename() != lock_name) left.push_back(it->path());
  }
  for (const fs::path& each : left) git::WorkTree::remove(repository.root(), each);
}

}  // namespace

bool is_in_work_tree(const fs::path& path) {
  return path.string().find(fmt::format("/.torchgate/{}/", work_trees_folder)) != std::string::npos;
}

base::Result<BuildFolder> BuildFolder::take(const fs::path& workspace, const git::Repository& repository) {
  std::error_code error;
  const fs::path parent = fs::absolute(workspace, error).lexically_normal() / work_trees_folder;
  for (int number = 1; number <= most_numbers && !error; ++number) {
    const fs::path folder = parent / std::to_string(number);
    base::create_folders(folder, error);
    process::Descriptor held = lock(folder);
    if (!held.open()) continue;
    remove_leftovers(folder, repository);
    return BuildFolder(folder, std::move(held));
  }
  return Error{ErrorCode::io, fmt::format("{}: cannot create a folder for a work tree{}", parent.string(),
                                          error ? ": " + error.message() : "")};
}

BuildFolder::~BuildFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  fs::remove(path_.parent_path(), ignored);  // fails, as intended, while another process has a folder in it
}

}  // namespace torchgate::workflow
