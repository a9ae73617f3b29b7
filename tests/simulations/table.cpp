// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/table.hpp"

#include <cmath>
#include <cstdio>

#include "tests/simulations/share.hpp"

namespace torchgate::simulations {
namespace {

void print_row(std::ostream& out, const Row& row) {
  for (const std::string& cell : row) out << "| " << cell << ' ';
  out << "|\n";
}

std::string alarmed(const Tally& tally) {
  return std::to_string(tally.requests_alarmed) +
         " (<= " + digits(100.0 * *share_upper_bound(tally.requests_alarmed, tally.requests)) + " %)";
}

std::string per_request(std::size_t count, const Tally& tally) {
  if (count == 0) return "";
  return digits(static_cast<double>(count) / static_cast<double>(tally.requests));
}

}  // namespace

double percent(std::size_t part, std::size_t whole) {
  if (whole == 0) return 0.0;
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, std::abs(value) >= 99.95 ? "%.0f" : "%.3g", value);
  return text;
}

void print_table(std::ostream& out, const Row& head, const std::vector<Row>& rows) {
  print_row(out, head);
  print_row(out, Row(head.size(), "---"));
  for (const Row& row : rows) print_row(out, row);
  out << '\n';
}

void print_rates(std::ostream& out, const Evaluation& evaluation) {
  const std::span<const Rule> rules = evaluation.rules;
  const Tally& any = evaluation.tallies.front()[no_effect];
  out << describe(evaluation.setting) << "; " << any.requests << " pull requests of " << cases_per_suite << " cases, "
      << changed_cases << " of them changed.\n\n";
  std::vector<Row> rows;
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    const RuleTallies& tallies = evaluation.tallies[rule];
    const Tally& same = tallies[no_effect];
    Row row{std::string(rules[rule].name), digits(percent(same.alarms, same.unchanged)), alarmed(same)};
    for (std::size_t size = 1; size < effects.size(); ++size) {
      row.push_back(digits(percent(tallies[size].found, tallies[size].changed)));
    }
    row.push_back(same.pairs == 0 ? "" : digits(percent(same.decided, same.unchanged + same.changed)));
    row.push_back(digits(percent(same.unchanged_same, same.unchanged)));
    for (const std::size_t size : {two_percent, five_percent}) {
      row.push_back(digits(percent(tallies[size].changed_same, tallies[size].changed)));
    }
    row.push_back(per_request(same.suspects, same));
    row.push_back(per_request(same.pairs, same));
    row.push_back(per_request(tallies[five_percent].pairs, same));
    row.push_back(per_request(same.open_cases, same));
    row.push_back(per_request(same.open_pairs, same));
    rows.push_back(row);
  }
  print_table(out,
              {"rule", "false alarms, % of unchanged cases", "requests with any (95 % bound)", "+1 % found, %", "+2 %",
               "+5 %", "+10 %", "-5 % found", "cases decided, %", "unchanged called equivalent, %",
               "+2 % called equivalent, %", "+5 % called equivalent, %", "suspects and probes a request",
               "their pairs a request", "the same, ten +5 %", "open cases a request", "their pairs"},
              rows);
}

void print_counts(std::ostream& out, const CountTable& table, const Row& columns) {
  Row head{"rule"};
  head.insert(head.end(), columns.begin(), columns.end());
  std::vector<Row> rows;
  for (const std::string& rule : table.rules()) {
    Row row{rule};
    for (const std::string& column : columns) {
      const Count count = table.at(rule, column);
      const double share = count.tests == 0 ? 0.0 : 100.0 * count.alarms / static_cast<double>(count.tests);
      row.push_back(count.tests == 0
                        ? ""
                        : digits(count.alarms) + "/" + std::to_string(count.tests) + " = " + digits(share) + " %");
    }
    rows.push_back(row);
  }
  print_table(out, head, rows);
}

std::size_t print_bars(std::ostream& out, const std::vector<BarResult>& bars) {
  std::vector<Row> rows;
  std::size_t missed = 0;
  for (const BarResult& bar : bars) {
    std::string limit = bar.at_least > 0.0 ? ">= " + digits(bar.at_least) : "";
    if (bar.at_most < 100.0) limit += (limit.empty() ? "<= " : ", <= ") + digits(bar.at_most);
    rows.push_back({bar.what, digits(bar.measured), limit, bar.holds() ? "ok" : "NOT"});
    missed += bar.holds() ? 0U : 1U;
  }
  print_table(out, {"bar, %", "measured", "limit", ""}, rows);
  return missed;
}

}  // namespace torchgate::simulations
