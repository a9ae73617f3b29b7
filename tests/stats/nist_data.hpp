// SPDX-License-Identifier: Apache-2.0
// Reads the NIST StRD sets in tests/fixtures/stats/nist, and makes those of their relatives that differ only in what
// stands before the decimal point.
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats::testing {

/// Columns of a NIST file: `y`, or `group,y`. With `whole` given, every "1000000." at the start of a number is replaced
/// by it: SmLs04 becomes SmLs07, SmLs05 becomes SmLs02 or SmLs08, as NIST made them.
inline std::vector<Numbers> read_nist(const std::string& name, const std::string& whole = "") {
  const std::string stem = "1000000.";
  std::ifstream file(fixture_path("nist/" + name));
  std::string line;
  std::getline(file, line);
  std::vector<Numbers> groups;
  std::string last_group = "none yet";
  while (std::getline(file, line)) {
    const std::size_t comma = line.find(',');
    const std::string group = comma == std::string::npos ? "" : line.substr(0, comma);
    std::string digits = comma == std::string::npos ? line : line.substr(comma + 1);
    if (!whole.empty() && digits.starts_with(stem)) digits = whole + digits.substr(stem.size());
    if (group != last_group) groups.emplace_back();
    last_group = group;
    groups.back().push_back(std::strtod(digits.c_str(), nullptr));
  }
  return groups;
}

/// NIST NumAcc4 by its published construction: 10000000.2, then 10000000.1 and 10000000.3 five hundred times in turn.
inline Numbers num_acc_4() {
  Numbers values{10000000.2};
  for (int i = 0; i < 500; ++i) values.insert(values.end(), {10000000.1, 10000000.3});
  return values;
}

inline double certified(const nlohmann::json& set, const char* key) {
  return std::strtod(set.at(key).get<std::string>().c_str(), nullptr);
}

}  // namespace torchgate::stats::testing
