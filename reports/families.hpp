// SPDX-License-Identifier: Apache-2.0
// What the cases that changed have in common, as far as their names show it: "BM_UFlat: 11 of 12 slower; BM_ZFlat: 0 of 12".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/report.hpp"

namespace torchgate::reports {

/// Fewest changed cases of which it is asked what they have in common.
inline constexpr std::int64_t fewest_in_family = 3;

/// The cases that became slower, or faster, divided by the part of their names that separates them best from the others.
///
/// What: names are split at "/", "::", "[" and "<" into parts. A division is by the first n parts, by the part at one place, or by
/// the value of one key ("batch:8"). The one with the largest G - (m - 1) ln N is taken, where G is the likelihood-ratio statistic of
/// the table family x changed, m the number of families and N that of cases, at least 2 m: the Bayesian information criterion.
/// Assumes: cases change independently; with names that say nothing, no division has a positive score and there is one family.
/// Source: Schwarz, Estimating the dimension of a model, Annals of Statistics 6 (1978); Agresti, Categorical Data Analysis, 3.2.
/// Checked: tests/reports/families_test.cpp, against a slow search over all divisions.
std::optional<Families> families_of(const std::vector<Finding>& findings);

/// "BM_UFlat: 11 of 12 slower, median +4.00 %; BM_ZFlat: 0 of 12"; where some are suspects that do not fail "slower or suspected".
/// Untrusted: names.
std::string family_words(const Families& families);

}  // namespace torchgate::reports
