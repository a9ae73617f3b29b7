// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/ranks/rank_files.hpp"

#include <algorithm>

namespace torchgate::bench {
namespace {

// '?' and the reason, or each path behind a zero byte.
std::string message_of(const FilesRead& files) {
  if (!files.paths) return '?' + files.unknown;
  std::string text;
  for (const std::string& path : *files.paths) (text += '\0') += path;
  return text;
}

FilesRead files_of(const std::string& message) {
  if (message.starts_with('?')) return {std::nullopt, message.substr(1)};
  FilesRead files;
  files.paths.emplace();
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t end = std::min(message.find('\0', at + 1), message.size());
    files.paths->push_back(message.substr(at + 1, end - at - 1));
    at = end;
  }
  return files;
}

}  // namespace

FilesRead files_read_by(World& world, const FilesRead& mine) {
  std::vector<FilesRead> all;
  for (const std::string& message : world.texts_of_all(message_of(mine))) all.push_back(files_of(message));
  return all_files_read(all);
}

}  // namespace torchgate::bench
