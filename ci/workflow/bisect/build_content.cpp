// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/bisect/build_content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>

#include "ci/git/commit_list.hpp"
#include "ci/git/tracked_files.hpp"
#include "ci/workflow/measure/changed_data.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/content_hash.hpp"
#include "harness/launch/listing.hpp"

namespace torchgate::workflow {
namespace {

namespace fs = std::filesystem;

// A program with debug information and LibTorch in it takes one gigabyte.
constexpr std::int64_t largest_file = std::int64_t{4} << 30;

// The head of an ELF note with a build id: sizes of its name and value, NT_GNU_BUILD_ID, "GNU". ld writes 20 bytes (SHA-1), lld 8 or 20 too.
constexpr std::string_view note_tail("\x03\0\0\0GNU\0", 8);
constexpr std::string_view note_name_size("\x04\0\0\0", 4);
constexpr std::size_t largest_build_id = 64;

void overwrite_build_ids(std::string& bytes) {
  for (std::size_t at = bytes.find(note_tail); at != std::string::npos; at = bytes.find(note_tail, at + 1)) {
    if (at < 8 || std::string_view(bytes).substr(at - 8, 4) != note_name_size) continue;
    const auto size = static_cast<unsigned char>(bytes[at - 4]);
    const bool small = bytes[at - 3] == 0 && bytes[at - 2] == 0 && bytes[at - 1] == 0;
    const std::size_t value = at + note_tail.size();
    if (!small || size > largest_build_id || value + size > bytes.size()) continue;
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(value), size, '\0');
  }
}

std::optional<std::string> relative_to(const std::string& path, const fs::path& tree) {
  const std::string folder = tree.string() + "/";
  return path.starts_with(folder) ? std::optional(path.substr(folder.size())) : std::nullopt;
}

}  // namespace

std::vector<std::string> files_of_build(const record::Run& run, std::int64_t side, const fs::path& tree) {
  std::set<std::string> files;
  // Libraries are recorded by their real paths, and the workspace may be a link.
  std::error_code ignored;
  const fs::path real = fs::weakly_canonical(tree, ignored);
  const auto add = [&](const std::string& path) {
    auto inside = relative_to(path, tree);
    if (!inside) inside = relative_to(path, real);
    if (inside) files.insert(*inside);
  };
  for (const record::Process& process : run.processes) {
    if (process.side != side) continue;
    for (const std::int64_t index : process.objects) add(run.objects.at(static_cast<std::size_t>(index)).path);
    if (!process.files) continue;
    for (const std::int64_t index : *process.files) add(run.files.at(static_cast<std::size_t>(index)).path);
  }
  return {files.begin(), files.end()};
}

std::string without_place(std::string bytes, const std::string& tree) {
  for (std::size_t at = bytes.find(tree); at != std::string::npos; at = bytes.find(tree, at + tree.size()))
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), tree.size(), '\0');
  overwrite_build_ids(bytes);
  return bytes;
}

bool same_data_files(const git::Repository& repository, const std::string& before, const std::string& after) {
  const auto changed = git::paths_changed(repository, before, after);
  return changed &&
         std::none_of(changed->begin(), changed->end(), [](const std::string& path) { return may_be_data(path); });
}

base::Result<std::string> build_content(const fs::path& tree, const std::vector<std::string>& files,
                                        const std::vector<std::string>& suites) {
  std::set<std::string> names(files.begin(), files.end());
  std::vector<fs::path> paths;
  paths.reserve(suites.size());
  for (const std::string& suite : suites) paths.push_back((tree / suite).lexically_normal());
  const auto executables = launch::find_suites(paths);
  if (!executables) return executables.error();
  for (const fs::path& executable : *executables)
    names.insert(relative_to(executable.string(), tree).value_or(executable.string()));
  std::string together;
  for (const std::string& name : names) {
    std::error_code ignored;
    const fs::path file = tree / name;
    if (!fs::is_regular_file(file, ignored)) {
      together += fmt::format("{}\n{}\n", base::sha256(name), "missing");
      continue;
    }
    auto bytes = base::read_file(file, largest_file);
    if (!bytes) return bytes.error();
    together += fmt::format("{}\n{}\n", base::sha256(name),
                            base::sha256(without_place(std::move(bytes).value(), tree.string())));
  }
  return base::sha256(together);
}

}  // namespace torchgate::workflow
