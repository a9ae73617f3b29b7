// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/artefact.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "harness/bench/files/interposed.hpp"

namespace torchgate::bench {
namespace {

namespace fs = std::filesystem;

/// Written by CMake in place of the artefacts that it could not build.
constexpr const char* reason_file = "not_built.txt";

fs::path artefact_folder() {
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  return executable.string() + ".artefacts";
}

std::optional<std::string> existing(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  return fs::weakly_canonical(path, error).string();
}

}  // namespace

std::optional<std::string> find_artefact(const std::string& file_name) {
  const OwnLookups own;  // artefacts are among the objects of the report
  const char* const folders = std::getenv("LD_LIBRARY_PATH");
  std::istringstream list(folders != nullptr ? folders : "");
  for (std::string folder; std::getline(list, folder, ':');) {
    if (folder.empty()) continue;
    if (auto found = existing(fs::path(folder) / file_name)) return found;
  }
  return existing(artefact_folder() / file_name);
}

std::string why_no_artefact(const std::string& file_name) {
  const fs::path folder = artefact_folder();
  std::string reason;
  std::ifstream file(folder / reason_file);
  if (file && std::getline(file, reason) && !reason.empty())
    return "artefact " + file_name + " was not built: " + reason;
  return "artefact " + file_name + " is missing in " + folder.string() + "; build the suite's artefacts";
}

std::optional<record::LoadedObject> artefact_object(const std::string& file_name) {
  const OwnLookups own;
  const auto path = find_artefact(file_name);
  struct stat status {};
  if (!path || stat(path->c_str(), &status) != 0) return std::nullopt;
  record::LoadedObject object;
  object.path = *path;
  object.soname = file_name;
  object.bytes = status.st_size;
  object.inode = status.st_ino;
  object.mtime_ns = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  return object;
}

void add_artefacts(const std::vector<std::string>& file_names, std::vector<record::LoadedObject>& objects) {
  for (const std::string& name : file_names) {
    auto object = artefact_object(name);
    if (!object) continue;
    const auto same = [&](const record::LoadedObject& other) { return other.path == object->path; };
    if (std::none_of(objects.begin(), objects.end(), same)) objects.push_back(*std::move(object));
  }
}

}  // namespace torchgate::bench
