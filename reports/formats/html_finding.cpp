// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/html_finding.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "reports/formats/html_drawing.hpp"
#include "reports/formats/html_history.hpp"
#include "reports/formats/html_text.hpp"
#include "reports/overview.hpp"
#include "reports/sentences.hpp"

namespace torchgate::reports {
namespace {

std::string operators_table(const Finding& finding, const Format& format) {
  if (finding.operators.empty()) return {};
  std::string html = "<h3>Operators that changed, per call</h3>" + html_scrolled("Operators that changed, per call") +
                     "<table><thead><tr><th scope=\"col\">operator</th><th scope=\"col\" "
                     "class=\"number\">calls</th><th scope=\"col\" class=\"number\">self before</th><th scope=\"col\" "
                     "class=\"number\">self after</th>"
                     "<th scope=\"col\" class=\"number\">of change</th></tr></thead><tbody>";
  for (const OperatorChange& each : finding.operators) {
    const std::string calls = format.calls(each.calls_before, each.calls_after);
    const std::string inputs =
        each.inputs.empty() ? "" : " <span class=\"quiet\">" + html_name(each.inputs) + "</span>";
    fmt::format_to(std::back_inserter(html),
                   "<tr><td><code>{}</code>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td "
                   "class=\"number\">{}</td>"
                   "<td class=\"number\">{}</td></tr>",
                   html_name(each.name), inputs, html_name(calls),
                   html_name(format.quantity(each.self_before_ns, "ns")),
                   html_name(format.quantity(each.self_after_ns, "ns")),
                   each.share ? fmt::format("{:.0f} %", *each.share * 100) : format.unknown());
  }
  return html + "</tbody></table></div>";
}

std::string numbers_table(const Finding& finding, const Format& format) {
  const std::vector<Detail> details = details_of(finding, format);
  std::string rows;
  for (const Detail& detail : details) {
    fmt::format_to(std::back_inserter(rows),
                   "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td class=\"number\">{}</td><td "
                   "class=\"number\">{}</td></tr>",
                   html_name(detail.label), html_name(detail.before), html_name(detail.after),
                   html_name(detail.change));
  }
  std::string html;
  if (!rows.empty()) {
    html =
        "<h3>More numbers</h3>" + html_scrolled("More numbers") +
        "<table><thead><tr><td></td><th scope=\"col\" "
        "class=\"number\">before</th><th "
        "scope=\"col\" class=\"number\">after</th><th scope=\"col\" class=\"number\">change</th></tr></thead><tbody>" +
        rows + "</tbody></table></div>";
  }
  if (finding.textbook && !finding.textbook->call.empty())
    html += fmt::format("<p>Textbook rule: {}.</p>", html_sentence(textbook_words(*finding.textbook, format)));
  return html;
}

std::string causes_of(const Finding& finding) {
  if (finding.causes.empty()) return {};
  return "<h3>Why</h3>" + html_list(facts::words_of(finding.causes));
}

std::string details_html(const HtmlFinding& row, const Report& report, const Format& format) {
  const Finding& finding = *row.finding;
  std::string html = causes_of(finding);
  if (row.drawn) {
    if (const std::string svg = comparison_svg(finding, report); !svg.empty()) {
      const char* const caption =
          "<figcaption class=\"quiet\">Dots: processes; shape: their samples; line: the value compared. Below: the "
          "change with its "
          "interval, the margin (shaded) and the gate (dashed).</figcaption>";
      html += "<figure>" + svg + (row.explained ? caption : "") + "</figure>";
    }
    if (const std::string svg = row.history != nullptr ? history_svg(*row.history) : ""; !svg.empty()) {
      html += fmt::format(
          "<figure data-history=\"{}\">{}<figcaption class=\"quiet\">Stored runs, levels and "
          "changes.</figcaption></figure>",
          row.history_index, svg);
    }
  }
  html += html_list(notes_on(finding, format));
  return html + operators_table(finding, format) + numbers_table(finding, format);
}

const char* symbol_of(const Finding& finding) {
  if (finding.action == GateAction::fail) return "✖";
  if (finding.action == GateAction::warn) return "⚠";
  return finding.verdict == Verdict::improved ? "▲" : "•";
}

}  // namespace

std::string_view html_tone(const Finding& finding) {
  if (finding.action == GateAction::fail) return "fail";
  if (finding.action == GateAction::warn) return "warn";
  return finding.verdict == Verdict::improved ? "pass" : "none";
}

std::string html_verdict(const Finding& finding, const Report& report, const Format& format) {
  const char* const action = finding.action == GateAction::fail   ? " (fails)"
                             : finding.action == GateAction::warn ? " (warns)"
                                                                  : "";
  return fmt::format("{} {}{}", symbol_of(finding), verdict_words(finding, report, format), action);
}

const std::vector<std::string>& html_columns() {
  static const std::vector<std::string> columns = {"verdict",  "case", "before",    "after", "change",
                                                   "interval", "p",    "Cohen's d", "n"};
  return columns;
}

std::vector<std::string> html_cells(const Finding& finding, const Report& report, const Format& format) {
  const FindingCells cells = cells_of(finding, report, format);
  const std::string name = finding.metric.primary ? finding.case_name : finding.case_name + " " + finding.metric.name;
  return {name,           cells.before, cells.after,       cells.change,
          cells.interval, cells.p,      cells.effect_size, cells.observations};
}

std::string html_rows(const HtmlFinding& row, const Report& report, const Format& format) {
  const Finding& finding = *row.finding;
  const std::vector<std::string> cells = html_cells(finding, report, format);
  const bool known = finding.change && std::isfinite(*finding.change);
  const bool primary = finding.metric.primary && finding.metric.kind == record::MetricKind::timed;
  std::string html;
  const auto out = std::back_inserter(html);
  fmt::format_to(
      out,
      "<tbody id=\"{}\" data-verdict=\"{}\" data-primary=\"{}\"{}{}><tr class=\"head\"><td class=\"verdict {}\" "
      "data-label=\"verdict\">{}</td>",
      row.anchor, to_string(finding.verdict), primary ? 1 : 0,
      known ? fmt::format(" data-change=\"{:.6g}\"", *finding.change) : "",
      finding.action == GateAction::fail ? " data-fails" : "", html_tone(finding),
      html_name(html_verdict(finding, report, format)));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i == 0) {
      fmt::format_to(out, "<td data-label=\"case\"><code>{}</code></td>", html_name(cells[i]));
    } else {
      fmt::format_to(out, "<td class=\"number\" data-label=\"{}\">{}</td>", html_name(html_columns()[i + 1]),
                     html_name(cells[i]));
    }
  }
  html += "</tr>";
  const std::string details = details_html(row, report, format);
  if (!details.empty()) {
    fmt::format_to(out, "<tr class=\"more\"><td colspan=\"{}\"><details{}><summary>{}</summary>{}</details></td></tr>",
                   html_columns().size(), row.open ? " open" : "",
                   row.drawn ? "Samples, reasons, numbers" : "Reasons, numbers", details);
  }
  return html + "</tbody>\n";
}

}  // namespace torchgate::reports
