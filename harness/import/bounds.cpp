// SPDX-License-Identifier: Apache-2.0
#include "harness/import/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "harness/base/shown_text.hpp"

namespace torchgate::import {

std::string invalid_time(std::optional<double> ns) {
  if (!ns || !std::isfinite(*ns)) return "invalid time: NaN or infinite";
  if (*ns < 0 || *ns > longest_ns) return fmt::format("invalid time: {:g} ns", *ns);
  return "";
}

std::string measures_nothing(double ns) {
  return fmt::format(
      "time of {:g} ns: measures nothing, a clock cycle takes longer; check that the compiler does not remove the work",
      ns);
}

std::optional<double> number_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range && last == end) return std::nullopt;
  return error == std::errc() && last == end ? std::optional(value) : std::nullopt;
}

std::string not_a_number(std::string_view text) {
  std::string with_point(text);
  std::replace(with_point.begin(), with_point.end(), ',', '.');
  const bool comma = text.find(',') != std::string_view::npos && number_in(with_point);
  return fmt::format("{} is not a number{}", base::in_quotes(text),
                     comma ? "; it has a decimal comma: run the program with LC_ALL=C" : "");
}

}  // namespace torchgate::import
