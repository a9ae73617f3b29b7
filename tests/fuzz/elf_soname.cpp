// SPDX-License-Identifier: Apache-2.0
// The name that a file says it has as a library.
#include "harness/machine/elf_soname.hpp"

#include "tests/fuzz/file_set.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

TORCHGATE_FUZZ_TARGET(elf_soname) {
  static const fuzz::ScratchFolder folder;
  const std::string name = machine::elf_soname(folder.write("library.so", input));
  if (!name.empty()) fuzz::accepted();
  fuzz::require(name.size() <= 255 && name.find('\0') == std::string::npos, "a name is one that a file could have");
}
