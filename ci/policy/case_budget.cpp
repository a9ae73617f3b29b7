// SPDX-License-Identifier: Apache-2.0
#include "ci/policy/case_budget.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace torchgate::policy {
namespace {

using base::Error;
using base::ErrorCode;

struct Unit {
  std::string_view name;
  double factor;
  const char* of;
};

constexpr std::array units{Unit{"ns", 1, "ns"},        Unit{"us", 1e3, "ns"},         Unit{"ms", 1e6, "ns"},
                           Unit{"s", 1e9, "ns"},       Unit{"min", 60e9, "ns"},       Unit{"B", 1, "bytes"},
                           Unit{"kB", 1e3, "bytes"},   Unit{"MB", 1e6, "bytes"},      Unit{"GB", 1e9, "bytes"},
                           Unit{"KiB", 1024, "bytes"}, Unit{"MiB", 1048576, "bytes"}, Unit{"GiB", 1073741824, "bytes"}};

Error refuse(std::string_view text) {
  return {
      ErrorCode::bad_input,
      fmt::format(
          R"(a budget is a number above 0 with a unit, such as "100 ms" or "4 GB" (ns, us, ms, s, min; B, kB, MB, GB, KiB, MiB, GiB), or a plain number in the metric's own unit, not "{}")",
          text)};
}

}  // namespace

base::Result<CaseBudget> parse_case_budget(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || !std::isfinite(number) || !(number > 0)) return refuse(text);
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  for (const Unit& each : units) {
    if (each.name == unit) return CaseBudget{number * each.factor, each.of, std::string(text)};
  }
  return refuse(text);
}

base::Result<CaseBudget> case_budget_of(double number) {
  if (!std::isfinite(number) || !(number > 0)) return refuse(fmt::format("{:g}", number));
  return CaseBudget{number, "", fmt::format("{:g}", number)};
}

}  // namespace torchgate::policy
