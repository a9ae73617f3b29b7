// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/elf_soname.hpp"

#include <elf.h>
#include <link.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <vector>

namespace torchgate::machine {
namespace {

/// Longer is not a file name (NAME_MAX), and a dynamic section has fewer entries: LibTorch's has about 40.
constexpr std::size_t longest_name = 255;
constexpr std::size_t most_entries = 4096;

template <class T>
bool read_at(std::ifstream& file, std::uint64_t offset, T& value) {
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  return static_cast<bool>(file.read(reinterpret_cast<char*>(&value), sizeof value));
}

bool is_of_this_machine(const ElfW(Ehdr) & header) {
  constexpr unsigned char bits = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == bits;
}

/// Where in the file the bytes lie that are mapped to ADDRESS.
std::optional<std::uint64_t> file_offset(const std::vector<ElfW(Phdr)>& segments, std::uint64_t address) {
  for (const auto& each : segments)
    if (each.p_type == PT_LOAD && address >= each.p_vaddr && address - each.p_vaddr < each.p_filesz)
      return each.p_offset + (address - each.p_vaddr);
  return std::nullopt;
}

std::string text_at(std::ifstream& file, std::uint64_t offset) {
  std::array<char, longest_name + 1> text{};
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(text.data(), text.size());  // may end at the end of the file
  const auto got = static_cast<std::size_t>(file.gcount());
  const std::size_t length = strnlen(text.data(), got);
  return length < got ? std::string(text.data(), length) : "";
}

std::optional<std::vector<ElfW(Phdr)>> segments_of(std::ifstream& file) {
  ElfW(Ehdr) header{};
  if (!read_at(file, 0, header) || !is_of_this_machine(header) || header.e_phentsize != sizeof(ElfW(Phdr)))
    return std::nullopt;
  std::vector<ElfW(Phdr)> segments(header.e_phnum);
  for (std::size_t i = 0; i < segments.size(); ++i)
    if (!read_at(file, header.e_phoff + i * sizeof segments[i], segments[i])) return std::nullopt;
  return segments;
}

}  // namespace

std::optional<std::string> elf_interpreter(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const auto segments = segments_of(file);
  if (!segments) return std::nullopt;
  for (const auto& segment : *segments)
    if (segment.p_type == PT_INTERP) return text_at(file, segment.p_offset);
  return "";
}

std::string elf_soname(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const auto known = segments_of(file);
  if (!known) return "";
  const std::vector<ElfW(Phdr)>& segments = *known;
  for (const auto& segment : segments) {
    if (segment.p_type != PT_DYNAMIC) continue;
    std::optional<std::uint64_t> strings;
    std::optional<std::uint64_t> name;
    for (std::size_t i = 0; i < std::min<std::size_t>(most_entries, segment.p_filesz / sizeof(ElfW(Dyn))); ++i) {
      ElfW(Dyn) entry{};
      if (!read_at(file, segment.p_offset + i * sizeof entry, entry) || entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_STRTAB) strings = file_offset(segments, entry.d_un.d_ptr);
      if (entry.d_tag == DT_SONAME) name = entry.d_un.d_val;
    }
    return strings && name ? text_at(file, *strings + *name) : "";
  }
  return "";
}

}  // namespace torchgate::machine
