// SPDX-License-Identifier: Apache-2.0
// Where data without a symbol ends: at the next address that any code or data of the file refers to.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/code/decoder.hpp"
#include "harness/code/elf_image.hpp"

namespace torchgate::code {

class References {
 public:
  References(const ElfImage& image, const Decoder& decoder);

  /// The next place after ADDRESS that something refers to or that has a symbol, or the end of its section. REQUIRES: it is in a section.
  [[nodiscard]] std::uint64_t next(std::uint64_t address) const;

 private:
  const ElfImage& image_;
  std::vector<std::uint64_t> places_;  // sorted
};

}  // namespace torchgate::code
