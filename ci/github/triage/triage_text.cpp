// SPDX-License-Identifier: Apache-2.0
#include "ci/github/triage/triage_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "ci/policy/waivers.hpp"
#include "harness/record/sampling.hpp"
#include "harness/record/short_commit.hpp"
#include "reports/fit.hpp"
#include "reports/format.hpp"
#include "reports/formats/markdown_escape.hpp"
#include "reports/formats/markdown_table.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::github {
namespace {

using policy::TriageState;
using record::short_commit;
using reports::counted;
using reports::markdown_cell;
using reports::markdown_text;
using reports::unbroken;

enum IssueRank { summary_rank, state_rank, cases_rank, steps_rank, commits_rank };

std::string code(const std::string& text) {
  return reports::markdown_name(text, false);
}

std::string quantity_cell(const std::string& text) {
  return unbroken(markdown_cell(text));
}

std::int64_t count_if_pairs(const Cause& cause, bool (PairsAnswer::*says)() const) {
  return std::count_if(cause.cases.begin(), cause.cases.end(),
                       [&](const CauseCase& one) { return one.pairs && (*one.pairs.*says)(); });
}

// "+0.31 % [-0.4 %, +1.0 %]"
std::string change_text(const std::optional<double>& change, const std::optional<reports::Interval>& interval) {
  const reports::Format format;
  std::string text = quantity_cell(format.percent(change));
  if (interval) text += " " + quantity_cell(format.change_interval(interval));
  return text;
}

std::string pairs_cell(const CauseCase& one) {
  if (!one.pairs) return reports::Format().unknown();
  const char* const word = one.repaired() ? "✅ repaired" : one.pairs->still_slower() ? "still slower" : "undecided";
  std::string text = fmt::format("{}: {}", word, markdown_cell(one.pairs->verdict));
  if (one.pairs->change) text += ", " + change_text(one.pairs->change, one.pairs->interval);
  return text + " at " + code(short_commit(one.pairs->commit));
}

reports::Section cases_section(const Cause& cause) {
  using Table = reports::MarkdownTable;
  const reports::Format format;
  Table table({{"case"},
               {"metric"},
               {"before → after", Table::Align::right},
               {"change [interval]", Table::Align::right},
               {"pairs since then"},
               {"why"}},
              format.unknown());
  for (const CauseCase& one : cause.cases) {
    const record::Metric metric{
        one.metric, one.unit,
        one.lower_is_better ? record::Direction::lower_is_better : record::Direction::higher_is_better,
        record::MetricKind::timed, true};
    const auto [before, after] = format.quantities(one.before, one.after, metric);
    table.add_row({reports::markdown_name(one.name, true), reports::markdown_name(one.metric, true),
                   quantity_cell(before) + " → " + quantity_cell(after), change_text(one.change, one.interval),
                   pairs_cell(one), markdown_cell(one.why)});
  }
  const auto left_out = [](std::size_t count) {
    return fmt::format("\n*{} omitted to limit the length: the least slow ones; all are in the report of the job.*\n",
                       counted(static_cast<std::int64_t>(count), "more case", "more cases"));
  };
  return {cases_rank, 1, "\n" + table.head(), table.rows(), "", left_out, static_cast<std::size_t>(cause.unlisted)};
}

std::string range_sentence(const Cause& cause) {
  if (!cause.before) return "The commit of the baseline is unknown.";
  const std::string range = "<code>" + *cause.before + ".." + cause.commit + "</code>";
  if (cause.commits.empty()) return "Between " + range + ".";
  const auto count = static_cast<std::int64_t>(cause.commits.size());
  if (cause.more_commits) return fmt::format("One of more than {} commits: {}.", count, range);
  if (count == 1) return fmt::format("One commit: {}.", range);
  return fmt::format("One of {} commits, which were not measured one by one: {}.", count, range);
}

reports::Section summary_section(const Cause& cause) {
  std::string text =
      fmt::format("{} slower since <code>{}</code>", counted(cause.case_count(), "case is", "cases are"), cause.commit);
  if (!cause.host.empty()) text += " on " + code(cause.host);
  text += ". " + range_sentence(cause) + "\n";
  const std::int64_t repaired =
      std::count_if(cause.cases.begin(), cause.cases.end(), [](const CauseCase& one) { return one.repaired(); });
  if (repaired > 0)
    text += fmt::format("\nInterleaved pairs show {} of {} as repaired.\n", repaired, cause.case_count());
  return {summary_rank, 1, "", {std::move(text)}, "", nullptr};
}

reports::Section commits_section(const Cause& cause) {
  reports::Section section{commits_rank, 1, "\n**Commits**, newest first\n\n", {}, "", nullptr};
  for (const git::ListedCommit& each : cause.commits) {
    section.rows.push_back(fmt::format("- {} {}, {}: {}\n", code(short_commit(each.commit)), markdown_cell(each.date),
                                       markdown_cell(each.author), markdown_cell(each.subject)));
  }
  if (cause.more_commits) section.rows.emplace_back("- and earlier ones\n");
  return section;
}

std::string fixed_sentence(const Cause& cause) {
  const std::int64_t slower = count_if_pairs(cause, &PairsAnswer::still_slower);
  if (slower == 0) return "> Said to be fixed: waiting for interleaved pairs that confirm it.\n";
  return fmt::format("> ⚠️ Said to be fixed, pairs still show it: {}.\n",
                     counted(slower, "case is still slower", "cases are still slower"));
}

std::string without_entry(const Cause& cause) {
  return fmt::format(
      "**State**: new. Take it by a reviewed change of `{}`:\n\n"
      "```toml\n[[cause]]\ncommit = \"{}\"\nstate = \"investigating\"   # acknowledged, investigating, fixed, "
      "accepted, "
      "invalid\nowner = \"login\"\ndue = 2027-01-31           # the last day; with accepted and invalid: reason = "
      "\"...\"\n```\n",
      policy::default_triage_file, short_commit(cause.commit));
}

std::string overdue_words(const policy::TriageEntry& entry) {
  return fmt::format("overdue since {}, owner @{}", policy::date_text(*entry.due), entry.owner);
}

reports::Section state_section(const Cause& cause, const policy::TriageEntry* entry,
                               std::chrono::year_month_day today) {
  std::string text = "\n";
  if (entry == nullptr) {
    text += without_entry(cause);
  } else {
    text += fmt::format("**State**: {}, owner @{}", to_string(entry->state), entry->owner);
    if (entry->due) text += ", due " + policy::date_text(*entry->due);
    if (!entry->reason.empty()) text += ": " + markdown_text(entry->reason);
    text += fmt::format(" ({})\n", code(entry->place.substr(0, entry->place.find(':'))));
    if (entry->is_overdue(today)) text += "\n> ⚠️ " + overdue_words(*entry) + "\n";
    if (entry->state == TriageState::fixed) text += "\n" + fixed_sentence(cause);
  }
  return {state_rank, 1, "", {std::move(text)}, "", nullptr};
}

// REQUIRES: the commit of the baseline is known.
std::string bisect_command(const Cause& cause) {
  return fmt::format("torchgate bisect '{}' --good {} --bad {}{} --build \"COMMAND\" --suites FOLDER",
                     case_filter(cause), short_commit(*cause.before), short_commit(cause.commit),
                     record::options_of(cause.sampling));
}

reports::Section steps_section(const Cause& cause) {
  std::string text;
  if (cause.before) {
    text += "\n**Reproduce**\n\n```sh\n" + pairs_command(cause, short_commit(cause.commit)) + "\n```\n";
    if (cause.more_commits || cause.commits.size() > 1)
      text += "\n**Find the commit**\n\n```sh\n" + bisect_command(cause) + "\n```\n";
    text += fmt::format(
        "\n**Close**: it is closed when interleaved pairs of <code>{}</code> and a later commit show every case as "
        "equivalent or improved (`torchgate triage --repairs`, with the same command and `--after HEAD`); or with the "
        "state "
        "accepted or invalid.\n",
        short_commit(*cause.before));
  } else {
    text +=
        "\n**Close**: without the baseline's commit pairs cannot confirm a repair; give it the state accepted or "
        "invalid.\n";
  }
  return {steps_rank, 1, "", {std::move(text)}, "", nullptr};
}

}  // namespace

std::string issue_title(const Cause& cause) {
  return fmt::format("Performance: {} slower since {}{}", counted(cause.case_count(), "case", "cases"),
                     short_commit(cause.commit), cause.key.empty() ? "" : " (" + reports::one_line(cause.key) + ")");
}

std::string issue_text(const Cause& cause, const policy::TriageEntry* entry, std::chrono::year_month_day today,
                       std::size_t most_bytes) {
  const std::string data =
      "\n<sub>Written by torchgate, which rewrites it: comment below.</sub>\n\n" + cause_line(cause);
  const std::size_t room = most_bytes > data.size() ? most_bytes - data.size() : 0;
  return reports::fit({summary_section(cause), cases_section(cause), commits_section(cause),
                       state_section(cause, entry, today), steps_section(cause)},
                      room) +
         data;
}

std::string repaired_comment(const Cause& cause) {
  // The comment of a thousand cases would not fit; the issue has the table.
  constexpr std::size_t most_rows = 50;
  std::string text = fmt::format(
      "Closed: interleaved pairs of <code>{}</code>, the commit before the cause, and {} show no slow-down any more in "
      "{}.\n\n",
      cause.before ? short_commit(*cause.before) : "?", code(short_commit(cause.cases.front().pairs->commit)),
      counted(cause.case_count(), "case", "cases"));
  for (std::size_t i = 0; i < std::min(most_rows, cause.cases.size()); ++i) {
    const CauseCase& one = cause.cases[i];
    text += fmt::format("- {} {}: {}, {}\n", code(one.name), code(one.metric), markdown_cell(one.pairs->verdict),
                        change_text(one.pairs->change, one.pairs->interval));
  }
  if (cause.cases.size() > most_rows) text += fmt::format("- and {} more\n", cause.cases.size() - most_rows);
  return text;
}

std::string explained_comment(const std::string& earlier_commit) {
  return fmt::format(
      "Closed: all of its cases are slower since {} already, an earlier commit, whose job ended later: see the issue "
      "\"... slower since {}\".\n",
      earlier_commit, short_commit(earlier_commit));
}

std::string overdue_comment(const policy::TriageEntry& entry) {
  return overdue_words(entry) +
         fmt::format(". State: {}, in {}.", to_string(entry.state), code(entry.place.substr(0, entry.place.find(':'))));
}

std::string decided_comment(const policy::TriageEntry& entry) {
  return fmt::format("Closed as {} by @{}: {}", to_string(entry.state), entry.owner, markdown_text(entry.reason));
}

std::string pairs_command(const Cause& cause, const std::string& after) {
  return fmt::format("torchgate ab --before {} --after {} --filter '{}'{} --build \"COMMAND\" --suites FOLDER",
                     cause.before ? short_commit(*cause.before) : "COMMIT", after, case_filter(cause),
                     record::options_of(cause.sampling));
}

}  // namespace torchgate::github
