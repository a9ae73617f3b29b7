// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/build/libtorch_root.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace torchgate::workflow {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;

constexpr const char* vary_libtorch = "--vary libtorch";

bool is_present(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool is_version(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos;
}

// "#define TORCH_VERSION_MAJOR 2" and so on; where the file is changed between versions.
std::optional<std::string> version_of_headers(const fs::path& root) {
  for (const char* const header :
       {"include/torch/headeronly/version.h", "include/torch/csrc/api/include/torch/version.h"}) {
    std::ifstream in(root / header);
    std::string version;
    for (std::string line; std::getline(in, line);) {
      std::istringstream words(line);
      std::string define, name, number;
      if (!(words >> define >> name >> number) || define != "#define" || !is_version(number)) continue;
      if (name == "TORCH_VERSION_MAJOR" || name == "TORCH_VERSION_MINOR" || name == "TORCH_VERSION_PATCH")
        version += (version.empty() ? "" : ".") + number;
    }
    if (!version.empty()) return version;
  }
  return std::nullopt;
}

// The official zip: "2.11.0+cpu".
std::optional<std::string> version_of_file(const fs::path& root) {
  std::ifstream in(root / "build-version");
  std::string version;
  if (!(in >> version)) return std::nullopt;
  return version.substr(0, version.find('+'));
}

std::optional<LibtorchRoot> root_in(const fs::path& folder) {
  for (const char* const layout : {"", "torch", "libtorch"}) {
    const fs::path root = *layout == '\0' ? folder : folder / layout;
    const bool has_library = is_present(root / "lib/libtorch_cpu.so") || is_present(root / "lib/libtorch.so");
    if (!has_library || !is_present(root / "include/torch")) continue;
    std::error_code failed;
    const fs::path whole = fs::canonical(root, failed);
    const auto version = version_of_headers(root);
    return LibtorchRoot{failed ? fs::absolute(root) : whole, version ? version : version_of_file(root)};
  }
  return std::nullopt;
}

// "2.9.1" before "2.15.0"; without a version first.
std::vector<int> numbers_of(const std::optional<std::string>& version) {
  std::vector<int> numbers;
  std::istringstream in(version.value_or(""));
  for (std::string part; std::getline(in, part, '.');) numbers.push_back(std::atoi(part.c_str()));
  return numbers;
}

// In PLACES, of VERSION or of all versions; of one version the full set first, which has the smaller one in it, as CMake takes them.
std::vector<LibtorchRoot> installed_roots(const LibtorchPlaces& places, const std::string& version) {
  std::vector<fs::path> folders;
  std::error_code ignored;
  // 2.11 is any version that begins with it.
  const std::string beginning = "libtorch-" + version;
  for (const auto& entry : fs::directory_iterator(places.installed, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(beginning) || name.ends_with(".part")) continue;
    const char next = name.size() > beginning.size() ? name[beginning.size()] : '-';
    if (version.empty() || next == '-' || next == '.') folders.push_back(entry.path());
  }
  std::sort(folders.rbegin(), folders.rend());
  std::vector<LibtorchRoot> roots;
  for (const fs::path& folder : folders)
    if (auto root = root_in(folder)) roots.push_back(*std::move(root));
  std::stable_sort(roots.begin(), roots.end(),
                   [](const auto& a, const auto& b) { return numbers_of(a.version) > numbers_of(b.version); });
  return roots;
}

base::Result<LibtorchRoot> to_compare_with(const LibtorchRoot& named, const std::string& name,
                                           const LibtorchPlaces& places) {
  if (places.current) {
    auto root = root_in(*places.current);
    if (root) return *std::move(root);
    return Error{ErrorCode::bad_input,
                 fmt::format("TORCHGATE_TORCH_ROOT: no LibTorch in {}; set it to a folder with include/ and lib/",
                             *places.current)};
  }
  for (LibtorchRoot& root : installed_roots(places, ""))
    if (root.folder != named.folder && (!root.version || root.version != named.version)) return std::move(root);
  return Error{ErrorCode::bad_input,
               fmt::format("{}={}: the LibTorch to compare it with is unknown, since {} has no other one; name both "
                           "({}=BEFORE {}=AFTER), set TORCHGATE_TORCH_ROOT, or run ci/scripts/setup.sh --libtorch",
                           vary_libtorch, name, places.installed.string(), vary_libtorch, vary_libtorch)};
}

}  // namespace

std::string libtorch_words(const LibtorchRoot& root) {
  return root.version ? "LibTorch " + *root.version : "LibTorch in " + root.folder.string();
}

LibtorchPlaces libtorch_places() {
  const char* const deps = std::getenv("TORCHGATE_DEPS_DIR");
  const char* const root = std::getenv("TORCHGATE_TORCH_ROOT");
  LibtorchPlaces places{deps != nullptr && *deps != '\0' ? deps : ".deps", std::nullopt};
  if (root != nullptr && *root != '\0') places.current = root;
  return places;
}

base::Result<LibtorchRoot> find_libtorch(const std::string& version_or_folder, const LibtorchPlaces& places) {
  if (version_or_folder.empty())
    return Error{ErrorCode::bad_input, fmt::format("{}=: no value; give a version or a folder", vary_libtorch)};
  if (is_present(version_or_folder)) {
    if (auto root = root_in(version_or_folder)) return *std::move(root);
    return Error{
        ErrorCode::bad_input,
        fmt::format("{}={}: not a LibTorch; expected lib/libtorch_cpu.so and include/torch there, or in torch/ "
                    "or libtorch/ below it",
                    vary_libtorch, version_or_folder)};
  }
  if (!is_version(version_or_folder))
    return Error{ErrorCode::bad_input, fmt::format("{}={}: neither an existing folder nor a version such as 2.11.0",
                                                   vary_libtorch, version_or_folder)};
  auto roots = installed_roots(places, version_or_folder);
  if (!roots.empty()) return std::move(roots.front());
  return Error{ErrorCode::bad_input,
               fmt::format("{}={}: {} has no LibTorch of this version; install it with ci/scripts/setup.sh --libtorch "
                           "{}, or name its folder",
                           vary_libtorch, version_or_folder, places.installed.string(), version_or_folder)};
}

base::Result<std::array<LibtorchRoot, 2>> libtorch_sides(const std::vector<std::string>& named,
                                                         const LibtorchPlaces& places) {
  if (named.empty() || named.size() > 2)
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: {} versions; give one, or two (before and after); for more, save the pairs of each "
                             "and show them with `torchgate compare PAIRS PAIRS...`",
                             vary_libtorch, named.size())};
  std::vector<LibtorchRoot> roots;
  for (const std::string& name : named) {
    auto root = find_libtorch(name, places);
    if (!root) return root.error();
    roots.push_back(*std::move(root));
  }
  if (roots.size() == 1) {
    auto other = to_compare_with(roots.front(), named.front(), places);
    if (!other) return other.error();
    const bool both_known = other->version && roots.front().version;
    const bool other_is_newer = both_known && numbers_of(roots.front().version) < numbers_of(other->version);
    roots.insert(other_is_newer ? roots.end() : roots.begin(), *std::move(other));
  }
  if (roots[0].folder == roots[1].folder)
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: both sides are {}; name another one", vary_libtorch, roots[0].folder.string())};
  return std::array{std::move(roots[0]), std::move(roots[1])};
}

}  // namespace torchgate::workflow
