// SPDX-License-Identifier: Apache-2.0
#include "harness/import/odd_levels.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

namespace torchgate::import {
namespace {

// Times of a case, of which there are as many in each of its processes on one level.
struct UsualLevel {
  std::size_t processes = 0;
  double low = 0;
  double high = 0;

  // Without its smallest and its largest time where there are more: one odd time among others says nothing of the level.
  void add(std::vector<double> times) {
    constexpr std::size_t enough = 4;
    std::sort(times.begin(), times.end());
    const std::size_t left_out = times.size() < enough ? 0 : 1;
    const double first = times[left_out];
    const double last = times[times.size() - 1 - left_out];
    low = processes == 0 ? first : std::min(low, first);
    high = processes == 0 ? last : std::max(high, last);
    ++processes;
  }

  [[nodiscard]] bool has(double time) const { return time <= another_level * high && another_level * time >= low; }
};

// TIMES are on this level, except for those of which no other process has the level.
bool is_on(const UsualLevel& usual, const std::vector<double>& times) {
  std::vector<double> on;
  std::copy_if(times.begin(), times.end(), std::back_inserter(on), [&](double time) { return usual.has(time); });
  if (on.empty()) return false;
  const auto [low, high] = std::minmax_element(on.begin(), on.end());
  return *high <= another_level * *low;
}

void accept_in(const std::vector<ImportedCase*>& of_name) {
  std::map<std::size_t, UsualLevel> usual_of;  // by the number of times
  for (const ImportedCase* const each : of_name)
    if (each->ambiguous.empty()) usual_of[each->time_ns.size()].add(each->time_ns);
  for (ImportedCase* const each : of_name) {
    if (!each->ambiguous_by_levels) continue;
    const auto usual = usual_of.find(each->time_ns.size());
    if (usual == usual_of.end() || 2 * usual->second.processes <= of_name.size()) continue;
    if (!is_on(usual->second, each->time_ns)) continue;
    each->ambiguous.clear();
    each->ambiguous_by_levels = false;
  }
}

}  // namespace

void accept_odd_levels(const std::vector<ImportedProcess*>& processes) {
  std::map<std::pair<std::string_view, std::string_view>, std::vector<ImportedCase*>> of_name;  // of a group
  for (ImportedProcess* const process : processes)
    for (const ImportedCase& each : process->cases)
      if (each.ambiguous_by_levels) of_name[{process->group, each.name}];
  if (of_name.empty()) return;
  for (ImportedProcess* const process : processes) {
    for (ImportedCase& each : process->cases) {
      const auto known = of_name.find({process->group, each.name});
      if (known != of_name.end() && !each.time_ns.empty()) known->second.push_back(&each);
    }
  }
  for (const auto& [name, cases] : of_name) accept_in(cases);
}

}  // namespace torchgate::import
