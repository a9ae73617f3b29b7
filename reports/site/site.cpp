// SPDX-License-Identifier: Apache-2.0
#include "reports/site/site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "harness/json/json_writer.hpp"
#include "reports/format.hpp"
#include "reports/formats/html_text.hpp"
#include "reports/html/embedded.hpp"
#include "reports/safe_text.hpp"
#include "reports/site/case_page.hpp"
#include "reports/site/index_page.hpp"
#include "reports/site/recent_changes.hpp"
#include "reports/site/site_parts.hpp"
#include "reports/time_scale.hpp"

namespace torchgate::reports {
namespace {

struct MarkedHistory {
  const History* history;
  SiteMarks marks;
};

/// The suites of a host, in the order of their names.
std::map<std::string, std::vector<MarkedHistory>> marked_suites(const Site& site, const SiteHost& host) {
  std::map<std::string, std::vector<MarkedHistory>> suites;
  for (const History& history : host.histories)
    suites[std::string(suite_of(history.case_name))].push_back({&history, site_marks(history, site)});
  return suites;
}

/// How the runs of the drawings of a suite stand on their axes.
const char* axes_of(const std::vector<MarkedHistory>& histories) {
  const bool times = std::all_of(histories.begin(), histories.end(), [](const MarkedHistory& each) {
    return each.history->runs.size() < 2 || TimeScale(each.history->runs).is_true_to_time();
  });
  return times ? "Runs at their times"
               : "Runs at their times, in equal steps where these are unknown, equal or not in order";
}

std::string suite_page(const SiteHost& host, const std::string& suite, const std::vector<MarkedHistory>& histories) {
  const Format format;
  std::string html = site_head(suite);
  const auto out = std::back_inserter(html);
  fmt::format_to(
      out,
      "<p><a href=\"index.html\">Trends</a></p><h1>{}</h1><p class=\"quiet\">{}</p><p id=\"when\" class=\"quiet\" "
      "aria-live=\"polite\">{}. Dashed: level changes; dotted: pins, releases and other versions; shaded: "
      "waivers. The number of a case is its level, the median of the newest runs since the last change.</p><div "
      "class=\"multiples\">\n",
      html_name(suite), html_name(host.host_key), axes_of(histories));
  json::JsonWriter json(json::page_layout);
  json.begin_array();
  for (const auto& [history, marks] : histories) {
    const std::string drawing = small_multiple(*history, marks);
    fmt::format_to(out, "<figure><figcaption>{}<br><span class=\"value\">{}</span>{}</figcaption>{}</figure>\n",
                   case_link(host, *history), html_name(format.quantity(newest_level(*history), history->metric.unit)),
                   newest_runs(*history) == NewestRuns::worse ? " <span class=\"fail\">newest runs worse</span>" : "",
                   drawing.empty() ? "<p class=\"quiet\">one run</p>" : drawing);
    if (drawing.empty()) continue;
    json.begin_object();
    json.key("unit");
    json.value(std::string_view(one_line(history->metric.unit)));
    json.key("runs");
    write_site_runs(json, *history);
    json.end_object();
  }
  json.end_array();
  fmt::format_to(out, "</div><script type=\"application/json\" id=\"series\">{}</script>\n",
                 json_for_script(json.take()));
  return html + site_foot(false);
}

}  // namespace

std::vector<SitePage> render_site(const Site& site) {
  std::vector<SitePage> pages = {{"index.html", index_page(site)}};
  const std::string today = newest_day(site);
  for (const SiteHost& host : site.hosts) {
    for (const auto& [suite, histories] : marked_suites(site, host)) {
      pages.push_back({site_file("suite", host.host_key, suite), suite_page(host, suite, histories)});
      for (const auto& [history, marks] : histories)
        pages.push_back(
            {site_file("case", host.host_key, history->case_name), case_page(site, host, *history, marks, today)});
    }
  }
  pages.push_back({"report.css", std::string(embedded::report_css)});
  pages.push_back({"site.css", std::string(embedded::site_css)});
  pages.push_back({"site.js", std::string(embedded::site_js)});
  pages.push_back({"chart.js", std::string(embedded::chart_js)});
  pages.push_back({"dygraph.css", std::string(embedded::dygraph_css)});
  pages.push_back({"dygraph.js", std::string(embedded::dygraph_js)});
  return pages;
}

}  // namespace torchgate::reports
