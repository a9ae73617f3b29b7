// SPDX-License-Identifier: Apache-2.0
#include "ci/policy/pairs_budget.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "harness/base/limits.hpp"

namespace torchgate::policy {
namespace {

// Removes the leading number from TEXT and returns it.
std::optional<double> take_number(std::string_view& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::string_view take_word(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  const std::size_t end = std::min(text.find_first_of("0123456789. "), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return word;
}

std::optional<double> unit_seconds(std::string_view word) {
  if (word == "s") return 1;
  if (word == "m" || word == "min") return 60;
  if (word == "h") return 3600;
  return std::nullopt;
}

}  // namespace

base::Result<Budget> parse_budget(const std::string& text) {
  const base::Error wrong{
      base::ErrorCode::bad_input,
      fmt::format(
          "--budget {}: invalid; use a time such as 90s, 5m or 1h30m, or a number of pairs such as \"24 pairs\"",
          text)};
  constexpr double most_of_a_unit = 1e9;
  Budget budget;
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto number = take_number(rest);
    if (!number || !(*number > 0) || !(*number < most_of_a_unit)) return wrong;
    const std::string_view word = take_word(rest);
    if (const auto unit = unit_seconds(word)) {
      budget.seconds = budget.seconds.value_or(0) + *number * *unit;
      continue;
    }
    const auto whole = static_cast<std::int64_t>(*number);
    const bool counts = word.empty() || word == "pair" || word == "pairs";
    if (!counts || static_cast<double>(whole) != *number || budget.pairs || budget.seconds || !rest.empty())
      return wrong;
    budget.pairs = whole;
  }
  if (!budget.seconds && !budget.pairs) return wrong;
  if (budget.seconds.value_or(0) > base::max_seconds) return wrong;
  return budget;
}

std::optional<double> seconds_for_pairs(std::optional<double> budget_s, bool count_undecided) {
  if (!budget_s || !count_undecided) return budget_s;
  return *budget_s * (1 - counting_share);
}

double seconds_for_counts(double pairs_s) {
  return pairs_s * counting_share / (1 - counting_share);
}

base::Result<GateBudget> parse_gate_budget(const std::string& text) {
  GateBudget budget;
  budget.as_long_as_the_run = text == "run";
  budget.open_cases = text != "none";
  if (budget.as_long_as_the_run || !budget.open_cases) return budget;
  auto total = parse_budget(text);
  if (!total) return total.error();
  budget.total = *total;
  return budget;
}

std::chrono::seconds least_time_for_counts(const std::string& text) {
  constexpr std::chrono::minutes least{3};
  const auto budget = parse_gate_budget(text);
  return budget.ok() && !budget->total.seconds ? least : std::chrono::seconds{};
}

}  // namespace torchgate::policy
