// SPDX-License-Identifier: Apache-2.0
#include "harness/import/file_warnings.hpp"

#include <fmt/format.h>

#include "harness/base/counted.hpp"

namespace torchgate::import {

void FileWarnings::add(const std::string& file, const std::string& warning) {
  const std::string prefix = file + ": ";
  const bool names_file = !file.empty() && warning.starts_with(prefix);
  std::string what = names_file ? warning.substr(prefix.size()) : warning;
  const auto [known, is_new] = places_.try_emplace({names_file, what}, all_.size());
  if (is_new) all_.push_back({std::move(what), {}});
  if (names_file) all_[known->second].files.insert(file);
}

void FileWarnings::append_to(std::vector<std::string>& warnings) const {
  for (const auto& [what, files] : all_) {
    const std::size_t more = files.empty() ? 0 : files.size() - 1;
    const std::string others = more == 0 ? "" : " and " + base::counted(more, "more file", "more files");
    warnings.push_back(files.empty() ? what : fmt::format("{}{}: {}", *files.begin(), others, what));
  }
}

}  // namespace torchgate::import
