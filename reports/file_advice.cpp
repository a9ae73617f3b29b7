// SPDX-License-Identifier: Apache-2.0
#include "reports/file_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "harness/base/counted.hpp"
#include "harness/base/some_of.hpp"
#include "harness/record/imported.hpp"
#include "reports/accept_advice.hpp"
#include "reports/overview.hpp"
#include "reports/safe_text.hpp"
#include "stats/rules.hpp"

namespace torchgate::reports {
namespace {

/// Of each build: two files show how much processes differ, five are enough for most changes.
constexpr const char* several_files =
    "run the tool several times for each build (better five times, in alternation), and name all files of a side: "
    "`torchgate compare B1,B2,B3 A1,A2,A3`";

/// A rule that judges no times of files, however many there are; else empty.
std::string step_for_rule(const Report& report) {
  const stats::Rule* const rule = stats::find_rule(report.rule);
  if (rule == nullptr) return "";
  const auto omit = [&](std::string_view what) {
    return fmt::format("--rule {} {}: omit it (and `gate.rule`).", rule->name, what);
  };
  if (rule->reads == stats::Reads::counts) return omit("compares counts, and no times of result files");
  if (rule->reads == stats::Reads::pairs) return omit("judges interleaved pairs, and no times of result files");
  if (rule->fewest_stored_runs > 1 && report.before.run_ids.size() < rule->fewest_stored_runs)
    return omit("compares with at least five runs, and the files of a side are one");
  return "";
}

}  // namespace

bool is_of_files(const Report& report) {
  return report.after.sampling.profile == record::imported_profile;
}

std::string more_files(const Report& report, bool single) {
  if (std::string step = step_for_rule(report); !step.empty()) return step;
  if (stats::rule_reads(report.rule, stats::Reads::raw_samples)) {
    return fmt::format(
        "--rule textbook finds differences and cannot show that there is none: {}, without --rule textbook; or set "
        "`gate.min_decided = 0`.",
        several_files);
  }
  if (single)
    return fmt::format(
        "One file on a side does not show how much processes differ: {}. `--rule textbook` accepts one "
        "file per side, and finds differences only.",
        several_files);
  const auto faster = std::count_if(report.findings.begin(), report.findings.end(), is_faster_unconfirmed);
  if (faster > 0 && 2 * faster >= report.decided.undecided())
    return fmt::format(
        "{} faster than the baseline, which files cannot confirm: a faster machine looks the same, and hides "
        "slow-downs. Where both builds were measured on one machine in alternation, `gate.min_decided = 0` accepts it.",
        base::counted(faster, "undecided case is", "undecided cases are"));
  return fmt::format(
      "Too few cases were decided: {}, or measure on a quieter machine; `gate.min_decided` is the least "
      "share.",
      several_files);
}

std::vector<std::string> steps_for_suspects(const Report& report, std::int64_t unconfirmed) {
  const auto is_failing = [](const Finding& finding) {
    return finding.verdict == Verdict::suspected && finding.action == GateAction::fail && !finding.waived;
  };
  const std::int64_t failing = std::count_if(report.findings.begin(), report.findings.end(), is_failing);
  const std::int64_t to_accept =
      std::count_if(report.findings.begin(), report.findings.end(),
                    [&](const Finding& finding) { return is_failing(finding) && can_be_accepted(finding); });
  std::vector<std::string> steps;
  if (to_accept > 0 && count_acceptable(report, Verdict::regressed) == 0) {
    steps.push_back(fmt::format("{}: if the slow-down is intended, {}.",
                                counted(to_accept, "suspect fails", "suspects fail"), how_to_accept));
  }
  if (unconfirmed > failing) {
    steps.push_back(fmt::format(
        "Files confirm no suspect ({}): more files per side, measured in alternation, narrow the interval (`torchgate "
        "compare B1,B2,B3 A1,A2,A3`), and a suspect fails once all of it lies beyond the gate.",
        counted(unconfirmed - failing, "suspect", "suspects")));
  }
  return steps;
}

std::string step_for_lost_counts(const Report& report) {
  std::set<std::string_view> cases;
  std::set<std::string> counts;
  for (const Finding& finding : report.findings) {
    if (finding.metric.kind != record::MetricKind::exact || !finding.before || finding.after) continue;
    cases.insert(finding.case_name);
    std::string name = one_line(finding.metric.name);
    std::replace(name.begin(), name.end(), '`', '\'');  // commands are between backquotes
    counts.insert(std::move(name));
  }
  if (cases.empty() || 2 * std::ssize(cases) < report.decided.undecided()) return "";
  constexpr std::size_t most_named = 3;
  const bool files = is_of_files(report);
  return fmt::format("{} a count of the baseline ({}): {}.",
                     base::counted(cases.size(), "undecided case lost", "undecided cases lost"),
                     base::some_of(counts, most_named),
                     files ? "measure both sides with the same options (Go: `-benchmem`), or both without this count"
                           : "restore it in the suite, or, if its removal is intended, lower `gate.min_decided` for "
                             "this change");
}

std::string step_for_files(DoubtKind kind) {
  switch (kind) {
    case DoubtKind::separate_runs:
      return "The sides were measured at different times: alternate between both builds when they are measured again.";
    case DoubtKind::incomplete:
    case DoubtKind::lost:
      return "Some measurements are incomplete (see the doubts): repeat them with the tool, then compare again.";
    case DoubtKind::other_machine:
      return fmt::format("Some times may be of another machine (see the doubts): on one machine, {}.", several_files);
    case DoubtKind::suite_shift:
      return fmt::format(
          "The suite as a whole moved: check compiler flags, libraries and machine settings that all cases share; then "
          "{}.",
          several_files);
    default:
      return "";
  }
}

}  // namespace torchgate::reports
