// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/changed_paths.hpp"

#include <algorithm>
#include <array>

namespace torchgate::gate {
namespace {

constexpr std::array<std::string_view, 7> of_ci{".github/workflows/", ".github/actions/", ".gitlab/",
                                                ".gitlab-ci",         ".circleci/",       ".buildkite/",
                                                "azure-pipelines.yml"};
constexpr std::array<std::string_view, 8> build_files{"BUILD",       "BUILD.bazel", "CMakeLists.txt",    "GNUmakefile",
                                                      "meson.build", "Makefile",    "CMakePresets.json", "WORKSPACE"};

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

bool may_set_variables(std::string_view path) {
  if (path.ends_with(".md")) return false;
  return file_name(path) == "Jenkinsfile" || std::any_of(of_ci.begin(), of_ci.end(), [&](std::string_view beginning) {
           return path.starts_with(beginning);
         });
}

bool may_generate_files(std::string_view path) {
  return path.ends_with(".cmake") ||
         std::find(build_files.begin(), build_files.end(), file_name(path)) != build_files.end();
}

}  // namespace torchgate::gate
