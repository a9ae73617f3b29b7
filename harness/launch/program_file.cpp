// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/program_file.hpp"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <string>
#include <system_error>

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

bool is_script_of(const std::filesystem::path& file, const std::filesystem::path& ran) {
  constexpr std::size_t longest_line = 256;  // the kernel reads no more
  const auto opened = base::open_regular(file, base::Links::followed);
  if (!opened) return false;
  std::string head(longest_line, '\0');
  const auto bytes = ::pread(opened->descriptor(), head.data(), head.size(), 0);
  head.resize(static_cast<std::size_t>(std::max<ssize_t>(bytes, 0)));
  if (!head.starts_with("#!")) return false;
  std::istringstream line(head.substr(2, head.find('\n') - 2));
  std::string interpreter;
  line >> interpreter;
  if (std::filesystem::path(interpreter).filename() != "env") {
    std::error_code failed;
    return std::filesystem::canonical(interpreter, failed) == ran && !failed;
  }
  for (std::string word; line >> word;) {  // "env -S PYTHONHASHSEED=0 python3 -u"
    if (word.starts_with('-') || word.find('=') != std::string::npos) continue;
    return ran.filename().string().starts_with(std::filesystem::path(word).filename().string());
  }
  return false;
}

}  // namespace torchgate::launch
