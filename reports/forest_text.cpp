// SPDX-License-Identifier: Apache-2.0
#include "reports/forest_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "reports/columns.hpp"
#include "reports/safe_text.hpp"
#include "reports/sentences.hpp"

namespace torchgate::reports {
namespace {

constexpr std::size_t narrowest_forest = 40;
// Wider plots show nothing more, and the eye loses the row.
constexpr std::size_t widest_forest_plot = 56;
// Of the width; the plot has the rest.
constexpr double name_share = 0.42;
constexpr std::size_t mark_width = 2;
constexpr std::size_t column_gap = 2;
// "-2.5 %" and some space.
constexpr std::size_t tick_width = 9;

struct Signs {
  const char* bar;
  const char* gate;
  const char* crossed_gate;
  const char* zero;
  const char* crossed_zero;
  const char* left;
  const char* right;
};
constexpr Signs unicode_signs = {"─", "│", "┼", "┊", "┼", "←", "→"};
constexpr Signs ascii_signs = {"-", "|", "+", ":", "+", "<", ">"};

const char* mark_of(ForestShape shape, bool unicode) {
  switch (shape) {
    case ForestShape::fails:
      return unicode ? "■" : "#";
    case ForestShape::warns:
      return unicode ? "◆" : "!";
    case ForestShape::open:
      return unicode ? "○" : "o";
    case ForestShape::waived:
      return unicode ? "◇" : "w";
    case ForestShape::improved:
      return unicode ? "▲" : "^";
    case ForestShape::quiet:
      return unicode ? "●" : "*";
  }
  return "?";
}

std::size_t column_of(double share, std::size_t columns) {
  return static_cast<std::size_t>(std::lround(share * static_cast<double>(columns - 1)));
}

class Lines {
 public:
  Lines(const Forest& forest, const Report& report, const ForestTextOptions& options)
      : forest_(forest),
        report_(report),
        unicode_(options.unicode),
        width_(std::max(options.width, narrowest_forest)),
        format_(unicode_ ? Notation::unicode : Notation::ascii),
        signs_(unicode_ ? unicode_signs : ascii_signs) {
    for (const ForestRow& row : forest.rows) {
      names_ = std::max(names_, display_width(name_of(row)));
      values_ = std::max(values_, display_width(value_of(row)));
    }
    names_ = std::min(names_, static_cast<std::size_t>(name_share * static_cast<double>(width_)));
    const std::size_t taken = mark_width + names_ + column_gap + column_gap + values_;
    plot_ = std::min(widest_forest_plot, width_ > taken ? width_ - taken : 0);
  }

  std::vector<ForestLine> all() {
    std::vector<ForestLine> lines = {{"", axis(), std::nullopt}};
    std::vector<std::string> names;
    for (const ForestRow& row : forest_.rows) names.push_back(name_of(row));
    names = elide_apart(names, names_, unicode_ ? "…" : "...");
    for (std::size_t i = 0; i < names.size(); ++i) {
      const ForestRow& row = forest_.rows[i];
      std::string rest = std::string(mark_width - 1, ' ') + pad_right(names[i], names_) + std::string(column_gap, ' ') +
                         plot(row) + std::string(column_gap, ' ') + pad_left(value_of(row), values_);
      lines.push_back({mark_of(row.shape, unicode_), std::move(rest), row.shape});
    }
    for (std::string& line : wrap(legend(), width_)) lines.push_back({"", std::move(line), std::nullopt});
    return lines;
  }

 private:
  [[nodiscard]] std::string clean(std::string_view untrusted) const {
    const std::string text = unicode_ ? one_line(untrusted) : one_ascii_line(untrusted);
    return text.empty() ? "(no name)" : text;
  }

  [[nodiscard]] std::string name_of(const ForestRow& row) const { return clean(forest_name(row)); }

  /// The change, or why there is none: "failed".
  [[nodiscard]] std::string value_of(const ForestRow& row) const {
    return row.span ? percent_beside_gate(row.span->change, *row.finding, report_, format_) : verdict_word(row);
  }

  [[nodiscard]] std::string verdict_word(const ForestRow& row) const {
    return torchgate::reports::verdict_words(row.finding->verdict);
  }

  [[nodiscard]] std::string axis() const {
    if (plot_ == 0) return {};
    std::string line(mark_width + names_ + column_gap, ' ');
    std::size_t used = line.size();
    for (const double tick : forest_.axis.ticks(std::max<std::size_t>(2, plot_ / tick_width))) {
      const std::string label = forest_percent(tick, format_);
      const std::size_t middle = mark_width + names_ + column_gap + column_of(forest_.axis.place(tick).share, plot_);
      const std::size_t from = middle - std::min(middle, label.size() / 2);
      if (from < used || from + label.size() > width_) continue;
      line += std::string(from - used, ' ') + label;
      used = from + label.size() + 1;
      line += ' ';
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  }

  [[nodiscard]] std::string plot(const ForestRow& row) const {
    std::vector<const char*> cells(plot_, " ");
    if (plot_ == 0) return {};
    const std::size_t zero = column_of(forest_.axis.place(0).share, plot_);
    cells[zero] = signs_.zero;
    std::vector<std::size_t> gates;
    for (const double gate : forest_.gates_through(row))
      gates.push_back(column_of(forest_.axis.place(gate).share, plot_));
    for (const std::size_t gate : gates) cells[gate] = signs_.gate;
    if (row.span) {
      const AxisPlace low = forest_.axis.place(row.span->low);
      const AxisPlace high = forest_.axis.place(row.span->high);
      const AxisPlace at = forest_.axis.place(row.span->change);
      for (std::size_t i = column_of(low.share, plot_); i <= column_of(high.share, plot_); ++i) {
        const bool is_gate = std::find(gates.begin(), gates.end(), i) != gates.end();
        cells[i] = is_gate ? signs_.crossed_gate : i == zero ? signs_.crossed_zero : signs_.bar;
      }
      cells[column_of(at.share, plot_)] = mark_of(row.shape, unicode_);
      // A change that is beyond the axis is an arrow alone: its mark would stand at a place where it is not.
      if (low.beyond < 0) cells.front() = signs_.left;
      if (high.beyond > 0) cells.back() = signs_.right;
      if (at.beyond != 0) (at.beyond < 0 ? cells.front() : cells.back()) = at.beyond < 0 ? signs_.left : signs_.right;
    }
    std::string text;
    for (const char* cell : cells) text += cell;
    return text;
  }

  /// "■ fails  ○ undecided  │ gate +5 %; 28 more cases".
  [[nodiscard]] std::string legend() const {
    std::string text;
    for (const ForestShape shape : shapes_in(forest_)) {
      if (!text.empty()) text += ", ";
      text += std::string(mark_of(shape, unicode_)) + " " + forest_shape_words(shape, forest_, report_, format_);
    }
    const std::string gates = forest_gate_words(forest_, format_);
    if (!gates.empty()) text += fmt::format("; {} {}", signs_.gate, gates);
    if (forest_.more > 0) text += "; " + counted(forest_.more, "more case", "more cases");
    return text;
  }

  const Forest& forest_;
  const Report& report_;
  bool unicode_;
  std::size_t width_;
  Format format_;
  Signs signs_;
  std::size_t names_ = 0;
  std::size_t values_ = 0;
  std::size_t plot_ = 0;
};

}  // namespace

std::vector<ForestLine> forest_lines(const Forest& forest, const Report& report, const ForestTextOptions& options) {
  if (!forest.has_numbers()) return {};
  return Lines(forest, report, options).all();
}

}  // namespace torchgate::reports
