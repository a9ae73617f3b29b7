// SPDX-License-Identifier: Apache-2.0
#include "reports/fit.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace torchgate::reports {
namespace {

/// How much of a section is printed.
struct Choice {
  std::size_t rows = 0;
  bool notice = false;  ///< there is room to say what is left out
  std::size_t row_bytes = 0;
};

std::size_t row_count(const Section& section) {
  return section.rows.size() + section.unwritten;
}

/// The longest notice there can be: fewer rows have no more digits, but "1 row is" may be longer than "2 rows are".
std::size_t notice_bytes(const Section& section) {
  if (!section.left_out || section.rows.empty()) return 0;
  return std::max(section.left_out(row_count(section)).size(), section.left_out(1).size());
}

std::size_t bytes_of(const Section& section, const Choice& choice) {
  const bool complete = choice.rows == row_count(section);
  const std::size_t frame = choice.rows > 0 ? section.before.size() + section.after.size() : 0;
  return frame + choice.row_bytes + (choice.notice && !complete ? notice_bytes(section) : 0);
}

class Fitting {
 public:
  Fitting(const std::vector<Section>& sections, std::size_t limit)
      : sections_(sections), limit_(limit), choices_(sections.size()), order_(sections.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return sections[a].rank < sections[b].rank; });
    reserve_notices();
    std::set<int> awaited;
    for (const Section& section : sections)
      if (section.waits_for) awaited.insert(*section.waits_for);
    grow_to_shares(false);
    for (const std::size_t index : order_)
      if (awaited.contains(sections[index].rank)) grow(index, limit);
    grow_to_shares(true);
    for (const std::size_t index : order_) grow(index, limit);
  }

  [[nodiscard]] std::string text() const {
    std::string text;
    for (std::size_t index = 0; index < sections_.size(); ++index) {
      const Section& section = sections_[index];
      const Choice& choice = choices_[index];
      if (choice.rows > 0) text += section.before;
      for (std::size_t row = 0; row < choice.rows; ++row) text += section.rows[row];
      if (choice.rows > 0) text += section.after;
      if (choice.notice && choice.rows < row_count(section)) text += section.left_out(row_count(section) - choice.rows);
    }
    return text;
  }

 private:
  void reserve_notices() {
    for (const std::size_t index : order_) {
      const std::size_t bytes = notice_bytes(sections_[index]);
      if (bytes == 0 || used_ + bytes > limit_) continue;
      choices_[index].notice = true;
      used_ += bytes;
    }
  }

  void grow_to_shares(bool waiting) {
    for (const std::size_t index : order_) {
      if (sections_[index].waits_for.has_value() != waiting) continue;
      grow(index, static_cast<std::size_t>(sections_[index].share * static_cast<double>(limit_)));
    }
  }

  bool try_rows(std::size_t index, std::size_t rows, std::size_t row_bytes, std::size_t own_limit) {
    const Section& section = sections_[index];
    const Choice wider{rows, choices_[index].notice, row_bytes};
    const std::size_t bytes = bytes_of(section, wider);
    const std::size_t others = used_ - bytes_of(section, choices_[index]);
    if (bytes > own_limit || others + bytes > limit_) return false;
    choices_[index] = wider;
    used_ = others + bytes;
    return true;
  }

  void grow(std::size_t index, std::size_t own_limit) {
    const std::vector<std::string>& rows = sections_[index].rows;
    const auto bytes_up_to = [&](std::size_t count) {
      return std::accumulate(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count), std::size_t{0},
                             [](std::size_t sum, const std::string& row) { return sum + row.size(); });
    };
    // All of them first: without a notice they may take less than all but one.
    const bool all_written = sections_[index].unwritten == 0;
    if (all_written && try_rows(index, rows.size(), bytes_up_to(rows.size()), own_limit)) return;
    while (choices_[index].rows < rows.size()) {
      const std::size_t next = choices_[index].rows;
      if (!try_rows(index, next + 1, choices_[index].row_bytes + rows[next].size(), own_limit)) return;
    }
  }

  const std::vector<Section>& sections_;
  std::size_t limit_;
  std::size_t used_ = 0;
  std::vector<Choice> choices_;
  std::vector<std::size_t> order_;
};

}  // namespace

std::string fit(const std::vector<Section>& sections, std::size_t limit) {
  return Fitting(sections, limit).text();
}

}  // namespace torchgate::reports
