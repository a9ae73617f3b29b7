// SPDX-License-Identifier: Apache-2.0
#include "harness/record/warnings.hpp"

#include <string_view>

#include "harness/base/limits.hpp"

namespace torchgate::record {

namespace {

constexpr std::string_view before_name = "The case ";
constexpr std::string_view after_name = " is defined differently in ";
constexpr std::string_view before_what = " (its ";
constexpr std::string_view after_what = "): its two timings are not comparable";

}  // namespace

std::string defined_differently(const std::string& case_name, const std::string& both_sides, const std::string& what) {
  return std::string(before_name) + case_name + std::string(after_name) + both_sides + " (" + what +
         std::string(after_what);
}

std::optional<DefinedDifferently> read_defined_differently(const std::string& warning) {
  if (!warning.starts_with(before_name) || !warning.ends_with(after_what)) return std::nullopt;
  const std::size_t name_end = warning.find(after_name);
  if (name_end == std::string::npos) return std::nullopt;
  const std::size_t what = warning.find(before_what, name_end + after_name.size());
  if (what == std::string::npos) return std::nullopt;
  const std::size_t begin = what + std::string_view(" (").size();
  return DefinedDifferently{warning.substr(before_name.size(), name_end - before_name.size()),
                            warning.substr(begin, warning.size() - after_what.size() - begin)};
}

void limit_warnings(std::vector<std::string>& warnings) {
  const auto most = static_cast<std::size_t>(base::max_warnings);
  if (warnings.size() <= most) return;
  const std::size_t left_out = warnings.size() - (most - 1);
  warnings.resize(most - 1);
  warnings.push_back(std::to_string(left_out) + " more warnings were dropped");
}

}  // namespace torchgate::record
