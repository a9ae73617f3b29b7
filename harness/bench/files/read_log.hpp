// SPDX-License-Identifier: Apache-2.0
// The files that this process opened, noted while it runs. Notes are taken inside of open() and fopen(), by any thread, before
// main() and in signal handlers: no allocation, no lock, no system call.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace torchgate::bench {

/// What an open() did with a path.
enum class Opened : std::uint32_t {
  read = 1U,     ///< its content could be read
  made = 2U,     ///< created, or emptied: what is read later is the process's own
  written = 4U,  ///< written, and not from its beginning
  missing = 8U,  ///< looked for, and not there
  asked = 16U    ///< not opened: whether it is there, or how large it is
};

class ReadLog {
 public:
  constexpr ReadLog() = default;

  /// PATH was opened in the ways of KINDS (bits of Opened). /proc, /sys and /dev hold no files and are left out.
  void note(std::string_view path, std::uint32_t kinds) noexcept;

  /// From now on it is not known what the process reads. The first reason is kept; WHY must be a literal.
  void note_unknown(const char* why) noexcept;

  /// Paths of files that were read, looked for or asked about, and not made by the process itself, in the order of the first of these.
  /// UNKNOWN: why the list says nothing; empty if it is complete.
  [[nodiscard]] std::vector<std::string> inputs(std::string& unknown) const;

  /// Whether the process created the file at PATH, or emptied it, itself.
  [[nodiscard]] bool has_made(std::string_view path) const;

  /// In /proc, /sys or /dev.
  static bool is_kernel_path(std::string_view path) noexcept;

  /// A process that loads a compiled model 700 times makes 7,000 files, which were unpacked for it. Memory is used as it is filled.
  static constexpr std::size_t most_files = 32768;
  static constexpr std::size_t most_bytes = std::size_t{4} << 20U;

 private:
  struct Entry {
    std::atomic<std::uint32_t> kinds;
    std::uint32_t length;
  };

  [[nodiscard]] const Entry* known(std::string_view path) const noexcept;
  Entry* entry_of(std::string_view path) noexcept;
  [[nodiscard]] std::size_t slot_of(std::string_view path) const noexcept;
  std::uint32_t append(std::string_view path) noexcept;
  [[nodiscard]] std::string_view path_at(std::uint32_t offset) const noexcept;
  Entry* entry_at(std::uint32_t offset) noexcept;
  [[nodiscard]] const Entry* entry_at(std::uint32_t offset) const noexcept;

  alignas(Entry) std::array<char, most_bytes> bytes_{};  // entries, each before the characters of its path
  std::atomic<std::uint32_t> used_{0};
  static constexpr std::size_t no_slot = 2 * most_files;
  std::array<std::atomic<std::uint32_t>, no_slot> places_{};  // a hash table: offset + 1 of an entry; 0: free
  std::atomic<std::uint32_t> files_{0};
  std::atomic<const char*> unknown_{nullptr};
};

}  // namespace torchgate::bench
