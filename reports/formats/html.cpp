// SPDX-License-Identifier: Apache-2.0
// The parts of the page in the order in which they stand on it.
#include "reports/formats/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/advice.hpp"
#include "reports/format.hpp"
#include "reports/formats/html_data.hpp"
#include "reports/formats/html_finding.hpp"
#include "reports/formats/html_forest.hpp"
#include "reports/formats/html_text.hpp"
#include "reports/formats/table_formats.hpp"
#include "reports/glossary.hpp"
#include "reports/html/embedded.hpp"
#include "reports/overview.hpp"
#include "reports/sentences.hpp"
#include "reports/upgrade_tables.hpp"

namespace torchgate::reports {
namespace {

// Details of the worst failing rows are visible without a click.
constexpr std::size_t most_open_rows = 5;

/// What the page is made of, chosen once: which rows are static, which have drawings.
struct Rows {
  std::vector<HtmlFinding> drawn;      // static ones
  std::vector<const Finding*> listed;  // the others
  std::vector<const History*> histories;
  std::size_t without_drawing = 0;
  std::size_t omitted = 0;  // not on the page at all
};

Rows rows_of(const Report& report, const Overview& overview) {
  Rows rows;
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> history_at;
  for (const History& history : report.histories) {
    history_at.emplace(std::pair(std::string_view(history.case_name), std::string_view(history.metric.name)),
                       rows.histories.size());
    rows.histories.push_back(&history);
  }
  const auto add_listed = [&](const Finding* finding) {
    if (rows.listed.size() < most_data_rows) {
      rows.listed.push_back(finding);
    } else {
      ++rows.omitted;
    }
  };
  const auto add_static = [&](const Finding* finding) {
    if (rows.drawn.size() == most_static_rows) {
      add_listed(finding);
      return;
    }
    HtmlFinding row{finding};
    row.drawn = rows.drawn.size() < most_drawn_rows;
    row.explained = rows.drawn.empty();
    row.anchor = fmt::format("finding-{}", rows.drawn.size() + 1);
    row.open = finding->action == GateAction::fail && rows.drawn.size() < most_open_rows;
    if (!row.drawn) ++rows.without_drawing;
    const auto history = history_at.find({finding->case_name, finding->metric.name});
    if (history != history_at.end()) {
      row.history = rows.histories[history->second];
      row.history_index = history->second;
    }
    rows.drawn.push_back(row);
  };
  for (const Finding* finding : overview.listed) add_static(finding);
  for (const Finding* finding : overview.improved) add_static(finding);
  for (const Group& group : overview.rest) {
    // A few open cases are worth their reasons without a script.
    for (const Finding* finding : group.findings) {
      if (group.verdict == Verdict::inconclusive) {
        add_static(finding);
      } else {
        add_listed(finding);
      }
    }
  }
  return rows;
}

const char* tone_of(const Report& report) {
  return is_clear_pass(report) ? "pass" : report.outcome == Outcome::fail ? "fail" : "warn";
}

/// Commands between backquotes as code.
std::string step_html(std::string_view step) {
  std::string html;
  for (bool code = false; !step.empty(); code = !code) {
    const std::size_t end = std::min(step.find('`'), step.size());
    // html_sentence() of nothing is "(no name)".
    if (end > 0)
      html += code ? fmt::format("<code>{}</code>", html_sentence(step.substr(0, end)))
                   : html_sentence(step.substr(0, end));
    step.remove_prefix(std::min(end + 1, step.size()));
  }
  return html;
}

class Page {
 public:
  explicit Page(const Report& report)
      : report_(report), overview_(overview_of(report)), rows_(rows_of(report, overview_)) {}

  std::string html() {
    head();
    verdict();
    doubts();
    forest();
    differences(report_.differences, "machine or software difference", "machine or software differences");
    upgrade();
    findings();
    claims();
    machine();
    list("Next steps", next_steps(report_), true);
    list("Notes", facts::words_of(report_.notes), false);
    terms();
    scripts();
    text_ += "</main></body></html>\n";
    return std::move(text_);
  }

 private:
  template <class... Args>
  void write(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  void head() {
    const std::string style = std::string(embedded::report_css) + std::string(embedded::dygraph_css);
    const bool zoomable = !rows_.histories.empty();
    std::string scripts = policy_hash(embedded::report_js);
    if (zoomable) scripts += " " + policy_hash(embedded::dygraph_js) + " " + policy_hash(embedded::chart_js);
    write(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src {}; style-src {}; "
        "base-uri 'none'; "
        "form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}: "
        "torchgate</title>\n<style>{}</style></head>\n"
        "<body>{}<main>\n",
        scripts, policy_hash(style), html_sentence(outcome_word(report_)), style,
        report_.findings.empty() ? "" : "<a class=\"skip\" href=\"#findings-title\">Skip to the findings</a>\n");
  }

  void verdict() {
    write("<header><p class=\"outcome {}\">{}</p>\n<h1>{}</h1>\n<p>{}.</p>\n", tone_of(report_), outcome_word(report_),
          html_sentence(headline_of(report_, format_)), html_sentence(tally(report_, format_)));
    const std::string host = host_words(report_, format_);
    const std::string before =
        is_of_one_run(report_) ? "" : fmt::format("{} → ", html_sentence(side_words(report_.before)));
    const std::string rule = is_of_one_run(report_) && report_.cases_judged == 0
                                 ? ""
                                 : fmt::format(" Rule: {}.", html_sentence(rule_words(report_, format_)));
    write("<p class=\"quiet\">{}{}{}.{}</p></header>\n", before, html_sentence(side_words(report_.after)),
          host.empty() ? "" : " on " + html_name(host), rule);
  }

  void doubts() {
    if (report_.doubts.empty()) return;
    const std::size_t open = std::min(doubts_shown, report_.doubts.size());
    const std::vector<std::string> first(report_.doubts.begin(),
                                         report_.doubts.begin() + static_cast<std::ptrdiff_t>(open));
    write("<section class=\"doubts\" aria-labelledby=\"doubts\"><h2 id=\"doubts\">Doubts</h2>{}", html_list(first));
    if (report_.doubts.size() > open) {
      const std::vector<std::string> others(report_.doubts.begin() + static_cast<std::ptrdiff_t>(open),
                                            report_.doubts.end());
      write("<details><summary>{} more</summary>{}</details>", others.size(), html_list(others));
    }
    text_ += "</section>\n";
  }

  void forest() {
    std::map<const Finding*, std::string_view> anchors;
    for (const HtmlFinding& row : rows_.drawn) anchors.emplace(row.finding, row.anchor);
    text_ += forest_html(forest_of(report_, overview_, ForestCases::compared, most_forest_rows), report_, format_,
                         [&](const Finding& finding) {
                           const auto anchor = anchors.find(&finding);
                           return anchor == anchors.end() ? std::string() : std::string(anchor->second);
                         });
  }

  void differences(const std::vector<Difference>& all, const char* one, const char* several) {
    if (all.empty()) return;
    const bool refused = std::any_of(all.begin(), all.end(), [](const Difference& d) { return d.refuses; });
    write(
        "<details class=\"facts\"{}><summary>{}</summary>{}<table><thead><tr><th "
        "scope=\"col\">fact</th><th "
        "scope=\"col\">before</th><th scope=\"col\">after</th><th scope=\"col\">comparable</th></tr></thead><tbody>",
        refused ? " open" : "", counted(static_cast<std::int64_t>(all.size()), one, several), html_scrolled(several));
    for (const Difference& difference : all) {
      const auto value = [&](const std::string& text) { return text.empty() ? format_.unknown() : html_name(text); };
      write("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td></tr>", html_name(difference.name),
            value(difference.before), value(difference.after),
            difference.refuses ? "<strong class=\"fail\">no</strong>" : "yes");
    }
    text_ += "</tbody></table></div></details>\n";
  }

  void upgrade() {
    if (!report_.upgrade) return;
    write("<section><h2>{}</h2>{}", html_sentence(upgrade_title(*report_.upgrade, format_)),
          html_list(upgrade_sentences(*report_.upgrade, format_)));
    for (const Table& table : upgrade_tables(*report_.upgrade, format_)) text_ += table_html(table);
    differences(report_.upgrade->build, "difference of the build of LibTorch", "differences of the build of LibTorch");
    text_ += "</section>\n";
  }

  void findings() {
    if (report_.findings.empty()) return;  // a filter over nothing
    write("<section><h2 id=\"findings-title\">Findings</h2>\n");
    tools();
    const auto& columns = html_columns();
    write("<div class=\"wide\"><table class=\"findings\" id=\"findings\"><caption>Worst first.{}</caption><thead><tr>",
          undrawn_words());
    for (std::size_t i = 0; i < columns.size(); ++i)
      write("<th scope=\"col\"{}>{}</th>", i > 1 ? " class=\"number\"" : "", html_name(columns[i]));
    text_ += "</tr></thead>\n";
    for (const HtmlFinding& row : rows_.drawn) text_ += html_rows(row, report_, format_);
    text_ += "</table></div>\n";
    write(
        "<div class=\"pages\" id=\"pages\" hidden><button type=\"button\" id=\"previous\">Previous</button><span "
        "id=\"page\"></span>"
        "<button type=\"button\" id=\"next\">Next</button></div>\n");
    rest();
    text_ += "</section>\n";
  }

  [[nodiscard]] std::string undrawn_words() const {
    std::string words;
    if (rows_.without_drawing > 0) {
      words = fmt::format(" Drawings of the first {} rows only; {} have none.", most_drawn_rows,
                          counted(static_cast<std::int64_t>(rows_.without_drawing), "row", "rows"));
    }
    if (rows_.omitted > 0) {
      words += fmt::format(" {} not on this page; the JSON report has them.",
                           counted(static_cast<std::int64_t>(rows_.omitted), "row is", "rows are"));
    }
    return words;
  }

  void tools() {
    text_ +=
        "<div class=\"tools\" id=\"tools\" role=\"search\" hidden><label>Filter <input type=\"search\" id=\"search\" "
        "autocomplete=\"off\" aria-describedby=\"summary\" aria-keyshortcuts=\"Control+/\"></label><label>Verdict "
        "<select id=\"verdict\"><option "
        "value=\"\">all</option></select></label><button type=\"button\" id=\"expand\">Open or close "
        "all</button></div>\n"
        "<p id=\"summary\" class=\"quiet\" aria-live=\"polite\"></p>\n";
  }

  /// What a page without a script says of the rows that it does not list.
  void rest() {
    text_ += "<div id=\"rest\">";
    if (!rows_.listed.empty()) {
      write("<p>{} not listed here without JavaScript (the JSON report has all):</p><ul>",
            counted(static_cast<std::int64_t>(rows_.listed.size()), "row is", "rows are"));
      std::map<Verdict, std::int64_t> counts;
      for (const Finding* finding : rows_.listed) ++counts[finding->verdict];
      for (const auto& [verdict, count] : counts)
        write("<li>{} {}</li>", grouped(count), html_name(verdict_words(verdict, report_, format_)));
      text_ += "</ul>";
    }
    text_ += "</div>\n";
  }

  void claims() {
    if (report_.claims.empty()) return;
    write(
        "<section><h2>Claims: {}</h2>{}<table><thead><tr><th scope=\"col\">state</th><th "
        "scope=\"col\">case</th><th "
        "scope=\"col\">claim</th><th scope=\"col\" class=\"number\">measured [bound]</th><th "
        "scope=\"col\">note</th></tr></thead><tbody>",
        html_sentence(claims_tally(report_.claims)), html_scrolled("Claims"));
    for (const ClaimFinding* claim : overview_.claims) {
      const char* const tone = claim->action == GateAction::fail   ? "fail"
                               : claim->action == GateAction::warn ? "warn"
                               : claim->state == ClaimState::holds ? "pass"
                                                                   : "none";
      const std::string promise = claim->text.empty() ? promise_words(*claim, format_) : claim->text;
      write(
          "<tr><td class=\"verdict {}\">{}</td><td><code>{}</code></td><td>{}</td><td "
          "class=\"number\">{}{}</td><td>{}</td></tr>",
          tone, claim_words(claim->state), html_name(claim->case_name), html_name(promise),
          html_name(format_.factor(claim->measured_ratio)),
          claim->bound ? fmt::format(" [{}]", html_name(format_.factor(claim->bound))) : "",
          claim->reasons.empty() ? "" : html_sentence(facts::listed(claim->reasons)));
    }
    text_ += "</tbody></table></div></section>\n";
  }

  /// What the doctor found around both sides: bad rows, and how many were fine or unknown.
  void machine() {
    for (const auto& [name, side] : {std::pair{"before", &report_.before}, std::pair{"after", &report_.after}}) {
      if (side->checks.empty()) continue;
      std::map<record::CheckAnswer, std::int64_t> counts;
      for (const record::MachineCheck& check : side->checks) ++counts[check.answer];
      write(
          "<section><h2>Machine, {}</h2><details><summary>{} bad, {} ok, {} unknown</summary>{}<table><thead><tr><th "
          "scope=\"col\">check</th><th scope=\"col\">answer</th><th scope=\"col\">seen</th><th "
          "scope=\"col\">fix</th></tr></thead><tbody>",
          name, counts[record::CheckAnswer::bad], counts[record::CheckAnswer::ok], counts[record::CheckAnswer::unknown],
          html_scrolled(fmt::format("Machine, {}", name)));
      for (const record::MachineCheck& check : side->checks) {
        const bool bad = check.answer == record::CheckAnswer::bad;
        if (!bad && check.answer != record::CheckAnswer::unknown) continue;
        write("<tr><th scope=\"row\">{}</th><td class=\"{}\">{}</td><td>{}</td><td>{}</td></tr>", html_name(check.name),
              bad ? "fail" : "none", bad ? "bad" : "unknown", check.seen.empty() ? "" : html_sentence(check.seen),
              check.advice.empty() ? "" : html_sentence(check.advice));
      }
      text_ += "</tbody></table></div></details></section>\n";
    }
  }

  void list(const char* title, const std::vector<std::string>& items, bool with_commands) {
    if (items.empty()) return;
    write("<section><h2>{}</h2><ul>", title);
    for (const std::string& item : items) write("<li>{}</li>", with_commands ? step_html(item) : html_sentence(item));
    text_ += "</ul></section>\n";
  }

  void terms() {
    std::vector<const Finding*> findings;
    for (const Finding& finding : report_.findings) findings.push_back(&finding);
    const std::vector<Term> terms = terms_used(findings, report_, true, format_);
    if (terms.empty()) return;
    text_ += "<section><h2>Terms</h2><dl>";
    for (const Term& term : terms)
      write("<dt><strong>{}</strong></dt><dd>{}</dd>", html_name(term.word), html_sentence(term.meaning));
    text_ += "</dl></section>\n";
  }

  void scripts() {
    write(
        "<script type=\"application/json\" id=\"rows\">{}</script>\n<script type=\"application/json\" "
        "id=\"histories\">{}</script>\n",
        json_for_script(html_rows_json(rows_.drawn, rows_.listed, report_)),
        json_for_script(html_histories_json(rows_.histories)));
    if (!rows_.histories.empty())
      write("<script>{}</script>\n<script>{}</script>\n", embedded::dygraph_js, embedded::chart_js);
    write("<script>{}</script>\n", embedded::report_js);
  }

  const Report& report_;
  Overview overview_;
  Rows rows_;
  Format format_;
  std::string text_;
};

}  // namespace

std::string render_html(const Report& report) {
  return Page(report).html();
}

}  // namespace torchgate::reports
