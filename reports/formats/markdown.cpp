// SPDX-License-Identifier: Apache-2.0
// Over 400 lines because all sections share the report, its overview and the limit.
// One section for each part of the report, in the order in which a reviewer asks; fit() decides what is printed.
#include "reports/formats/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "reports/advice.hpp"
#include "reports/columns.hpp"
#include "reports/fit.hpp"
#include "reports/forest_text.hpp"
#include "reports/format.hpp"
#include "reports/formats/markdown_claims.hpp"
#include "reports/formats/markdown_details.hpp"
#include "reports/formats/markdown_escape.hpp"
#include "reports/formats/markdown_parts.hpp"
#include "reports/formats/markdown_table.hpp"
#include "reports/formats/markdown_upgrade.hpp"
#include "reports/formats/table_formats.hpp"
#include "reports/glossary.hpp"
#include "reports/measured_table.hpp"
#include "reports/overview.hpp"
#include "reports/safe_text.hpp"
#include "reports/sentences.hpp"

namespace torchgate::reports {
namespace {

constexpr auto right = MarkdownTable::Align::right;

// A doubt above the table is a line, or two on a narrow page; the folded list has all of it.
constexpr std::size_t open_doubt_width = 160;
// Notes below the table of what matters; the others are folded.
constexpr std::size_t open_notes = 6;
// Of a code block in a comment on GitHub, without a scroll bar at the usual width of a window.
constexpr std::size_t forest_width = 88;
// Parts of names that are set as code where they occur in a headline: a shorter one occurs in other words, too.
constexpr std::size_t shortest_name_in_text = 3;

std::string symbol_of(const Report& report) {
  return is_clear_pass(report) ? "✅" : report.outcome == Outcome::fail ? "❌" : "⚪";
}

int rank_of(MarkdownRank rank) {
  return static_cast<int>(rank);
}

class Markdown {
 public:
  /// Rows beyond LIMIT bytes are counted, not written: of 10,000 cases some hundreds fit.
  Markdown(const Report& report, std::size_t limit)
      : report_(report), overview_(overview_of(report)), limit_(limit), notes_(notes_of(overview_.listed)) {}

  [[nodiscard]] std::vector<Section> first_screen() const { return {verdict(), doubts()}; }

  [[nodiscard]] std::vector<Section> rest() const {
    std::vector<Section> sections = {refusing_differences()};
    if (report_.upgrade) {
      for (Section& section : markdown_upgrade(*report_.upgrade)) sections.push_back(std::move(section));
    }
    for (const Section& section : {forest(), listed(), table_notes(), causes(), improved(),
                                   markdown_broken_claims(overview_), steps(), compared()})
      sections.push_back(section);
    for (Section& section : markdown_details(overview_.listed, limit_)) sections.push_back(std::move(section));
    for (const Section& section :
         {further_notes(), further_doubts(), differences(), markdown_other_claims(report_, overview_)})
      sections.push_back(section);
    for (const Group& group : overview_.rest) sections.push_back(rest(group));
    sections.push_back(notes());
    sections.push_back(words());
    return sections;
  }

  [[nodiscard]] std::string rest_title() const { return markdown_rest_title(report_, overview_); }

 private:
  [[nodiscard]] MarkdownTable table(std::vector<MarkdownTable::Column> columns) const {
    return {std::move(columns), format_.unknown()};
  }

  /// Sentences that stand under a table: all but the causes, which have a section of their own where they matter.
  [[nodiscard]] std::vector<std::vector<std::string>> notes_of(const std::vector<const Finding*>& findings) const {
    std::vector<std::vector<std::string>> sentences;
    sentences.reserve(findings.size());
    for (const Finding* finding : findings) sentences.push_back(notes_on(*finding, format_));
    return sentences;
  }

  [[nodiscard]] std::vector<std::string> names_in_headline() const {
    std::vector<std::string> names;
    for (const Finding& finding : report_.findings) names.push_back(finding.case_name);
    for (const ClaimFinding& claim : report_.claims) names.push_back(claim.case_name);
    if (!report_.families) return names;
    for (const Family& family : report_.families->families) {
      if (family.name.size() >= shortest_name_in_text) names.push_back(family.name);
    }
    return names;
  }

  [[nodiscard]] Section verdict() const {
    Section section;
    section.rank = rank_of(MarkdownRank::verdict);
    section.rows.push_back(fmt::format("## {} {}: {}\n", symbol_of(report_), outcome_word(report_),
                                       markdown_text(headline_of(report_, format_), names_in_headline())));
    section.rows.push_back(fmt::format("\n**Found:** {}.\n", markdown_text(tally(report_, format_))));
    return section;
  }

  [[nodiscard]] Section compared() const {
    const bool one_run = is_of_one_run(report_);
    std::string text = one_run ? markdown_text(side_words(report_.after))
                               : fmt::format("{} → {}", markdown_text(side_words(report_.before)),
                                             markdown_text(side_words(report_.after)));
    const std::string host = host_words(report_, format_);
    if (!host.empty()) text += fmt::format(" on {}", markdown_name(host, false));
    Section section;
    section.rank = rank_of(MarkdownRank::verdict);
    const std::string rule = fmt::format(" Rule: {}.", markdown_text(rule_words(report_, format_)));
    section.rows.push_back(fmt::format("\n**{}:** {}.{}\n", one_run ? "Measured" : "Compared", text,
                                       one_run && report_.cases_judged == 0 ? "" : rule));
    return section;
  }

  /// What fails, warns, stays open or improved, as far as changes are known.
  [[nodiscard]] Section forest() const {
    Section section;
    section.rank = rank_of(MarkdownRank::forest);
    const Forest chosen = forest_of(report_, overview_, ForestCases::notable, most_forest_lines);
    const auto lines = forest_lines(chosen, report_, {.width = forest_width});
    if (lines.empty()) return section;
    std::string text = "\n```\n";
    // Each row begins with its mark: no name ends the block.
    for (const ForestLine& line : lines) text += line.text() + "\n";
    section.rows.push_back(text + "```\n");
    return section;
  }

  [[nodiscard]] std::size_t open_doubts() const { return std::min(doubts_shown, report_.doubts.size()); }

  [[nodiscard]] Section doubts() const {
    Section section{rank_of(MarkdownRank::doubts), markdown_sentences_share, "\n> ⚠️ **Doubts**\n", {}, "",
                    markdown_omitted("doubts")};
    for (std::size_t i = 0; i < open_doubts(); ++i) {
      const std::string line = cut_at_word(one_line(report_.doubts[i].fact.words()), open_doubt_width, "…");
      section.rows.push_back(fmt::format("> - {}\n", markdown_text(line)));
    }
    return section;
  }

  /// Those that are not above, and those of which only a part is.
  [[nodiscard]] Section further_doubts() const {
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < report_.doubts.size(); ++i) {
      const std::string text = report_.doubts[i];
      if (i >= open_doubts() || display_width(one_line(text)) > open_doubt_width)
        rows.push_back(fmt::format("- {}\n", markdown_text(text)));
    }
    const bool new_ones = report_.doubts.size() > open_doubts();
    const auto count = static_cast<std::int64_t>(new_ones ? report_.doubts.size() - open_doubts() : rows.size());
    const std::string title = new_ones ? counted(count, "more doubt", "more doubts") : "Doubts in full";
    return {rank_of(MarkdownRank::doubts), markdown_sentences_share,  markdown_folded("⚠️ " + title), rows,
            markdown_end_of_folded,        markdown_omitted("doubts")};
  }

  [[nodiscard]] MarkdownTable difference_table(bool refusing) const {
    MarkdownTable facts = table({{"fact"}, {"before"}, {"after"}, {"comparable"}});
    for (const Difference& difference : report_.differences) {
      if (difference.refuses != refusing) continue;
      const auto value = [&](const std::string& text) {
        return text.empty() ? format_.unknown() : markdown_name(text, true);
      };
      facts.add_row({markdown_name(difference.name, true), value(difference.before), value(difference.after),
                     refusing ? "**no**" : ""});
    }
    return facts;
  }

  /// Those that forbid the comparison are the verdict's reason and stay open; the others fold away.
  [[nodiscard]] Section refusing_differences() const {
    const MarkdownTable facts = difference_table(true);
    const auto count = static_cast<std::int64_t>(facts.rows().size());
    const std::string title = counted(count, "difference that forbids", "differences that forbid") + " the comparison";
    return {rank_of(MarkdownRank::doubts),
            markdown_sentences_share,
            fmt::format("\n**{}**\n\n", title) + facts.head(),
            facts.rows(),
            "",
            markdown_omitted("differences")};
  }

  [[nodiscard]] Section differences() const {
    const MarkdownTable facts = difference_table(false);
    const auto count = static_cast<std::int64_t>(facts.rows().size());
    const std::string title = counted(count, "machine or software difference", "machine or software differences");
    return {rank_of(MarkdownRank::doubts),
            markdown_sentences_share,
            markdown_folded("⚠️ " + title) + facts.head(),
            facts.rows(),
            markdown_end_of_folded,
            markdown_omitted("differences")};
  }

  [[nodiscard]] std::string evidence_cell(const FindingCells& cells) const {
    if (cells.effect_size == format_.unknown()) return markdown_quantity(cells.p);
    return fmt::format("{}, {}", markdown_quantity(cells.p), markdown_quantity(cells.effect_size));
  }

  /// Rows with a verdict of their own: what is listed, or what improved.
  [[nodiscard]] Section table_of(const std::vector<const Finding*>& findings, const MarkdownNotes& notes,
                                 MarkdownRank rank, const std::string& before, const std::string& after) const {
    const auto level = common_level(findings, format_);
    const std::string change = level ? fmt::format("change [{} interval]", unbroken(*level)) : "change [interval]";
    MarkdownTable rows = table({{"verdict"},
                                {"case"},
                                {"before → after", right},
                                {change, right},
                                {"p, Cohen's d", right},
                                {"n", right},
                                {"note", right}});
    std::size_t unwritten = 0;
    for (std::size_t i = 0; i < findings.size(); ++i) {
      if (rows.row_bytes() > limit_) {
        ++unwritten;
        continue;
      }
      const Finding& finding = *findings[i];
      const FindingCells cells = cells_of(finding, report_, format_);
      const std::string verdict =
          fmt::format("{} {}", markdown_symbol(finding), verdict_words(finding, report_, format_));
      rows.add_row({unbroken(verdict), markdown_case(finding, true), markdown_values(cells, format_),
                    markdown_change(cells, format_), evidence_cell(cells), markdown_cell(cells.observations),
                    notes.numbers_of(i)});
    }
    return {rank_of(rank),
            rank == MarkdownRank::listed ? markdown_listed_share : markdown_rest_share,
            before + rows.head(),
            rows.rows(),
            after,
            markdown_omitted("rows"),
            unwritten};
  }

  /// Under a folded table.
  [[nodiscard]] static std::string notes_text(const MarkdownNotes& notes) {
    std::string text = notes.items().empty() ? "" : "\n";
    for (std::size_t i = 0; i < std::min(open_notes, notes.items().size()); ++i) text += notes.items()[i];
    if (notes.items().size() > open_notes)
      text += fmt::format("- {} more notes: see the JSON report\n", notes.items().size() - open_notes);
    return text;
  }

  [[nodiscard]] Section listed() const { return table_of(overview_.listed, notes_, MarkdownRank::listed, "\n", ""); }

  [[nodiscard]] Section improved() const {
    const MarkdownNotes notes(notes_of(overview_.improved));
    const std::string title = "🟢 " + counted(cases_in(overview_.improved), "case improved", "cases improved");
    return table_of(overview_.improved, notes, MarkdownRank::improved, markdown_folded(title, overview_.listed.empty()),
                    notes_text(notes) + markdown_end_of_folded);
  }

  [[nodiscard]] Section table_notes() const {
    Section section{rank_of(MarkdownRank::table_notes), markdown_sentences_share, "\n", {}, "",
                    markdown_omitted("notes")};
    const auto& items = notes_.items();
    section.rows.assign(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(std::min(open_notes, items.size())));
    return section;
  }

  [[nodiscard]] Section further_notes() const {
    const auto& items = notes_.items();
    const std::size_t shown = std::min(open_notes, items.size());
    const auto count = static_cast<std::int64_t>(items.size() - shown);
    return {rank_of(MarkdownRank::details),
            markdown_sentences_share,
            markdown_folded(counted(count, "more note on the table", "more notes on the table")),
            {items.begin() + static_cast<std::ptrdiff_t>(shown), items.end()},
            markdown_end_of_folded,
            markdown_omitted("notes")};
  }

  /// One item for each cause, with the cases that have it.
  [[nodiscard]] Section causes() const {
    Section section{rank_of(MarkdownRank::causes), markdown_sentences_share, "\n**Why**\n\n", {}, "",
                    markdown_omitted("causes")};
    std::vector<std::string> order;
    std::map<std::string, std::vector<const Finding*>> cases_of;
    for (const Finding* finding : overview_.listed) {
      for (const std::string cause : finding->causes) {
        auto& cases = cases_of[cause];
        if (cases.empty()) order.push_back(cause);
        cases.push_back(finding);
      }
    }
    for (const std::string& cause : order) {
      const auto& cases = cases_of[cause];
      const std::string others =
          cases.size() > 1 ? fmt::format(" and {} more", grouped(static_cast<std::int64_t>(cases.size() - 1))) : "";
      section.rows.push_back(fmt::format("- {} {}{}: {}\n", markdown_symbol(*cases.front()),
                                         markdown_case(*cases.front(), false), others,
                                         markdown_text(as_sentence(cause), {cases.front()->case_name})));
    }
    return section;
  }

  [[nodiscard]] Section steps() const {
    Section section{rank_of(MarkdownRank::steps), 1, "\n**Next steps**\n\n", {}, "", nullptr};
    for (const std::string& step : next_steps(report_))
      section.rows.push_back(fmt::format("- {}\n", markdown_step(step)));
    return section;
  }

  /// Without anything to compare with, what was measured is all there is to see.
  [[nodiscard]] Section measured(const Group& group) const {
    Table values = measured_table(group.findings, report_, format_);
    values.title = group_words(group, report_, format_);
    return table_section(values, rank_of(MarkdownRank::listed), markdown_listed_share, true);
  }

  [[nodiscard]] Section rest(const Group& group) const {
    if (group.verdict == Verdict::new_case && is_of_one_run(report_)) return measured(group);
    // An exact metric that is the same on both sides has nothing to show.
    std::vector<const Finding*> shown;
    std::int64_t unchanged_counts = 0;
    for (const Finding* finding : group.findings) {
      const bool silent = finding->metric.kind == record::MetricKind::exact && group.verdict == Verdict::equivalent &&
                          explanation_of(*finding, format_).empty();
      if (silent) {
        ++unchanged_counts;
      } else {
        shown.push_back(finding);
      }
    }
    const MarkdownNotes notes(notes_of(shown));
    MarkdownTable findings =
        table({{"case"}, {"before → after", right}, {"change [interval]", right}, {"n", right}, {"note", right}});
    std::size_t unwritten = 0;
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (findings.row_bytes() > limit_) {
        ++unwritten;
        continue;
      }
      const FindingCells cells = cells_of(*shown[i], report_, format_);
      findings.add_row({markdown_case(*shown[i], true), markdown_values(cells, format_),
                        markdown_change(cells, format_), markdown_quantity(cells.observations), notes.numbers_of(i)});
    }
    std::string title = html_text(group_words(group, report_, format_));
    if (group.verdict == Verdict::inconclusive && !notes.most_common().empty())
      title += fmt::format(" ({})", html_text(notes.most_common()));
    std::string after = notes_text(notes);
    if (unchanged_counts > 0)
      after += fmt::format("\n{} with the same value on both sides.\n",
                           counted(unchanged_counts, "exact metric", "exact metrics"));
    return {rank_of(MarkdownRank::rest),
            markdown_rest_share,
            markdown_folded(title) + findings.head(),
            findings.rows(),
            after + markdown_end_of_folded,
            markdown_omitted("rows " + verdict_words(group.verdict, report_, format_)),
            unwritten};
  }

  [[nodiscard]] Section notes() const {
    Section section{rank_of(MarkdownRank::steps), markdown_sentences_share, "\n**Notes**\n\n", {}, "",
                    markdown_omitted("notes")};
    for (const facts::Fact& note : report_.notes)
      section.rows.push_back(fmt::format("- {}\n", markdown_text(note.words())));
    return section;
  }

  [[nodiscard]] Section words() const {
    std::vector<const Finding*> findings;
    for (const Finding& finding : report_.findings) findings.push_back(&finding);
    Section section{rank_of(MarkdownRank::terms), 1, markdown_folded("Terms"), {}, markdown_end_of_folded, nullptr};
    for (const Term& term : terms_used(findings, report_, true, format_)) {
      section.rows.push_back(fmt::format("- **{}**: {}\n", markdown_text(term.word), markdown_text(term.meaning)));
    }
    return section;
  }

  const Report& report_;
  Overview overview_;
  std::size_t limit_;
  Format format_;
  MarkdownNotes notes_;  // of the table of what is listed
};

}  // namespace

std::string render_markdown(const Report& report, const MarkdownOptions& options) {
  const Markdown markdown(report, options.limit_bytes);
  if (report.outcome != Outcome::pass) {
    std::vector<Section> sections = markdown.first_screen();
    for (Section& section : markdown.rest()) sections.push_back(std::move(section));
    return fit(sections, options.limit_bytes);
  }
  // Who reads a comment that passes reads on only with a reason: a few lines, and the rest behind one more.
  std::string text = fit(markdown.first_screen(), options.limit_bytes);
  const std::string begin = markdown_folded(markdown.rest_title());
  const std::string end = markdown_end_of_folded;
  const std::size_t used = text.size() + begin.size() + end.size();
  const std::string folded = used < options.limit_bytes ? fit(markdown.rest(), options.limit_bytes - used) : "";
  return folded.empty() ? text : text + begin + folded + end;
}

}  // namespace torchgate::reports
