// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/markdown_details.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "reports/formats/markdown_escape.hpp"
#include "reports/formats/markdown_parts.hpp"
#include "reports/formats/markdown_table.hpp"
#include "reports/overview.hpp"
#include "reports/sentences.hpp"

namespace torchgate::reports {
namespace {

constexpr auto to_the_right = MarkdownTable::Align::right;

/// "13.29 ms [13.05 ms, 13.66 ms] → 14.11 ms [...] (+6.10 %)".
std::string detail_cell(const Detail& detail, const Format& format) {
  std::string text = detail.before == detail.after ? markdown_quantity(detail.before)
                                                   : fmt::format("{}\u00A0→ {}", markdown_quantity(detail.before),
                                                                 markdown_quantity(detail.after));
  if (detail.change != format.unknown()) text += fmt::format(" ({})", markdown_quantity(detail.change));
  return text;
}

std::string count_of(const std::optional<SideNumbers>& side, const Format& format) {
  if (!side || side->processes <= 0) return format.unknown();
  return fmt::format("{} ({})", grouped(side->processes),
                     side->samples > 0 ? grouped(side->samples) : format.unknown());
}

std::string counts_cell(const Finding& finding, const Format& format) {
  const std::string before = count_of(finding.before, format);
  const std::string after = count_of(finding.after, format);
  if (before == format.unknown() && after == format.unknown()) return format.unknown();
  return fmt::format("{}\u00A0→ {}", markdown_quantity(before), markdown_quantity(after));
}

bool has_details(const Finding& finding, const Format& format) {
  return (finding.textbook && !finding.textbook->call.empty()) || !details_of(finding, format).empty();
}

/// In the order of details_of(), whichever finding has them.
std::vector<std::string> labels_of(const std::vector<const Finding*>& findings, const Format& format) {
  std::vector<std::string> labels;
  for (const Finding* finding : findings) {
    for (const Detail& detail : details_of(*finding, format)) {
      if (std::find(labels.begin(), labels.end(), detail.label) == labels.end()) labels.push_back(detail.label);
    }
  }
  return labels;
}

Section numbers_section(const std::vector<const Finding*>& findings, const Format& format, std::size_t limit) {
  std::vector<const Finding*> detailed;
  for (const Finding* finding : findings) {
    if (has_details(*finding, format)) detailed.push_back(finding);
  }
  const std::vector<std::string> labels = labels_of(detailed, format);
  std::vector<MarkdownTable::Column> columns = {{"case"}};
  for (const std::string& label : labels) columns.push_back({unbroken(label), to_the_right});
  columns.push_back({unbroken("processes (samples)"), to_the_right});
  columns.push_back({"textbook rule"});
  MarkdownTable numbers(std::move(columns), format.unknown());
  std::size_t unwritten = 0;
  for (const Finding* finding : detailed) {
    if (numbers.row_bytes() > limit) {
      ++unwritten;
      continue;
    }
    std::vector<std::string> row = {markdown_case(*finding, true)};
    const auto details = details_of(*finding, format);
    for (const std::string& label : labels) {
      const auto found =
          std::find_if(details.begin(), details.end(), [&](const Detail& detail) { return detail.label == label; });
      row.push_back(found == details.end() ? format.unknown() : detail_cell(*found, format));
    }
    row.push_back(counts_cell(*finding, format));
    row.push_back(finding->textbook ? markdown_cell(textbook_words(*finding->textbook, format)) : format.unknown());
    numbers.add_row(std::move(row));
  }
  const std::string cases = counted(cases_in(detailed), "case", "cases");
  return {static_cast<int>(MarkdownRank::details),
          markdown_sentences_share,
          markdown_folded("More numbers of " + cases + ": P95, P99, throughput, memory, noise, the textbook rule") +
              numbers.head(),
          numbers.rows(),
          markdown_end_of_folded,
          markdown_omitted("rows with more numbers"),
          unwritten};
}

std::vector<std::string> operator_row(const Finding& finding, const OperatorChange& each, const Format& format) {
  const std::string calls = format.calls(each.calls_before, each.calls_after);
  std::string name = markdown_name(each.name, true);
  if (!each.inputs.empty()) name += fmt::format(" {}", markdown_cell(each.inputs));
  return {markdown_case(finding, true),
          name,
          markdown_quantity(calls),
          markdown_quantity(format.quantity(each.self_before_ns, "ns")),
          markdown_quantity(format.quantity(each.self_after_ns, "ns")),
          each.share ? markdown_quantity(fmt::format("{:.0f} %", *each.share * 100)) : format.unknown()};
}

Section operators_section(const std::vector<const Finding*>& findings, const Format& format, std::size_t limit) {
  MarkdownTable operators({{"case"},
                           {"operator, per call"},
                           {"calls", to_the_right},
                           {"self before", to_the_right},
                           {"self after", to_the_right},
                           {"of change", to_the_right}},
                          format.unknown());
  std::size_t unwritten = 0;
  std::set<std::string> cases;
  for (const Finding* finding : findings) {
    for (const OperatorChange& each : finding->operators) {
      cases.insert(finding->case_name);
      if (operators.row_bytes() > limit) {
        ++unwritten;
      } else {
        operators.add_row(operator_row(*finding, each, format));
      }
    }
  }
  const std::string count = counted(static_cast<std::int64_t>(cases.size()), "case", "cases");
  return {static_cast<int>(MarkdownRank::details),
          markdown_sentences_share,
          markdown_folded("Operators that changed in " + count) + operators.head(),
          operators.rows(),
          markdown_end_of_folded,
          markdown_omitted("operators"),
          unwritten};
}

}  // namespace

std::vector<Section> markdown_details(const std::vector<const Finding*>& findings, std::size_t limit) {
  const Format format;
  std::vector<Section> sections = {operators_section(findings, format, limit),
                                   numbers_section(findings, format, limit)};
  // A reader who misses a case does not look for the numbers of others.
  for (Section& section : sections) section.waits_for = static_cast<int>(MarkdownRank::listed);
  return sections;
}

}  // namespace torchgate::reports
