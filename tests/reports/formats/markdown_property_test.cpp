// SPDX-License-Identifier: Apache-2.0
// For any names and messages the Markdown stays well formed: within the limit, tables whole, no tag, comment or control
// character that comes from them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "reports/formats/markdown.hpp"
#include "reports/formats/terminal.hpp"
#include "reports/safe_text.hpp"
#include "tests/reports/models.hpp"
#include "tests/reports/read_back.hpp"

namespace torchgate::reports {
namespace {

/// Strings made of what breaks Markdown, more often than chance would make them.
rc::Gen<std::string> hostile_text() {
  const auto piece = rc::gen::element<std::string>(
      "|", "\\", "`", "``", "\n", "\r\n", "<", ">", "</details>", "<!--", "-->", "](", "[", "*", "_", "@a", "#1", "$",
      "~~", "&", ":x:", "- ", "1. ", "# ", "> ", "https://", "www.", "\u202E", "\u200B", "\x1B[1m", "\xFF", "\xC3", "é",
      "日", " ", "a", "b/c", "8", "%", "---", "| :-- |", "\t");
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece), [](const std::vector<std::string>& pieces) {
    std::string text;
    for (const std::string& each : pieces) text += each;
    return text;
  });
}

rc::Gen<std::optional<double>> maybe_number() {
  return rc::gen::map(rc::gen::arbitrary<std::pair<bool, double>>(), [](const std::pair<bool, double>& drawn) {
    return drawn.first ? std::optional(drawn.second) : std::nullopt;
  });
}

facts::Facts any_facts() {
  const auto texts = *rc::gen::container<std::vector<std::string>>(hostile_text());
  return {texts.begin(), texts.end()};
}

Finding any_finding() {
  Finding finding;
  finding.case_name = *hostile_text();
  finding.metric.name = *hostile_text();
  finding.metric.unit = *rc::gen::oneOf(rc::gen::element<std::string>("ns", "bytes", "1"), hostile_text());
  finding.metric.kind = *rc::gen::element(record::MetricKind::timed, record::MetricKind::exact);
  finding.metric.primary = *rc::gen::arbitrary<bool>();
  finding.verdict = static_cast<Verdict>(*rc::gen::inRange(0, static_cast<int>(Verdict::skipped) + 1));
  finding.action = static_cast<GateAction>(*rc::gen::inRange(0, static_cast<int>(GateAction::pass) + 1));
  for (std::optional<SideNumbers>* side : {&finding.before, &finding.after}) {
    if (!*rc::gen::arbitrary<bool>()) continue;
    *side = SideNumbers{};
    (*side)->value = *rc::gen::arbitrary<double>();
    (*side)->processes = *rc::gen::inRange(0, 9);
    (*side)->items_per_second = *maybe_number();
    (*side)->peak_bytes = *maybe_number();
    if (*rc::gen::arbitrary<bool>()) (*side)->p95 = Tail{*rc::gen::arbitrary<double>(), Interval{1, 2, 0.95}};
  }
  finding.change = *maybe_number();
  if (*rc::gen::arbitrary<bool>()) finding.interval = Interval{*rc::gen::arbitrary<double>(), 1, 0.99};
  finding.p = *maybe_number();
  finding.cohens_d = *maybe_number();
  finding.cohens_d_word = *hostile_text();
  if (*rc::gen::arbitrary<bool>())
    finding.textbook = TextbookAnswer{0.1, 0.2, *hostile_text(), *hostile_text(), *hostile_text()};
  if (*rc::gen::arbitrary<bool>()) {
    finding.confirmation = Confirmation{};
    finding.confirmation->pairs = *rc::gen::inRange(0, 3);
    finding.confirmation->note = *hostile_text();
  }
  finding.reasons = any_facts();
  finding.causes = any_facts();
  return finding;
}

Report any_report() {
  Report report;
  report.outcome = *rc::gen::element(Outcome::pass, Outcome::fail, Outcome::no_verdict);
  report.headline = *hostile_text();
  const auto doubts = *rc::gen::container<std::vector<std::string>>(hostile_text());
  report.doubts.assign(doubts.begin(), doubts.end());
  report.notes = any_facts();
  report.rule = *hostile_text();
  report.before.label = *hostile_text();
  report.before.host_key = *hostile_text();
  report.after.commit = *hostile_text();
  report.after.created = *hostile_text();
  for (int i = *rc::gen::inRange(0, 5); i > 0; --i) report.findings.push_back(any_finding());
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i) {
    ClaimFinding claim;
    claim.case_name = *hostile_text();
    claim.reference_case = *hostile_text();
    claim.text = *hostile_text();
    claim.state = static_cast<ClaimState>(*rc::gen::inRange(0, 4));
    claim.reasons = any_facts();
    claim.measured_ratio = *maybe_number();
    report.claims.push_back(claim);
  }
  report.families = Families{*rc::gen::arbitrary<bool>(), {}};
  for (int i = *rc::gen::inRange(0, 9); i > 0; --i)
    report.families->families.push_back({*hostile_text(), 5, *rc::gen::inRange(0, 6), *maybe_number()});
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i) {
    report.differences.push_back({*hostile_text(), *hostile_text(), *hostile_text(), *rc::gen::arbitrary<bool>()});
  }
  return report;
}

/// Every row of a table has as many cells as its head, whichever way a renderer counts backslashes.
void check_tables(const std::string& markdown) {
  std::size_t cells = 0;
  for (const std::string& line : lines_of(markdown)) {
    if (line.empty() || line.front() != '|') {
      cells = 0;
      continue;
    }
    if (cells == 0) cells = cells_in_row(line, true);
    RC_ASSERT(cells > 0U);
    RC_ASSERT(cells_in_row(line, true) == cells);
    RC_ASSERT(cells_in_row(line, false) == cells);
    RC_ASSERT(line.back() == '|');
  }
}

/// The line without its code spans, in which nothing has an action.
std::string without_code(const std::string& line) {
  std::string outside;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == '\\' && at + 1 < line.size()) {
      at += 2;
      continue;
    }
    if (line[at] != '`') {
      outside += line[at++];
      continue;
    }
    const std::size_t fence = std::min(line.find_first_not_of('`', at), line.size()) - at;
    std::size_t close = at + fence;
    for (std::size_t run = 0; close < line.size(); close += std::max<std::size_t>(run, 1)) {
      run = std::min(line.find_first_not_of('`', close), line.size()) - close;
      if (line[close] == '`' && run == fence) break;
    }
    RC_ASSERT(close < line.size());  // every code span that is opened is closed on its line
    at = close + fence;
  }
  return outside;
}

/// Outside code there are only the tags that we write, and no mention.
void check_markup(const std::string& markdown) {
  int open = 0;
  bool in_block = false;
  for (const std::string& line : lines_of(markdown)) {
    if (line == "```") {
      in_block = !in_block;
      continue;
    }
    if (in_block) {  // nothing has an action there, and no name ends it
      RC_ASSERT(!line.substr(std::min(line.find_first_not_of(' '), line.size())).starts_with("```"));
      continue;
    }
    const bool raw_html = line.starts_with("<details><summary>") || line.starts_with("<details open><summary>");
    if (raw_html) {
      RC_ASSERT(line.ends_with("</summary>"));
      ++open;
    }
    if (line == "</details>") --open;
    std::string rest = raw_html ? line : without_code(line);
    for (const char* tag : {"<details>", "<details open>", "</details>", "<summary>", "</summary>", "<code>", "</code>",
                            "<span>$</span>"}) {
      for (std::size_t at = 0; (at = rest.find(tag)) != std::string::npos;)
        rest.erase(at, std::string_view(tag).size());
    }
    RC_ASSERT(rest.find('<') == std::string::npos);
    RC_ASSERT(raw_html || rest.find("@a") == std::string::npos);
    RC_ASSERT(raw_html || rest.find("](") == std::string::npos);
    RC_ASSERT(raw_html || rest.find("://") == std::string::npos);
  }
  RC_ASSERT(open == 0);
  RC_ASSERT(!in_block);
}

void check_characters(const std::string& text) {
  for (const std::string& line : lines_of(text)) RC_ASSERT(one_line(line) == line);
}

RC_GTEST_PROP(MarkdownOfAnyReport, IsWellFormed, ()) {
  const std::string markdown = render_markdown(any_report());
  check_tables(markdown);
  check_markup(markdown);
  check_characters(markdown);
}

RC_GTEST_PROP(MarkdownOfAnyReport, StaysWithinAnyLimit, ()) {
  const Report report = any_report();
  const auto limit = *rc::gen::inRange<std::size_t>(0, 6000);
  const std::string markdown = render_markdown(report, {.limit_bytes = limit});
  RC_ASSERT(markdown.size() <= limit);
  check_tables(markdown);
  check_markup(markdown);
}

RC_GTEST_PROP(TerminalOfAnyReport, HasNoControlCharacters, ()) {
  check_characters(render_terminal(any_report(), {.verbose = true}));
}

TEST(MarkdownOfManyRows, KeepsTheWorstAndCountsTheRest) {
  const Report report = models::five_hundred_rows();
  const std::string markdown = render_markdown(report);
  EXPECT_LE(markdown.size(), 60000U);
  EXPECT_GT(markdown.size(), 55000U);  // the room is used
  std::size_t rows = 0;
  for (const MarkdownRow& row : read_tables(markdown)) rows += row.cells.count("verdict");
  EXPECT_GT(rows, 100U);
  EXPECT_NE(markdown.find("number:499` |"), std::string::npos);  // the largest change
  EXPECT_EQ(markdown.find("number:0` |"), std::string::npos);    // the smallest
  EXPECT_NE(markdown.find("*" + std::to_string(500 - rows) + " more rows omitted"), std::string::npos);
}

}  // namespace
}  // namespace torchgate::reports
