// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/build/libtorch_builds.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "ci/workflow/build/run_build.hpp"
#include "ci/workflow/measure/measuring.hpp"
#include "harness/base/fnv1a.hpp"
#include "harness/base/workspace_folder.hpp"

namespace torchgate::workflow {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;

/// Of torchgate itself. Torch_ROOT is in the cache of the build folder, so that a build by hand there uses the same one.
constexpr const char* own_build =
    R"(cmake --preset release -B {dir} -DTorch_ROOT="$TORCHGATE_TORCH_ROOT" && cmake --build {dir})";
constexpr const char* own_suites = "suites/bin";

bool is_own_checkout() {
  std::error_code ignored;
  return fs::exists("cmake/torchgate_torch.cmake", ignored) && fs::exists("CMakePresets.json", ignored);
}

base::Result<LibtorchBuild> complete(const LibtorchBuild& build) {
  LibtorchBuild all = build;
  if (!all.command) {
    if (!is_own_checkout())
      return Error{ErrorCode::bad_input,
                   "--vary libtorch=...: how this project is built is unknown; give the command, such as --build "
                   "\"cmake -S . -B {dir} && cmake --build {dir}\" --suites bench, which finds LibTorch by "
                   "CMAKE_PREFIX_PATH or TORCHGATE_TORCH_ROOT, or two builds (--before, --after)"};
    all.command = own_build;
  }
  if (all.suites.empty() && is_own_checkout()) all.suites = {own_suites};
  if (all.suites.empty())
    return Error{ErrorCode::bad_input,
                 "--vary libtorch=...: the suites are unknown; name them with --suites, relative to the build folder "
                 "({dir} of the build command)"};
  for (const std::string& suite : all.suites) {
    const fs::path path = suite;
    if (path.is_absolute() || path.empty() || *path.lexically_normal().begin() == "..")
      return Error{ErrorCode::bad_input,
                   fmt::format("{}: not inside the build folder; name suites by their path relative to it", suite)};
  }
  return all;
}

std::vector<record::Parameter> environment_with(const LibtorchRoot& root) {
  const char* const known = std::getenv("CMAKE_PREFIX_PATH");
  const std::string folder = root.folder.string();
  return {{"TORCHGATE_TORCH_ROOT", folder},
          {"Torch_ROOT", folder},
          {"CMAKE_PREFIX_PATH", known == nullptr || *known == '\0' ? folder : folder + ":" + known}};
}

// A LibTorch that was replaced in its folder gets another build folder, and so does another command: what an earlier one left is not measured.
std::string build_key(const LibtorchRoot& root, const std::string& command) {
  const fs::path library = root.folder / "lib/libtorch_cpu.so";
  std::error_code absent;
  const auto size = fs::file_size(library, absent);
  const auto written = fs::last_write_time(library, absent).time_since_epoch().count();
  return fmt::format("{:016x}", base::fnv1a(fmt::format("{}\n{}\n{}\n{}\n{}", root.folder.string(),
                                                        root.version.value_or(""), command, size, written)));
}

}  // namespace

base::Result<std::vector<launch::SideRequest>> build_against(const std::array<LibtorchRoot, 2>& roots,
                                                             const LibtorchBuild& build, Narrator& narrator) {
  constexpr std::array<const char*, 2> labels{"before", "after"};
  const auto whole = complete(build);
  if (!whole) return whole.error();
  std::vector<launch::SideRequest> sides;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const LibtorchRoot& root = roots[i];
    const std::string key = build_key(root, *whole->command);
    auto log = build_log("libtorch-" + key);
    if (!log) return log.error();
    std::error_code failed;
    const fs::path dir = fs::absolute(fs::path(libtorch_builds_folder) / key);
    base::create_folders(dir, failed);
    if (failed) return Error{ErrorCode::io, fmt::format("{}: {}", dir.string(), failed.message())};
    const BuildStep step{fmt::format("{} ({}: {})", labels[i], libtorch_words(root), root.folder.string()),
                         *whole->command,
                         dir,
                         fs::current_path(),
                         environment_with(root),
                         *std::move(log)};
    if (auto built = run_build(step, narrator); !built) return built.error();
    const auto suites = built_suites(step, whole->suites, "build folder");
    if (!suites) return suites.error();
    sides.push_back(side(labels[i], *suites, source_here()));
  }
  return sides;
}

}  // namespace torchgate::workflow
