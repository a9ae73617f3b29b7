// SPDX-License-Identifier: Apache-2.0
// Sentences that several rows have in common, said once: "Confirmed by 12 to 24 interleaved pairs (11 cases)".
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace torchgate::reports {

struct SharedNote {
  std::string
      text;  ///< numbers that differ between the rows are given as a range; those of the first row where two ranges would be the same
  std::vector<std::size_t> rows;  ///< in their order, each once
};

/// Sentences that differ in nothing but their numbers are one note. Those of most rows first, then as they come.
/// A number is one that stands alone: "batch:8" and "f16" are names. Untrusted: the sentences.
std::vector<SharedNote> shared_notes(const std::vector<std::vector<std::string>>& sentences_of_rows);

}  // namespace torchgate::reports
