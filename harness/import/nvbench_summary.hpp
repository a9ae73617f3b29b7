// SPDX-License-Identifier: Apache-2.0
// What NVBench's JSON says of one state of a benchmark.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/json/json_reader.hpp"
#include "harness/record/case.hpp"

namespace torchgate::import {

/// One element of "states".
struct NvbenchState {
  std::string name;  ///< "Device=0 BlockSize=64"
  std::vector<record::Parameter> axes;
  bool skipped = false;
  std::string skip_reason;
  std::map<std::string, double, std::less<>> values;  ///< by the tag of the summary; finite ones
  struct SampleFile {
    std::string name;
    std::optional<double> size;  ///< numbers in it
  };
  std::map<std::string, SampleFile, std::less<>> files;  ///< by the tag of the summary
  std::set<std::string> tags;                            ///< of all summaries

  /// Absent: no such summary, or it is not finite.
  [[nodiscard]] std::optional<double> value(std::string_view tag) const;
  /// A value whose tag begins so.
  [[nodiscard]] bool has_values_of(std::string_view prefix) const;
};

NvbenchState read_nvbench_state(json::JsonReader& reader);

}  // namespace torchgate::import
