// SPDX-License-Identifier: Apache-2.0
#include "ci/policy/waiver_of_finding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <vector>

#include "harness/base/some_of.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::policy {
namespace {

using base::Error;
using base::ErrorCode;

std::optional<double> number_of(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

// "12%", "12 %" or "0.12" as 0.12.
std::optional<double> share_of(std::string_view text) {
  if (!text.ends_with('%')) return number_of(text);
  text.remove_suffix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  const auto number = number_of(text);
  return number ? std::optional(*number / 100) : std::nullopt;
}

std::string words(double value, bool exact) {
  return exact ? fmt::format("{}", value) : fmt::format("{:.4g} %", value * 100);
}

// Of a change, as typed without a %: whether per cent may be meant. Of a change of 0.15 whatever is 1 or more, of one of 1.5 what covers it as
// per cent, too.
bool looks_like_per_cent(std::string_view asked, double ceiling, double measured) {
  return !asked.ends_with('%') && ceiling >= 1 && (measured < 1 || ceiling / 100 >= measured);
}

// "the measured 12.7 %". A report shows another number of a rate, which falls.
std::string measured_words(double measured, bool exact, bool lower_is_better) {
  if (exact || lower_is_better) return "the measured " + words(measured, exact);
  return fmt::format("the measured slow-down of {} (of a rate: before / after - 1, its change is {:.3g} %)",
                     words(measured, exact), (1 / (1 + measured) - 1) * 100);
}

constexpr const char* header =
    "# Accepted slow-downs, each with a reason and an expiry date. Reviewed like code; written by `torchgate accept`\n"
    "# or by hand. Reports list every waiver that is exceeded, expired or unused.\n";

bool is_of_same_finding(const Waiver& one, const Waiver& other) {
  return one.case_name == other.case_name && one.metric == other.metric && one.since == other.since;
}

// Whether the old one is spent, or its ceiling is too low now, only its author knows.
base::Result<void> check_not_waived(const std::vector<Waiver>& there, const std::vector<Waiver>& added,
                                    const std::filesystem::path& file) {
  const Waiver* first = nullptr;
  std::vector<std::string> places;
  for (const Waiver& old : there) {
    const auto same = [&](const Waiver& waiver) { return is_of_same_finding(old, waiver); };
    if (std::none_of(added.begin(), added.end(), same)) continue;
    if (first == nullptr) first = &old;
    places.push_back(old.place.substr(old.place.rfind(':') + 1));
  }
  if (first == nullptr) return {};
  constexpr std::size_t most_lines = 5;
  return Error{
      ErrorCode::bad_input,
      fmt::format("{}: already has a waiver for {} ({}){}; remove the {} {}, then accept again", file.string(),
                  first->case_name, first->metric,
                  first->commit ? fmt::format(" of commit {}", record::short_commit(*first->commit)) : "",
                  places.size() == 1 ? "waiver in line" : "waivers in lines", base::some_of(places, most_lines))};
}

}  // namespace

base::Result<double> waiver_ceiling(const std::optional<std::string>& asked, double measured, bool exact,
                                    bool lower_is_better) {
  // Less than a hundredth of a per cent above a whole one is that one: 1.12 - 1 is not 0.12.
  constexpr double rounding = 1e-4;
  if (!asked) return exact ? measured : std::max(1.0, std::ceil(measured * 100 - rounding)) / 100;
  const auto ceiling = exact ? number_of(*asked) : share_of(*asked);
  const bool lowest = exact && !lower_is_better;
  if (!ceiling || !(*ceiling > 0 || (lowest && *ceiling == 0))) {
    return Error{ErrorCode::bad_input,
                 fmt::format("--ceiling {}: invalid value; use {}", *asked,
                             lowest  ? "the lowest accepted value of this exact metric, such as 1024"
                             : exact ? "the largest accepted value of this exact metric, such as 1024"
                                     : "the largest accepted slow-down, such as 12% or 0.12")};
  }
  if (!exact && looks_like_per_cent(*asked, *ceiling, measured)) {
    return Error{
        ErrorCode::bad_input,
        fmt::format("--ceiling {0}: accepts a slow-down of {1} %; use {0}% or {2}, or {1}% if that is intended", *asked,
                    *ceiling * 100, *ceiling / 100)};
  }
  if (lowest && *ceiling > measured) {
    return Error{ErrorCode::bad_input,
                 fmt::format("--ceiling {}: above the measured {}, and larger values are better; use a smaller ceiling",
                             *asked, words(measured, exact))};
  }
  if (!lowest && *ceiling + rounding / 100 < measured) {
    return Error{ErrorCode::bad_input, fmt::format("--ceiling {}: below {}; use a larger ceiling", *asked,
                                                   measured_words(measured, exact, lower_is_better))};
  }
  return *ceiling;
}

base::Result<std::chrono::year_month_day> waiver_expiry(const std::optional<std::string>& asked,
                                                        std::chrono::year_month_day today) {
  constexpr int most_days = 36500;
  int days = default_waiver_days;
  if (asked) {
    if (const auto date = parse_date(*asked)) {
      if (*date < today)
        return Error{ErrorCode::bad_input, fmt::format("--expires {}: in the past; use a later date", *asked)};
      return *date;
    }
    const std::string_view text = *asked;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), days);
    const bool is_days = error == std::errc{} && end + 1 == text.data() + text.size() && *end == 'd';
    if (!is_days || days < 1 || days > most_days) {
      return Error{
          ErrorCode::bad_input,
          fmt::format("--expires {}: invalid value; use a number of days such as 90d, or a date such as 2027-01-31",
                      *asked)};
    }
  }
  return std::chrono::year_month_day(std::chrono::sys_days(today) + std::chrono::days(days));
}

base::Result<std::string> append_waivers(const std::string& text, const std::vector<Waiver>& added,
                                         const std::filesystem::path& file) {
  const auto there = parse_waivers(text, file);
  if (!there) return there.error();
  if (auto fits = check_not_waived(*there, added, file); !fits) return fits.error();
  std::string result = text;
  if (text.empty()) result = header;
  if (!result.ends_with('\n')) result += '\n';
  for (const Waiver& waiver : added) result += '\n' + waiver_text(waiver);
  if (const auto read = parse_waivers(result, file); !read) return read.error();
  return result;
}

}  // namespace torchgate::policy
