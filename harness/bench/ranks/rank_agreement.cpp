// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/ranks/rank_agreement.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace torchgate::bench {
namespace {

using record::CaseStatus;

// Worst first. A rank that failed only because another one did (f) does not know the reason.
constexpr std::string_view order = "FfwsO";

char letter_of(const record::CaseResult& result) {
  switch (result.status) {
    case CaseStatus::failed:
      return result.message.text() == followed_another ? 'f' : 'F';
    case CaseStatus::wrong:
      return 'w';
    case CaseStatus::skipped:
      return 's';
    case CaseStatus::ok:
      return 'O';
  }
  return 'F';
}

CaseStatus status_of(char letter) {
  return letter == 'w' ? CaseStatus::wrong : letter == 's' ? CaseStatus::skipped : CaseStatus::failed;
}

}  // namespace

bool agree(World& world, record::CaseResult& result) {
  if (world.size() == 1) return result.status == CaseStatus::ok;
  const std::string mine = letter_of(result) + result.message.text();
  World::Met met;
  // Repeated until all ranks are here: a rank that is still measuring sees this meeting, fails there, and joins.
  do met = world.meet(World::Topic::result, mine);
  while (!met.together);
  const auto& texts = met.texts;
  const auto badness = [](const std::string& text) { return order.find(text.front()); };
  const auto worst = std::min_element(texts.begin(), texts.end(),
                                      [&](const auto& a, const auto& b) { return badness(a) < badness(b); });
  if (worst->front() == 'O') return true;
  const auto rank = worst - texts.begin();
  record::CaseResult agreed;
  if (status_of(worst->front()) == CaseStatus::wrong && result.status == CaseStatus::wrong) agreed = result;
  agreed.name = result.name;
  agreed.status = status_of(worst->front());
  agreed.measurements.clear();
  const bool same_on_all = std::all_of(texts.begin(), texts.end(), [&](const auto& text) { return text == *worst; });
  agreed.message = (same_on_all ? "" : "rank " + std::to_string(rank) + ": ") + worst->substr(1);
  result = std::move(agreed);
  return false;
}

Observation largest_of(World& world, const Observation& mine) {
  if (world.size() == 1) return mine;
  constexpr double unknown = -1;  // counts are never negative
  std::vector<double> counts;
  const auto counted = counted_metrics();
  counts.reserve(counted.size());
  for (const auto& [name, field] : counted)
    counts.push_back(mine.*field ? static_cast<double>(*(mine.*field)) : unknown);
  const auto all = world.all_of(counts);
  Observation result = mine;
  for (std::size_t i = 0; i < counted.size(); ++i) {
    for (const std::vector<double>& other : all) {
      auto& value = result.*counted[i].count;
      if (other[i] == unknown) value.reset();
      if (value) value = std::max(*value, static_cast<std::int64_t>(other[i]));
    }
  }
  return result;
}

std::optional<std::string> differs_between_ranks(World& world, const Output& mine) {
  if (world.size() == 1) return std::nullopt;
  // The sizes first: outputs of different sizes are a finding, not an internal error.
  const auto sizes = world.all_of({static_cast<double>(mine.values.size())});
  for (std::size_t rank = 1; rank < sizes.size(); ++rank) {
    if (sizes[rank] != sizes[0]) return "its output has different sizes on rank 0 and rank " + std::to_string(rank);
  }
  const auto all = world.all_of(mine.values);
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    const auto check = compare({all[0], mine.dtype}, {all[rank], mine.dtype}, within(rank_tolerance), "rank 0");
    if (check.within || mine.values.empty()) continue;
    std::array<char, 32> distance{};
    std::snprintf(distance.data(), distance.size(), "%.2g", check.relative_l2);
    return "its output differs between rank 0 and rank " + std::to_string(rank) + " by " + distance.data() +
           " (relative L2)";
  }
  return std::nullopt;
}

}  // namespace torchgate::bench
