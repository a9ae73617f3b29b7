// SPDX-License-Identifier: Apache-2.0
// The name a shared library gives itself, read from its file.
#pragma once

#include <filesystem>
#include <string>

namespace torchgate::machine {

/// DT_SONAME of the ELF file at PATH. Empty: it has none, is no ELF file of this machine's kind, or cannot be read.
/// Nothing in the file is trusted: a length or an offset that leads nowhere gives an empty name.
std::string elf_soname(const std::filesystem::path& path);

}  // namespace torchgate::machine
