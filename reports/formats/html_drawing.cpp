// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/html_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/forest.hpp"
#include "reports/format.hpp"
#include "reports/formats/html_text.hpp"
#include "reports/sentences.hpp"

namespace torchgate::reports {
namespace {

constexpr double strip_height = 46;
constexpr double dot_radius = 4;
constexpr int axis_ticks = 5;
// A dot is not drawn for each process of a thousand.
constexpr std::size_t most_dots = 200;

/// From values to places between the edges.
class Axis {
 public:
  Axis(double low, double high) : low_(low), high_(high > low ? high : low + std::max(1e-12, std::abs(low) * 1e-3)) {}
  [[nodiscard]] double place(double value) const {
    const double share = std::clamp((value - low_) / (high_ - low_), 0.0, 1.0);
    return drawing_left + share * (drawing_right - drawing_left);
  }
  [[nodiscard]] double at(double share) const { return low_ + share * (high_ - low_); }

 private:
  double low_;
  double high_;
};

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

/// What both sides show, with a twentieth of it free at both ends.
std::optional<Axis> value_axis(const Finding& finding) {
  std::vector<double> values;
  for (const auto* const side : {&finding.before, &finding.after}) {
    if (!*side) continue;
    values.push_back((*side)->value);
    values.insert(values.end(), (*side)->process_values.begin(), (*side)->process_values.end());
  }
  if (finding.shape && finding.shape->high > finding.shape->low) {
    values.push_back(finding.shape->low);
    values.push_back(finding.shape->high);
  }
  if (values.size() < 2 || !all_finite(values)) return std::nullopt;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double free = (*high - *low) / 20;
  // No time is below 0.
  return Axis(*low >= 0 ? std::max(0.0, *low - free) : *low - free, *high + free);
}

void density(std::string& svg, const std::vector<std::int64_t>& bins, const SampleShape& shape, const Axis& axis,
             double base, const char* side) {
  if (bins.empty() || !(shape.high > shape.low)) return;
  const std::int64_t most = *std::max_element(bins.begin(), bins.end());
  if (most <= 0) return;
  const double width = (shape.high - shape.low) / static_cast<double>(bins.size());
  fmt::format_to(std::back_inserter(svg), "<path class=\"density {}\" d=\"M{:.1f} {:.1f}", side, axis.place(shape.low),
                 base);
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const double height = (strip_height - 8) * static_cast<double>(bins[i]) / static_cast<double>(most);
    fmt::format_to(std::back_inserter(svg), "L{:.1f} {:.1f}H{:.1f}",
                   axis.place(shape.low + static_cast<double>(i) * width), base - height,
                   axis.place(shape.low + static_cast<double>(i + 1) * width));
  }
  fmt::format_to(std::back_inserter(svg), "V{:.1f}Z\"/>", base);
}

/// Neighbours are at different heights, always the same ones.
void dots(std::string& svg, const SideNumbers& side, const Axis& axis, double base, const char* name) {
  const std::size_t count = std::min(most_dots, side.process_values.size());
  for (std::size_t i = 0; i < count; ++i) {
    fmt::format_to(std::back_inserter(svg), "<circle class=\"dot {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>", name,
                   axis.place(side.process_values[i]), base - 10 - 7 * static_cast<double>(i % 4), dot_radius);
  }
  fmt::format_to(std::back_inserter(svg), "<path class=\"mark {}\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>", name,
                 axis.place(side.value), base, base - strip_height + 4);
}

void ticks(std::string& svg, const Axis& axis, double y, const std::function<std::string(double)>& words) {
  fmt::format_to(std::back_inserter(svg), "<path class=\"axis\" d=\"M{} {:.1f}H{}\"/>", drawing_left, y, drawing_right);
  for (int i = 0; i <= axis_ticks; ++i) {
    const double share = static_cast<double>(i) / axis_ticks;
    const double x = drawing_left + share * (drawing_right - drawing_left);
    fmt::format_to(std::back_inserter(svg),
                   "<path class=\"axis\" d=\"M{:.1f} {:.1f}v4\"/><text class=\"quiet\" x=\"{:.1f}\" y=\"{:.1f}\" "
                   "text-anchor=\"{}\">{}</text>",
                   x, y, x, y + 17,
                   i == 0            ? "start"
                   : i == axis_ticks ? "end"
                                     : "middle",
                   html_name(words(axis.at(share))));
  }
}

/// The interval of the change, the margin as a band, the gate as a line.
void change_bar(std::string& svg, const Finding& finding, const Report& report, double top) {
  const double gate = gate_of(finding, report);
  const double margin = report.equivalence_ratio;
  const double low = finding.interval ? finding.interval->low : *finding.change;
  const double high = finding.interval ? finding.interval->high : *finding.change;
  const Axis axis(std::min({low, *finding.change, -margin, gate}) - margin / 5,
                  std::max({high, *finding.change, margin, gate}) + margin / 5);
  const double middle = top + 22;
  const auto out = std::back_inserter(svg);
  fmt::format_to(out, "<rect class=\"band\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"34\"/>",
                 axis.place(-margin), top + 5, axis.place(margin) - axis.place(-margin));
  fmt::format_to(out, "<path class=\"zero\" d=\"M{:.1f} {:.1f}v34\"/><path class=\"gate\" d=\"M{:.1f} {:.1f}v34\"/>",
                 axis.place(0), top + 5, axis.place(gate), top + 5);
  fmt::format_to(
      out,
      "<path class=\"bar\" d=\"M{:.1f} {:.1f}H{:.1f}\"/><circle class=\"point\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\"/>",
      axis.place(low), middle, std::max(axis.place(high), axis.place(low) + 1), axis.place(*finding.change), middle);
  const Format format;
  ticks(svg, axis, top + 40, [&](double value) { return format.percent(std::abs(value) < 5e-5 ? 0 : value); });
  fmt::format_to(out, "<text x=\"0\" y=\"{:.1f}\">change</text>", middle + 4);
}

std::string opened(const std::string& title, const std::string& description, double height) {
  return fmt::format(
      "<svg role=\"img\" viewBox=\"0 0 {} {:.0f}\" width=\"{}\" height=\"{:.0f}\"><title>{}</title><desc>{}</desc>",
      drawing_width, height, drawing_width, height, html_name(title), html_sentence(description));
}

bool knows_change(const Finding& finding) {
  if (!finding.change || !std::isfinite(*finding.change)) return false;
  return !finding.interval || (std::isfinite(finding.interval->low) && std::isfinite(finding.interval->high));
}

std::string description_of(const Finding& finding, const Report& report, const Format& format) {
  const FindingCells cells = cells_of(finding, report, format);
  std::string text = fmt::format("Before {}, after {}, change {}", cells.before, cells.after, cells.change);
  if (finding.interval) text += fmt::format(", interval {}", cells.interval);
  return text + fmt::format("; gate {}, margin {}{}.", format.percent(gate_of(finding, report)), format.plus_minus(),
                            format.share(report.equivalence_ratio));
}

}  // namespace

std::string comparison_svg(const Finding& finding, const Report& report) {
  if (finding.metric.kind != record::MetricKind::timed || !finding.before || !finding.after) return {};
  const auto axis = value_axis(finding);
  const bool changed = knows_change(finding);
  if (!axis) return {};
  const Format format;
  const double values_bottom = 2 * strip_height + 24;
  std::string svg =
      opened(finding.case_name, description_of(finding, report, format), values_bottom + (changed ? 66 : 0));
  double base = strip_height;
  for (const auto& [name, side] : {std::pair{"before", &*finding.before}, std::pair{"after", &*finding.after}}) {
    if (finding.shape)
      density(svg, std::string_view(name) == "before" ? finding.shape->before : finding.shape->after, *finding.shape,
              *axis, base, name);
    dots(svg, *side, *axis, base, name);
    fmt::format_to(std::back_inserter(svg), "<text x=\"0\" y=\"{:.1f}\">{}</text>", base - 8, name);
    base += strip_height;
  }
  ticks(svg, *axis, 2 * strip_height + 2, [&](double value) { return format.quantity(value, finding.metric.unit); });
  if (changed) change_bar(svg, finding, report, values_bottom);
  return svg + "</svg>";
}

}  // namespace torchgate::reports
