// SPDX-License-Identifier: Apache-2.0
// Counts as tables in Markdown, so that a printed result can be copied into a document.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "tests/simulations/bars.hpp"
#include "tests/simulations/evaluation.hpp"
#include "tests/simulations/recorded_rules.hpp"

namespace torchgate::simulations {

/// 0 when there is nothing to divide by.
double percent(std::size_t part, std::size_t whole);

/// Three significant digits: "0.0032", "4.71", "98.3".
std::string digits(double value);

using Row = std::vector<std::string>;
void print_table(std::ostream& out, const Row& head, const std::vector<Row>& rows);

void print_rates(std::ostream& out, const Evaluation& evaluation);
/// Alarms of every rule, one column for each of `columns` that was counted: "12/27 = 44.4 %".
void print_counts(std::ostream& out, const CountTable& table, const Row& columns);
/// Returns how many do not hold.
std::size_t print_bars(std::ostream& out, const std::vector<BarResult>& bars);

}  // namespace torchgate::simulations
