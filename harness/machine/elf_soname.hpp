// SPDX-License-Identifier: Apache-2.0
// The SONAME of a shared library, read from its file.
#pragma once

#include <filesystem>
#include <string>

namespace torchgate::machine {

/// DT_SONAME of the ELF file at PATH. Empty: no SONAME, not an ELF file of this machine's kind, or not readable.
/// Nothing in the file is trusted: an invalid length or offset gives an empty name.
std::string elf_soname(const std::filesystem::path& path);

}  // namespace torchgate::machine
