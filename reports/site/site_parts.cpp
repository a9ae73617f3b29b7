// SPDX-License-Identifier: Apache-2.0
#include "reports/site/site_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "harness/base/content_hash.hpp"
#include "harness/base/lower_case.hpp"
#include "harness/record/short_commit.hpp"
#include "reports/formats/html_text.hpp"
#include "reports/formats/xml_text.hpp"
#include "reports/time_scale.hpp"

namespace torchgate::reports {
namespace {

constexpr double multiple_width = 320;
constexpr double multiple_height = 90;
constexpr double multiple_top = 6;
constexpr double multiple_bottom = 84;

constexpr double multiple_margin = 4;
constexpr std::size_t longest_slug = 40;
constexpr std::size_t file_hash_digits = 12;

/// Places of a series in a small drawing.
class Places {
 public:
  explicit Places(const std::vector<HistoryRun>& runs) : scale_(runs) {
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
  [[nodiscard]] double x(std::size_t run) const { return place(scale_.share(run)); }
  /// Of a time: absent where the axis is not true to time.
  [[nodiscard]] std::optional<double> share_of(std::int64_t seconds) const { return scale_.share_of(seconds); }
  [[nodiscard]] static double place(double share) {
    return multiple_margin + std::clamp(share, 0.0, 1.0) * (multiple_width - 2 * multiple_margin);
  }
  [[nodiscard]] double y(double value) const {
    return multiple_bottom - (value - low_) / (high_ - low_) * (multiple_bottom - multiple_top);
  }

 private:
  TimeScale scale_;
  double low_;
  double high_;
};

void small_bands(std::string& svg, const std::vector<HistoryBand>& bands, const Places& places) {
  for (const HistoryBand& band : bands) {
    const auto until = places.share_of(band.until);
    const auto from = band.from ? places.share_of(*band.from) : std::optional(0.0);
    if (!until || !from || *until < 0 || *from > 1 || *until < *from) continue;
    fmt::format_to(
        std::back_inserter(svg),
        "<rect class=\"waived\" x=\"{:.1f}\" y=\"0\" width=\"{:.1f}\" height=\"{}\"><title>{}</title></rect>",
        Places::place(*from), std::max(2.0, Places::place(*until) - Places::place(*from)), multiple_height,
        html_name(band.text));
  }
}

const char* tone_of_change(ChangeState state) {
  if (state == ChangeState::holds) return "fail";
  return state == ChangeState::accepted ? "warn" : "pass";
}

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
         "<script src=\"chart.js\"></script><script src=\"site.js\"></script></body></html>\n";
}

std::string site_file(std::string_view kind, std::string_view host_key, std::string_view name) {
  std::string slug;
  for (const char c : base::lower_case(name)) {
    if (slug.size() == longest_slug) break;
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      slug += c;
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  const std::string hash = base::sha256(std::string(host_key) + '\n' + std::string(name)).substr(0, file_hash_digits);
  return fmt::format("{}-{}{}{}.html", kind, slug, slug.empty() || slug.back() == '-' ? "" : "-", hash);
}

std::string case_link(const SiteHost& host, const History& history) {
  return fmt::format("<a href=\"{}\"><code>{}</code></a>", site_file("case", host.host_key, history.case_name),
                     html_name(history.case_name));
}

std::string_view suite_of(std::string_view case_name) {
  return case_name.substr(0, case_name.find('/'));
}

std::string commit_page(const std::optional<std::string>& commit, const Site& site) {
  if (site.commit_address.empty() || !commit || !record::is_full_commit(*commit)) return {};
  return site.commit_address + *commit;
}

std::string compare_page(const std::optional<std::string>& before, const std::optional<std::string>& after,
                         const Site& site) {
  if (site.compare_address.empty() || commit_page(before, site).empty() || commit_page(after, site).empty()) return {};
  const auto range = site.ranges.find({*before, *after});
  if (range != site.ranges.end() && range->second.count == 0) return {};
  return site.compare_address + *before + "..." + *after;
}

std::string commit_link(const std::optional<std::string>& commit, const Site& site) {
  if (!commit) return "no commit";
  const std::string name = fmt::format("<code>{}</code>", html_name(record::short_commit(*commit)));
  const std::string page = commit_page(commit, site);
  return page.empty() ? name : fmt::format("<a href=\"{}\">{}</a>", xml_text(page), name);
}

std::string commit_facts_html(const std::optional<std::string>& commit, const Site& site) {
  const auto facts = commit ? site.commits.find(*commit) : site.commits.end();
  if (facts == site.commits.end()) return {};
  return fmt::format("{} <span class=\"quiet\">{}, {}</span>", html_name(facts->second.subject),
                     html_name(facts->second.author), html_name(facts->second.day));
}

std::string change_html(const HistoryChange& change, const Format& format) {
  const std::string percent = fmt::format("<span class=\"value\">{}</span>", html_name(format.percent(change.change)));
  if (!change.interval) return percent;
  const Interval interval{change.interval->low, change.interval->high, change.interval->level};
  return fmt::format("{} <span class=\"quiet\">{}</span>", percent, html_name(format.change_interval(interval)));
}

std::string change_now_html(const ChangeNow& now, const HistoryChange& change, const Format& format) {
  const char* const direction = change.worse ? "slower" : "faster";
  std::string words;
  if (now.state == ChangeState::recovered) {
    words = fmt::format("{} {} {}", change.worse ? "recovered" : "lost again", now.gradually ? "gradually by" : "on",
                        now.day);
  } else {
    words = fmt::format("still {} on {}", direction, now.day);
    const std::string size = format.percent(now.change);
    if (size != format.percent(change.change)) words += fmt::format(" ({} now)", size);
    if (!now.pin.empty()) words += ", also in " + now.pin;
    if (now.state == ChangeState::accepted) words += ", accepted: " + now.accepted_by;
  }
  // A change for the better has no colour of a failure, and losing it has.
  const char* const tone = change.worse                          ? tone_of_change(now.state)
                           : now.state == ChangeState::recovered ? "warn"
                                                                 : "pass";
  return fmt::format("<span class=\"{}\">{}</span>", tone, html_sentence(words));
}

std::string small_multiple(const History& history, const SiteMarks& marks) {
  const auto& runs = history.runs;
  const bool drawn = runs.size() > 1 && std::all_of(runs.begin(), runs.end(),
                                                    [](const HistoryRun& run) { return std::isfinite(run.value); });
  if (!drawn) return {};
  const Places places(runs);
  const Format format;
  std::string changes;
  std::string body;
  const auto out = std::back_inserter(body);
  small_bands(body, waiver_bands(marks.waivers), places);
  for (const HistoryMark& mark : marks.newest())
    fmt::format_to(out, "<path class=\"{}\" d=\"M{:.1f} 0V{}\"><title>{}</title></path>", mark_class(mark.kind),
                   places.x(mark.run), multiple_height, html_name(mark.text));
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
      "runs, level {}{}.</desc>{}</svg>",
      multiple_width, multiple_height, multiple_width, multiple_height, html_name(history.case_name), runs.size(),
      html_name(format.quantity(newest_level(history), history.metric.unit)),
      html_name(changes.empty() ? " " : changes), body);
}

}  // namespace torchgate::reports
