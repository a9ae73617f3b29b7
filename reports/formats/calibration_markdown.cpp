// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/calibration_markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "reports/fit.hpp"
#include "reports/format.hpp"
#include "reports/formats/markdown_escape.hpp"
#include "reports/formats/markdown_parts.hpp"
#include "reports/formats/markdown_table.hpp"

namespace torchgate::reports {
namespace {

constexpr auto calibration_right = MarkdownTable::Align::right;

std::string share_of_log(const std::optional<double>& log_sd, const Format& format) {
  return log_sd ? markdown_quantity(fmt::format("{:.2g} %", std::expm1(*log_sd) * 100)) : format.unknown();
}

Section calibrated_cases(const record::Calibration& calibration, const Format& format) {
  std::vector<const record::CaseCalibration*> cases;
  for (const record::CaseCalibration& one : calibration.cases) cases.push_back(&one);
  const auto found = [](const record::CaseCalibration* one) {
    return one->found_by_one_run.value_or(std::numeric_limits<double>::max());
  };
  std::stable_sort(cases.begin(), cases.end(), [&](const auto* a, const auto* b) { return found(a) > found(b); });
  MarkdownTable table({{"case"},
                       {"between samples", calibration_right},
                       {"processes", calibration_right},
                       {"runs", calibration_right},
                       {"found at 1 run", calibration_right},
                       {"10 runs", calibration_right},
                       {fmt::format("{} pairs", calibration.pairs), calibration_right}},
                      format.unknown());
  for (const record::CaseCalibration* one : cases) {
    table.add_row({markdown_name(one->name, true), share_of_log(one->iteration_sd, format),
                   share_of_log(one->process_sd, format), share_of_log(one->run_sd, format),
                   share_of_log(one->found_by_one_run, format), share_of_log(one->found_by_ten_runs, format),
                   share_of_log(one->found_by_pairs, format)});
  }
  return {1, 1, "\n" + table.head(), table.rows(), "", markdown_omitted("cases")};
}

std::string instructions_sentence(const record::Calibration& calibration) {
  const record::CaseCalibration* worst = nullptr;
  std::size_t cases = 0;
  for (const record::CaseCalibration& one : calibration.cases) {
    if (!one.instructions_spread) continue;
    ++cases;
    if (worst == nullptr || *one.instructions_spread > *worst->instructions_spread) worst = &one;
  }
  if (worst == nullptr) return "";
  return fmt::format("\nInstructions of {} counted with {}: processes differ by at most {} ({}).\n",
                     counted(cases, "case", "cases"), markdown_name(calibration.instruction_counter, false),
                     markdown_quantity(fmt::format("{:.2g} %", *worst->instructions_spread * 100)),
                     markdown_name(worst->name, false));
}

Section false_alarms(const record::Calibration& calibration, const Format& format) {
  MarkdownTable table(
      {{"rule"}, {"tests flagged", calibration_right}, {"comparisons of runs flagged", calibration_right}},
      format.unknown());
  for (const record::RuleCalibration& rule : calibration.rules) {
    const bool tried = rule.tests > 0;
    table.add_row({markdown_name(rule.rule, true),
                   tried ? fmt::format("{} of {} ({:.1f} %)", grouped(rule.flagged), grouped(rule.tests),
                                       100.0 * static_cast<double>(rule.flagged) / static_cast<double>(rule.tests))
                         : "too few runs",
                   tried ? fmt::format("{} of {}", rule.comparisons_flagged, rule.comparisons) : format.unknown()});
  }
  return {0,
          1,
          "\n**False alarms** (identical builds reported as slower or changed)\n\n" + table.head(),
          table.rows(),
          "",
          nullptr};
}

}  // namespace

std::string calibration_markdown(const record::Calibration& calibration, const MarkdownOptions& options) {
  const Format format;
  Section head;
  head.rows = {
      fmt::format("## Calibration of {}: typical run-to-run variation {}\n", markdown_name(calibration.host_key, false),
                  share_of_log(calibration.run_sd, format)),
      fmt::format("\n{}, {} (profile {}), {} each. \"Found at\": smallest slow-down detected with 80 % probability.\n",
                  markdown_text(calibration.created), counted(calibration.runs.size(), "run", "runs"),
                  markdown_text(calibration.profile), counted(calibration.processes, "process", "processes"))};
  if (const std::string counts = instructions_sentence(calibration); !counts.empty()) head.rows.push_back(counts);
  return fit({head, calibrated_cases(calibration, format), false_alarms(calibration, format)}, options.limit_bytes);
}

}  // namespace torchgate::reports
