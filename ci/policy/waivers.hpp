// SPDX-License-Identifier: Apache-2.0
// Waivers: accepted slow-downs, each with a reason and an expiry date. A reviewed file, torchgate-waivers.toml:
//
//   [[waiver]]
//   case = "fusion/gelu/fused/elements:50000/device:cpu"
//   metric = "time"
//   ceiling = 0.12          # largest slow-down that is accepted; of an exact metric the largest value, or
//                           # the lowest one where larger values are better
//   reason = "exact erf instead of tanh, see the change"
//   expires = 2027-01-31    # the last day it holds
//
// `commit`, whose change it accepts, is optional: once that is in the baseline, the waiver has no effect. With `since = "v1"` it is for `gate --since
// v1` alone. With `missing = true` in the place of the ceiling it accepts that the case is missing or not comparable, or that its count is lost.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"

namespace torchgate::policy {

/// Beside torchgate.toml, unless gate.waivers names another. Only this one need not be there.
inline constexpr const char* default_waivers_file = "torchgate-waivers.toml";

struct Waiver {
  std::string case_name;  ///< the whole name
  std::string metric;
  /// Timed: relative slow-down, 0.12 = 12 % worse. Exact: the largest value, or the lowest where larger values are better.
  double ceiling = 0;
  std::string reason;
  std::chrono::year_month_day expires;  ///< the last day on which it holds, UTC
  std::optional<std::string> by;
  std::optional<std::string> commit;
  std::string place;        ///< "torchgate-waivers.toml:12"
  bool one_commit = false;  ///< of a file named by --waivers: for the judged commit, no setting of the project
  bool missing = false;  ///< accepts that the case is missing or not comparable, or its count lost; it has no ceiling
  std::optional<std::string> since = {};  ///< a pin: accepts the change since its commit (`gate --since`), and no other
  bool in_baseline = false;  ///< `commit` is in the history of the newest stored run; found by the command that judges
  std::vector<std::string> in_older = {};  ///< commits of older stored runs whose histories have `commit`; found there
  bool elsewhere = false;  ///< `commit` is neither there nor in the history of what is judged; found there, too

  bool operator==(const Waiver&) const = default;
};

/// All waivers of a file, in its order; `file` is named in messages. bad_input, with line and cure: a key is missing or
/// unknown, a ceiling is below 0, a reason is empty, two waivers are of the same case, metric and pin.
base::Result<std::vector<Waiver>> parse_waivers(std::string_view text, const std::filesystem::path& file);

/// ADDED to WAIVERS; one of the same case, metric and pin replaces the other.
void replace_waivers(std::vector<Waiver>& waivers, const std::vector<Waiver>& added);

/// Whether COMMIT, a full hash, is the one that WAIVER accepts a change of; that may be abbreviated to 7 digits.
bool is_commit_of(const Waiver& waiver, std::string_view commit);

/// Whether WAIVER, of WAIVERS, is for a comparison since PIN, or with the baseline where that is absent. One without a pin is for both, unless
/// another one of its case and metric is for that pin.
bool is_for(const Waiver& waiver, const std::vector<Waiver>& waivers, const std::optional<std::string>& pin);

/// As it stands in the file.
std::string waiver_text(const Waiver& waiver);

/// "2027-01-31"
std::string date_text(std::chrono::year_month_day date);
/// Absent when TEXT is not a day of the calendar in that form.
std::optional<std::chrono::year_month_day> parse_date(std::string_view text);

}  // namespace torchgate::policy
