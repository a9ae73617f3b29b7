// SPDX-License-Identifier: Apache-2.0
// The model of a forest plot: a row per case, worst first, the interval of each change on one axis with the gate. What draws it
// (forest_text.hpp, formats/html_forest.hpp) chooses neither rows nor axis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/forest_axis.hpp"
#include "reports/format.hpp"
#include "reports/overview.hpp"
#include "reports/report.hpp"

namespace torchgate::reports {

/// Rows of a forest on a page, and of one made of characters.
inline constexpr std::size_t most_forest_rows = 40;
inline constexpr std::size_t most_forest_lines = 12;

/// What a case comes to, as the shape of its mark; its colour says the same. The worst first.
enum class ForestShape { fails, warns, open, waived, improved, quiet };

struct ForestRow {
  const Finding* finding = nullptr;  ///< of a family the worst
  ForestShape shape = ForestShape::quiet;
  std::optional<ChangeSpan> span;  ///< absent: no change is known; without an interval its ends are the change
  std::string family;              ///< the common part of the names; empty: one case. Untrusted
  std::int64_t cases = 1;          ///< of the family that moved together
  std::int64_t family_cases = 1;   ///< of the family in all
  std::optional<double> own_gate;  ///< the change from which it fails, where that is not by the gate of all cases
};

/// Which cases have a row.
enum class ForestCases {
  compared,  ///< all of which both sides, or the baseline, have a measurement
  notable,   ///< without those that stayed within the margin
  open       ///< what fails or warns, what was not decided, and changes that a waiver lets pass
};

struct Forest {
  std::vector<ForestRow> rows;
  std::int64_t cases = 0;  ///< that the rows show
  std::int64_t more = 0;   ///< that have no row, since there are more than fit
  ForestAxis axis;
  std::vector<double>
      gates;  ///< changes from which a time or a rate fails, by the gate of all cases; empty: no row has one
  std::vector<double> own_gates;  ///< those of rows with a gate of their own, each once
  double margin = 0;              ///< what counts as equivalent: from opposite(margin) to it

  [[nodiscard]] bool has_numbers() const;
  /// Those that are drawn through ROW: its own, or those of all cases.
  [[nodiscard]] std::vector<double> gates_through(const ForestRow& row) const;
};

/// At most MOST rows (at least one). A case has one row: of its worst metric, or of its time. Cases of a family (families.hpp) that
/// changed by about the same, between half and twice their median, and that the policy treats alike, are one row: the median
/// change, from the lowest to the highest end of their intervals. Pointers are into REPORT.
Forest forest_of(const Report& report, const Overview& overview, ForestCases which, std::size_t most);
inline Forest forest_of(const Report& report, ForestCases which, std::size_t most) {
  return forest_of(report, overview_of(report), which, most);
}

/// "fusion/gelu", "fusion/gelu peak_bytes", "BM_UFlat: 11 of 12 cases". Untrusted.
std::string forest_name(const ForestRow& row);
/// "regressed (fails)", "regressed (waived)"; of several cases "regressed (fail)".
std::string forest_verdict(const ForestRow& row, const Report& report, const Format& format);
/// What is known of the row: "regressed (fails): 12.31 ms → 13.87 ms, +12.7 % [+10.7 %, +14.7 %], 12 pairs". Untrusted.
std::string forest_sentence(const ForestRow& row, const Report& report, const Format& format);
/// "fails", "within ±5 %": what a shape means on this forest, for a legend.
std::string forest_shape_words(ForestShape shape, const Forest& forest, const Report& report, const Format& format);
/// The shapes of the rows, each once, the worst first.
std::vector<ForestShape> shapes_in(const Forest& forest);
/// A round change, for ticks and gates: "+5 %", "-50 %", "0 %".
std::string forest_percent(double change, const Format& format);
/// "gate +5 %", "gates -5 % and +5 %", "gate +5 %, own gate +2 %"; empty: no row has a gate.
std::string forest_gate_words(const Forest& forest, const Format& format);

}  // namespace torchgate::reports
