// SPDX-License-Identifier: Apache-2.0
#include "reports/site/case_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "harness/record/short_commit.hpp"
#include "reports/format.hpp"
#include "reports/formats/html_history.hpp"
#include "reports/formats/html_text.hpp"
#include "reports/formats/xml_text.hpp"
#include "reports/safe_text.hpp"
#include "reports/site/recent_changes.hpp"
#include "reports/site/site_parts.hpp"
#include "reports/time_scale.hpp"

namespace torchgate::reports {
namespace {

// Rows of the table of runs: the newest ones; the drawing and the data have all.
constexpr std::size_t most_run_rows = 200;
constexpr std::int64_t ms_per_second = 1000;

class CasePage {
 public:
  CasePage(const Site& site, const SiteHost& host, const History& history, const SiteMarks& marks,
           std::string_view today)
      : site_(site), host_(host), history_(history), marks_(marks), today_(today) {}

  std::string text() {
    html_ = site_head(history_.case_name);
    heading();
    const std::string drawing = history_svg(history_, overlay());
    write("<figure id=\"history\">{}</figure>\n", drawing.empty() ? "<p class=\"quiet\">one run</p>" : drawing);
    if (!drawing.empty()) legend();
    changes();
    waivers();
    marks();
    runs();
    data();
    return std::move(html_) + site_foot(true);
  }

 private:
  template <class... Args>
  void write(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(html_), format, std::forward<Args>(args)...);
  }

  [[nodiscard]] std::string day(std::size_t run) const { return day_of(history_.runs[run]); }

  void heading() {
    const std::string suite(suite_of(history_.case_name));
    std::string versions;
    for (const char* const name : {"LibTorch", "torchgate"}) {
      const auto newest = std::find_if(history_.versions.rbegin(), history_.versions.rend(),
                                       [&](const HistoryVersion& each) { return each.name == name; });
      if (newest != history_.versions.rend()) versions += fmt::format(", {} {}", name, newest->version);
    }
    const auto [level, newest] = format_.quantities(
        newest_level(history_), history_.runs.empty() ? std::nan("") : history_.runs.back().value, history_.metric);
    write(
        "<p><a href=\"index.html\">Trends</a> / <a href=\"{}\">{}</a></p><h1><code>{}</code></h1><p "
        "class=\"quiet\">{}, "
        "{}; level {}, newest run {}{}</p>\n",
        site_file("suite", host_.host_key, suite), html_name(suite), html_name(history_.case_name),
        html_name(host_.host_key), html_name(history_.metric.name), html_name(level), html_name(newest),
        versions.empty() ? versions : html_name(versions));
    if (std::string alert = newest_runs_words(history_); !alert.empty()) {
      alert.front() = 'T';
      const char* const kind = newest_runs(history_) == NewestRuns::worse ? "fail" : "quiet";
      write("<p class=\"{}\">{}.</p>\n", kind, html_name(alert));
    }
  }

  /// Waivers are drawn on an axis that is true to time only.
  void legend() {
    const bool times = TimeScale(history_.runs).is_true_to_time();
    write(
        "<p class=\"quiet\">{}. Dashed: level changes, with the commit of the first run; dotted: pins, releases and "
        "other versions{}.</p>\n",
        times ? "Runs at their times" : "Runs in equal steps: their times are unknown, equal or not in order",
        times ? "; shaded: waivers" : "");
  }

  [[nodiscard]] HistoryOverlay overlay() const {
    HistoryOverlay overlay{marks_.newest(), waiver_bands(marks_.waivers), {}};
    for (const HistoryChange& change : history_.changes)
      overlay.change_links.push_back(
          change.run < history_.runs.size() ? commit_page(history_.runs[change.run].commit, site_) : "");
    return overlay;
  }

  void changes() {
    write("<h2>Level changes</h2>");
    if (history_.changes.empty()) {
      write("<p>No level change.</p>");
    } else {
      write(
          "{}<table><thead><tr><th scope=\"col\">first run</th><th scope=\"col\">commit</th><th "
          "scope=\"col\">change</th><th scope=\"col\" class=\"number\">before</th><th scope=\"col\" class=\"number\">"
          "after</th><th scope=\"col\" class=\"number\">p</th><th scope=\"col\">now</th></tr></thead><tbody>\n",
          html_scrolled("Level changes"));
      const bool valid = has_valid_changes(history_);
      for (std::size_t i = history_.changes.size(); i-- > 0;) {
        if (history_.changes[i].run < history_.runs.size()) change_row(i, valid);
      }
      write("</tbody></table></div>");
      if (history_.slow_change) write("<p>{}.</p>\n", html_name(history_finding(history_)));
      if (has_interval_) write("<p class=\"quiet\">{}</p>\n", interval_note);
    }
    html_ += html_list(history_.reasons);
  }

  void change_row(std::size_t i, bool valid) {
    const HistoryChange& change = history_.changes[i];
    if (change.interval) has_interval_ = true;
    const auto [before, after] = format_.quantities(change.before, change.after, history_.metric);
    write(
        "<tr><td>{}</td><td>{}</td><td class=\"{}\">{} {}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>"
        "<td class=\"number\">{}</td><td>{}</td></tr>\n",
        html_name(day(change.run)), commit_cell(change.run), change.worse ? "fail" : "pass",
        change_html(change, format_), change.worse ? "slower" : "faster", html_name(before), html_name(after),
        html_name(format_.p_value(change.p)),
        valid ? change_now_html(change_now(history_, i, marks_, today_), change, format_) : std::string());
  }

  [[nodiscard]] std::string commit_cell(std::size_t run) const {
    const auto& commit = history_.runs[run].commit;
    std::string cell = commit_link(commit, site_);
    if (const std::string facts = commit_facts_html(commit, site_); !facts.empty()) cell += "<br>" + facts;
    if (run == 0) return cell;
    const auto& before = history_.runs[run - 1].commit;
    const std::string page = compare_page(before, commit, site_);
    cell += "<br><span class=\"quiet\">run before: </span>" + commit_link(before, site_);
    return page.empty() ? cell : cell + fmt::format(" <a href=\"{}\">compare</a>", xml_text(page));
  }

  void waivers() {
    if (marks_.waivers.empty()) return;
    write("<h2>Waivers</h2><ul>");
    for (const WaiverTime& time : marks_.waivers)
      write("<li>{}: {}</li>", time.from ? "from " + day_of(*time.from) : std::string("start not recorded"),
            html_sentence(waiver_words(*time.waiver)));
    write("</ul>\n");
  }

  void marks() {
    if (marks_.marks.empty()) return;
    write("<h2>Pins, releases and versions</h2><ul>");
    for (const HistoryMark& mark : marks_.newest())
      write("<li>{}: {} {}</li>", html_name(day(mark.run)), html_sentence(mark.text),
            commit_link(history_.runs[mark.run].commit, site_));
    write("</ul>\n");
    if (marks_.older() > 0)
      write("<p class=\"quiet\">{}.</p>\n",
            counted(static_cast<std::int64_t>(marks_.older()), "older one is left out", "older ones are left out"));
  }

  void runs() {
    const std::size_t all = history_.runs.size();
    const std::size_t rows = std::min(most_run_rows, all);
    write(
        "\n<h2>Runs</h2><details><summary>{}</summary>{}<table><thead><tr><th scope=\"col\">run</th>"
        "<th scope=\"col\">commit</th><th scope=\"col\" class=\"number\">value</th><th scope=\"col\" class=\"number\">"
        "processes</th></tr></thead><tbody>",
        all > most_run_rows ? fmt::format("The newest {} of {} runs", most_run_rows, all)
                            : counted(static_cast<std::int64_t>(all), "run", "runs"),
        html_scrolled("Runs"));
    for (std::size_t i = 0; i < rows; ++i) {
      const HistoryRun& run = history_.runs[all - 1 - i];
      write("<tr><td>{}</td><td><code>{}</code></td><td class=\"number\">{}{}</td><td class=\"number\">{}</td></tr>",
            html_name(run.created), run.commit ? html_name(record::short_commit(*run.commit)) : "no commit",
            html_name(format_.quantity(run.value, history_.metric.unit)), run.outlier ? " (outlier)" : "",
            run.processes);
    }
    write("</tbody></table></div></details>");
  }

  /// What the script zooms: as overlay(), with times instead of runs.
  void data() {
    json::JsonWriter json(json::page_layout);
    json.begin_object();
    json.key("unit");
    json.value(std::string_view(one_line(history_.metric.unit)));
    json.key("runs");
    write_site_runs(json, history_);
    json.key("marks");
    json.begin_array();
    for (const HistoryChange& change : history_.changes) {
      if (change.run >= history_.runs.size()) continue;
      const auto& commit = history_.runs[change.run].commit;
      data_mark(json, change.run, "change",
                format_.percent(change.change) + " " + (commit ? record::short_commit(*commit) : "no commit"));
    }
    for (const HistoryMark& mark : marks_.newest()) data_mark(json, mark.run, mark_class(mark.kind), mark.text);
    json.end_array();
    json.key("bands");
    json.begin_array();
    for (const HistoryBand& band : waiver_bands(marks_.waivers)) {
      json.begin_array();
      json.value(band.from.value_or(0) * ms_per_second);
      json.value(band.until * ms_per_second);
      json.end_array();
    }
    json.end_array();
    json.end_object();
    write("<script type=\"application/json\" id=\"series\">{}</script>\n", json_for_script(json.take()));
  }

  void data_mark(json::JsonWriter& json, std::size_t run, const char* kind, const std::string& words) const {
    json.begin_array();
    json.value((run < seconds_.size() ? seconds_[run] : 0) * ms_per_second);
    json.value(kind);
    json.value(std::string_view(one_line(words)));
    json.end_array();
  }

  const Site& site_;
  const SiteHost& host_;
  const History& history_;
  const SiteMarks& marks_;
  std::string_view today_;
  std::vector<std::int64_t> seconds_ = drawn_seconds(history_.runs);
  Format format_;
  bool has_interval_ = false;  // in a row that was written
  std::string html_;
};

}  // namespace

void write_site_runs(json::JsonWriter& json, const History& history) {
  json.begin_array();
  const std::vector<std::int64_t> seconds = drawn_seconds(history.runs);
  for (std::size_t i = 0; i < history.runs.size(); ++i) {
    json.begin_array();
    json.value((seconds.empty() ? 0 : seconds[i]) * ms_per_second);
    json.value(history.runs[i].value);
    json.end_array();
  }
  json.end_array();
}

std::string case_page(const Site& site, const SiteHost& host, const History& history, const SiteMarks& marks,
                      std::string_view today) {
  return CasePage(site, host, history, marks, today).text();
}

}  // namespace torchgate::reports
