// SPDX-License-Identifier: Apache-2.0
// What an ELF file says of itself: the SONAME of a shared library, the loader of a program.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace torchgate::machine {

/// DT_SONAME of the ELF file at PATH. Empty: no SONAME, not an ELF file of this machine's kind, or not readable.
/// Nothing in the file is trusted: an invalid length or offset gives an empty name.
std::string elf_soname(const std::filesystem::path& path);

/// The dynamic loader that the program at PATH names (PT_INTERP); empty: none, it is linked statically. Absent: not an ELF file of this
/// machine's kind, or not readable.
std::optional<std::string> elf_interpreter(const std::filesystem::path& path);

}  // namespace torchgate::machine
