// SPDX-License-Identifier: Apache-2.0
// Reads a file of comma-separated values with a header row, plain or packed by gzip. No quoting: numbers and plain words.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace torchgate::simulations {

class Csv {
 public:
  /// Throws std::runtime_error with the file's name when it cannot be read, a row is too short, or the header is missing.
  explicit Csv(const std::filesystem::path& file);

  [[nodiscard]] std::size_t rows() const { return cells_.size(); }
  /// Throws std::runtime_error when the column is missing.
  [[nodiscard]] const std::string& text(std::size_t row, const std::string& column) const;
  /// Throws also when the cell is not a number.
  [[nodiscard]] double number(std::size_t row, const std::string& column) const;

 private:
  [[nodiscard]] std::size_t index_of(const std::string& column) const;

  std::string name_;
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> cells_;
};

}  // namespace torchgate::simulations
