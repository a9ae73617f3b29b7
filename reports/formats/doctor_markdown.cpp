// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/doctor_markdown.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/fit.hpp"
#include "reports/format.hpp"
#include "reports/formats/markdown_escape.hpp"
#include "reports/formats/markdown_parts.hpp"
#include "reports/formats/markdown_table.hpp"

namespace torchgate::reports {
namespace {

using record::CheckAnswer;

std::int64_t answers(const DoctorReport& doctor, CheckAnswer answer) {
  return std::count_if(doctor.checks.begin(), doctor.checks.end(),
                       [&](const auto& check) { return check.answer == answer; });
}

Section rows_with(const DoctorReport& doctor, CheckAnswer answer, int rank, const std::string& before,
                  const std::string& after) {
  MarkdownTable table({{"check"}, {"severity"}, {"seen"}, {"why"}, {"fix"}}, "");
  for (const record::MachineCheck& check : doctor.checks) {
    if (check.answer != answer) continue;
    const bool bad = answer == CheckAnswer::bad;
    table.add_row({markdown_name(check.name, true), bad ? std::string(check_word(check.severity)) : "",
                   markdown_cell(check.seen), bad ? markdown_cell(doctor.why(check.name)) : "",
                   markdown_cell(check.advice)});
  }
  return {rank, 1, before + table.head(), table.rows(), after, markdown_omitted("checks")};
}

}  // namespace

std::string doctor_markdown(const DoctorReport& doctor, const MarkdownOptions& options) {
  const auto fatal = static_cast<std::int64_t>(fatal_count(doctor.checks));
  const std::int64_t bad = answers(doctor, CheckAnswer::bad);
  const std::int64_t unknown = answers(doctor, CheckAnswer::unknown);
  const std::int64_t ok = answers(doctor, CheckAnswer::ok);
  Section head;
  head.rows = {fmt::format("## {}\n", fatal > 0 ? "❌ Unfit for timing"
                                      : bad > 0 ? "⚠️ Noisy machine"
                                                : "✅ Fit for timing"),
               fmt::format("\n{}: {} fatal, {} bad, {} unknown, {} ok.\n",
                           counted(doctor.checks.size(), "check", "checks"), fatal, bad - fatal, unknown, ok)};
  return fit({head, rows_with(doctor, CheckAnswer::bad, 1, "\n", ""),
              rows_with(doctor, CheckAnswer::unknown, 2, markdown_folded(fmt::format("{} unknown", unknown)),
                        markdown_end_of_folded),
              rows_with(doctor, CheckAnswer::ok, 3, markdown_folded(fmt::format("{} ok", ok)), markdown_end_of_folded)},
             options.limit_bytes);
}

}  // namespace torchgate::reports
