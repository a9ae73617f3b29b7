// SPDX-License-Identifier: Apache-2.0
// What the units of Go's benchmark format mean: those of package testing, and those that a file declares with lines
// "Unit NAME better=lower assume=exact".
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "harness/record/metric.hpp"

namespace torchgate::import {

struct GoUnit {
  std::optional<record::Direction> better;  ///< absent: not known
  bool exact = false;                       ///< its values are not noisy
};

class GoUnits {
 public:
  /// A line "Unit NAME KEY=VALUE ...". Returns false where LINE is not one.
  bool declare(std::string_view line);

  [[nodiscard]] GoUnit of(std::string_view unit) const;

 private:
  std::map<std::string, GoUnit, std::less<>> declared_;
};

}  // namespace torchgate::import
