// SPDX-License-Identifier: Apache-2.0
#include "harness/import/google_benchmark_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "harness/base/counted.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/import/odd_levels.hpp"

namespace torchgate::import {
namespace {

constexpr std::string_view first_statistic = "_mean";
constexpr std::string_view always_written = "stddev";
/// In the order of the file; those that a version does not have are left out.
constexpr std::array<std::string_view, 3> later_statistics{"median", always_written, "cv"};

bool is_of(const RowBlock& block, std::string_view base, std::string_view statistic) {
  return block.name.size() == base.size() + 1 + statistic.size() && block.name.starts_with(base) &&
         block.name[base.size()] == '_' && block.name.ends_with(statistic);
}

class Sequence {
 public:
  // Of the aggregates that may begin at BLOCKS[FIRST].
  Sequence(std::span<const RowBlock> blocks, std::size_t first) : blocks_(blocks), first_(first), next_(first) {
    const RowBlock& mean = blocks[first];
    if (mean.rows != 1 || !mean.name.ends_with(first_statistic) || mean.name.size() == first_statistic.size()) return;
    base_ = mean.name.substr(0, mean.name.size() - first_statistic.size());
    if (first > 0 && blocks[first - 1].name == base_) repetitions_ = blocks[first - 1].rows;
    ++next_;
    bool deviates = false;
    for (const std::string_view statistic : later_statistics) {
      if (!belongs(next_) || !is_of(blocks[next_], base_, statistic)) continue;
      deviates = deviates || statistic == always_written;
      ++next_;
    }
    added_ = next_;
    const bool cut_off = next_ == blocks.size() && repetitions_ > 1;
    is_one_ = repetitions_ != 1 && (deviates || cut_off);
  }

  [[nodiscard]] bool is_one() const { return is_one_; }

  // Statistics that the program added follow, and so may the next benchmark's aggregates, whose name may begin alike.
  std::size_t mark(std::vector<BlockRole>& roles) {
    while (may_be_added(next_)) ++next_;
    const bool repeats_by_itself = asks_for_repetitions(base_);  // no name of a benchmark begins so
    for (std::size_t i = first_; i < next_; ++i)
      roles[i] = {true,
                  base_,
                  blocks_[i].name.substr(base_.size() + 1),
                  i == first_,
                  repetitions_ == 0,
                  i >= added_ && !repeats_by_itself};
    return next_;
  }

 private:
  [[nodiscard]] bool belongs(std::size_t i) const {
    return i < blocks_.size() && blocks_[i].rows == 1 && blocks_[i].iterations == blocks_[first_].iterations;
  }

  // A statistic has a number (NaN is one), what failed or was skipped is a benchmark.
  [[nodiscard]] bool may_be_added(std::size_t i) const {
    return belongs(i) && !blocks_[i].no_numbers && blocks_[i].name.starts_with(base_) &&
           blocks_[i].name.size() > base_.size() + 1 && blocks_[i].name[base_.size()] == '_' &&
           blocks_[i].name.find('/', base_.size()) == std::string_view::npos && !Sequence(blocks_, i).is_one();
  }

  std::span<const RowBlock> blocks_;
  std::size_t first_;
  std::size_t next_;
  std::size_t added_ = 0;  // where statistics of the program begin
  std::string_view base_;
  std::int64_t repetitions_ = 0;
  bool is_one_ = false;
};

// Other benchmarks than those with aggregates have one row. The last one does not count behind two with aggregates, since it may be cut off behind its first
// repetition; behind a single one, that may be the only benchmark that was repeated.
bool has_benchmark_of_one_row(std::span<const RowBlock> blocks, std::span<const BlockRole> roles) {
  const auto repeated = std::count_if(
      roles.begin(), roles.end(), [](const BlockRole& role) { return role.begins && !asks_for_repetitions(role.of); });
  const std::size_t last = repeated >= 2 ? blocks.size() - 1 : blocks.size();
  for (std::size_t i = 0; i < last; ++i)
    if (!roles[i].aggregate && blocks[i].rows == 1 && !blocks[i].no_numbers && !asks_for_repetitions(blocks[i].name))
      return true;
  return false;
}

// What stands behind aggregates without being one of the library's: a statistic where another benchmark has it as well, a benchmark where others have
// one row.
void settle_added(std::span<const RowBlock> blocks, std::vector<BlockRole>& roles) {
  std::map<std::string_view, std::set<std::string_view>> benchmarks_with;
  for (const BlockRole& role : roles)
    if (role.unsure) benchmarks_with[role.statistic].insert(role.of);
  const bool has_single_rows = has_benchmark_of_one_row(blocks, roles);
  for (BlockRole& role : roles) {
    if (!role.unsure) continue;
    role.unsure = benchmarks_with.at(role.statistic).size() == 1;
    if (role.unsure && has_single_rows) role = {};
  }
}

}  // namespace

bool asks_for_repetitions(std::string_view name) {
  return name.find("/repeats:") != std::string_view::npos;
}

std::vector<BlockRole> roles_of(std::span<const RowBlock> blocks) {
  std::vector<BlockRole> roles(blocks.size());
  for (std::size_t i = 0; i < blocks.size();) {
    Sequence sequence(blocks, i);
    i = sequence.is_one() ? sequence.mark(roles) : i + 1;
  }
  settle_added(blocks, roles);
  return roles;
}

std::string ignored_statistics(const std::vector<BlockRole>& roles, std::string_view otherwise) {
  const auto unsure = [](const BlockRole& role) { return role.unsure; };
  const auto first = std::find_if(roles.begin(), roles.end(), unsure);
  if (first == roles.end()) return "";
  return fmt::format(
      "ignored {0} behind the aggregates of a benchmark as statistics of the program, e.g. {1}_{2}; if that is a "
      "benchmark, give it a name that does not begin with {1}_, or {3}",
      base::counted(std::count_if(roles.begin(), roles.end(), unsure), "row", "rows"), base::shown(first->of),
      base::shown(first->statistic), otherwise);
}

std::string two_in_one_block(std::span<const double> times, std::optional<std::int64_t> most_rows) {
  const auto rows = static_cast<std::int64_t>(times.size());
  if (most_rows && rows > *most_rows)
    return fmt::format("{} rows have this name, and other benchmarks of the file have {}", rows, *most_rows);
  if (rows < 4 || rows % 2 != 0) return "";
  const auto middle = times.begin() + rows / 2;
  const auto [low_first, high_first] = std::minmax_element(times.begin(), middle);
  const auto [low_second, high_second] = std::minmax_element(middle, times.end());
  if (*low_second <= another_level * *high_first && *low_first <= another_level * *high_second) return "";
  return fmt::format("the first {0} of its {1} rows and the last {0} are far apart", rows / 2, rows);
}

std::optional<std::int64_t> usual_rows(std::span<const RowBlock> own) {
  std::map<std::int64_t, std::size_t> blocks_of;
  std::size_t blocks = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (asks_for_repetitions(own[i].name)) continue;
    if (i + 1 == own.size() && !blocks_of.contains(own[i].rows)) continue;  // it may be cut off
    ++blocks_of[own[i].rows];
    ++blocks;
  }
  const auto usual = std::max_element(blocks_of.begin(), blocks_of.end(),
                                      [](const auto& a, const auto& b) { return a.second < b.second; });
  return usual == blocks_of.end() || 2 * usual->second <= blocks ? std::nullopt : std::optional(usual->first);
}

}  // namespace torchgate::import
