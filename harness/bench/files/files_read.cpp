// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/files/files_read.hpp"

#include <link.h>
#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "harness/bench/files/interposed.hpp"

namespace torchgate::bench {
namespace {

/// A library that was opened and closed again is not among the loaded objects.
bool unloaded_a_library() {
  unsigned long long unloaded = 0;
  const auto count = [](dl_phdr_info* info, std::size_t, void* data) {
    *static_cast<unsigned long long*>(data) = info->dlpi_subs;
    return 1;
  };
  dl_iterate_phdr(count, &unloaded);
  return unloaded > 0;
}

/// Also those that were started by vfork() or a system call of their own, which no definition of ours sees.
bool had_children() {
  rusage usage{};
  return getrusage(RUSAGE_CHILDREN, &usage) != 0 || usage.ru_maxrss > 0 || usage.ru_minflt > 0;
}

}  // namespace

FilesRead files_read() {
  FilesRead files;
  std::vector<std::string> paths = read_log().inputs(files.unknown);
  std::string too_many_variables;
  for (const std::string& name : variable_log().inputs(too_many_variables)) paths.push_back('$' + name);
  if (files.unknown.empty() && !too_many_variables.empty())
    files.unknown = "it looks up more environment variables than can be recorded";
  if (files.unknown.empty() && !is_interposed())
    files.unknown = "it was linked without the definitions of open() and fopen() that record files";
  if (files.unknown.empty() && !has_spawned_unnoted() && had_children()) files.unknown = "it starts another program";
  if (files.unknown.empty() && unloaded_a_library()) files.unknown = "it unloads a library";
  if (files.unknown.empty()) files.paths = std::move(paths);
  return files;
}

FilesRead all_files_read(const std::vector<FilesRead>& ranks) {
  FilesRead all;
  all.paths.emplace();
  for (const FilesRead& rank : ranks) {
    if (!rank.paths) return {std::nullopt, rank.unknown};
    for (const std::string& path : *rank.paths)
      if (std::find(all.paths->begin(), all.paths->end(), path) == all.paths->end()) all.paths->push_back(path);
  }
  return all;
}

}  // namespace torchgate::bench
