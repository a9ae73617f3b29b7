// SPDX-License-Identifier: Apache-2.0
// What the tests of all formats share: fixtures, and the cases of what was read.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/base/text_source.hpp"
#include "harness/import/imported_process.hpp"

namespace torchgate::import::testing {

inline std::filesystem::path fixture_path(const std::string& name) {
  return std::filesystem::path(TORCHGATE_TESTS_DIR) / "fixtures/import" / name;
}

inline std::string fixture_text(const std::string& name) {
  std::ifstream file(fixture_path(name), std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

/// In pieces of an odd size. TEXT must outlive the source.
inline base::TextSource in_odd_pieces(std::string_view text) {
  return [text](std::span<char> space) mutable -> base::Result<std::size_t> {
    constexpr std::size_t piece = 37;
    const std::size_t taken = std::min({text.size(), space.size(), piece});
    std::memcpy(space.data(), text.data(), taken);
    text.remove_prefix(taken);
    return taken;
  };
}

/// Empty, and a failure, where the file was refused.
inline std::vector<ImportedProcess> processes_in(const base::Result<std::vector<ImportedProcess>>& read) {
  EXPECT_TRUE(read) << read.error().message;
  return read ? *read : std::vector<ImportedProcess>();
}

/// nullptr, and a failure, where there is none.
inline const ImportedCase* find_case(const ImportedProcess& process, const std::string& name) {
  for (const ImportedCase& each : process.cases) {
    if (each.name == name) return &each;
  }
  std::string names;
  for (const ImportedCase& each : process.cases) names += "\n  " + each.name;
  ADD_FAILURE() << "no case " << name << " among" << names;
  return nullptr;
}

inline std::vector<std::string> names_of(const ImportedProcess& process) {
  std::vector<std::string> names;
  for (const ImportedCase& each : process.cases) names.push_back(each.name);
  return names;
}

/// One of its warnings has PART in it, or the one that other files may make superfluous.
inline bool warns(const ImportedProcess& process, const std::string& part) {
  if (process.no_spread.find(part) != std::string::npos) return true;
  for (const std::string& warning : process.warnings) {
    if (warning.find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace torchgate::import::testing
