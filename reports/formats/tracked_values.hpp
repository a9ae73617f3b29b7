// SPDX-License-Identifier: Apache-2.0
// What other trackers keep of a report: one number per case of the new side. Their formats are made of these.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/report.hpp"

namespace torchgate::reports {

/// The primary time (or rate) of a case that was measured and gave the right result, or a metric that it declares beside it.
struct TrackedValue {
  const Finding* finding;
  std::string
      name;  ///< of the case, on one line and not too long for any receiver; different cases have different names
  double value = 0;              ///< of the new side, in the metric's unit
  std::optional<double> lowest;  ///< of its processes; absent with fewer than two
  std::optional<double> highest;
  std::optional<double> sd;  ///< of the values of its processes, in the metric's unit
  std::string case_name;     ///< `name` of the case's primary metric
};

/// Failed, wrong, missing, not comparable and skipped cases have none: a tracker would take a number for a speed.
std::vector<TrackedValue> tracked_values(const Report& report);

/// Of the metrics that were judged beside the primary one because the case declares them: "CASE: METRIC".
std::vector<TrackedValue> tracked_declared_values(const Report& report);

/// Both.
std::vector<TrackedValue> all_tracked_values(const Report& report);

/// Cases of the report that have none of them and were not skipped, by what they came to: "2 cases are not in the file, as they have no
/// valid time: 1 failed, 1 missing, e.g. BM_sort". Empty: there are none.
std::string cases_without_values(const Report& report);

/// Longest name, in bytes: that of Bencher (1,024 characters), with room for the escapes of a JSON text.
inline constexpr std::size_t longest_tracked_name = 1000;
/// UNTRUSTED on one line; of a longer one both ends. With a hash of all of it where anything of it was replaced or left out: a tracker knows a case
/// by its name, which must be the same in each report and that of no other case.
std::string tracked_name(std::string_view untrusted);
/// NAME~HASH: for a receiver that takes less than tracked_name() leaves.
std::string with_hash_of(std::string_view untrusted, const std::string& name);

/// Seconds since 1970 of an ISO 8601 time in UTC; absent where it is not one.
std::optional<std::int64_t> unix_seconds(std::string_view utc);

}  // namespace torchgate::reports
