// SPDX-License-Identifier: Apache-2.0
#include "stats/dip.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace torchgate::stats {
namespace {

using Indices = std::vector<std::size_t>;

// Distances are counted in steps of the empirical distribution function (1/n) until the end, where half of the largest
// is the dip.
class Dip {
 public:
  explicit Dip(std::span<const double> sorted) : x_(sorted), before_(sorted.size()), after_(sorted.size()) {
    const std::size_t n = x_.size();
    minorant_.reserve(n);
    majorant_.reserve(n);
    // Each value's predecessor on the greatest convex minorant of the values up to it; its successor on the least concave
    // majorant of those from it on.
    for (std::size_t j = 1; j < n; ++j) {
      std::size_t at = j - 1;
      while (at != 0 && !steeper(before_[at], at, j)) at = before_[at];
      before_[j] = at;
    }
    after_[n - 1] = n - 1;
    for (std::size_t j = n - 1; j-- > 0;) {
      std::size_t at = j + 1;
      while (at != n - 1 && !flatter(j, at, after_[at])) at = after_[at];
      after_[j] = at;
    }
  }

  double value() {
    double largest = 1.0;
    std::size_t low = 0;
    std::size_t high = x_.size() - 1;
    for (;;) {
      trace(low, high);
      const Gap gap = widest_gap();
      if (gap.distance < largest) break;
      for (std::size_t k = gap.minorant; k + 1 < minorant_.size(); ++k)
        largest = std::max(largest, below_chord(minorant_[k + 1], minorant_[k]));
      for (std::size_t k = gap.majorant; k + 1 < majorant_.size(); ++k)
        largest = std::max(largest, above_chord(majorant_[k], majorant_[k + 1]));
      const std::size_t next_low = minorant_[gap.minorant];
      const std::size_t next_high = majorant_[gap.majorant];
      if (next_low == low && next_high == high) break;
      low = next_low;
      high = next_high;
    }
    return largest / (2.0 * static_cast<double>(x_.size()));
  }

 private:
  struct Gap {
    double distance = 0.0;
    std::size_t minorant = 0;  // positions in minorant_ and majorant_: the modal interval's ends
    std::size_t majorant = 0;
  };

  [[nodiscard]] double steps(std::size_t from, std::size_t to) const { return static_cast<double>(to - from); }

  // The slope from b to c is larger than the one from a to b: b is a corner of a convex function.
  [[nodiscard]] bool steeper(std::size_t a, std::size_t b, std::size_t c) const {
    return (x_[c] - x_[b]) * steps(a, b) < (x_[b] - x_[a]) * steps(b, c);
  }
  [[nodiscard]] bool flatter(std::size_t a, std::size_t b, std::size_t c) const {
    return (x_[b] - x_[a]) * steps(b, c) < (x_[c] - x_[b]) * steps(a, b);
  }

  // The minorant from high down to low, and the majorant from low up to high.
  void trace(std::size_t low, std::size_t high) {
    minorant_.assign(1, high);
    while (minorant_.back() > low) minorant_.push_back(before_[minorant_.back()]);
    majorant_.assign(1, low);
    while (majorant_.back() < high) majorant_.push_back(after_[majorant_.back()]);
  }

  // Walks both from the left and finds where the majorant is farthest above the minorant.
  [[nodiscard]] Gap widest_gap() const {
    Gap gap{0.0, minorant_.size() - 1, majorant_.size() - 1};
    if (minorant_.size() == 2 && majorant_.size() == 2) return {1.0, gap.minorant, gap.majorant};
    std::size_t i = minorant_.size() - 2;  // next corner of the minorant
    std::size_t j = 1;                     // next corner of the majorant
    for (;;) {
      const std::size_t a = minorant_[i];
      const std::size_t b = majorant_[j];
      if (a > b) {
        // At a corner of the majorant, above the minorant's edge before `a`.
        const std::size_t start = minorant_[i + 1];
        const double edge = (x_[b] - x_[start]) * steps(start, a) / (x_[a] - x_[start]);
        const double distance = static_cast<double>(b) - static_cast<double>(start) + 1.0 - edge;
        if (distance >= gap.distance) gap = {distance, i + 1, j};
        ++j;
      } else {
        // At a corner of the minorant, below the majorant's edge before `b`.
        const std::size_t start = majorant_[j - 1];
        const double edge = (x_[a] - x_[start]) * steps(start, b) / (x_[b] - x_[start]);
        const double distance = edge - (static_cast<double>(a) - static_cast<double>(start) - 1.0);
        if (distance >= gap.distance) gap = {distance, i, j};
        if (i > 0) --i;
      }
      j = std::min(j, majorant_.size() - 1);
      if (minorant_[i] == majorant_[j]) return gap;
    }
  }

  // How far the distribution function leaves the chord between two neighbouring corners.
  [[nodiscard]] double below_chord(std::size_t from, std::size_t to) const {
    double largest = 1.0;
    if (to - from <= 1 || x_[to] == x_[from]) return largest;
    const double slope = steps(from, to) / (x_[to] - x_[from]);
    for (std::size_t k = from; k <= to; ++k)
      largest = std::max(largest, steps(from, k) + 1.0 - (x_[k] - x_[from]) * slope);
    return largest;
  }
  [[nodiscard]] double above_chord(std::size_t from, std::size_t to) const {
    double largest = 1.0;
    if (to - from <= 1 || x_[to] == x_[from]) return largest;
    const double slope = steps(from, to) / (x_[to] - x_[from]);
    for (std::size_t k = from; k <= to; ++k)
      largest = std::max(largest, (x_[k] - x_[from]) * slope - steps(from, k) + 1.0);
    return largest;
  }

  std::span<const double> x_;
  Indices before_;
  Indices after_;
  Indices minorant_;
  Indices majorant_;
};

}  // namespace

std::optional<double> dip(std::span<const double> sorted) {
  constexpr std::size_t fewest = 4;
  if (sorted.size() < fewest) return std::nullopt;
  if (sorted.front() == sorted.back()) return 1.0 / (2.0 * static_cast<double>(sorted.size()));
  return Dip(sorted).value();
}

}  // namespace torchgate::stats
