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

constexpr std::array<std::string_view, 26> endings_of_source_text{
    ".asm", ".c",   ".c++", ".cc",  ".cpp", ".cu",  ".cuh", ".cxx", ".cxxm", ".f90", ".go", ".h",   ".h++",
    ".hh",  ".hip", ".hpp", ".hxx", ".inc", ".inl", ".ipp", ".ixx", ".rs",   ".S",   ".s",  ".tpp", ".txx"};

constexpr std::array<std::string_view, 3> endings_of_documents{".adoc", ".md", ".rst"};
constexpr std::array<std::string_view, 5> folders_of_documentation{"doc/", "docs/", "Documentation/", "man/",
                                                                   ".github/"};
constexpr std::array<std::string_view, 11> names_of_documentation{
    "AUTHORS", "CHANGELOG", "CHANGES",     "CODE_OF_CONDUCT", "CONTRIBUTING", "HISTORY",
    "INSTALL", "LICENSE",   "MAINTAINERS", "README",          "SECURITY"};

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

bool may_be_text_input(std::string_view path) {
  if (is_source_text(path)) return true;
  const std::string_view name = file_name(path);
  const auto ends = [&](std::string_view ending) { return name.ends_with(ending); };
  const auto begins = [&](std::string_view beginning) { return name.starts_with(beginning); };
  const auto lies_in = [&](std::string_view folder) {
    const std::size_t found = path.find(folder);
    return found == 0 || (found != std::string_view::npos && path[found - 1] == '/');
  };
  return std::any_of(endings_of_documents.begin(), endings_of_documents.end(), ends) &&
         std::none_of(names_of_documentation.begin(), names_of_documentation.end(), begins) &&
         std::none_of(folders_of_documentation.begin(), folders_of_documentation.end(), lies_in);
}

bool is_source_text(std::string_view path) {
  const std::string_view name = file_name(path);
  const std::size_t dot = name.rfind('.');
  return dot != std::string_view::npos && dot > 0 &&
         std::find(endings_of_source_text.begin(), endings_of_source_text.end(), name.substr(dot)) !=
             endings_of_source_text.end();
}

}  // namespace torchgate::gate
