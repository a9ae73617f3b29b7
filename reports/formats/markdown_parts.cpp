// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/markdown_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/columns.hpp"
#include "reports/formats/markdown_escape.hpp"
#include "reports/safe_text.hpp"
#include "reports/shared_notes.hpp"

namespace torchgate::reports {
namespace {

// Of the most common note, in the summary of a folded block: one line of a comment.
constexpr std::size_t most_common_width = 90;

std::string without_full_stop(std::string text) {
  while (!text.empty() && text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::string markdown_symbol(GateAction action, bool good_news) {
  if (action == GateAction::fail) return "❌";
  if (action == GateAction::warn) return "⚠️";
  return good_news ? "🟢" : "▫️";
}

std::string markdown_symbol(const Finding& finding) {
  return markdown_symbol(finding.action, finding.verdict == Verdict::improved);
}

std::string markdown_quantity(const std::string& text) {
  return unbroken(markdown_cell(text));
}

std::string markdown_values(const FindingCells& cells, const Format& format) {
  if (cells.before == format.unknown() && cells.after == format.unknown()) return format.unknown();
  return fmt::format("{}\u00A0→ {}", markdown_quantity(cells.before), markdown_quantity(cells.after));
}

std::string markdown_change(const FindingCells& cells, const Format& format) {
  if (cells.interval == format.unknown()) return markdown_quantity(cells.change);
  return fmt::format("{} {}", markdown_quantity(cells.change), markdown_quantity(cells.interval));
}

std::string markdown_case(const Finding& finding, bool in_table) {
  const std::string name = markdown_name(finding.case_name, in_table);
  return finding.metric.primary ? name : fmt::format("{} {}", name, markdown_name(finding.metric.name, in_table));
}

std::string markdown_step(std::string_view step) {
  std::string text;
  for (bool code = false; !step.empty(); code = !code) {
    const std::size_t end = std::min(step.find('`'), step.size());
    const std::string_view part = step.substr(0, end);
    // Spaces at its ends belong to the sentence: markdown_text() is for whole ones.
    const std::size_t first = std::min(part.find_first_not_of(' '), part.size());
    const std::size_t last = part.find_last_not_of(' ');
    const std::string_view words = first == part.size() ? std::string_view() : part.substr(first, last + 1 - first);
    text += std::string(first, ' ');
    if (!words.empty()) text += code ? markdown_name(words, false) : markdown_text(words);
    if (last != std::string_view::npos) text += std::string(part.size() - last - 1, ' ');
    step.remove_prefix(std::min(end + 1, step.size()));
  }
  return text;
}

std::string markdown_rest_title(const Report& report, const Overview& overview) {
  const auto broken = std::count_if(report.claims.begin(), report.claims.end(), [](const ClaimFinding& claim) {
    return claim.state == ClaimState::broken && claim.action == GateAction::warn;
  });
  // A finding that repeats a broken claim is not a second warning.
  const auto warned = std::count_if(overview.listed.begin(), overview.listed.end(), [&](const Finding* finding) {
    return finding->action == GateAction::warn && (broken == 0 || finding->verdict != Verdict::claim_broken);
  });
  const std::string warnings =
      broken + warned > 0 ? "⚠️ " + counted(broken + warned, "warning", "warnings") + ". " : "";
  return warnings + "What was compared, next steps, all cases";
}

std::string markdown_folded(const std::string& summary_html, bool open) {
  return fmt::format("\n<details{}><summary>{}</summary>\n\n", open ? " open" : "", summary_html);
}

std::function<std::string(std::size_t)> markdown_omitted(const std::string& what) {
  return [what](std::size_t count) {
    return fmt::format("\n*{} more {} omitted to limit the length; see the JSON report.*\n",
                       grouped(static_cast<std::int64_t>(count)), what);
  };
}

MarkdownNotes::MarkdownNotes(const std::vector<std::vector<std::string>>& sentences_of_rows)
    : numbers_(sentences_of_rows.size()) {
  std::size_t number = 0;
  const std::vector<SharedNote> notes = shared_notes(sentences_of_rows);
  for (const SharedNote& note : notes) {
    const bool of_all = note.rows.size() == sentences_of_rows.size();
    if (of_all) {
      items_.push_back(fmt::format("- {}\n", markdown_text(note.text)));
      continue;
    }
    ++number;
    const auto rows = static_cast<std::int64_t>(note.rows.size());
    const std::string how_many = rows > 1 ? fmt::format(" ({} rows)", grouped(rows)) : "";
    items_.push_back(fmt::format("- **{}**{}: {}\n", number, how_many, markdown_text(note.text)));
    for (const std::size_t row : note.rows) {
      numbers_[row] += fmt::format("{}{}", numbers_[row].empty() ? "" : ", ", number);
    }
  }
  if (notes.empty()) return;
  const SharedNote& most = notes.front();
  const std::string text = elide_middle(without_full_stop(one_line(most.text)), most_common_width, "…");
  most_common_ = most.rows.size() == sentences_of_rows.size()
                     ? text
                     : fmt::format("{}: {}", grouped(static_cast<std::int64_t>(most.rows.size())), text);
}

}  // namespace torchgate::reports
