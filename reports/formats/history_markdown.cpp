// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/history_markdown.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/record/short_commit.hpp"
#include "reports/fit.hpp"
#include "reports/formats/markdown_escape.hpp"
#include "reports/formats/markdown_parts.hpp"
#include "reports/formats/markdown_table.hpp"
#include "reports/sentences.hpp"

namespace torchgate::reports {
namespace {

constexpr auto history_right = MarkdownTable::Align::right;

// The newest runs: a reader of an issue wants the last weeks.
constexpr std::size_t runs_in_markdown = 30;

std::string history_commit(const HistoryRun& run) {
  return run.commit ? markdown_name(record::short_commit(*run.commit), true) : std::string("–");
}

std::string history_headline(const History& history) {
  return fmt::format("## {}: {}\n", markdown_name(history.case_name, false), history_finding(history));
}

Section level_changes(const History& history, const Format& format) {
  MarkdownTable table({{"first run"},
                       {"commit"},
                       {"level"},
                       {"change", history_right},
                       {"before → after", history_right},
                       {"p", history_right},
                       {"commits between", history_right}},
                      format.unknown());
  for (auto change = history.changes.rbegin(); change != history.changes.rend(); ++change) {
    if (change->run >= history.runs.size()) continue;
    const HistoryRun& first = history.runs[change->run];
    const auto [before, after] = format.quantities(change->before, change->after, history.metric);
    table.add_row({markdown_name(first.created, true), history_commit(first), change->worse ? "❌ worse" : "🟢 better",
                   markdown_quantity(format.percent(change->change)),
                   fmt::format("{}\u00A0→ {}", markdown_quantity(before), markdown_quantity(after)),
                   markdown_quantity(format.p_value(change->p)),
                   change->commits_between ? grouped(*change->commits_between) : format.unknown()});
  }
  return {1, 0.5, "\n" + table.head(), table.rows(), "", markdown_omitted("level changes")};
}

Section newest_runs(const History& history, const Format& format) {
  MarkdownTable table({{"run"}, {"commit"}, {"value", history_right}, {"processes", history_right}, {"note"}},
                      format.unknown());
  const std::size_t count = std::min(runs_in_markdown, history.runs.size());
  for (std::size_t i = 0; i < count; ++i) {
    const HistoryRun& run = history.runs[history.runs.size() - 1 - i];
    const bool alert = run.watch && run.watch->rings();
    table.add_row({markdown_name(run.created, true), history_commit(run),
                   markdown_quantity(format.quantity(run.value, history.metric.unit)), grouped(run.processes),
                   run.outlier ? "outlier"
                   : alert     ? "alert"
                               : ""});
  }
  const std::string title = history.runs.size() > count
                                ? fmt::format("The newest {} of {} runs", count, history.runs.size())
                                : counted(static_cast<std::int64_t>(count), "run", "runs");
  return {
      3, 0.5, markdown_folded(title) + table.head(), table.rows(), markdown_end_of_folded, markdown_omitted("runs")};
}

}  // namespace

std::string history_markdown(const History& history, const MarkdownOptions& options) {
  const Format format;
  Section head;
  head.rows = {history_headline(history),
               fmt::format("\n{} on {}, {}; alpha {} for the series, changes of at least {}.\n",
                           markdown_name(history.metric.name, false), markdown_name(history.host_key, false),
                           history.drift_corrected ? "machine drift corrected" : "machine drift not corrected",
                           history.alpha, format.share(history.smallest_change))};
  Section sentences{2, 0.3, "\n", {}, "", markdown_omitted("notes")};
  for (const auto* const list : {&history.reasons, &history.notes}) {
    for (const std::string& text : *list)
      sentences.rows.push_back(fmt::format("- {}\n", markdown_text(as_sentence(text))));
  }
  return fit({head, level_changes(history, format), sentences, newest_runs(history, format)}, options.limit_bytes);
}

}  // namespace torchgate::reports
