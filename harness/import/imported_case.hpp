// SPDX-License-Identifier: Apache-2.0
// One imported benchmark in a record.
#pragma once

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

/// Its metrics as far as EACH has numbers for them: time, which is primary, its
/// other metrics, then cpu_time, peak_bytes, allocations.
std::vector<record::Metric> metrics_of(const ImportedCase& each);

/// Its definition as a case NAME of GROUP of SUITE.
record::Case definition_of(const ImportedCase& each, const std::string& name, const std::string& suite,
                           const std::string& group);

/// Its numbers, or why it has none, as a result of case NAME.
record::CaseResult result_of(ImportedCase each, const std::string& name);

}  // namespace torchgate::import
