// SPDX-License-Identifier: Apache-2.0
// Over 400 lines because all parts of a report share the width, the notation and the text that grows.
#include "reports/formats/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "reports/advice.hpp"
#include "reports/columns.hpp"
#include "reports/forest_text.hpp"
#include "reports/format.hpp"
#include "reports/formats/table_formats.hpp"
#include "reports/glossary.hpp"
#include "reports/measured_table.hpp"
#include "reports/overview.hpp"
#include "reports/safe_text.hpp"
#include "reports/sentences.hpp"
#include "reports/shared_notes.hpp"
#include "reports/upgrade_tables.hpp"

namespace torchgate::reports {
namespace {

constexpr std::size_t narrowest = 60;
constexpr std::size_t effect_width = 6;    // "fail  "
constexpr std::size_t verdict_width = 14;  // "claim broken  "
constexpr std::size_t row_indent = 6;
constexpr std::size_t common_notes_shown = 3;
constexpr std::ptrdiff_t rows_of_a_terminal = 24;  // of the smallest
constexpr std::string_view gap = "  ";

constexpr std::string_view red = "\033[1;31m";
constexpr std::string_view yellow = "\033[33m";
constexpr std::string_view green = "\033[32m";
constexpr std::string_view bold = "\033[1m";
constexpr std::string_view plain;
constexpr std::string_view reset = "\033[0m";

std::string_view color_of(const Finding& finding) {
  if (finding.action == GateAction::fail) return red;
  if (finding.action == GateAction::warn) return yellow;
  return finding.verdict == Verdict::improved ? green : plain;
}

std::string_view color_of(ForestShape shape) {
  return shape == ForestShape::fails ? red : shape == ForestShape::warns ? yellow : plain;
}

std::string_view color_of(const Report& report) {
  return report.outcome == Outcome::fail ? red : is_clear_pass(report) ? green : yellow;
}

/// The numbers of a row in the order they are printed. When the terminal is narrow, columns go from the end of `dispensable`.
using NumberRow = std::array<std::string, 7>;
enum Column : std::size_t { before_column, after_column, change_column, interval_column, p_column, d_column, n_column };
constexpr std::array<Column, 3> dispensable = {d_column, p_column, interval_column};

class Terminal {
 public:
  Terminal(const Report& report, const TerminalOptions& options)
      : report_(report),
        options_(options),
        width_(std::max(options.width, narrowest)),
        format_(options.unicode ? Notation::unicode : Notation::ascii),
        overview_(overview_of(report)),
        one_run_(is_of_one_run(report)) {}

  std::string render() {
    headline();
    doubts();
    forest();
    differences("Machine and software differences", report_.differences);
    upgrade();
    findings("Findings", overview_.listed);
    findings("Improved", overview_.improved);
    claims();
    measured();
    rest();
    list("Notes", facts::words_of(report_.notes));
    list("Next steps", next_steps(report_));
    terms();
    closing();
    return text_;
  }

 private:
  [[nodiscard]] std::string clean(std::string_view untrusted) const {
    return options_.unicode ? one_line(untrusted) : one_ascii_line(untrusted);
  }

  [[nodiscard]] std::string shortened(std::string_view text, std::size_t width) const {
    return elide_middle(text, width, options_.unicode ? "…" : "...");
  }

  /// One line: a coloured beginning and the rest, shortened to the width.
  void line(std::string_view color, std::string_view beginning, std::string_view more = {}) {
    const std::string start = shortened(beginning, width_);
    const bool colored = options_.color && !color.empty();
    text_ += colored ? std::string(color) + start + std::string(reset) : start;
    text_ += shortened(more, width_ - display_width(start));
    text_ += '\n';
  }

  void paragraph(std::size_t indent, std::string_view bullet, std::string_view text) {
    const std::size_t hang = indent + bullet.size();
    bool first = true;
    for (const std::string& part : wrap(clean(text), width_ - hang)) {
      line(plain, first ? std::string(indent, ' ') + std::string(bullet) + part : std::string(hang, ' ') + part);
      first = false;
    }
  }

  void title(const std::string& text) {
    text_ += '\n';
    line(bold, text);
  }

  void list(const std::string& name, const std::vector<std::string>& items) {
    if (items.empty()) return;
    title(name);
    for (const std::string& item : items) paragraph(2, "- ", item);
  }

  void verdict() {
    const std::string word = outcome_word(report_);
    const auto lines = wrap(clean(headline_of(report_, format_)), width_ - word.size() - gap.size());
    line(color_of(report_), word, lines.empty() ? "" : std::string(gap) + lines.front());
    for (std::size_t i = 1; i < lines.size(); ++i) line(plain, std::string(word.size() + gap.size(), ' ') + lines[i]);
  }

  void headline() {
    verdict();
    text_ += '\n';
    paragraph(2, "found   ", tally(report_, format_));
    if (!one_run_) paragraph(2, "before  ", side_words(report_.before));
    paragraph(2, one_run_ ? "run     " : "after   ", side_words(report_.after));
    const std::string host = host_words(report_, format_);
    if (!host.empty()) paragraph(2, "host    ", host);
    if (!one_run_ || report_.cases_judged > 0) paragraph(2, "rule    ", rule_words(report_, format_));
  }

  void doubts() {
    std::vector<std::string> shown(report_.doubts.begin(), report_.doubts.end());
    if (!options_.verbose && shown.size() > doubts_shown) {
      const std::size_t more = shown.size() - doubts_shown;
      shown.resize(doubts_shown);
      shown.push_back(fmt::format("and {} more: see --verbose or --format json", more));
    }
    list("Doubts", shown);
  }

  /// What fails, warns or stays open; the marks repeat in colour what their shapes say.
  void forest() {
    const Forest open = forest_of(report_, overview_, ForestCases::open, most_forest_lines);
    const auto lines = forest_lines(open, report_, {.width = width_ - gap.size(), .unicode = options_.unicode});
    if (lines.empty()) return;
    title("Changes, the worst first");
    for (const ForestLine& each : lines)
      line(each.shape ? color_of(*each.shape) : plain, std::string(gap) + each.mark, each.rest);
  }

  void differences(const std::string& name, const std::vector<Difference>& all) {
    if (all.empty()) return;
    title(name);
    for (const Difference& difference : all) {
      paragraph(2, "- ",
                fmt::format("{}: {} {} {}{}", difference.name, difference.before, format_.arrow(), difference.after,
                            difference.refuses ? " (not comparable)" : ""));
    }
  }

  void upgrade() {
    if (!report_.upgrade) return;
    const Upgrade& upgrade = *report_.upgrade;
    list(clean(upgrade_title(upgrade, format_)), upgrade_sentences(upgrade, format_));
    for (const Table& table : upgrade_tables(upgrade, format_)) {
      title(table.title);
      text_ += table_text(table, options_.unicode ? Notation::unicode : Notation::ascii, width_,
                          options_.verbose ? table.rows.size() : table_rows_shown);
    }
    differences("Build of LibTorch", upgrade.build);
  }

  void findings(const std::string& name, const std::vector<const Finding*>& rows) {
    if (rows.empty()) return;
    title(name);
    table(rows);
  }

  /// What is said under each row, and what is said once under the table because several rows have it in common.
  struct Notes {
    std::vector<std::vector<std::string>> of_row;
    std::vector<std::string> of_table;
  };

  [[nodiscard]] Notes notes_of(const std::vector<const Finding*>& rows) const {
    Notes notes;
    if (options_.verbose) {
      for (const Finding* finding : rows) notes.of_row.push_back(explanation_of(*finding, format_));
      return notes;
    }
    std::vector<std::vector<std::string>> sentences;
    for (const Finding* finding : rows) {
      sentences.push_back(notes_on(*finding, format_));
      notes.of_row.emplace_back();
      for (const facts::Fact& cause : finding->causes)
        notes.of_row.back().push_back(as_sentence("why: " + cause.words()));
    }
    for (SharedNote& note : shared_notes(sentences)) {
      if (note.rows.size() == 1) {
        notes.of_row[note.rows.front()].push_back(std::move(note.text));
      } else if (note.rows.size() == rows.size()) {
        notes.of_table.push_back("All: " + note.text);
      } else {
        notes.of_table.push_back(fmt::format("{} of {}: {}", grouped(static_cast<std::int64_t>(note.rows.size())),
                                             grouped(static_cast<std::int64_t>(rows.size())), note.text));
      }
    }
    return notes;
  }

  [[nodiscard]] NumberRow numbers_of(const Finding& finding) const {
    const FindingCells cells = cells_of(finding, report_, format_);
    NumberRow row = {cells.before, cells.after,       cells.change,      cells.interval,
                     cells.p,      cells.effect_size, cells.observations};
    for (std::string& cell : row) cell = clean(cell);
    return row;
  }

  /// Rows are two lines, the name and the numbers, so that a long name costs no column.
  void table(const std::vector<const Finding*>& findings) {
    const auto level = common_level(findings, format_);
    const NumberRow head = {
        "before", one_run_ ? "value" : "after", "change", level ? *level + " interval" : "interval", "p", "Cohen's d",
        "n"};
    std::vector<NumberRow> rows;
    std::array<std::size_t, 7> widths{};
    rows.reserve(findings.size());
    for (const Finding* finding : findings) rows.push_back(numbers_of(*finding));
    for (const NumberRow& row : rows) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i] != format_.unknown())
          widths[i] = std::max({widths[i], display_width(row[i]), display_width(head[i])});
      }
    }
    make_fit(widths);
    number_line(head, widths);
    const Notes notes = notes_of(findings);
    for (std::size_t i = 0; i < findings.size(); ++i) {
      name_line(*findings[i]);
      number_line(rows[i], widths);
      for (const std::string& sentence : notes.of_row[i]) paragraph(row_indent, "- ", sentence);
      if (options_.verbose) more_numbers(*findings[i]);
    }
    for (const std::string& sentence : notes.of_table) paragraph(2, "- ", sentence);
  }

  void more_numbers(const Finding& finding) {
    for (const Detail& detail : details_of(finding, format_)) {
      const bool compared = detail.change != format_.unknown();
      paragraph(
          row_indent, "- ",
          fmt::format("{} {}{}{}.", detail.label, one_run_ ? "" : fmt::format("{} {} ", detail.before, format_.arrow()),
                      detail.after, compared ? fmt::format(" ({})", detail.change) : ""));
    }
    if (finding.textbook) {
      paragraph(row_indent, "- ", fmt::format("Textbook rule: {}.", textbook_words(*finding.textbook, format_)));
    }
  }

  /// A column in which nothing is known has width 0 and is not printed; nor is one that there is no room for.
  void make_fit(std::array<std::size_t, 7>& widths) const {
    for (const Column column : dispensable) {
      std::size_t total = row_indent;
      for (const std::size_t width : widths) total += width > 0 ? width + gap.size() : 0;
      if (total <= width_ + gap.size()) return;
      widths[column] = 0;
    }
  }

  /// Nothing when nothing of the row is known.
  void number_line(const NumberRow& row, const std::array<std::size_t, 7>& widths) {
    std::string text(row_indent, ' ');
    bool any = false;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths[i] == 0) continue;
      any = any || row[i] != format_.unknown();
      if (text.size() > row_indent) text += gap;
      text += pad_left(row[i], widths[i]);
    }
    if (any) line(plain, text);
  }

  [[nodiscard]] std::string name_of(const std::string& untrusted) const {
    return untrusted.empty() ? "(no name)" : clean(untrusted);
  }

  void name_line(const Finding& finding) {
    const std::string verdict = verdict_words(finding, report_, format_);
    const std::string metric = finding.metric.primary ? "" : std::string(gap) + clean(finding.metric.name);
    // The metric stays whole; of the name there is at least something.
    const std::size_t verdict_room = std::max(verdict_width, display_width(verdict) + gap.size());
    const std::size_t room = width_ - effect_width - verdict_room;
    const std::size_t taken = std::min(display_width(metric), room / 2);
    line(color_of(finding), pad_right(to_string(finding.action), effect_width) + pad_right(verdict, verdict_room),
         shortened(name_of(finding.case_name), room - taken) + shortened(metric, taken));
  }

  void claims() {
    if (report_.claims.empty()) return;
    title("Claims: " + claims_tally(report_.claims));
    for (const ClaimFinding* claim : overview_.claims) {
      const bool open = claim->state == ClaimState::broken || claim->state == ClaimState::undecided;
      if (open || options_.verbose) claim_lines(*claim);
    }
  }

  void claim_lines(const ClaimFinding& claim) {
    const bool broken = claim.state == ClaimState::broken;
    const std::string state = claim_words(claim.state);
    line(broken ? (claim.action == GateAction::fail ? red : yellow) : plain,
         pad_right(to_string(claim.action), effect_width) +
             pad_right(state, std::max(verdict_width, display_width(state) + gap.size())),
         name_of(claim.case_name));
    std::string words = "claimed " + promise_words(claim, format_) + ", measured " +
                        format_.factor(claim.measured_ratio) + ", bound " + format_.factor(claim.bound);
    if (!claim.reference_case.empty()) words += "; reference " + claim.reference_case;
    paragraph(row_indent, "- ", words + ".");
    if (!claim.text.empty()) paragraph(row_indent, "- ", claim.text);
    if (!claim.reasons.empty()) paragraph(row_indent, "- ", facts::listed(claim.reasons));
  }

  /// Without anything to compare with, what was measured is all there is to see.
  void measured() {
    const auto is_new = [](const Group& group) { return group.verdict == Verdict::new_case; };
    const auto group = std::find_if(overview_.rest.begin(), overview_.rest.end(), is_new);
    if (!one_run_ || options_.verbose || group == overview_.rest.end()) return;
    const Table table = measured_table(group->findings, report_, format_);
    title(table.title);
    text_ += table_text(table, options_.unicode ? Notation::unicode : Notation::ascii, width_, table_rows_shown);
    overview_.rest.erase(group);
  }

  void rest() {
    if (overview_.rest.empty()) return;
    title("Other cases");
    for (const Group& group : overview_.rest) {
      paragraph(2, "- ", group_words(group, report_, format_));
      if (options_.verbose) {
        table(group.findings);
      } else if (group.verdict == Verdict::inconclusive) {
        common_notes(group.findings);
      }
    }
  }

  /// Why so many are open: the reasons that most of them have.
  void common_notes(const std::vector<const Finding*>& findings) {
    std::vector<std::vector<std::string>> sentences;
    sentences.reserve(findings.size());
    for (const Finding* finding : findings) sentences.push_back(notes_on(*finding, format_));
    std::vector<SharedNote> notes = shared_notes(sentences);
    notes.resize(std::min(notes.size(), common_notes_shown));
    for (const SharedNote& note : notes) {
      paragraph(4, "- ", fmt::format("{}: {}", grouped(static_cast<std::int64_t>(note.rows.size())), note.text));
    }
  }

  void terms() {
    std::vector<const Finding*> shown = overview_.listed;
    shown.insert(shown.end(), overview_.improved.begin(), overview_.improved.end());
    const auto used = terms_used(shown, report_, options_.verbose, format_);
    if (used.empty()) return;
    title("Terms");
    for (const Term& term : used)
      if (options_.verbose || term.qualifies) paragraph(2, "- ", term.word + ": " + term.meaning);
    if (!options_.verbose) paragraph(2, "- ", "`torchgate help verdicts`, or --verbose");
  }

  /// What a terminal shows is the end of a long report.
  void closing() {
    if (std::count(text_.begin(), text_.end(), '\n') <= rows_of_a_terminal) return;
    text_ += '\n';
    verdict();
  }

  const Report& report_;
  const TerminalOptions& options_;
  std::size_t width_;
  Format format_;
  Overview overview_;
  bool one_run_;
  std::string text_;
};

}  // namespace

std::string render_terminal(const Report& report, const TerminalOptions& options) {
  return Terminal(report, options).render();
}

}  // namespace torchgate::reports
