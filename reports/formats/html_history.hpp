// SPDX-License-Identifier: Apache-2.0
// The drawing of a case's history as SVG: values on an axis that is true to time, levels, changes, and what happened beside them. Readable
// without a script and by a screen reader (title and description).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/history.hpp"

namespace torchgate::reports {

enum class HistoryMarkKind { release, pin, version };

/// What a run has beside its value: a line over the drawing.
struct HistoryMark {
  std::size_t run = 0;
  HistoryMarkKind kind = HistoryMarkKind::release;
  std::string text;  ///< "pin v1.1", "LibTorch 2.5.0 (before 2.4.0)"
};

/// A time during which something held: a band behind the values.
struct HistoryBand {
  std::optional<std::int64_t> from;  ///< seconds since 1970; absent: not known, the band begins with the drawing
  std::int64_t until = 0;
  std::string text;
};

struct HistoryOverlay {
  std::vector<HistoryMark> marks;         ///< by run
  std::vector<HistoryBand> bands;         ///< not drawn where the axis is not true to time
  std::vector<std::string> change_links;  ///< page of the commit of each change; empty: no link
};

/// The stored runs of a case with its levels, its changes and OVERLAY. Marks are labelled where there is room: a page lists them, too. Empty with
/// fewer than two runs.
std::string history_svg(const History& history, const HistoryOverlay& overlay = {});

/// The word for a class of the style sheet.
const char* mark_class(HistoryMarkKind kind);

}  // namespace torchgate::reports
