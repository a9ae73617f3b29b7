// SPDX-License-Identifier: Apache-2.0
// Golden files: output for readers is kept as a file under tests/golden/, and compared byte for byte.
//
//   EXPECT_TRUE(golden::matches(text, "reports/all_pass.md"));
//
// On a mismatch the actual text is written beside it as `<file>.got` (git ignores it), so that any diff tool can show the change.
// When the change is intended, run the test once with TORCHGATE_ACCEPT=1 and review the golden files as part of the commit.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace torchgate::golden {

inline std::filesystem::path path_of(const std::string& name) {
  return std::filesystem::path(TORCHGATE_TESTS_DIR) / "golden" / name;
}

inline std::optional<std::string> read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

inline bool write_file(const std::filesystem::path& path, std::string_view text) {
  std::error_code ignored;  // an existing directory is fine; anything else shows when the file cannot be written
  std::filesystem::create_directories(path.parent_path(), ignored);
  std::ofstream file(path, std::ios::binary);
  file << text;
  return static_cast<bool>(file.flush());
}

/// "line 12: want `a`, got `b`" of the first line that differs.
inline std::string first_difference(std::string_view want, std::string_view got) {
  const auto take_line = [](std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
  };
  for (int number = 1; !want.empty() || !got.empty(); ++number) {
    const std::string wanted = want.empty() ? "(end of file)" : take_line(want);
    const std::string found = got.empty() ? "(end of file)" : take_line(got);
    if (wanted != found) return "line " + std::to_string(number) + ":\n  want " + wanted + "\n  got  " + found;
  }
  return "only line ends differ";
}

/// Read when the program starts: tests clear the variables of torchgate.
inline const bool accepts = [] {
  const char* const variable = std::getenv("TORCHGATE_ACCEPT");
  return variable != nullptr && std::string_view(variable) == "1";
}();

inline ::testing::AssertionResult matches(const std::string& got, const std::string& name) {
  const std::filesystem::path path = path_of(name);
  std::filesystem::path beside = path;
  beside += ".got";
  const std::optional<std::string> want = read_file(path);
  if (want == got) {
    std::error_code ignored;  // an old .got that cannot be removed is harmless
    std::filesystem::remove(beside, ignored);
    return ::testing::AssertionSuccess();
  }
  if (accepts) {
    if (!write_file(path, got)) return ::testing::AssertionFailure() << "cannot write " << path;
    std::error_code ignored;
    std::filesystem::remove(beside, ignored);
    return ::testing::AssertionSuccess() << "accepted " << path;
  }
  auto failure = ::testing::AssertionFailure();
  failure << path << (want ? " differs at " + first_difference(*want, got) : " does not exist") << "\n";
  if (write_file(beside, got)) failure << "what was got is in " << beside << "; ";
  return failure << "TORCHGATE_ACCEPT=1 accepts it";
}

}  // namespace torchgate::golden
