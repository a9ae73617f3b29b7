// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/html_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "harness/record/short_commit.hpp"
#include "reports/columns.hpp"
#include "reports/format.hpp"
#include "reports/formats/html_drawing.hpp"
#include "reports/formats/html_text.hpp"
#include "reports/formats/xml_text.hpp"
#include "reports/time_scale.hpp"

namespace torchgate::reports {
namespace {

constexpr double history_top = 10;
constexpr double history_bottom = 140;
constexpr double dates_baseline = 156;
constexpr double dates_bottom = 160;
constexpr double lane_height = 14;
constexpr std::size_t most_lanes = 4;
constexpr double letter_width = 6.5;  // of the font of the page, about
constexpr std::size_t most_label_columns = 28;
constexpr double room_for_a_change = 160;  // of its label
constexpr std::size_t change_lanes = 3;
constexpr double fewest_days_between_dates = 1;
constexpr std::array<double, 3> dates_between = {0.25, 0.5, 0.75};
constexpr std::size_t most_large_points = 100;
constexpr double smallest_margin = 1e-12;  // values that are all 0

struct MarkLabel {
  double at = 0;   ///< place of the mark
  double low = 0;  ///< from here
  double high = 0;
  std::string text;
};

/// Lanes below the dates: each label in the first one with room for it.
class LabelLanes {
 public:
  /// Absent: no lane has room. REQUIRES: labels in the order of their `low`.
  std::optional<std::size_t> place(const MarkLabel& label) {
    for (std::size_t lane = 0; lane < most_lanes; ++lane) {
      if (lane == ends_.size()) ends_.push_back(0);
      if (ends_[lane] > label.low) continue;
      ends_[lane] = label.high + letter_width;
      return lane;
    }
    return std::nullopt;
  }

  /// Lanes that have a label.
  [[nodiscard]] std::size_t used() const { return ends_.size(); }

 private:
  std::vector<double> ends_;
};

class HistoryDrawing {
 public:
  HistoryDrawing(const History& history, const HistoryOverlay& overlay)
      : history_(history), overlay_(overlay), scale_(history.runs) {
    low_ = high_ = history.runs.front().value;
    for (const HistoryRun& run : history.runs) {
      low_ = std::min(low_, run.value);
      high_ = std::max(high_, run.value);
    }
    free_ = std::max({(high_ - low_) / 10, std::abs(high_) * 1e-3, smallest_margin});
  }

  std::string svg() {
    bands();
    axis();
    points();
    marks();
    labels();
    levels();
    const bool has_links = std::any_of(overlay_.change_links.begin(), overlay_.change_links.end(),
                                       [](const std::string& link) { return !link.empty(); });
    // What is inside an image does not exist for a screen reader: links could not be reached.
    return fmt::format(
        "<svg role=\"{}\" viewBox=\"0 0 {} {:.0f}\" width=\"{}\" height=\"{:.0f}\"><title>{}</title><desc>{}</desc>{}"
        "</svg>",
        has_links ? "group" : "img", drawing_width, height(), drawing_width, height(),
        html_name("History of " + history_.case_name), html_sentence(description()), body_);
  }

 private:
  [[nodiscard]] static double place(double share) {
    return drawing_left + std::clamp(share, 0.0, 1.0) * (drawing_right - drawing_left);
  }
  [[nodiscard]] double x(std::size_t run) const { return place(scale_.share(run)); }
  [[nodiscard]] double y(double value) const {
    const double share = (value - (low_ - free_)) / (high_ - low_ + 2 * free_);
    return std::clamp(history_bottom - share * (history_bottom - history_top), history_top, history_bottom);
  }
  [[nodiscard]] double height() const { return dates_bottom + lane_height * static_cast<double>(lanes_.used()); }
  [[nodiscard]] std::string day(std::size_t run) const { return day_of(history_.runs[run]); }

  [[nodiscard]] std::string commit_or_day(std::size_t run) const {
    const auto& commit = history_.runs[run].commit;
    return commit ? record::short_commit(*commit) : day(run);
  }

  template <class... Args>
  void write(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(body_), format, std::forward<Args>(args)...);
  }

  void label(double at, const std::string& text) {
    const std::string shown = elide_middle(text, most_label_columns, "…");
    const double width = static_cast<double>(display_width(shown)) * letter_width;
    const bool to_the_left = at + width > drawing_width;
    labels_.push_back({at, to_the_left ? at - width : at, to_the_left ? at : at + width, shown});
  }

  void labels() {
    std::stable_sort(labels_.begin(), labels_.end(),
                     [](const MarkLabel& a, const MarkLabel& b) { return a.low < b.low; });
    for (const MarkLabel& label : labels_) {
      const auto lane = lanes_.place(label);
      if (!lane) continue;
      write("<text class=\"quiet\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>", label.at,
            dates_bottom + lane_height * static_cast<double>(*lane) + 10, label.low < label.at ? "end" : "start",
            html_name(label.text));
    }
  }

  void bands() {
    for (const HistoryBand& band : overlay_.bands) {
      const auto until = scale_.share_of(band.until);
      const auto from = band.from ? scale_.share_of(*band.from) : std::optional(0.0);
      if (!until || !from || *until < 0 || *from > 1 || *until < *from) continue;
      description_ += fmt::format("; {}", band.text);
      const double left = place(*from);
      write("<rect class=\"waived\" x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\"><title>{}</title></rect>",
            left, history_top, std::max(2.0, place(*until) - left), history_bottom - history_top,
            html_sentence(band.text));
      label(left, band.text);
    }
  }

  void axis() {
    const Format format;
    write("<path class=\"axis\" d=\"M{} {}V{}H{}\"/>", drawing_left, history_top, history_bottom, drawing_right);
    for (const double value : {high_, low_})
      write("<text class=\"quiet\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", drawing_left - 5, y(value) + 4,
            html_name(format.quantity(value, history_.metric.unit)));
    date(drawing_left, "start", day(0));
    if (scale_.days() / (dates_between.size() + 1) >= fewest_days_between_dates) {
      for (const double share : dates_between) date(place(share), "middle", scale_.day_at(share));
    }
    date(drawing_right, "end", day(history_.runs.size() - 1));
  }

  void date(double at, const char* anchor, const std::string& text) {
    write(
        "<path class=\"axis\" d=\"M{:.1f} {}v4\"/><text class=\"quiet\" x=\"{:.1f}\" y=\"{}\" "
        "text-anchor=\"{}\">{}</text>",
        at, history_bottom, at, dates_baseline, anchor, html_name(text));
  }

  void points() {
    const double radius = history_.runs.size() > most_large_points ? 1.5 : 3;
    for (std::size_t i = 0; i < history_.runs.size(); ++i)
      write("<circle class=\"before\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>", x(i), y(history_.runs[i].value), radius);
  }

  void marks() {
    for (const HistoryMark& mark : overlay_.marks) {
      if (mark.run >= history_.runs.size()) continue;
      description_ += fmt::format("; {} on {}", mark.text, day(mark.run));
      write("<path class=\"{}\" d=\"M{:.1f} {}V{}\"><title>{}</title></path>", mark_class(mark.kind), x(mark.run),
            history_top, history_bottom, html_sentence(fmt::format("{}: {}", day(mark.run), mark.text)));
      label(x(mark.run), mark.text);
    }
  }

  void level(double value, std::size_t first, std::size_t end) {
    if (std::isfinite(value)) write("<path class=\"level\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", x(first), y(value), x(end));
  }

  void levels() {
    const std::size_t newest = history_.runs.size() - 1;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < history_.changes.size(); ++i) {
      const HistoryChange& change = history_.changes[i];
      const std::size_t run = std::min(change.run, newest);
      level(change.before, begin, run);
      change_line(i, run);
      begin = run;
    }
    if (!history_.changes.empty()) level(history_.changes.back().after, begin, newest);
  }

  void change_line(std::size_t i, std::size_t run) {
    const Format format;
    const std::string percent = format.percent(history_.changes[i].change);
    const std::string link = i < overlay_.change_links.size() ? overlay_.change_links[i] : "";
    const bool to_the_left = x(run) > drawing_right - room_for_a_change;
    changes_ += fmt::format("{}{} at {}", changes_.empty() ? "; " : ", ", percent, commit_or_day(run));
    write("<path class=\"change\" d=\"M{:.1f} {}V{}\"/>", x(run), history_top, history_bottom);
    if (!link.empty()) write("<a href=\"{}\">", xml_text(link));
    write("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"{}\">{} {}</text>", x(run) + (to_the_left ? -4 : 4),
          history_top + 10 + 13 * static_cast<double>(i % change_lanes), to_the_left ? "end" : "start",
          html_name(percent), html_name(commit_or_day(run)));
    if (!link.empty()) write("</a>");
  }

  [[nodiscard]] std::string description() const {
    return fmt::format("{} runs from {} to {}{}{}.", history_.runs.size(), day(0), day(history_.runs.size() - 1),
                       changes_, description_);
  }

  const History& history_;
  const HistoryOverlay& overlay_;
  TimeScale scale_;
  std::vector<MarkLabel> labels_;
  LabelLanes lanes_;
  std::string body_;
  std::string changes_;      // for the description
  std::string description_;  // of marks and bands
  double low_ = 0;
  double high_ = 0;
  double free_ = 0;
};

}  // namespace

std::string history_svg(const History& history, const HistoryOverlay& overlay) {
  const bool drawn =
      history.runs.size() > 1 && std::all_of(history.runs.begin(), history.runs.end(),
                                             [](const HistoryRun& run) { return std::isfinite(run.value); });
  return drawn ? HistoryDrawing(history, overlay).svg() : std::string();
}

const char* mark_class(HistoryMarkKind kind) {
  switch (kind) {
    case HistoryMarkKind::release:
      return "release";
    case HistoryMarkKind::pin:
      return "pin";
    case HistoryMarkKind::version:
      break;
  }
  return "version";
}

}  // namespace torchgate::reports
