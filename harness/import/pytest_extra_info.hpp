// SPDX-License-Identifier: Apache-2.0
// "extra_info" of pytest-benchmark: what a test notes beside its time.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "harness/import/imported_process.hpp"
#include "harness/json/json_reader.hpp"

namespace torchgate::import {

/// Numbers are metrics of its own, also in objects ("model.tokens_per_second"), in lists as samples, and in quotes where the key has a unit that says
/// what is better. Other texts and booleans are labels.
struct PytestExtraInfo {
  std::vector<ImportedMetric> metrics;
  std::vector<record::Parameter> labels;
  std::set<std::string> too_many;     ///< names of numbers behind the first most_extra_numbers
  std::set<std::string> not_numbers;  ///< of lists that have numbers, and not only them
};

inline constexpr std::size_t most_extra_numbers = 100;

PytestExtraInfo read_pytest_extra_info(json::JsonReader& reader);

}  // namespace torchgate::import
