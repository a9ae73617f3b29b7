// SPDX-License-Identifier: Apache-2.0
// Files that this process is to read with another content than they have on disk: what a baseline had read, restored for pairs. The variable
// record::file_map_variable names a file of lines "PLACED<tab>PATH": PATH, absolute and as it is opened, is read from PLACED.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <string_view>

namespace torchgate::bench {

/// Used inside of open(), also before main() and by any thread: no allocation, no lock; system calls only when it is read, at the first
/// opening.
class FileMap {
 public:
  constexpr FileMap() = default;

  /// Where the content of PATH is; nullptr: on disk.
  const char* placed(std::string_view path) noexcept;

  /// There is a map, and it was read completely.
  bool in_effect() noexcept { return state() == State::read; }

  /// There is a map, and it could not be read.
  bool failed() noexcept { return state() == State::failed; }

  static constexpr std::size_t most_files = 512;
  static constexpr std::size_t most_bytes = std::size_t{128} << 10U;

 private:
  enum class State { unknown, reading, none, read, failed };
  struct Entry {
    const char* placed;
    const char* path;
  };

  State state() noexcept;
  State read() noexcept;
  State parse(std::size_t bytes) noexcept;

  std::atomic<State> state_{State::unknown};
  std::array<char, most_bytes> text_{};
  std::array<Entry, most_files> entries_{};
  std::size_t files_ = 0;
};

}  // namespace torchgate::bench
