// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/help_topics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ci/cli/exit_code.hpp"
#include "ci/cli/help_columns.hpp"
#include "ci/policy/policy.hpp"
#include "reports/format.hpp"
#include "reports/glossary.hpp"

namespace torchgate::cli {
namespace {

std::string verdicts_topic(const CommandPages&, std::size_t width) {
  constexpr std::size_t column = 16;
  const policy::Policy defaults;
  std::string text = paragraph(
      "Verdicts: what is known about a case, worst first. The names are those of `verdict` in the JSON report. What a "
      "verdict does to "
      "the exit code is its action (fail, warn, note or pass), which keys of the policy set: `torchgate help policy`.",
      width);
  text += '\n';
  for (const reports::VerdictMeaning& each : reports::verdict_meanings()) {
    std::string meaning = each.meaning;
    if (each.verdict == reports::Verdict::equivalent) {
      meaning =
          fmt::format("within +/-{} (gate.equivalence): {}", reports::Format{}.share(defaults.equivalence), meaning);
    }
    text += entry(to_string(each.verdict), meaning, column, width);
  }
  text += "\nNumbers of a report\n";
  for (const reports::Term& each : reports::terms_of_numbers()) text += entry(each.word, each.meaning, column, width);
  return text;
}

std::string exit_codes_topic(const CommandPages& pages, std::size_t width) {
  constexpr std::size_t column = 3;
  std::string text = "Exit codes: what they mean, and what the calling program does.\n\n";
  for (const ExitCodeRow& row : exit_code_rows()) {
    const std::string causes = *row.examples == '\0' ? "" : fmt::format(": {}", row.examples);
    text += entry(std::to_string(static_cast<int>(row.code)), fmt::format("{}{}. {}", row.meaning, causes, row.next),
                  column, width);
  }
  std::string own;
  for (const CommandPage& page : pages.commands) {
    if (page.footer.find("Exit codes") != std::string::npos)
      own += fmt::format("{}{}", own.empty() ? "" : ", ", page.name());
  }
  return text + '\n' +
         paragraph("Commands with codes of their own, at the end of `torchgate COMMAND --help`: " + own + '.', width);
}

std::string policy_topic(const CommandPages&, std::size_t width) {
  constexpr std::size_t column = 20;
  std::string text = paragraph(
      "Keys of torchgate.toml, which is searched from the working folder upwards: gate.latency is `latency` in the "
      "table [gate]. The "
      "environment variable TORCHGATE_GATE_LATENCY wins over the file, the flag of a command over both. A key with * "
      "may also stand in a "
      "[[case]] table, for the cases that it matches.",
      width);
  text += '\n';
  const policy::Policy defaults;
  for (const policy::PolicyKey& key : policy::policy_keys()) {
    const std::string star = key.set_of_case == nullptr ? "" : "*";
    text += entry(key.name + star, fmt::format("{} (default {})", key.description, key.get(defaults)), column, width);
  }
  return text;
}

struct Line {
  const char* name;
  const char* meaning;
};
// Of the schema torchgate.report/1, which a test compares.
constexpr std::array report_members{
    Line{"outcome",
         "\"pass\", \"fail\" or \"no_verdict\", as the exit code; with \"weak\" true, a pass that decided little"},
    Line{"headline", "one sentence for a person"},
    Line{"findings",
         "worst first: case, metric, verdict, action (fail, warn, note, pass), change (0.05: 5 % more), "
         "interval, reasons"},
    Line{"doubts", "why the numbers may be unreliable"},
    Line{"headline_facts", "as all *_facts: the sentence as \"kind\" and values; read these, not English"},
};

constexpr std::array calls{
    Line{"torchgate ab --before OLD --after NEW --json report.json --quiet",
         "two builds (suites, or folders of them), no baseline needed; --budget 5m limits the time, --filter REGEX the "
         "cases"},
    Line{"torchgate gate --suite DIR --json report.json --quiet",
         "this build and its baseline, which `torchgate baseline add` makes of a run"},
    Line{"torchgate run --suite DIR --list --json",
         "what would be measured, and how long that takes; measures nothing"},
};

std::string agent_topic(const CommandPages&, std::size_t width) {
  constexpr std::size_t call_indent = 4;
  constexpr std::size_t column = 14;
  std::string text = "How a program calls torchgate, reads the result and obeys the exit code.\n\nCall\n";
  for (const Line& call : calls)
    text += fmt::format("  {}\n", call.name) + entry("", call.meaning, call_indent - 2, width);
  text += "\nRead report.json, not the text of the terminal\n";
  for (const Line& member : report_members) text += entry(member.name, member.meaning, column, width);
  text += "\nObey the exit code\n";
  for (const ExitCodeRow& row : exit_code_rows()) {
    text += entry(std::to_string(static_cast<int>(row.code)), fmt::format("{}. {}", row.meaning, row.next), 3, width);
  }
  return text + '\n' +
         paragraph(
             "Build and test before or after, not beside a measurement: other load is noise. A second torchgate on the "
             "machine waits for the "
             "first. Do not measure again until it passes: that finds false passes. The policy and the waivers are "
             "what people decided: "
             "change them only when asked to.",
             width);
}

constexpr std::array topics{
    HelpTopic{"verdicts", "What is known about a case: regressed, suspected, ..., and what its numbers are",
              verdicts_topic},
    HelpTopic{"exit-codes", "What they mean, and what the calling program does", exit_codes_topic},
    HelpTopic{"policy", "All keys of torchgate.toml with their defaults", policy_topic},
    HelpTopic{"agent", "For a program that calls torchgate: one screen", agent_topic},
};

}  // namespace

std::span<const HelpTopic> help_topics() {
  return topics;
}

const HelpTopic* find_topic(std::string_view name) {
  const auto* const found =
      std::find_if(topics.begin(), topics.end(), [name](const HelpTopic& topic) { return topic.name == name; });
  return found == topics.end() ? nullptr : found;
}

}  // namespace torchgate::cli
