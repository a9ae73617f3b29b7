// SPDX-License-Identifier: Apache-2.0
#include "reports/site/site_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "harness/record/short_commit.hpp"
#include "reports/format.hpp"
#include "reports/formats/html_text.hpp"

namespace torchgate::reports {
namespace {

constexpr double multiple_width = 320;
constexpr double multiple_height = 90;
constexpr double multiple_top = 6;
constexpr double multiple_bottom = 84;

/// Places of a series in a small drawing.
class Places {
 public:
  explicit Places(const std::vector<HistoryRun>& runs) : last_(static_cast<double>(runs.size() - 1)) {
    low_ = high_ = runs.front().value;
    for (const HistoryRun& run : runs) {
      low_ = std::min(low_, run.value);
      high_ = std::max(high_, run.value);
    }
    // A series without noise would fill the drawing with its last digit.
    const double free = std::max((high_ - low_) / 10, std::abs(high_) * 0.01);
    low_ -= free;
    high_ += free;
  }
  [[nodiscard]] double x(std::size_t run) const { return 4 + static_cast<double>(run) / last_ * (multiple_width - 8); }
  [[nodiscard]] double y(double value) const {
    return multiple_bottom - (value - low_) / (high_ - low_) * (multiple_bottom - multiple_top);
  }

 private:
  double low_;
  double high_;
  double last_;
};

}  // namespace

std::string site_head(std::string_view title) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self'; style-src 'self'; "
      "base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}: torchgate</title>\n"
      "<link rel=\"stylesheet\" href=\"report.css\"><link rel=\"stylesheet\" href=\"site.css\"><link "
      "rel=\"stylesheet\" "
      "href=\"dygraph.css\"></head>\n<body><main>\n",
      html_name(title));
}

std::string site_foot(bool with_charts) {
  return std::string("</main>") + (with_charts ? "<script src=\"dygraph.js\"></script>" : "") +
         "<script src=\"site.js\"></script></body></html>\n";
}

std::vector<SiteLine> site_lines(const History& history, const Site& site) {
  std::vector<SiteLine> lines;
  for (std::size_t i = 0; i < history.runs.size(); ++i) {
    const auto& commit = history.runs[i].commit;
    if (!commit) continue;
    if (const auto release = site.releases.find(*commit); release != site.releases.end())
      lines.push_back({i, release->second, false});
    for (const SiteWaiver& waiver : site.waivers) {
      const bool of_it =
          !waiver.commit.empty() && commit->starts_with(waiver.commit) && waiver.case_name == history.case_name;
      if (of_it) lines.push_back({i, "waiver: " + waiver.reason, true});
    }
  }
  return lines;
}

std::string small_multiple(const History& history, const std::vector<SiteLine>& lines) {
  const auto& runs = history.runs;
  const bool drawn = runs.size() > 1 && std::all_of(runs.begin(), runs.end(),
                                                    [](const HistoryRun& run) { return std::isfinite(run.value); });
  if (!drawn) return {};
  const Places places(runs);
  const Format format;
  std::string changes;
  std::string body;
  const auto out = std::back_inserter(body);
  for (const SiteLine& line : lines)
    fmt::format_to(out, "<path class=\"{}\" d=\"M{:.1f} 0V{}\"><title>{}</title></path>",
                   line.waiver ? "waiver" : "release", places.x(line.run), multiple_height, html_name(line.text));
  for (const HistoryChange& change : history.changes) {
    if (change.run >= runs.size()) continue;
    fmt::format_to(out, "<path class=\"change\" d=\"M{:.1f} 0V{}\"/>", places.x(change.run), multiple_height);
    changes += fmt::format("{}{}", changes.empty() ? "; changes " : ", ", format.percent(change.change));
  }
  // One line for all points: a circle each would be 50 bytes times runs times cases.
  fmt::format_to(out, "<path class=\"series\" d=\"");
  for (std::size_t i = 0; i < runs.size(); ++i)
    fmt::format_to(out, "{}{:.1f} {:.1f}", i == 0 ? "M" : "L", places.x(i), places.y(runs[i].value));
  fmt::format_to(out, "\"/><path class=\"cursor\" d=\"\"/>");
  return fmt::format(
      "<svg class=\"multiple\" role=\"img\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\"><title>{}</title><desc>{} "
      "runs, "
      "now {}{}.</desc>{}</svg>",
      multiple_width, multiple_height, multiple_width, multiple_height, html_name(history.case_name), runs.size(),
      html_name(format.quantity(newest_level(history), history.metric.unit)),
      html_name(changes.empty() ? " " : changes), body);
}

double newest_level(const History& history) {
  if (!history.changes.empty()) return history.changes.back().after;
  return history.runs.empty() ? std::nan("") : history.runs.back().value;
}

}  // namespace torchgate::reports
