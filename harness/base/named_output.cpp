// SPDX-License-Identifier: Apache-2.0
#include "harness/base/named_output.hpp"

#include <string>
#include <system_error>

#include "harness/base/abandoned_files.hpp"
#include "harness/base/atomic_file.hpp"

namespace torchgate::base {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;  // as Linux

bool is_in(const fs::path& folder, const fs::path& outer) {
  const fs::path relative = folder.lexically_relative(outer);
  return !relative.empty() && *relative.begin() != "..";
}

bool is_of_the_system(const fs::path& folder) {
  return is_in(folder, "/proc") || (is_in(folder, "/dev") && !is_in(folder, "/dev/shm"));
}

Error refused(const fs::path& path, const fs::path& end, const std::string& problem) {
  const std::string through = end == path ? "" : "leads to " + end.string() + ", ";
  return {ErrorCode::bad_input, path.string() + ": " + through + problem + "; give the name of a file"};
}

}  // namespace

Result<fs::path> output_file(const fs::path& path) {
  fs::path end = path;
  for (int links = 0; links <= most_links; ++links) {
    std::error_code failed;
    const fs::path folder = fs::weakly_canonical(fs::absolute(end, failed).parent_path(), failed);
    const fs::file_status status = fs::symlink_status(end, failed);
    const bool possible = fs::is_regular_file(status) || fs::is_symlink(status) || !fs::exists(status);
    if (!possible) return refused(path, end, "not a regular file");
    if (is_of_the_system(folder)) return refused(path, end, "an open file or a device, not a file");
    if (!fs::is_symlink(status)) return end;
    const fs::path next = fs::read_symlink(end, failed);
    if (failed) return refused(path, end, "a link that cannot be read");
    end = next.is_absolute() ? next : end.parent_path() / next;
  }
  return refused(path, path, "too many symbolic links");
}

Result<void> check_output_writable(const fs::path& path, std::int64_t bytes) {
  const auto file = output_file(path);
  if (!file) return file.error();
  return check_writable(*file, bytes);
}

Result<void> write_output_file(const fs::path& path, std::string_view bytes) {
  const auto file = output_file(path);
  if (!file) return file.error();
  return write_file_atomically(*file, bytes, true);
}

}  // namespace torchgate::base
