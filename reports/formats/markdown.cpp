// SPDX-License-Identifier: Apache-2.0
// One section for each part of the report, in the order in which a reviewer asks; fit() decides what is printed.
#include "reports/formats/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "reports/advice.hpp"
#include "reports/fit.hpp"
#include "reports/format.hpp"
#include "reports/formats/markdown_escape.hpp"
#include "reports/formats/markdown_table.hpp"
#include "reports/glossary.hpp"
#include "reports/overview.hpp"
#include "reports/sentences.hpp"

namespace torchgate::reports {
namespace {

constexpr auto right = MarkdownTable::Align::right;

/// Which section gives way to which when the limit is short; the first ones stay longest.
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

// Shares of the limit that a section may take before the others have theirs. The table of what matters is worth half of
// it; lists of sentences only matter for the worst.
constexpr double listed_share = 0.5;
constexpr double sentences_share = 0.15;
constexpr double rest_share = 0.1;

std::string symbol_of(GateAction action, bool good_news) {
  if (action == GateAction::fail) return "❌";
  if (action == GateAction::warn) return "⚠️";
  return good_news ? "🟢" : "▫️";
}

std::string symbol_of(const Finding& finding) {
  return symbol_of(finding.action, finding.verdict == Verdict::improved);
}

std::string symbol_of(Outcome outcome) {
  return outcome == Outcome::pass ? "✅" : outcome == Outcome::fail ? "❌" : "⚪";
}

/// A quantity: never broken between number and unit.
std::string cell(const std::string& text) {
  return unbroken(markdown_cell(text));
}

std::string collapsed(const std::string& summary_html) {
  return fmt::format("\n<details><summary>{}</summary>\n\n", summary_html);
}

constexpr const char* end_of_collapsed = "\n</details>\n";

std::function<std::string(std::size_t)> more(const std::string& what) {
  return [what](std::size_t count) {
    return fmt::format("\n*{} more {} omitted to limit the length; see the JSON report.*\n",
                       grouped(static_cast<std::int64_t>(count)), what);
  };
}

std::string case_and_metric(const Finding& finding, bool in_table) {
  const std::string name = markdown_name(finding.case_name, in_table);
  return finding.metric.primary ? name : fmt::format("{} {}", name, markdown_name(finding.metric.name, in_table));
}

std::string joined(const std::vector<std::string>& sentences) {
  return fmt::format("{}", fmt::join(sentences, " "));
}

class Markdown {
 public:
  /// Rows beyond LIMIT bytes are counted, not written: of 10,000 cases some hundreds fit.
  Markdown(const Report& report, std::size_t limit) : report_(report), overview_(overview_of(report)), limit_(limit) {}

  [[nodiscard]] std::vector<Section> sections() const {
    std::vector<Section> sections = {verdict(), doubts(), further_doubts(), differences(), listed(),
                                     reasons(), claims(), numbers(),        steps(),       other_claims()};
    for (const Group& group : overview_.rest) sections.push_back(rest(group));
    sections.push_back(notes());
    sections.push_back(words());
    return sections;
  }

 private:
  [[nodiscard]] MarkdownTable table(std::vector<MarkdownTable::Column> columns) const {
    return {std::move(columns), format_.unknown()};
  }

  [[nodiscard]] Section verdict() const {
    std::vector<std::string> names;
    for (const Finding& finding : report_.findings) names.push_back(finding.case_name);
    for (const ClaimFinding& claim : report_.claims) names.push_back(claim.case_name);
    Section section;
    section.rank = verdict_rank;
    section.rows.push_back(fmt::format("## {} {}: {}\n", symbol_of(report_.outcome), outcome_word(report_),
                                       markdown_text(headline_of(report_, format_), names)));
    section.rows.push_back(fmt::format("\n**Found:** {}.\n", markdown_text(tally(report_, format_))));
    section.rows.push_back(fmt::format("\n**Compared:** {}\n", compared()));
    return section;
  }

  [[nodiscard]] std::string compared() const {
    std::string text =
        fmt::format("{} → {}", markdown_text(side_words(report_.before)), markdown_text(side_words(report_.after)));
    const std::string host = host_words(report_, format_);
    if (!host.empty()) text += fmt::format(" on {}", markdown_name(host, false));
    return fmt::format("{}. Rule: {}.", text, markdown_text(rule_words(report_, format_)));
  }

  [[nodiscard]] Section doubts() const {
    Section section{doubts_rank, sentences_share, "\n> ⚠️ **Doubts**\n", {}, "", more("doubts")};
    for (std::size_t i = 0; i < open_doubts(); ++i)
      section.rows.push_back(fmt::format("> - {}\n", markdown_text(report_.doubts[i].text)));
    return section;
  }

  [[nodiscard]] std::size_t open_doubts() const { return std::min(doubts_shown, report_.doubts.size()); }

  [[nodiscard]] Section further_doubts() const {
    const auto count = static_cast<std::int64_t>(report_.doubts.size() - open_doubts());
    Section section{doubts_rank, sentences_share,  collapsed("⚠️ " + counted(count, "more doubt", "more doubts")),
                    {},          end_of_collapsed, more("doubts")};
    for (std::size_t i = open_doubts(); i < report_.doubts.size(); ++i)
      section.rows.push_back(fmt::format("- {}\n", markdown_text(report_.doubts[i].text)));
    return section;
  }

  /// Those that forbid the comparison are the verdict's reason and stay open; the others fold away.
  [[nodiscard]] Section differences() const {
    std::vector<Difference> differences = report_.differences;
    std::stable_partition(differences.begin(), differences.end(), [](const Difference& d) { return d.refuses; });
    MarkdownTable facts = table({{"fact"}, {"before"}, {"after"}, {"comparable"}});
    for (const Difference& difference : differences) {
      const auto value = [&](const std::string& text) {
        return text.empty() ? format_.unknown() : markdown_name(text, true);
      };
      facts.add_row({markdown_name(difference.name, true), value(difference.before), value(difference.after),
                     difference.refuses ? "**no**" : ""});
    }
    const auto count = static_cast<std::int64_t>(differences.size());
    const std::string title = counted(count, "machine or software difference", "machine or software differences");
    const bool refused = count > 0 && differences.front().refuses;
    return {doubts_rank,
            sentences_share,
            (refused ? fmt::format("\n**{}**\n\n", title) : collapsed("⚠️ " + title)) + facts.head(),
            facts.rows(),
            refused ? "" : end_of_collapsed,
            more("differences")};
  }

  [[nodiscard]] std::string change_cell(const FindingCells& cells) const {
    if (cells.interval == format_.unknown()) return cell(cells.change);
    return fmt::format("{} {}", cell(cells.change), cell(cells.interval));
  }

  /// One column for both values, which a narrow page may put on two lines.
  [[nodiscard]] std::string values_cell(const FindingCells& cells) const {
    if (cells.before == format_.unknown() && cells.after == format_.unknown()) return format_.unknown();
    return fmt::format("{}\u00A0→ {}", cell(cells.before), cell(cells.after));
  }

  [[nodiscard]] std::string evidence_cell(const FindingCells& cells) const {
    if (cells.effect_size == format_.unknown()) return cell(cells.p);
    return fmt::format("{}, {}", cell(cells.p), cell(cells.effect_size));
  }

  [[nodiscard]] Section listed() const {
    const auto level = common_level(overview_.listed, format_);
    const std::string change = level ? fmt::format("change [{} interval]", unbroken(*level)) : "change [interval]";
    MarkdownTable findings = table(
        {{"verdict"}, {"case"}, {"before → after", right}, {change, right}, {"p, Cohen's d", right}, {"n", right}});
    std::size_t unwritten = 0;
    for (const Finding* finding : overview_.listed) {
      if (findings.row_bytes() > limit_) {
        ++unwritten;
        continue;
      }
      const FindingCells cells = cells_of(*finding, report_, format_);
      const std::string verdict =
          fmt::format("{} {}", symbol_of(*finding), verdict_words(finding->verdict, report_, format_));
      findings.add_row({unbroken(verdict), case_and_metric(*finding, true), values_cell(cells), change_cell(cells),
                        evidence_cell(cells), markdown_cell(cells.observations)});
    }
    return {listed_rank,  listed_share, fmt::format("\n{}", findings.head()), findings.rows(), "",
            more("rows"), unwritten};
  }

  [[nodiscard]] Section reasons() const {
    Section section{reasons_rank, sentences_share, "\n**Why**\n\n", {}, "", more("explanations")};
    for (const Finding* finding : overview_.listed) {
      const auto sentences = explanation_of(*finding, format_);
      if (sentences.empty()) continue;
      section.rows.push_back(fmt::format("- {} {}: {}\n", symbol_of(*finding), case_and_metric(*finding, false),
                                         markdown_text(joined(sentences), {finding->case_name})));
    }
    return section;
  }

  [[nodiscard]] Section steps() const {
    Section section{steps_rank, 1, "\n**Next steps**\n\n", {}, "", nullptr};
    for (const std::string& step : next_steps(report_)) section.rows.push_back(fmt::format("- {}\n", step));
    return section;
  }

  /// A block for each listed finding of which more is known than its row says.
  [[nodiscard]] Section numbers() const {
    Section section{numbers_rank,
                    sentences_share,
                    "\n**More numbers** (P95, P99, throughput, memory, noise, the textbook rule)\n",
                    {},
                    "",
                    more("cases with more numbers")};
    for (const Finding* finding : overview_.listed) {
      const bool answered = finding->textbook && !finding->textbook->call.empty();
      if (answered || !finding->operators.empty() || !details_of(*finding, format_).empty())
        section.rows.push_back(numbers_of(*finding));
    }
    return section;
  }

  [[nodiscard]] std::string numbers_of(const Finding& finding) const {
    const FindingCells cells = cells_of(finding, report_, format_);
    MarkdownTable numbers = table({{""}, {"before", right}, {"after", right}, {"change", right}});
    numbers.add_row(
        {markdown_name(finding.metric.name, true), cell(cells.before), cell(cells.after), change_cell(cells)});
    for (const Detail& detail : details_of(finding, format_)) {
      numbers.add_row({unbroken(detail.label), cell(detail.before), cell(detail.after), cell(detail.change)});
    }
    numbers.add_row({unbroken("processes (samples)"), counts_cell(finding.before), counts_cell(finding.after), ""});
    const std::string metric =
        finding.metric.primary ? "" : fmt::format(" <code>{}</code>", html_text(finding.metric.name));
    const std::string change = finding.change ? fmt::format(" {}", html_text(cells.change)) : "";
    std::string text = collapsed(
        fmt::format("{} <code>{}</code>{}{}", symbol_of(finding), html_text(finding.case_name), metric, change));
    text += numbers.text();
    if (finding.textbook) {
      text += fmt::format("\nTextbook rule: {}.\n", markdown_text(textbook_words(*finding.textbook, format_)));
    }
    text += operators_of(finding);
    return text + end_of_collapsed;
  }

  [[nodiscard]] std::string operators_of(const Finding& finding) const {
    if (finding.operators.empty()) return "";
    MarkdownTable operators = table({{"operator, per call"},
                                     {"calls", right},
                                     {"self before", right},
                                     {"self after", right},
                                     {"of change", right}});
    for (const OperatorChange& each : finding.operators) {
      const bool same = each.calls_before == each.calls_after;
      const std::string calls = same
                                    ? fmt::format("{:g}", each.calls_after)
                                    : fmt::format("{:g} {} {:g}", each.calls_before, format_.arrow(), each.calls_after);
      std::string name = markdown_name(each.name, true);
      if (!each.inputs.empty()) name += fmt::format(" {}", markdown_cell(each.inputs));
      operators.add_row({name, cell(calls), cell(format_.quantity(each.self_before_ns, "ns")),
                         cell(format_.quantity(each.self_after_ns, "ns")),
                         each.share ? cell(fmt::format("{:.0f} %", *each.share * 100)) : format_.unknown()});
    }
    return '\n' + operators.text();
  }

  [[nodiscard]] std::string counts_cell(const std::optional<SideNumbers>& side) const {
    if (!side || side->processes <= 0) return format_.unknown();
    return unbroken(fmt::format("{} ({})", grouped(side->processes),
                                side->samples > 0 ? grouped(side->samples) : format_.unknown()));
  }

  [[nodiscard]] MarkdownTable claims_table(bool broken) const {
    MarkdownTable claims =
        table({{"state"}, {"case and its reference"}, {"claim"}, {"measured [bound]", right}, {"note"}});
    for (const ClaimFinding* claim : overview_.claims) {
      if ((claim->state == ClaimState::broken) != broken) continue;
      const std::string state =
          fmt::format("{} {}", symbol_of(claim->action, claim->state == ClaimState::holds), claim_words(claim->state));
      std::string cases = markdown_name(claim->case_name, true);
      if (!claim->reference_case.empty()) cases += fmt::format(" {}", markdown_name(claim->reference_case, true));
      const std::string promise =
          claim->text.empty() ? cell(promise_words(*claim, format_)) : markdown_name(claim->text, true);
      std::string measured = cell(format_.factor(claim->measured_ratio));
      if (claim->bound) measured += fmt::format(" {}", cell(fmt::format("[{}]", format_.factor(claim->bound))));
      claims.add_row({unbroken(state), cases, promise, measured, markdown_cell(claim->reason)});
    }
    return claims;
  }

  [[nodiscard]] Section claims() const {
    const MarkdownTable broken = claims_table(true);
    return {claims_rank, sentences_share,      "\n**Broken claims**\n\n" + broken.head(), broken.rows(),
            "",          more("broken claims")};
  }

  [[nodiscard]] Section other_claims() const {
    const MarkdownTable others = claims_table(false);
    return {rest_rank,     rest_share,       collapsed("Claims: " + claims_tally(report_.claims)) + others.head(),
            others.rows(), end_of_collapsed, more("claims")};
  }

  [[nodiscard]] Section rest(const Group& group) const {
    MarkdownTable findings =
        table({{"case"}, {"before → after", right}, {"change [interval]", right}, {"n", right}, {"note"}});
    std::int64_t unchanged_counts = 0;
    std::size_t unwritten = 0;
    for (const Finding* finding : group.findings) {
      if (findings.row_bytes() > limit_ && finding->metric.kind != record::MetricKind::exact) {
        ++unwritten;
        continue;
      }
      const auto sentences = explanation_of(*finding, format_);
      // An exact metric that is the same on both sides has nothing to show.
      const bool silent = finding->metric.kind == record::MetricKind::exact && sentences.empty();
      if (silent && group.verdict == Verdict::equivalent) {
        ++unchanged_counts;
        continue;
      }
      const FindingCells cells = cells_of(*finding, report_, format_);
      findings.add_row({case_and_metric(*finding, true), values_cell(cells), change_cell(cells),
                        cell(cells.observations), markdown_cell(joined(sentences))});
    }
    const std::string title = html_text(group_words(group, report_, format_));
    const std::string counts = unchanged_counts > 0
                                   ? fmt::format("\n{} with the same value on both sides.\n",
                                                 counted(unchanged_counts, "exact metric", "exact metrics"))
                                   : "";
    return {rest_rank,
            rest_share,
            collapsed(title) + findings.head(),
            findings.rows(),
            counts + end_of_collapsed,
            more("rows " + verdict_words(group.verdict, report_, format_)),
            unwritten};
  }

  [[nodiscard]] Section notes() const {
    Section section{steps_rank, sentences_share, "\n**Notes**\n\n", {}, "", more("notes")};
    for (const std::string& note : report_.notes) section.rows.push_back(fmt::format("- {}\n", markdown_text(note)));
    return section;
  }

  [[nodiscard]] Section words() const {
    std::vector<const Finding*> findings;
    for (const Finding& finding : report_.findings) findings.push_back(&finding);
    Section section{words_rank, 1, collapsed("Terms"), {}, end_of_collapsed, nullptr};
    for (const Term& term : terms_used(findings, report_, true, format_)) {
      section.rows.push_back(fmt::format("- **{}**: {}\n", markdown_text(term.word), markdown_text(term.meaning)));
    }
    return section;
  }

  const Report& report_;
  Overview overview_;
  std::size_t limit_;
  Format format_;
};

}  // namespace

std::string render_markdown(const Report& report, const MarkdownOptions& options) {
  return fit(Markdown(report, options.limit_bytes).sections(), options.limit_bytes);
}

}  // namespace torchgate::reports
