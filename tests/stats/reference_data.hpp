// SPDX-License-Identifier: Apache-2.0
// Reads the reference numbers in tests/fixtures/stats; see the README there for where each file comes from.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace torchgate::stats::testing {

using Numbers = std::vector<double>;

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

inline std::string fixture_path(const std::string& name) {
  return std::string(TORCHGATE_TESTS_DIR) + "/fixtures/stats/" + name;
}

inline nlohmann::json read_json(const std::string& name) {
  std::ifstream file(fixture_path(name));
  if (!file) throw std::runtime_error("cannot open " + fixture_path(name));
  return nlohmann::json::parse(file);
}

/// One part of a file. By value: a range-for over `read_json(file).at(part)` would walk over a destroyed file.
inline nlohmann::json read_json(const std::string& name, const std::string& part) {
  return read_json(name).at(part);
}

/// A number, or the string "inf".
inline double number(const nlohmann::json& value) {
  return value.is_string() ? infinity : value.get<double>();
}

/// |got - want| <= tolerance |want|, equal infinities included.
inline ::testing::AssertionResult is_close(double got, double want, double tolerance) {
  if (got == want || std::abs(got - want) <= tolerance * std::abs(want)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "got " << ::testing::PrintToString(got) << ", want "
                                       << ::testing::PrintToString(want) << ", relative error "
                                       << std::abs(got - want) / std::abs(want);
}

/// Correct decimal digits, the log relative error by which NIST judges software; 17 when all are.
inline double correct_digits(double got, double certified) {
  if (got == certified) return 17.0;
  return -std::log10(std::abs(got - certified) / std::abs(certified));
}

}  // namespace torchgate::stats::testing
