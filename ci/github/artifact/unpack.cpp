// SPDX-License-Identifier: Apache-2.0
#include "ci/github/artifact/unpack.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include "ci/github/artifact/artifact_limits.hpp"
#include "ci/github/artifact/inflate_entry.hpp"
#include "ci/github/artifact/zip_directory.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/posix_file.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/base/whole_io.hpp"
#include "harness/process/temporary_folder.hpp"

namespace torchgate::github {
namespace {

namespace fs = std::filesystem;

constexpr mode_t file_mode = 0644;
constexpr mode_t folder_mode = 0755;

base::Error unusable(const fs::path& folder, const std::string& problem) {
  return {base::ErrorCode::bad_input, folder.string() + ": " + problem + "; give --into a new folder"};
}

// FOLDER as PARENT/NAME. A folder that cannot be renamed over (".", "..", "/") is refused.
base::Result<fs::path> destination(const fs::path& folder) {
  fs::path path = folder.lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  if (!path.has_filename() || path.filename() == "." || path.filename() == "..")
    return unusable(folder, "not the name of a new folder");
  std::error_code error;
  const auto status = fs::symlink_status(path, error);
  const bool exists = fs::exists(status);
  if (exists && !fs::is_directory(status)) return unusable(folder, "exists and is not a folder");
  if (exists && !fs::is_empty(path, error)) return unusable(folder, error ? error.message() : "not empty");
  const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(parent, error)) return unusable(folder, "its parent folder does not exist");
  return parent / path.filename();
}

base::Result<void> write_entry(const ZipEntry& entry, const fs::path& folder) {
  const fs::path path = folder / entry.name;
  base::PosixFile file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, file_mode));
  if (!file.is_open()) return base::system_error(path, "create it", errno);
  const auto write = [&](std::string_view piece) -> base::Result<void> {
    if (const int number = base::write_all(file.descriptor(), piece); number != 0)
      return base::system_error(path, "write it", number);
    return {};
  };
  if (auto inflated = inflate_entry(entry, write); !inflated)
    return inflated.error().within("entry " + base::in_quotes(entry.name));
  if (!file.close()) return base::system_error(path, "write it", errno);
  return {};
}

}  // namespace

base::Result<Unpacked> unpack(const fs::path& zip, const fs::path& folder) {
  const auto place = destination(folder);
  if (!place) return place.error();
  const auto bytes = base::read_file(zip, max_artifact_bytes);
  if (!bytes) return bytes.error();
  const auto entries = read_zip_directory(*bytes);
  if (!entries) return entries.error().within(zip.string());

  const auto beside = process::TemporaryFolder::create(place->parent_path());
  if (!beside) return beside.error();
  const fs::path files = beside->path() / "files";
  if (::mkdir(files.c_str(), folder_mode) != 0) return base::system_error(files, "create it", errno);
  Unpacked unpacked;
  for (const ZipEntry& entry : *entries) {
    if (auto written = write_entry(entry, files); !written) return written.error().within(zip.string());
    ++unpacked.files;
    unpacked.bytes += entry.inflated_bytes;
  }
  // Takes the place of an empty folder; fails if it has files by now.
  if (::rename(files.c_str(), place->c_str()) != 0) return base::system_error(*place, "put the files in place", errno);
  return unpacked;
}

}  // namespace torchgate::github
