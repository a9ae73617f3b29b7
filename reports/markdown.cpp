// SPDX-License-Identifier: Apache-2.0
#include "reports/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "reports/fit.hpp"
#include "reports/format.hpp"
#include "reports/markdown_escape.hpp"
#include "reports/overview.hpp"
#include "reports/sentences.hpp"

namespace torchgate::reports {
namespace {

/// Which section gives way to which when the limit is short; smaller stays longer.
enum Rank {
  verdict_rank,
  doubts_rank,
  listed_rank,
  reasons_rank,
  claims_rank,
  steps_rank,
  numbers_rank,
  rest_rank,
  words_rank
};

std::string symbol_of(const Finding& finding) {
  if (finding.effect == GateEffect::fail) return "❌";
  if (finding.effect == GateEffect::warn) return "⚠️";
  return finding.verdict == Verdict::improved ? "🟢" : "▫️";
}

std::string symbol_of(Outcome outcome) {
  return outcome == Outcome::pass ? "✅" : outcome == Outcome::fail ? "❌" : "⚪";
}

std::string cell(const std::string& text) {
  return unbroken(markdown_text(text));
}

std::string table_row(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

/// A header and the line under it; a column whose name starts with ">" is a column of numbers.
std::string table_head(const std::vector<std::string>& columns) {
  std::vector<std::string> names;
  std::vector<std::string> rules;
  for (const std::string& column : columns) {
    const bool numbers = column.starts_with('>');
    names.push_back(numbers ? column.substr(1) : column);
    rules.emplace_back(numbers ? "--:" : ":--");
  }
  return table_row(names) + table_row(rules);
}

std::string collapsed(const std::string& summary_html) {
  return "\n<details><summary>" + summary_html + "</summary>\n\n";
}

std::function<std::string(std::size_t)> more(const std::string& what) {
  return [what](std::size_t count) {
    return fmt::format("\n*Left out for length: {} more {}; the JSON report has all of them.*\n",
                       grouped(static_cast<std::int64_t>(count)), what);
  };
}

std::string case_and_metric(const Finding& finding, bool in_table) {
  const std::string name = markdown_name(finding.case_name, in_table);
  return finding.metric.primary ? name : name + " " + markdown_name(finding.metric.name, in_table);
}

std::string joined_text(const std::vector<std::string>& sentences, const std::vector<std::string>& names = {}) {
  return markdown_text(fmt::format("{}", fmt::join(sentences, " ")), names);
}

std::string change_cell(const Finding& finding, const FindingCells& cells) {
  return finding.interval ? cell(cells.change) + " " + cell(cells.interval) : cell(cells.change);
}

class Markdown {
 public:
  explicit Markdown(const Report& report) : report_(report), overview_(overview_of(report)) {}

  [[nodiscard]] std::vector<Section> sections() const {
    std::vector<Section> sections = {verdict(), doubts(),  differences(), listed(),      reasons(),
                                     steps(),   numbers(), claims(),      other_claims()};
    for (const Group& group : overview_.rest) sections.push_back(rest(group));
    sections.push_back(notes());
    sections.push_back(words());
    return sections;
  }

 private:
  [[nodiscard]] Section verdict() const {
    std::vector<std::string> names;
    for (const Finding& finding : report_.findings) names.push_back(finding.case_name);
    for (const ClaimFinding& claim : report_.claims) names.push_back(claim.case_name);
    Section section;
    section.rank = verdict_rank;
    section.rows.push_back(fmt::format("## {} {}: {}\n", symbol_of(report_.outcome), outcome_word(report_.outcome),
                                       markdown_text(headline_of(report_, format_), names)));
    section.rows.push_back(fmt::format("\n{}.\n", markdown_text("Found: " + tally(report_, format_))));
    section.rows.push_back("\n" + compared() + "\n");
    return section;
  }

  [[nodiscard]] std::string compared() const {
    const std::string before = markdown_text(side_words(report_.before));
    const std::string after = markdown_text(side_words(report_.after));
    std::string text = fmt::format("Compared: {} → {}", before, after);
    const std::string& host = report_.before.host_key;
    const std::string& other = report_.after.host_key;
    if (!host.empty() && host == other) text += " on " + markdown_name(host, false);
    if (host != other) text += fmt::format(" ({} → {})", markdown_name(host, false), markdown_name(other, false));
    return text + ". " + markdown_text(rule_words(report_, format_)) + ".";
  }

  [[nodiscard]] Section doubts() const {
    Section section{doubts_rank, 0.15, "\n> ⚠️ **Doubtful, because**\n", {}, "", more("doubts")};
    for (const std::string& doubt : report_.doubts) section.rows.push_back("> - " + markdown_text(doubt) + "\n");
    return section;
  }

  [[nodiscard]] Section differences() const {
    std::vector<Difference> differences = report_.differences;
    std::stable_partition(differences.begin(), differences.end(), [](const Difference& d) { return d.refuses; });
    const bool refused = !differences.empty() && differences.front().refuses;
    const std::string title = counted(static_cast<std::int64_t>(differences.size()), "difference", "differences") +
                              " between the sides' machines or software";
    const std::string head = table_head({"fact", "before", "after", ""});
    Section section{doubts_rank,
                    0.15,
                    refused ? "\n**" + title + "**\n\n" + head : collapsed(title) + head,
                    {},
                    refused ? "" : "\n</details>\n",
                    more("differences")};
    for (const Difference& difference : differences) {
      section.rows.push_back(
          table_row({markdown_name(difference.name, true), markdown_name(difference.before, true),
                     markdown_name(difference.after, true), difference.refuses ? "**not comparable**" : ""}));
    }
    return section;
  }

  [[nodiscard]] Section listed() const {
    const auto level = common_level(overview_.listed, format_);
    const std::string change = level ? ">change [" + unbroken(*level) + " interval]" : ">change [interval]";
    Section section{
        listed_rank, 0.5, "\n" + table_head({"verdict", "case", ">before", ">after", change, ">p", ">Cohen's d", ">n"}),
        {},          "",  more("rows")};
    for (const Finding* finding : overview_.listed) {
      const FindingCells cells = cells_of(*finding, format_);
      const std::string verdict = symbol_of(*finding) + " " + verdict_words(finding->verdict, report_, format_);
      section.rows.push_back(
          table_row({unbroken(verdict), case_and_metric(*finding, true), cell(cells.before), cell(cells.after),
                     change_cell(*finding, cells), cell(cells.p), cell(cells.effect_size), cell(cells.observations)}));
    }
    return section;
  }

  [[nodiscard]] Section reasons() const {
    Section section{reasons_rank, 0.2, "\n**Why**\n\n", {}, "", more("explanations")};
    for (const Finding* finding : overview_.listed) {
      const auto sentences = explanation_of(*finding, format_);
      if (sentences.empty()) continue;
      section.rows.push_back(fmt::format("- {} {}: {}\n", symbol_of(*finding), case_and_metric(*finding, false),
                                         joined_text(sentences, {finding->case_name})));
    }
    return section;
  }

  [[nodiscard]] Section steps() const {
    Section section{steps_rank, 1, "\n**What to do**\n\n", {}, "", nullptr};
    for (const std::string& step : next_steps(report_)) section.rows.push_back("- " + step + "\n");
    return section;
  }

  /// One block for each listed finding: tails, throughput, memory, and the textbook rule's answer.
  [[nodiscard]] Section numbers() const {
    Section section{numbers_rank, 0.15, "", {}, "", more("blocks of numbers")};
    for (const Finding* finding : overview_.listed) {
      if (finding->before || finding->after || finding->textbook) section.rows.push_back(numbers_of(*finding));
    }
    if (!section.rows.empty())
      section.before = "\n**Numbers of each case** (P95, P99, throughput, memory, textbook rule)\n";
    return section;
  }

  [[nodiscard]] std::string numbers_of(const Finding& finding) const {
    const FindingCells cells = cells_of(finding, format_);
    std::string text =
        collapsed(fmt::format("{} <code>{}</code> {} {}", symbol_of(finding), html_text(finding.case_name),
                              finding.metric.primary ? "" : html_text(finding.metric.name), cells.change));
    text += table_head({"", ">before", ">after", ">change"});
    text += table_row(
        {markdown_name(finding.metric.name, true), cell(cells.before), cell(cells.after), change_cell(finding, cells)});
    const auto tail = [&](const std::string& name, std::optional<Tail> SideNumbers::*member) {
      const auto of = [&](const std::optional<SideNumbers>& side) { return side ? (*side).*member : std::nullopt; };
      const std::optional<Tail> before = of(finding.before);
      const std::optional<Tail> after = of(finding.after);
      if (!before && !after) return;
      const auto value = [](const std::optional<Tail>& t) { return t ? std::optional(t->value) : std::nullopt; };
      text += table_row({name, tail_cell(before, finding.metric.unit), tail_cell(after, finding.metric.unit),
                         cell(format_.percent(relative_change(value(before), value(after))))});
    };
    tail("P95", &SideNumbers::p95);
    tail("P99", &SideNumbers::p99);
    const auto number = [&](const std::string& name, std::optional<double> SideNumbers::*member, auto print) {
      const auto of = [&](const std::optional<SideNumbers>& side) { return side ? (*side).*member : std::nullopt; };
      if (!of(finding.before) && !of(finding.after)) return;
      text += table_row({name, cell(print(of(finding.before))), cell(print(of(finding.after))),
                         cell(format_.percent(relative_change(of(finding.before), of(finding.after))))});
    };
    number("throughput", &SideNumbers::items_per_second, [&](std::optional<double> v) { return format_.rate(v); });
    number("peak memory", &SideNumbers::peak_bytes,
           [&](std::optional<double> v) { return format_.quantity(v, "bytes"); });
    text += table_row({unbroken("processes (samples)"), counts_cell(finding.before), counts_cell(finding.after), ""});
    if (finding.textbook) {
      text += "\nThe textbook rule says: " + markdown_text(textbook_words(*finding.textbook, format_)) + ".\n";
    }
    return text + "\n</details>\n";
  }

  [[nodiscard]] std::string tail_cell(const std::optional<Tail>& tail, const std::string& unit) const {
    if (!tail) return format_.unknown();
    const std::string value = cell(format_.quantity(tail->value, unit));
    return tail->interval ? value + " " + cell(format_.value_interval(tail->interval, unit)) : value;
  }

  [[nodiscard]] std::string counts_cell(const std::optional<SideNumbers>& side) const {
    if (!side || side->processes <= 0) return format_.unknown();
    return unbroken(fmt::format("{} ({})", grouped(side->processes),
                                side->samples > 0 ? grouped(side->samples) : format_.unknown()));
  }

  [[nodiscard]] std::string claims_head() const {
    return table_head({"claim", "case", "compared with", "promise", ">measured", ">bound", "note"});
  }

  [[nodiscard]] std::string claim_row(const ClaimFinding& claim) const {
    const std::string symbol = claim.state != ClaimState::broken  ? ""
                               : claim.effect == GateEffect::fail ? "❌ "
                                                                  : "⚠️ ";
    std::string state = to_string(claim.state);
    std::replace(state.begin(), state.end(), '_', ' ');
    const std::string promise =
        claim.text.empty() ? cell(promise_words(claim, format_)) : markdown_name(claim.text, true);
    return table_row({unbroken(symbol + state), markdown_name(claim.case_name, true),
                      claim.reference_case.empty() ? format_.unknown() : markdown_name(claim.reference_case, true),
                      promise, cell(format_.factor(claim.measured_ratio)), cell(format_.factor(claim.bound)),
                      markdown_text(claim.reason)});
  }

  [[nodiscard]] Section claims() const {
    Section section{claims_rank,
                    0.15,
                    "\n**Broken claims** (what a group promises about its optimised variant)\n\n" + claims_head(),
                    {},
                    "",
                    more("broken claims")};
    for (const ClaimFinding& claim : report_.claims) {
      if (claim.state == ClaimState::broken) section.rows.push_back(claim_row(claim));
    }
    return section;
  }

  [[nodiscard]] Section other_claims() const {
    std::vector<ClaimFinding> others;
    std::copy_if(report_.claims.begin(), report_.claims.end(), std::back_inserter(others),
                 [](const ClaimFinding& claim) { return claim.state != ClaimState::broken; });
    Section section{rest_rank,        0.1,           collapsed("Claims: " + claims_tally(others)) + claims_head(), {},
                    "\n</details>\n", more("claims")};
    for (const ClaimFinding& claim : others) section.rows.push_back(claim_row(claim));
    return section;
  }

  [[nodiscard]] Section rest(const Group& group) const {
    const std::string title = html_text(counted(static_cast<std::int64_t>(group.findings.size()), "row ", "rows ") +
                                        verdict_words(group.verdict, report_, format_));
    Section section{rest_rank,
                    0.1,
                    collapsed(title) + table_head({"case", ">before", ">after", ">change [interval]", ">n", "note"}),
                    {},
                    "\n</details>\n",
                    more("rows " + verdict_words(group.verdict, report_, format_))};
    for (const Finding* finding : group.findings) {
      const FindingCells cells = cells_of(*finding, format_);
      section.rows.push_back(table_row({case_and_metric(*finding, true), cell(cells.before), cell(cells.after),
                                        change_cell(*finding, cells), cell(cells.observations),
                                        joined_text(explanation_of(*finding, format_))}));
    }
    return section;
  }

  [[nodiscard]] Section notes() const {
    Section section{steps_rank, 0.1, "\n**Notes**\n\n", {}, "", more("notes")};
    for (const std::string& note : report_.notes) section.rows.push_back("- " + markdown_text(note) + "\n");
    return section;
  }

  [[nodiscard]] Section words() const {
    Section section{words_rank, 1, collapsed("How to read this"), {}, "\n</details>\n", nullptr};
    for (const Term& term : terms_used(report_, format_)) {
      section.rows.push_back(fmt::format("- **{}**: {}\n", markdown_text(term.word), markdown_text(term.meaning)));
    }
    return section;
  }

  const Report& report_;
  Overview overview_;
  Format format_;
};

}  // namespace

std::string render_markdown(const Report& report, const MarkdownOptions& options) {
  return fit(Markdown(report).sections(), options.limit_bytes);
}

}  // namespace torchgate::reports
