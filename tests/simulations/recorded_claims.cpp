// SPDX-License-Identifier: Apache-2.0
// The claims of recorded runs: how much their log ratios vary, and what each rule decides.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "stats/moderated_variance.hpp"
#include "stats/quantile.hpp"
#include "tests/simulations/claims.hpp"
#include "tests/simulations/csv.hpp"
#include "tests/simulations/table.hpp"

namespace torchgate::simulations {
namespace {

using Runs = std::map<std::string, std::vector<LogRatios>>;  // minus the log of the promise

Runs read_claims(const std::filesystem::path& table) {
  const Csv csv(table);
  Runs runs;
  for (std::size_t row = 0; row < csv.rows(); ++row) {
    LogRatios ratios{};
    for (std::size_t p = 0; p < claim_processes; ++p) {
      ratios[p] = csv.number(row, "p" + std::to_string(p + 1)) - csv.number(row, "log_promise");
    }
    runs[csv.text(row, "run")].push_back(ratios);
  }
  return runs;
}

std::string quantiles_of(const std::vector<stats::Variance>& variances) {
  std::vector<double> sds;
  sds.reserve(variances.size());
  for (const stats::Variance& one : variances) sds.push_back(100.0 * std::sqrt(one.s2));
  std::string text;
  for (const double q : {0.0, 0.25, 0.5, 0.75, 1.0})
    text += (text.empty() ? "" : " / ") + digits(*stats::quantile(sds, q));
  return text;
}

// Held, broken, undecided.
std::string decided(ClaimRule rule, const std::vector<LogRatios>& claims) {
  const ClaimCalls calls = call_claims(rule, claims);
  const auto held = std::count(calls.holds.begin(), calls.holds.end(), true);
  const auto broken = std::count(calls.broken.begin(), calls.broken.end(), true);
  const auto open = static_cast<std::ptrdiff_t>(claims.size()) - held - broken;
  return std::to_string(held) + " / " + std::to_string(broken) + " / " + std::to_string(open);
}

Row row_of(const std::string& name, const std::vector<LogRatios>& claims) {
  const std::vector<stats::Variance> variances = variances_of(claims);
  Row row{name, std::to_string(claims.size()), quantiles_of(variances), digits(stats::moderate(variances).prior_df)};
  for (const ClaimRule rule : claim_rules) row.push_back(decided(rule, claims));
  return row;
}

}  // namespace

void print_recorded_claims(std::ostream& out, const std::filesystem::path& table) {
  std::vector<Row> rows;
  std::vector<LogRatios> all;
  for (const auto& [name, claims] : read_claims(table)) {
    rows.push_back(row_of(name, claims));
    all.insert(all.end(), claims.begin(), claims.end());
  }
  rows.push_back(row_of("all as one run", all));
  out << "Held / broken / undecided by each rule.\n\n";
  print_table(out,
              {"run", "claims", "SD of the log ratios, %: least / quartiles / largest", "prior df",
               "alpha / claims each", "Holm over all", "moderated", "moderated, p at most halved", "the program"},
              rows);
}

}  // namespace torchgate::simulations
