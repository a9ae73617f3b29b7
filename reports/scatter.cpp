// SPDX-License-Identifier: Apache-2.0
#include "reports/scatter.hpp"

#include <algorithm>
#include <cmath>

namespace torchgate::reports {
namespace {

enum class Cell { empty, divider, point };

// Values from the top row down to the bottom row, evenly spaced.
class Rows {
 public:
  Rows(const std::vector<double>& values, std::size_t height) : height_(std::max<std::size_t>(height, 2)) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    low_ = *low;
    high_ = *high;
  }
  [[nodiscard]] std::size_t count() const { return height_; }
  [[nodiscard]] std::size_t of(double value) const {
    if (high_ == low_) return height_ / 2;
    const double share = (high_ - value) / (high_ - low_);
    return static_cast<std::size_t>(std::lround(share * static_cast<double>(height_ - 1)));
  }

 private:
  std::size_t height_;
  double low_ = 0;
  double high_ = 0;
};

std::string text_of(Cell cell, bool unicode) {
  if (cell == Cell::point) return unicode ? "•" : "*";
  if (cell == Cell::divider) return unicode ? "│" : "|";
  return " ";
}

}  // namespace

std::vector<std::string> scatter(const std::vector<double>& values, const std::vector<std::size_t>& dividers,
                                 const ScatterOptions& options) {
  if (values.empty()) return {};
  const Rows rows(values, options.height);
  const bool roomy = values.size() + dividers.size() <= options.width;
  const std::size_t columns = roomy ? values.size() + dividers.size() : options.width;
  const auto dividers_up_to = [&](std::size_t index) {
    return static_cast<std::size_t>(
        std::count_if(dividers.begin(), dividers.end(), [index](std::size_t divider) { return divider <= index; }));
  };
  const auto column_of = [&](std::size_t index) {
    return roomy ? index + dividers_up_to(index) : index * columns / values.size();
  };
  std::vector<std::vector<Cell>> grid(rows.count(), std::vector<Cell>(columns, Cell::empty));
  for (const std::size_t divider : dividers) {
    const std::size_t column = roomy ? column_of(divider) - 1 : column_of(divider);
    for (auto& row : grid) row[column] = Cell::divider;
  }
  for (std::size_t i = 0; i < values.size(); ++i) grid[rows.of(values[i])][column_of(i)] = Cell::point;

  std::vector<std::string> lines;
  for (const auto& row : grid) {
    std::string line;
    for (const Cell cell : row) line += text_of(cell, options.unicode);
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace torchgate::reports
