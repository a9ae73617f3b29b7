// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/html_forest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "reports/formats/html_finding.hpp"
#include "reports/formats/html_text.hpp"
#include "reports/overview.hpp"
#include "reports/sentences.hpp"

namespace torchgate::reports {
namespace {

// Labels of the axis: as many as a phone has room for.
constexpr std::size_t most_ticks = 5;
// Places are in per cent, so that a drawing is as large as its place and its lines and marks are not. The axis is in pixels.
constexpr int axis_height = 22;
// Label of a tick near an end of the axis: it begins or ends at its tick.
constexpr double near_an_end = 0.08;

/// Around the point 0 0.
const char* shape_path(ForestShape shape) {
  switch (shape) {
    case ForestShape::fails:
      return "M-5-5H5V5H-5Z";
    case ForestShape::warns:
    case ForestShape::waived:  // the same, and empty
      return "M0-6.5 6.5 0 0 6.5-6.5 0Z";
    case ForestShape::open:
      return "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0Z";
    case ForestShape::improved:
      return "M0-6 6 5H-6Z";
    case ForestShape::quiet:
      return "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0Z";
  }
  return "";
}

const char* shape_class(ForestShape shape) {
  switch (shape) {
    case ForestShape::fails:
      return "fail";
    case ForestShape::warns:
      return "warn";
    case ForestShape::open:
    case ForestShape::waived:
      return "open";
    case ForestShape::improved:
      return "pass";
    case ForestShape::quiet:
      return "none";
  }
  return "none";
}

std::string percent_of(double share) {
  return fmt::format("{:.2f}%", share * 100);
}

/// Something drawn in pixels at a place given in per cent.
std::string at(double share, const std::string& drawn) {
  return fmt::format("<svg x=\"{}\" y=\"50%\">{}</svg>", percent_of(share), drawn);
}

std::string vertical(const char* name, double share) {
  return fmt::format("<line class=\"{}\" x1=\"{}\" x2=\"{}\" y1=\"0\" y2=\"100%\"/>", name, percent_of(share),
                     percent_of(share));
}

std::string key_mark(ForestShape shape) {
  return fmt::format(
      "<svg class=\"key\" width=\"14\" height=\"14\" viewBox=\"-7 -7 14 14\" aria-hidden=\"true\"><path "
      "class=\"shape {}\" d=\"{}\"/></svg>",
      shape_class(shape), shape_path(shape));
}

/// Margin, no change and gates: the same in each row without a gate of its own, so that they are lines through all of them.
std::string grid_of(const Forest& forest, const ForestRow& row) {
  const double low = forest.axis.place(opposite(forest.margin)).share;
  const double high = forest.axis.place(forest.margin).share;
  std::string svg = fmt::format("<rect class=\"band\" x=\"{}\" y=\"0\" width=\"{}\" height=\"100%\"/>", percent_of(low),
                                percent_of(high - low));
  svg += vertical("zero", forest.axis.place(0).share);
  for (const double gate : forest.gates_through(row)) svg += vertical("gate", forest.axis.place(gate).share);
  return svg;
}

std::string drawn_span(const ForestRow& row, const ForestAxis& axis) {
  const AxisPlace low = axis.place(row.span->low);
  const AxisPlace high = axis.place(row.span->high);
  const AxisPlace change = axis.place(row.span->change);
  const char* const tone = shape_class(row.shape);
  std::string svg;
  if (high.share > low.share) {
    svg += fmt::format("<line class=\"bar {}\" x1=\"{}\" x2=\"{}\" y1=\"50%\" y2=\"50%\"/>", tone,
                       percent_of(low.share), percent_of(high.share));
  }
  const auto arrow = [&](double share, const char* path) {
    svg += at(share, fmt::format("<path class=\"arrow {}\" d=\"{}\"/>", tone, path));
  };
  if (low.beyond < 0 || change.beyond < 0) arrow(0, "M8-5 1 0 8 5");
  if (high.beyond > 0 || change.beyond > 0) arrow(1, "M-8-5-1 0-8 5");
  // A change beyond the axis is an arrow alone: its mark would stand where it is not.
  if (change.beyond == 0)
    svg += at(change.share, fmt::format("<path class=\"shape {}\" d=\"{}\"/>", tone, shape_path(row.shape)));
  return svg;
}

std::string shown_value(const ForestRow& row, const Report& report, const Format& format) {
  if (!row.span) return html_name(verdict_words(row.finding->verdict, report, format));
  return html_name(percent_beside_gate(row.span->change, *row.finding, report, format));
}

std::string row_html(const ForestRow& row, const Forest& forest, const Report& report, const Format& format,
                     const std::string& link) {
  const std::string name = html_name(forest_name(row));
  const std::string sentence = html_sentence(forest_sentence(row, report, format));
  const std::string label = link.empty() ? fmt::format("<span class=\"name\" tabindex=\"0\">{}</span>", name)
                                         : fmt::format("<a class=\"name\" href=\"#{}\">{}</a>", link, name);
  return fmt::format(
      "<li>{}{}<span class=\"plot\" aria-hidden=\"true\"><svg><title>{}</title>{}{}</svg></span><span class=\"value "
      "{}\" "
      "aria-hidden=\"true\">{}</span><span class=\"said\">{}</span></li>\n",
      key_mark(row.shape), label, sentence, grid_of(forest, row), row.span ? drawn_span(row, forest.axis) : "",
      shape_class(row.shape), shown_value(row, report, format), sentence);
}

std::string axis_html(const Forest& forest, const Format& format) {
  std::string svg;
  const std::vector<double> ticks = forest.axis.ticks(most_ticks);
  const auto zero = std::find(ticks.begin(), ticks.end(), 0.0) - ticks.begin();
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const double share = forest.axis.place(ticks[i]).share;
    const bool is_minor = (static_cast<std::ptrdiff_t>(i) - zero) % 2 != 0;  // without its label where there is no room
    fmt::format_to(std::back_inserter(svg),
                   "<line class=\"axis\" x1=\"{}\" x2=\"{}\" y1=\"16\" y2=\"{}\"/><text class=\"quiet{}\" x=\"{}\" "
                   "y=\"13\" text-anchor=\"{}\">{}</text>",
                   percent_of(share), percent_of(share), axis_height, is_minor ? " minor" : "", percent_of(share),
                   share < near_an_end       ? "start"
                   : share > 1 - near_an_end ? "end"
                                             : "middle",
                   html_name(forest_percent(ticks[i], format)));
  }
  return fmt::format("<div class=\"ticks\" aria-hidden=\"true\"><span class=\"plot\"><svg>{}</svg></span></div>\n",
                     svg);
}

/// What marks, lines and shades mean.
std::string caption_of(const Forest& forest, const Report& report, const Format& format) {
  std::string text = "<p class=\"quiet legend\">";
  for (const ForestShape shape : shapes_in(forest))
    text += fmt::format("<span>{} {}</span> ", key_mark(shape),
                        html_name(forest_shape_words(shape, forest, report, format)));
  const std::string gates = forest_gate_words(forest, format);
  return text +
         fmt::format("Line: the confidence interval of the change (logarithmic axis). {}Shaded: {}{}.",
                     gates.empty() ? "" : "Dashed: " + html_name(gates) + ". ", format.plus_minus(),
                     html_name(format.share(forest.margin))) +
         "</p>\n";
}

}  // namespace

std::string forest_html(const Forest& forest, const Report& report, const Format& format,
                        const std::function<std::string(const Finding&)>& link_of) {
  if (!forest.has_numbers()) return {};
  std::string html = fmt::format(
      "<section class=\"forest\" aria-labelledby=\"forest-title\"><h2 id=\"forest-title\">Changes, the worst "
      "first</h2>\n{}{}<ol>\n",
      caption_of(forest, report, format), axis_html(forest, format));
  for (const ForestRow& row : forest.rows) html += row_html(row, forest, report, format, link_of(*row.finding));
  html += "</ol>\n";
  if (forest.more > 0) {
    html += fmt::format("<p class=\"quiet\">{} not drawn, none of them worse: see the table.</p>\n",
                        counted(forest.more, "more case is", "more cases are"));
  }
  return html + "</section>\n";
}

}  // namespace torchgate::reports
