// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/program_file.hpp"

#include <elf.h>

#include <cstring>
#include <string>

#include "harness/base/regular_file.hpp"
#include "harness/base/whole_io.hpp"

namespace torchgate::launch {
namespace {

// e_ident and e_type stand at the same place in files of 32 and 64 bits.
constexpr std::size_t bytes_up_to_type = EI_NIDENT + sizeof(Elf64_Half);

bool is_elf_program(const std::string& head) {
  if (head.size() < bytes_up_to_type || std::memcmp(head.data(), ELFMAG, SELFMAG) != 0) return false;
  Elf64_Half type = 0;
  std::memcpy(&type, head.data() + EI_NIDENT, sizeof type);
  return type == ET_EXEC || type == ET_DYN;
}

}  // namespace

base::Result<void> check_program(const std::filesystem::path& file) {
  const auto opened = base::open_regular(file, base::Links::followed);
  if (!opened) return opened.error();
  std::string head = base::read_all(opened->descriptor(), bytes_up_to_type).value_or("");
  if (head.empty()) head = base::read_all(opened->descriptor(), 2).value_or("");
  if (head.starts_with("#!") || is_elf_program(head)) return {};
  return base::Error{base::ErrorCode::bad_input,
                     file.string() + ": not a program: it begins neither like an ELF executable nor with \"#!\""};
}

}  // namespace torchgate::launch
