// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/explanation_markdown.hpp"

#include <fmt/format.h>

#include <cmath>

#include "reports/fit.hpp"
#include "reports/formats/markdown_escape.hpp"
#include "reports/formats/markdown_parts.hpp"
#include "reports/formats/markdown_table.hpp"
#include "reports/sentences.hpp"

namespace torchgate::reports {
namespace {

constexpr auto explanation_right = MarkdownTable::Align::right;

Section causes_section(const Explanation& explanation) {
  Section section{1, 1, "\n**Why**\n\n", {}, "", markdown_omitted("causes")};
  const auto add = [&](const std::string& text) {
    section.rows.push_back(fmt::format("- {}\n", markdown_text(as_sentence(text))));
  };
  if (explanation.causes.empty() && !explanation.summary.empty()) add(explanation.summary);
  for (const facts::Fact& cause : explanation.causes) add(cause);
  if (!explanation.causes.empty() && !explanation.no_profile.empty())
    add("operators not compared: " + explanation.no_profile.words());
  return section;
}

Section operators_of(const Explanation& explanation, const Format& format) {
  MarkdownTable table({{"operator, per call"},
                       {"calls", explanation_right},
                       {"self before", explanation_right},
                       {"self after", explanation_right},
                       {"of change", explanation_right}},
                      format.unknown());
  for (const OperatorChange& each : explanation.operators) {
    const std::string calls = format.calls(each.calls_before, each.calls_after);
    std::string name = markdown_name(each.name, true);
    if (!each.inputs.empty()) name += " " + markdown_cell(each.inputs);
    table.add_row({name, markdown_quantity(calls), markdown_quantity(format.quantity(each.self_before_ns, "ns")),
                   markdown_quantity(format.quantity(each.self_after_ns, "ns")),
                   each.changed() && each.share ? fmt::format("{:.0f} %", *each.share * 100) : format.unknown()});
  }
  return {2, 0.5, "\n**Operators**\n\n" + table.head(), table.rows(), "", markdown_omitted("operators")};
}

Section counts_of(const char* title, const std::vector<CountChange>& counts, record::MetricKind kind,
                  const Format& format) {
  MarkdownTable table(
      {{""}, {"before", explanation_right}, {"after", explanation_right}, {"change", explanation_right}},
      format.unknown());
  for (const CountChange& each : counts) {
    const record::Metric metric{each.name, each.unit, record::Direction::lower_is_better, kind, false};
    const auto [was, is] = format.quantities(each.before, each.after, metric);
    table.add_row({markdown_name(each.name, true), markdown_quantity(was), markdown_quantity(is),
                   markdown_quantity(format.percent(relative_change(each.before, each.after)))});
  }
  return {
      3, 0.2, markdown_folded(title) + table.head(), table.rows(), markdown_end_of_folded, markdown_omitted("rows")};
}

}  // namespace

std::string explanation_markdown(const Explanation& explanation, const MarkdownOptions& options) {
  const Format format;
  const record::Metric time{"time", explanation.unit, record::Direction::lower_is_better, record::MetricKind::timed,
                            true};
  const auto [was, is] = format.quantities(explanation.time_before, explanation.time_after, time);
  Section head;
  head.rows = {
      fmt::format("## {}: {}\u00A0→ {} ({})\n", markdown_name(explanation.case_name, false), markdown_quantity(was),
                  markdown_quantity(is),
                  markdown_quantity(format.percent(relative_change(explanation.time_before, explanation.time_after)))),
      fmt::format("\n{} → {}.\n", markdown_text(side_words(explanation.before)),
                  markdown_text(side_words(explanation.after)))};
  Section differences{4,
                      0.2,
                      markdown_folded("Machine and software differences"),
                      {},
                      markdown_end_of_folded,
                      markdown_omitted("differences")};
  for (const Difference& each : explanation.differences)
    differences.rows.push_back(fmt::format("- {}: {} → {}\n", markdown_name(each.name, false),
                                           markdown_text(each.before), markdown_text(each.after)));
  return fit({head, causes_section(explanation), operators_of(explanation, format),
              counts_of("Counters", explanation.counts, record::MetricKind::exact, format),
              counts_of("Per process", explanation.process, record::MetricKind::timed, format), differences},
             options.limit_bytes);
}

}  // namespace torchgate::reports
