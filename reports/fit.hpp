// SPDX-License-Identifier: Apache-2.0
// A document that has to fit into a number of bytes: which rows of which section are printed. Does not depend on
// benchmarks or Markdown.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace torchgate::reports {

/// Rows are whole: they are printed or left out, the last ones first.
struct Section {
  int rank = 0;        ///< smaller is more important
  double share = 1;    ///< of the limit: more than this only when the others have what they need
  std::string before;  ///< printed when at least one row is
  std::vector<std::string> rows;
  std::string after;
  std::function<std::string(std::size_t)> left_out;  ///< says that n rows are not printed; none: nothing is said
  /// Number of further rows that were not written, since `rows` fills the limit without them.
  std::size_t unwritten = 0;
  std::optional<int> waits_for =
      {};  ///< a rank: it gets its share when the rows of that are all printed, or nothing more fits
};

/// The sections in their order, at most `limit` bytes. Every section gets its share in order of rank, those that wait for another
/// after it, then more in the same order while there is room. Where not even the notices of what is left out fit, they go too.
std::string fit(const std::vector<Section>& sections, std::size_t limit);

}  // namespace torchgate::reports
