// SPDX-License-Identifier: Apache-2.0
#include "baselines/restore_files.hpp"

#include <set>
#include <system_error>
#include <utility>

#include "harness/base/atomic_file.hpp"
#include "harness/base/content_hash.hpp"

namespace torchgate::baselines {
namespace {

namespace fs = std::filesystem;

/// Fits a line of a file map.
bool can_be_mapped(const std::string& path) {
  return path.starts_with('/') && path.find_first_of("\t\n") == std::string::npos &&
         path.find('\0') == std::string::npos;
}

/// By path; a file with several contents is not among them.
std::map<std::string, std::string> read_by(const record::Run& run, const std::set<std::string>& suites) {
  std::map<std::string, std::set<std::string>> contents;
  for (const record::Process& process : run.processes) {
    if (!process.files || !suites.contains(process.suite)) continue;
    for (const std::int64_t index : *process.files) {
      const record::ReadFile& file = run.files.at(static_cast<std::size_t>(index));
      if (can_be_mapped(file.path)) contents[file.path].insert(file.sha256);
    }
  }
  std::map<std::string, std::string> unambiguous;
  for (const auto& [path, hashes] : contents)
    if (hashes.size() == 1 && !hashes.begin()->empty()) unambiguous.emplace(path, *hashes.begin());
  return unambiguous;
}

bool has_content(const std::string& path, const std::string& sha256) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) return false;
  const auto now = base::sha256_of_file(path);
  return now && *now == sha256;
}

}  // namespace

base::Result<RestoredFiles> restore_files(const Store& store, const record::Run& run,
                                          const std::set<std::string>& suites, const fs::path& folder) {
  RestoredFiles restored;
  const fs::path absolute = fs::absolute(folder);
  std::string lines;
  for (const auto& [path, sha256] : read_by(run, suites)) {
    if (has_content(path, sha256)) continue;
    const fs::path to = absolute / std::to_string(restored.files.size());
    const auto placed = store.get_object(sha256, to);
    if (!placed && placed.error().code == base::ErrorCode::io) return placed.error().within("restoring " + path);
    if (!placed) continue;
    restored.contents.emplace(path, sha256);
    restored.files.push_back({to, sha256});
    lines += to.string() + '\t' + path + '\n';
  }
  if (restored.files.empty()) return restored;
  restored.map = absolute / "file_map";
  if (auto written = base::write_file_atomically(restored.map, lines, false); !written) return written.error();
  return restored;
}

}  // namespace torchgate::baselines
