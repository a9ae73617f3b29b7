// SPDX-License-Identifier: Apache-2.0
#include "reports/measured_table.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "reports/overview.hpp"
#include "reports/sentences.hpp"

namespace torchgate::reports {
namespace {

struct NoiseColumn {
  const char* name;
  NoisePart Noise::*part;
};
constexpr std::array noise_columns{NoiseColumn{"noise (iterations)", &Noise::iteration},
                                   NoiseColumn{"noise (processes)", &Noise::process}};

std::string noise_cell(const Finding& finding, const NoiseColumn& column, const Format& format) {
  if (!finding.after || !finding.after->noise) return format.unknown();
  const std::string words = sd_words((*finding.after->noise).*column.part);
  return words.empty() ? format.unknown() : words;
}

std::string name_of(const Finding& finding) {
  return finding.metric.primary ? finding.case_name : finding.case_name + "  " + finding.metric.name;
}

}  // namespace

Table measured_table(const std::vector<const Finding*>& findings, const Report& report, const Format& format) {
  Table table{"Measured", {"case", "value"}, {}, {}};
  for (const Finding* finding : findings)
    table.rows.push_back({name_of(*finding), cells_of(*finding, report, format).after});
  for (const NoiseColumn& column : noise_columns) {
    std::vector<std::string> cells;
    cells.reserve(findings.size());
    for (const Finding* finding : findings) cells.push_back(noise_cell(*finding, column, format));
    const bool known =
        std::any_of(cells.begin(), cells.end(), [&](const auto& cell) { return cell != format.unknown(); });
    if (!known) continue;
    table.columns.emplace_back(column.name);
    for (std::size_t i = 0; i < cells.size(); ++i) table.rows[i].push_back(std::move(cells[i]));
  }
  table.columns.emplace_back("n");
  for (std::size_t i = 0; i < findings.size(); ++i)
    table.rows[i].push_back(cells_of(*findings[i], report, format).observations);
  return table;
}

}  // namespace torchgate::reports
