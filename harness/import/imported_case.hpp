// SPDX-License-Identifier: Apache-2.0
// One imported benchmark in a record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/import/imported_process.hpp"
#include "harness/record/case.hpp"
#include "harness/record/process.hpp"

namespace torchgate::import {

/// What the one value of a case is whose file has no samples.
enum class SingleValue { median, mean };

/// Its time, which is there already, is VALUE of SAMPLES ("its repetitions"), and those are not in the file: its note and its protocol say so.
void mark_single_value(ImportedCase& each, SingleValue value, std::string_view samples);

/// Why SAMPLES are not those that the same file has the MEAN of or, without one, the MEDIAN; empty: they are, to the digits given and to the 1e-5
/// that 32-bit numbers have, or it has neither, or a sample is invalid.
std::string not_samples_of(const std::vector<double>& samples_ns, std::optional<double> mean_ns,
                           std::optional<double> median_ns);
/// The same of seconds. Absent: not finite.
std::string not_samples_of(const std::vector<std::optional<double>>& samples_s, std::optional<double> mean_s,
                           std::optional<double> median_s);

/// "FILE: the samples of one case could not be used: WHY; ..."; empty where COUNT is 0.
std::string unused_samples_warning(const std::string& file, std::int64_t count, const std::string& first_reason);

/// Its metrics as far as EACH has numbers for them: time, which is primary, its
/// other metrics, then cpu_time, peak_bytes, allocations.
std::vector<record::Metric> metrics_of(const ImportedCase& each);

/// Its definition as a case NAME of GROUP of SUITE.
record::Case definition_of(const ImportedCase& each, const std::string& name, const std::string& suite,
                           const std::string& group);

/// Its numbers, or why it has none, as a result of case NAME.
record::CaseResult result_of(ImportedCase each, const std::string& name);

}  // namespace torchgate::import
