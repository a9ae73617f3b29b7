// SPDX-License-Identifier: Apache-2.0
// Work in a time: items and bytes per second, and what they say about one call.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// The names and units of the two that every tool has.
inline constexpr const char* items_rate = "items_per_second";
inline constexpr const char* bytes_rate = "bytes_per_second";

/// The count behind a rate, per call of TIME_NS: a whole number nearly always, and the division must not show. Absent: no rate.
std::optional<double> work_per_call(std::optional<double> per_second, double time_ns);

/// A metric that is judged beside the time where it says more than the time does.
ImportedMetric rate_metric(std::string name, std::string unit, std::vector<double> per_second);

/// items_per_call and bytes_per_call over the times of ONE, sample by sample.
void add_rates_of_work(ImportedCase& one);

}  // namespace torchgate::import
