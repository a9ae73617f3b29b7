// SPDX-License-Identifier: Apache-2.0
// What the sections of a Markdown report share: symbols, cells, folded blocks, notes under a table.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/fit.hpp"
#include "reports/format.hpp"
#include "reports/overview.hpp"
#include "reports/report.hpp"
#include "reports/sentences.hpp"

namespace torchgate::reports {

/// Which section gives way to which when the limit is short; the first ones stay longest.
enum class MarkdownRank {
  verdict,
  doubts,
  listed,
  causes,
  claims,
  forest,
  steps,
  table_notes,
  improved,
  details,
  rest,
  terms,
};

/// Shares of the limit that a section may take before the others have theirs. The table of what matters is worth half of it;
/// lists of sentences only matter for the worst.
inline constexpr double markdown_listed_share = 0.5;
inline constexpr double markdown_sentences_share = 0.15;
inline constexpr double markdown_rest_share = 0.1;

std::string markdown_symbol(GateAction action, bool good_news);
std::string markdown_symbol(const Finding& finding);

/// A quantity: never broken between number and unit. Untrusted.
std::string markdown_quantity(const std::string& text);
/// "12.31 ms → 13.87 ms" in one column, which a narrow page may put on two lines.
std::string markdown_values(const FindingCells& cells, const Format& format);
/// "+12.7 % [+10.7 %, +14.7 %]".
std::string markdown_change(const FindingCells& cells, const Format& format);
/// The name of the case, and the metric's where it is not the primary one.
std::string markdown_case(const Finding& finding, bool in_table);

/// A step of advice: what is between its backquotes is code, and the rest may be untrusted.
std::string markdown_step(std::string_view step);

/// What is folded in a comment that passes: "⚠️ 2 warnings. What was compared, next steps, all cases".
std::string markdown_rest_title(const Report& report, const Overview& overview);

/// The beginning of a folded block. SUMMARY_HTML is trusted.
std::string markdown_folded(const std::string& summary_html, bool open = false);
inline constexpr const char* markdown_end_of_folded = "\n</details>\n";

/// "12 more rows omitted to limit the length".
std::function<std::string(std::size_t)> markdown_omitted(const std::string& what);

/// The notes of a table: a sentence that several rows have in common is said once, under the table. A row names those that not all
/// rows have by their numbers.
class MarkdownNotes {
 public:
  /// One list of sentences for each row.
  explicit MarkdownNotes(const std::vector<std::vector<std::string>>& sentences_of_rows);

  /// "1, 3"; empty for a row with the notes of all rows only.
  [[nodiscard]] const std::string& numbers_of(std::size_t row) const { return numbers_[row]; }
  /// List items, those of most rows first.
  [[nodiscard]] const std::vector<std::string>& items() const { return items_; }
  /// The note of most rows, with the count of them: "87: the difference is within the noise"; empty without a note. Untrusted.
  [[nodiscard]] const std::string& most_common() const { return most_common_; }

 private:
  std::vector<std::string> numbers_;
  std::vector<std::string> items_;
  std::string most_common_;
};

}  // namespace torchgate::reports
