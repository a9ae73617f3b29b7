// SPDX-License-Identifier: Apache-2.0
// From a finding that fails to the waiver that would let it pass.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ci/policy/waivers.hpp"
#include "harness/base/result.hpp"

namespace torchgate::policy {

/// Without --expires: long enough for a release, short enough to be looked at again.
inline constexpr int default_waiver_days = 90;

/// The ceiling of a waiver. `asked` as typed: "12%", "12 %" or "0.12" for a slow-down, a plain number for an exact metric;
/// absent: the measured number, a slow-down rounded up to the next whole per cent. `measured`: how much worse (0.127), or the
/// value of an exact metric: where that is not lower_is_better, the ceiling is the lowest accepted value, and may be 0.
/// bad_input: it is not such a number, does not cover what was measured, or is a plain "20" that may stand for 20 %.
base::Result<double> waiver_ceiling(const std::optional<std::string>& asked, double measured, bool exact,
                                    bool lower_is_better = true);

/// The last day of a waiver: a date, or "90d" from today. bad_input: neither, or a day that is past.
base::Result<std::chrono::year_month_day> waiver_expiry(const std::optional<std::string>& asked,
                                                        std::chrono::year_month_day today);

/// The file's text with the waivers of `added` behind it: what stood there stays byte for byte. bad_input: the result would
/// not be a file of waivers, for one because there is a waiver of that case and metric already (names its line).
base::Result<std::string> append_waivers(const std::string& text, const std::vector<Waiver>& added,
                                         const std::filesystem::path& file);

}  // namespace torchgate::policy
