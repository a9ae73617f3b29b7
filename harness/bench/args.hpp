// SPDX-License-Identifier: Apache-2.0
// The fixed arguments of one case, as passed to a variant's factory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace torchgate::bench {

/// An axis holds whole numbers ("batch", {1, 8}) or words ("layout", {"nchw", "nhwc"}).
using AxisValue = std::variant<std::int64_t, std::string>;

std::string to_string(const AxisValue& value);

class Args {
 public:
  Args(std::vector<std::pair<std::string, AxisValue>> values, std::uint64_t seed);

  /// Value of a numeric axis. REQUIRES: the group has that axis and it is numeric (std::logic_error otherwise: the case
  /// fails with the name of the axis).
  [[nodiscard]] std::int64_t number(std::string_view axis) const;
  /// Value of a text axis; a number is converted to text.
  [[nodiscard]] std::string text(std::string_view axis) const;
  /// "cpu" or "cuda"; "cpu" for a group without .devices().
  [[nodiscard]] std::string device() const;
  /// Seed of the inputs: the same for every variant of a group, so that outputs can be compared.
  [[nodiscard]] std::uint64_t seed() const { return seed_; }

  /// Path of a file that the group declares with .artefact(file_name). Throws Skip with the reason if it is missing.
  [[nodiscard]] static std::string artefact(const std::string& file_name);

  [[nodiscard]] const std::vector<std::pair<std::string, AxisValue>>& values() const { return values_; }

 private:
  [[nodiscard]] const AxisValue* find(std::string_view axis) const;

  std::vector<std::pair<std::string, AxisValue>> values_;
  std::uint64_t seed_;
};

}  // namespace torchgate::bench
