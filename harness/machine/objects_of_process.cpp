// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/objects_of_process.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

#include "harness/machine/elf_soname.hpp"
#include "harness/machine/loaded_objects.hpp"

namespace torchgate::machine {
namespace {

constexpr std::string_view deleted_mark = " (deleted)";

/// The kernel writes a line break in a name as \012, and nothing else in this way (fs/proc/task_mmu.c).
std::string with_line_breaks(std::string_view text) {
  std::string result(text);
  for (std::size_t at = result.find("\\012"); at != std::string::npos; at = result.find("\\012", at + 1))
    result.replace(at, 4, 1, '\n');
  return result;
}

/// Removes the mark; true if the path had it.
bool take_deleted_mark(std::string& path) {
  if (!path.ends_with(deleted_mark)) return false;
  path.resize(path.size() - deleted_mark.size());
  return true;
}

}  // namespace

std::vector<std::string> executable_files(std::string_view maps) {
  std::vector<std::string> files;
  while (!maps.empty()) {
    const std::size_t end = std::min(maps.find('\n'), maps.size());
    const std::string_view line = maps.substr(0, end);
    maps.remove_prefix(std::min(end + 1, maps.size()));
    // "7f...-7f... r-xp 00001000 08:01 1234    /usr/lib/libm.so.6"
    const std::size_t rights = line.find(' ');
    const std::size_t path = line.find('/');
    if (rights == std::string_view::npos || path == std::string_view::npos || rights + 4 > line.size()) continue;
    if (line[rights + 3] != 'x') continue;
    std::string file = with_line_breaks(line.substr(path));
    if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(std::move(file));
  }
  return files;
}

void ObjectsOfProcess::look(pid_t pid) {
  const std::filesystem::path folder = proc_ / std::to_string(pid);
  std::error_code error;
  std::string executable = std::filesystem::read_symlink(folder / "exe", error).string();
  std::ifstream stream(folder / "maps");
  const std::string maps{std::istreambuf_iterator<char>(stream), {}};
  if (error || maps.empty()) return;
  const bool deleted = take_deleted_mark(executable);
  if (!objects_.empty() && objects_.front().path != executable) objects_.clear();
  add(executable, deleted);
  for (std::string& file : executable_files(maps)) {
    // Memory that has a name but no file: memfd_create, System V segments, a compiler's own pages.
    if (file.starts_with("/memfd:") || file.starts_with("/SYSV") || file.starts_with("/dev/")) continue;
    const bool gone = take_deleted_mark(file);
    add(file, gone);
  }
}

void ObjectsOfProcess::add(const std::string& path, bool deleted) {
  const auto same = [&](const record::LoadedObject& each) { return each.path == path; };
  if (std::any_of(objects_.begin(), objects_.end(), same)) return;
  record::LoadedObject object = object_at(path, objects_.empty());
  if (deleted) object.bytes = object.mtime_ns = 0, object.inode = 0;
  objects_.push_back(std::move(object));
}

record::LoadedObject object_at(const std::string& path, bool executable) {
  record::LoadedObject object;
  object.path = path;
  object.executable = executable;
  if (!object.executable) {
    object.soname = elf_soname(path);
    if (object.soname.empty()) object.soname = std::filesystem::path(path).filename();
    object.system = is_system_path(path);
  }
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) {
    object.bytes = status.st_size;
    object.inode = status.st_ino;
    object.mtime_ns = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  }
  return object;
}

}  // namespace torchgate::machine
