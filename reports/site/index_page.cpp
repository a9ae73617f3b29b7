// SPDX-License-Identifier: Apache-2.0
#include "reports/site/index_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "reports/format.hpp"
#include "reports/formats/html_text.hpp"
#include "reports/formats/xml_text.hpp"
#include "reports/site/recent_changes.hpp"
#include "reports/site/site_parts.hpp"
#include "reports/time_scale.hpp"

namespace torchgate::reports {
namespace {

std::string number_of(std::size_t number, const char* one, const char* many) {
  return counted(static_cast<std::int64_t>(number), one, many);
}

/// Cases by suite, in the order of their names.
std::map<std::string, std::size_t> cases_by_suite(const SiteHost& host) {
  std::map<std::string, std::size_t> suites;
  for (const History& history : host.histories) ++suites[std::string(suite_of(history.case_name))];
  return suites;
}

class IndexPage {
 public:
  explicit IndexPage(const Site& site) : site_(site), recent_(recent_changes(site)) {}

  std::string text() {
    html_ = site_head("Trends");
    write("<section aria-labelledby=\"slower\"><h1 id=\"slower\">Slower in the last {} days</h1>\n<p>{}</p>\n",
          recent_days, html_sentence(summary()));
    table(recent_.slower, most_slower_rows, true);
    worse_now();
    write("</section>\n<section aria-labelledby=\"faster\"><h2 id=\"faster\">Faster in the last {} days</h2>\n",
          recent_days);
    if (recent_.faster.empty()) write("<p>No case became faster.</p>\n");
    table(recent_.faster, most_faster_rows, false);
    write("</section>\n");
    for (const SiteHost& host : site_.hosts) suites(host);
    footnote();
    return std::move(html_) + site_foot(false);
  }

 private:
  template <class... Args>
  void write(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(html_), format, std::forward<Args>(args)...);
  }

  /// "3 of 24 cases became slower in the 30 days before the newest run, of 2026-03-04: 2 are still slower, 1 recovered."
  [[nodiscard]] std::string summary() const {
    const std::string window = fmt::format("in the {} days before the newest run, of {}", recent_days, recent_.today);
    std::size_t slower = 0;
    for (const std::size_t cases : recent_.slower_cases) slower += cases;
    std::string text;
    if (slower == 0) {
      text = fmt::format("No case became slower {}.", window);
    } else {
      constexpr std::array<std::pair<const char*, const char*>, 3> words = {
          {{"is still slower", "are still slower"},
           {"is still slower and accepted", "are still slower and accepted"},
           {"recovered", "recovered"}}};
      text = fmt::format("{} of {} became slower {}", grouped(static_cast<std::int64_t>(slower)),
                         number_of(recent_.cases, "case", "cases"), window);
      const char* separator = ": ";
      for (std::size_t state = 0; state < words.size(); ++state) {
        if (recent_.slower_cases[state] == 0) continue;
        text += separator + number_of(recent_.slower_cases[state], words[state].first, words[state].second);
        separator = ", ";
      }
      text += '.';
    }
    if (recent_.not_judged > 0)
      text += fmt::format(" {}: the pages of these cases say why.",
                          number_of(recent_.not_judged, "case cannot be judged", "cases cannot be judged"));
    return text;
  }

  void table(const std::vector<RecentChange>& changes, std::size_t most, bool all_columns) {
    if (changes.empty()) return;
    write(
        "{}<table class=\"recent\"><thead><tr><th scope=\"col\">case</th><th "
        "scope=\"col\">change</th>"
        "<th scope=\"col\">level</th><th scope=\"col\">first run</th><th scope=\"col\">{}</th><th scope=\"col\">now"
        "</th></tr></thead><tbody>\n",
        html_scrolled(all_columns ? "Slower" : "Faster"), all_columns ? "commits since the run before" : "commit");
    for (std::size_t i = 0; i < std::min(most, changes.size()); ++i) row(changes[i], all_columns);
    write("</tbody></table></div>\n");
    if (changes.size() > most)
      write("<p>{} of less importance: the pages of the cases have them.</p>\n",
            number_of(changes.size() - most, "more change", "more changes"));
  }

  /// A reader of "no case became slower" has to know of them.
  void worse_now() {
    std::vector<WorseNow> worse;
    std::vector<WorseNow> on_mean;
    for (const WorseNow& each : recent_.worse_now)
      (newest_runs(*each.history) == NewestRuns::worse ? worse : on_mean).push_back(each);
    if (!worse.empty())
      write("<p>The newest runs of {} are worse, too few yet for a level:</p>",
            number_of(worse.size(), "case", "cases"));
    list(worse, true);
    if (!on_mean.empty())
      write(
          "<p>The weighted mean of the newest runs is worse than the mean of the level's first runs in {}; one run far "
          "out is enough for that:</p>",
          number_of(on_mean.size(), "case", "cases"));
    list(on_mean, false);
  }

  /// A weighted mean says nothing of the newest run, which may be better than the level.
  void list(const std::vector<WorseNow>& cases, bool with_newest) {
    if (cases.empty()) return;
    write("<ul class=\"worse\">");
    for (std::size_t i = 0; i < std::min(most_slower_rows, cases.size()); ++i) {
      const History& history = *cases[i].history;
      const auto [level, newest] = format_.quantities(newest_level(history), history.runs.back().value, history.metric);
      write("<li>{} {}", case_link(*cases[i].host, history), html_name(level));
      if (with_newest) write(" {} {}", format_.arrow(), html_name(newest));
      write("</li>");
    }
    write("</ul>\n");
    if (cases.size() > most_slower_rows) write("<p>{} more.</p>\n", cases.size() - most_slower_rows);
  }

  void row(const RecentChange& recent, bool all_columns) {
    const History& history = *recent.history;
    const HistoryChange& change = history.changes[recent.change];
    const auto [before, after] = format_.quantities(change.before, change.after, history.metric);
    if (change.interval) has_interval_ = true;
    const std::string host = site_.hosts.size() > 1
                                 ? fmt::format("<br><span class=\"quiet\">{}</span>", html_name(recent.host->host_key))
                                 : std::string();
    write("<tr><td>{}{}</td><td>{}</td><td>{} {} {}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
          case_link(*recent.host, history), host, change_html(change, format_), html_name(before), format_.arrow(),
          html_name(after), html_name(day_of(history.runs[change.run])),
          all_columns ? commits(history, change) : commit_link(history.runs[change.run].commit, site_),
          change_now_html(recent.now, change, format_));
  }

  void footnote() {
    write(
        "<p class=\"quiet\">Store: {}. Changes are level changes (change points, alpha 0.001 a series). A change is "
        "found after about six runs{}. Before, the newest runs can be worse; of unchanged cases some are, too. The "
        "level now is the median of the newest runs since the last change, at most "
        "60. A change whose level came back to within the smallest change that is looked for has recovered.{}{}</p>\n",
        html_name(site_.store), smallest_change(), has_interval_ ? " " : "", has_interval_ ? interval_note : "");
  }

  /// "; changes smaller than 1 % are not looked for"; empty: the site has no case. It is a setting of all cases.
  [[nodiscard]] std::string smallest_change() const {
    for (const SiteHost& host : site_.hosts) {
      if (!host.histories.empty())
        return fmt::format("; changes smaller than {} are not looked for",
                           format_.share(host.histories.front().smallest_change));
    }
    return {};
  }

  /// The commits that the change can be in, newest first.
  [[nodiscard]] std::string commits(const History& history, const HistoryChange& change) const {
    const auto& before = history.runs[change.run - 1].commit;
    const auto& first = history.runs[change.run].commit;
    if (!before || !first) return "not recorded";
    if (*before == *first) return "none: both runs are of " + commit_link(first, site_);
    const auto range = site_.ranges.find({*before, *first});
    if (range != site_.ranges.end() && range->second.count == 0)
      return fmt::format("none: {} is not after {}", commit_link(first, site_), commit_link(before, site_));
    const std::string compared = compare_page(before, first, site_);
    const std::string all = compared.empty() ? "" : fmt::format(" (<a href=\"{}\">compare</a>)", xml_text(compared));
    if (range == site_.ranges.end() || range->second.commits.empty())
      return fmt::format("after {} up to {}{}", commit_link(before, site_), commit_link(first, site_), all);
    std::string list = "<ul class=\"commits\">";
    for (const std::string& commit : range->second.commits)
      list += fmt::format("<li>{} {}</li>", commit_link(commit, site_), commit_facts_html(commit, site_));
    const std::int64_t others = range->second.count - static_cast<std::int64_t>(range->second.commits.size());
    if (others > 0)
      list += fmt::format("<li>{}{} more, after {}{}</li>", range->second.has_more ? "at least " : "", others,
                          commit_link(before, site_), all);
    return list + "</ul>";
  }

  void suites(const SiteHost& host) {
    write("<h2>{}</h2><p class=\"quiet\">{}, newest {}</p><ul>", html_name(host.host_key),
          number_of(host.runs, "run", "runs"), html_name(host.newest));
    for (const auto& [suite, cases] : cases_by_suite(host)) {
      write("<li><a href=\"{}\">{}</a> <span class=\"quiet\">{}</span></li>", site_file("suite", host.host_key, suite),
            html_name(suite), number_of(cases, "case", "cases"));
    }
    write("</ul>\n");
  }

  const Site& site_;
  RecentChanges recent_;
  Format format_;
  bool has_interval_ = false;  // in a row that was written
  std::string html_;
};

}  // namespace

std::string index_page(const Site& site) {
  return IndexPage(site).text();
}

}  // namespace torchgate::reports
