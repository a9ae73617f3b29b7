// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/calibration_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "reports/columns.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::reports {
namespace {

constexpr std::size_t numbers = 7;
using Row = std::array<std::string, numbers>;
constexpr std::size_t sd_width = 10;

std::string percent(const std::optional<double>& log_sd, const Format& format) {
  return log_sd ? fmt::format("{:.2g} %", std::expm1(*log_sd) * 100) : format.unknown();
}

std::string wanted(const record::CaseCalibration& one, const Format& format) {
  if (!one.samples_wanted && !one.processes_wanted) return format.unknown();
  const auto count = [&](const std::optional<std::int64_t>& n) { return n ? std::to_string(*n) : format.unknown(); };
  return count(one.processes_wanted) + " x " + count(one.samples_wanted);
}

Row row(const record::CaseCalibration& one, const Format& format) {
  return {percent(one.iteration_sd, format),
          percent(one.process_sd, format),
          percent(one.run_sd, format),
          percent(one.found_by_one_run, format),
          percent(one.found_by_ten_runs, format),
          percent(one.found_by_pairs, format),
          wanted(one, format)};
}

std::string line(const std::string& name, const Row& cells, std::size_t name_width, std::string_view mark) {
  std::string text = pad_right(elide_middle(name, name_width, mark), name_width);
  for (const std::string& cell : cells) text += pad_left(cell, sd_width);
  return text + '\n';
}

std::string rule_line(const record::RuleCalibration& rule) {
  if (rule.tests == 0) return fmt::format("  {:<9} too few runs for a comparison\n", one_line(rule.rule));
  return fmt::format("  {:<9} {} of {} tests ({:.1f} %), in {} of {} comparisons of runs\n", one_line(rule.rule),
                     rule.flagged, rule.tests,
                     100.0 * static_cast<double>(rule.flagged) / static_cast<double>(rule.tests),
                     rule.comparisons_flagged, rule.comparisons);
}

/// Of the cases whose count of instructions repeats worst; the others in one line.
std::string instruction_lines(const record::Calibration& calibration, Notation notation) {
  constexpr std::size_t most_shown = 10;
  std::vector<const record::CaseCalibration*> cases;
  for (const record::CaseCalibration& one : calibration.cases)
    if (one.instructions_spread) cases.push_back(&one);
  if (cases.empty()) return "";
  std::stable_sort(cases.begin(), cases.end(),
                   [](const auto* a, const auto* b) { return *a->instructions_spread > *b->instructions_spread; });
  std::string text =
      fmt::format("Instructions per call, counted with {}: largest difference between processes, of {}\n",
                  one_line(calibration.instruction_counter), counted(cases.size(), "case", "cases"));
  for (std::size_t i = 0; i < std::min(cases.size(), most_shown); ++i) {
    const std::string name = notation == Notation::unicode ? one_line(cases[i]->name) : one_ascii_line(cases[i]->name);
    text += fmt::format("  {:.2g} %  {}\n", *cases[i]->instructions_spread * 100, name);
  }
  if (cases.size() > most_shown)
    text += fmt::format("  the others at most {:.2g} %\n", *cases[most_shown]->instructions_spread * 100);
  return text + '\n';
}

}  // namespace

std::string calibration_text(const record::Calibration& calibration, Notation notation, std::size_t width) {
  const Format format(notation);
  const std::string_view mark = notation == Notation::unicode ? "…" : "...";
  std::string text = fmt::format("{}, {}: {} (profile {}), {} each\n", one_line(calibration.host_key),
                                 one_line(calibration.created), counted(calibration.runs.size(), "run", "runs"),
                                 one_line(calibration.profile), counted(calibration.processes, "process", "processes"));
  text += fmt::format("Typical run-to-run variation: {} (median of {}).\n\n", percent(calibration.run_sd, format),
                      counted(calibration.cases.size(), "case", "cases"));

  std::vector<record::CaseCalibration> cases = calibration.cases;
  std::stable_sort(cases.begin(), cases.end(), [](const auto& a, const auto& b) {
    return a.found_by_one_run.value_or(INFINITY) > b.found_by_one_run.value_or(INFINITY);
  });
  const std::size_t name_width = std::max<std::size_t>(24, width - std::min(width, numbers * sd_width));
  text += line("", {"between", "between", "between", "finds at", "finds at", "finds at", "advised"}, name_width, mark);
  text +=
      line("case",
           {"samples", "processes", "runs", "1 run", "10 runs", std::to_string(calibration.pairs) + " pairs", "p x s"},
           name_width, mark);
  for (const auto& one : cases) {
    const std::string name = notation == Notation::unicode ? one_line(one.name) : one_ascii_line(one.name);
    text += line(name, row(one, format), name_width, mark);
  }
  text +=
      "\n\"finds at\": smallest slow-down detected with 80 % probability, with this many stored runs or pairs.\n"
      "\"advised\": processes x samples with the lowest variance for the time they take.\n\n";
  text += instruction_lines(calibration, notation);
  text += "False alarms (identical builds reported as slower or changed):\n";
  for (const auto& rule : calibration.rules) text += rule_line(rule);
  return text;
}

}  // namespace torchgate::reports
