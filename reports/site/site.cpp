// SPDX-License-Identifier: Apache-2.0
#include "reports/site/site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "harness/base/content_hash.hpp"
#include "harness/json/json_writer.hpp"
#include "harness/record/short_commit.hpp"
#include "reports/format.hpp"
#include "reports/formats/html_history.hpp"
#include "reports/formats/html_text.hpp"
#include "reports/formats/tracked_values.hpp"
#include "reports/html/embedded.hpp"
#include "reports/safe_text.hpp"
#include "reports/site/site_parts.hpp"

namespace torchgate::reports {
namespace {

constexpr std::int64_t seconds_a_day = 86400;
constexpr std::size_t longest_slug = 40;
constexpr std::size_t file_hash_digits = 12;
// Rows of the table of runs: the newest ones; the drawing and the data have all.
constexpr std::size_t most_run_rows = 200;

std::string_view suite_name(std::string_view case_name) {
  return case_name.substr(0, case_name.find('/'));
}

std::string commit_words(const HistoryRun& run) {
  return run.commit ? record::short_commit(*run.commit) : std::string("no commit");
}

struct RecentChange {
  const SiteHost* host;
  const History* history;
  const HistoryChange* change;
};

/// How many times as bad: for sorting, whichever way the metric goes.
double badness(const RecentChange& recent) {
  const double ratio = std::abs(std::log1p(std::max(recent.change->change, -0.999)));
  return recent.change->worse ? ratio : -ratio;
}

/// What changed in the last days, the worst first, then what got better.
std::vector<RecentChange> recent_changes(const Site& site) {
  std::vector<RecentChange> recent;
  for (const SiteHost& host : site.hosts) {
    const auto newest = unix_seconds(host.newest);
    for (const History& history : host.histories) {
      for (const HistoryChange& change : history.changes) {
        if (change.run >= history.runs.size()) continue;
        const auto at = unix_seconds(history.runs[change.run].created);
        if (newest && at && *newest - *at <= recent_days * seconds_a_day) recent.push_back({&host, &history, &change});
      }
    }
  }
  std::stable_sort(recent.begin(), recent.end(), [](const auto& a, const auto& b) { return badness(a) > badness(b); });
  return recent;
}

std::string case_link(const SiteHost& host, const History& history) {
  return fmt::format("<a href=\"{}\"><code>{}</code></a>", site_file("case", host.host_key, history.case_name),
                     html_name(history.case_name));
}

std::string change_row(const RecentChange& recent, const Format& format) {
  const History& history = *recent.history;
  const HistoryRun& run = history.runs[recent.change->run];
  const auto [before, after] = format.quantities(recent.change->before, recent.change->after, history.metric);
  return fmt::format(
      "<tr><td class=\"verdict {}\">{}</td><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td "
      "class=\"number\">{}</td><td>{}</td><td><code>{}</code></td></tr>",
      recent.change->worse ? "fail" : "pass", recent.change->worse ? "✖ worse" : "▲ better",
      case_link(*recent.host, history), html_name(format.percent(recent.change->change)), html_name(before),
      html_name(after), html_name(run.created.substr(0, 10)), html_name(commit_words(run)));
}

/// The suites of a host, in the order of their names.
std::vector<std::pair<std::string, std::vector<const History*>>> suites_of(const SiteHost& host) {
  std::map<std::string, std::vector<const History*>> suites;
  for (const History& history : host.histories) suites[std::string(suite_name(history.case_name))].push_back(&history);
  return {suites.begin(), suites.end()};
}

std::string index_page(const Site& site) {
  const Format format;
  const auto recent = recent_changes(site);
  const auto worse =
      std::count_if(recent.begin(), recent.end(), [](const RecentChange& one) { return one.change->worse; });
  std::string html = site_head("Trends");
  const auto out = std::back_inserter(html);
  fmt::format_to(out, "<h1>{} in the last {} days</h1>\n",
                 worse > 0 ? counted(worse, "case became slower", "cases became slower") : "No case became slower",
                 recent_days);
  if (!recent.empty()) {
    html +=
        "<div class=\"wide\"><table><thead><tr><th scope=\"col\">level</th><th scope=\"col\">case</th><th "
        "scope=\"col\" "
        "class=\"number\">change</th><th scope=\"col\" class=\"number\">before</th><th scope=\"col\" "
        "class=\"number\">after</th><th "
        "scope=\"col\">first run</th><th scope=\"col\">commit</th></tr></thead><tbody>";
    for (const RecentChange& one : recent) html += change_row(one, format);
    html += "</tbody></table></div>\n";
  }
  for (const SiteHost& host : site.hosts) {
    fmt::format_to(out, "<h2>{}</h2><p class=\"quiet\">{}, newest {}</p><ul>", html_name(host.host_key),
                   counted(static_cast<std::int64_t>(host.runs), "run", "runs"), html_name(host.newest));
    for (const auto& [suite, histories] : suites_of(host)) {
      fmt::format_to(out, "<li><a href=\"{}\">{}</a> <span class=\"quiet\">{}</span></li>",
                     site_file("suite", host.host_key, suite), html_name(suite),
                     counted(static_cast<std::int64_t>(histories.size()), "case", "cases"));
    }
    html += "</ul>\n";
  }
  fmt::format_to(out,
                 "<p class=\"quiet\">Store: {}. Changes are level changes (change points, alpha 0.001 a series).</p>\n",
                 html_name(site.store));
  return html + site_foot(false);
}

/// [[ms since 1970, value], ...] of a series.
void write_runs(json::JsonWriter& json, const History& history) {
  json.begin_array();
  for (const HistoryRun& run : history.runs) {
    json.begin_array();
    json.value(unix_seconds(run.created).value_or(0) * 1000);
    json.value(run.value);
    json.end_array();
  }
  json.end_array();
}

std::string suite_page(const Site& site, const SiteHost& host, const std::string& suite,
                       const std::vector<const History*>& histories) {
  const Format format;
  std::string html = site_head(suite);
  const auto out = std::back_inserter(html);
  fmt::format_to(
      out,
      "<p><a href=\"index.html\">Trends</a></p><h1>{}</h1><p class=\"quiet\">{}</p><p id=\"when\" class=\"quiet\" "
      "aria-live=\"polite\">Dashed: level changes; dotted: releases and waivers.</p><div class=\"multiples\">\n",
      html_name(suite), html_name(host.host_key));
  json::JsonWriter json(json::page_layout);
  json.begin_array();
  for (const History* history : histories) {
    const std::string drawing = small_multiple(*history, site_lines(*history, site));
    fmt::format_to(out, "<figure><figcaption>{}<br><span class=\"value\">{}</span></figcaption>{}</figure>\n",
                   case_link(host, *history), html_name(format.quantity(newest_level(*history), history->metric.unit)),
                   drawing.empty() ? "<p class=\"quiet\">one run</p>" : drawing);
    if (drawing.empty()) continue;
    json.begin_object();
    json.key("unit");
    json.value(std::string_view(one_line(history->metric.unit)));
    json.key("runs");
    write_runs(json, *history);
    json.end_object();
  }
  json.end_array();
  fmt::format_to(out, "</div><script type=\"application/json\" id=\"series\">{}</script>\n",
                 json_for_script(json.take()));
  return html + site_foot(false);
}

std::string changes_table(const History& history, const Format& format) {
  if (history.changes.empty()) return "<p>No level change.</p>";
  std::string html =
      "<div class=\"wide\"><table><thead><tr><th scope=\"col\">first run</th><th scope=\"col\">commit</th><th "
      "scope=\"col\" "
      "class=\"number\">change</th><th scope=\"col\" class=\"number\">before</th><th scope=\"col\" "
      "class=\"number\">after</th><th "
      "scope=\"col\" class=\"number\">p</th></tr></thead><tbody>";
  for (auto change = history.changes.rbegin(); change != history.changes.rend(); ++change) {
    if (change->run >= history.runs.size()) continue;
    const auto [before, after] = format.quantities(change->before, change->after, history.metric);
    fmt::format_to(
        std::back_inserter(html),
        "<tr><td>{}</td><td><code>{}</code></td><td class=\"number {}\">{} {}</td><td class=\"number\">{}</td><td "
        "class=\"number\">{}</td><td class=\"number\">{}</td></tr>",
        html_name(history.runs[change->run].created.substr(0, 10)), html_name(commit_words(history.runs[change->run])),
        change->worse ? "fail" : "pass", html_name(format.percent(change->change)), change->worse ? "worse" : "better",
        html_name(before), html_name(after), html_name(format.p_value(change->p)));
  }
  return html + "</tbody></table></div>";
}

std::string runs_table(const History& history, const Format& format) {
  std::string html = fmt::format(
      "<details><summary>{}</summary><div class=\"wide\"><table><thead><tr><th scope=\"col\">run</th><th "
      "scope=\"col\">commit</th><th scope=\"col\" class=\"number\">value</th><th scope=\"col\" "
      "class=\"number\">processes</th></tr></thead><tbody>",
      history.runs.size() > most_run_rows ? fmt::format("The newest {} of {} runs", most_run_rows, history.runs.size())
                                          : counted(static_cast<std::int64_t>(history.runs.size()), "run", "runs"));
  const std::size_t rows = std::min(most_run_rows, history.runs.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const HistoryRun& run = history.runs[history.runs.size() - 1 - i];
    fmt::format_to(
        std::back_inserter(html),
        "<tr><td>{}</td><td><code>{}</code></td><td class=\"number\">{}{}</td><td class=\"number\">{}</td></tr>",
        html_name(run.created), html_name(commit_words(run)),
        html_name(format.quantity(run.value, history.metric.unit)), run.outlier ? " (outlier)" : "", run.processes);
  }
  return html + "</tbody></table></div></details>";
}

std::string case_page(const Site& site, const SiteHost& host, const History& history) {
  const Format format;
  const std::string suite(suite_name(history.case_name));
  std::string html = site_head(history.case_name);
  const auto out = std::back_inserter(html);
  fmt::format_to(out,
                 "<p><a href=\"index.html\">Trends</a> / <a href=\"{}\">{}</a></p><h1><code>{}</code></h1><p "
                 "class=\"quiet\">{}, {}; "
                 "now {}</p>\n",
                 site_file("suite", host.host_key, suite), html_name(suite), html_name(history.case_name),
                 html_name(host.host_key), html_name(history.metric.name),
                 html_name(format.quantity(newest_level(history), history.metric.unit)));
  const std::string drawing = history_svg(history);
  fmt::format_to(out, "<figure id=\"history\">{}</figure>\n",
                 drawing.empty() ? "<p class=\"quiet\">one run</p>" : drawing);
  const auto lines = site_lines(history, site);
  if (!lines.empty()) {
    html += "<h2>Releases and waivers</h2><ul>";
    for (const SiteLine& line : lines)
      fmt::format_to(out, "<li>{}: {}</li>", html_name(history.runs[line.run].created.substr(0, 10)),
                     html_sentence(line.text));
    html += "</ul>\n";
  }
  html += "<h2>Level changes</h2>" + changes_table(history, format) + html_list(history.reasons);
  html += "\n<h2>Runs</h2>" + runs_table(history, format);
  json::JsonWriter json(json::page_layout);
  json.begin_object();
  json.key("unit");
  json.value(std::string_view(one_line(history.metric.unit)));
  json.key("runs");
  write_runs(json, history);
  json.key("marks");
  json.begin_array();
  const auto mark = [&](std::size_t run, const std::string& words) {
    json.begin_array();
    json.value(unix_seconds(history.runs[run].created).value_or(0) * 1000);
    json.value(std::string_view(one_line(words)));
    json.end_array();
  };
  for (const HistoryChange& change : history.changes) {
    if (change.run < history.runs.size())
      mark(change.run, format.percent(change.change) + " " + commit_words(history.runs[change.run]));
  }
  for (const SiteLine& line : lines) mark(line.run, line.text);
  json.end_array();
  json.end_object();
  fmt::format_to(out, "<script type=\"application/json\" id=\"series\">{}</script>\n", json_for_script(json.take()));
  return html + site_foot(true);
}

}  // namespace

std::string site_file(std::string_view kind, std::string_view host_key, std::string_view name) {
  std::string slug;
  for (const char c : name) {
    if (slug.size() == longest_slug) break;
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool upper = c >= 'A' && c <= 'Z';
    if (plain || upper) {
      slug += upper ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  const std::string hash = base::sha256(std::string(host_key) + '\n' + std::string(name)).substr(0, file_hash_digits);
  return fmt::format("{}-{}{}{}.html", kind, slug, slug.empty() || slug.back() == '-' ? "" : "-", hash);
}

std::vector<SitePage> render_site(const Site& site) {
  std::vector<SitePage> pages = {{"index.html", index_page(site)}};
  for (const SiteHost& host : site.hosts) {
    for (const auto& [suite, histories] : suites_of(host))
      pages.push_back({site_file("suite", host.host_key, suite), suite_page(site, host, suite, histories)});
    for (const History& history : host.histories)
      pages.push_back({site_file("case", host.host_key, history.case_name), case_page(site, host, history)});
  }
  pages.push_back({"report.css", std::string(embedded::report_css)});
  pages.push_back({"site.css", std::string(embedded::site_css)});
  pages.push_back({"site.js", std::string(embedded::site_js)});
  pages.push_back({"dygraph.css", std::string(embedded::dygraph_css)});
  pages.push_back({"dygraph.js", std::string(embedded::dygraph_js)});
  return pages;
}

}  // namespace torchgate::reports
