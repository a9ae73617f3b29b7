// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/time_left.hpp"

#include <cassert>

namespace torchgate::launch {

TimeLeft::TimeLeft(const std::vector<std::optional<double>>& estimates) {
  for (const auto& estimate : estimates) groups_.push_back({estimate});
}

void TimeLeft::finished(std::size_t group, double seconds) {
  groups_.at(group).seconds += seconds;
  ++groups_.at(group).processes;
}

std::optional<double> TimeLeft::left(const std::vector<std::size_t>& remaining) const {
  assert(remaining.size() == groups_.size());
  // The time of a group that has run is known. Any other group takes its estimate, multiplied by measured / estimated
  // time of the others so far; without an estimate, the mean time of the others.
  double measured = 0;
  double measured_of_estimated = 0;
  double estimated = 0;
  std::size_t processes = 0;
  for (const Known& group : groups_) {
    measured += group.seconds;
    processes += group.processes;
    if (!group.estimate) continue;
    measured_of_estimated += group.seconds;
    estimated += *group.estimate * static_cast<double>(group.processes);
  }
  const double correction = estimated > 0 ? measured_of_estimated / estimated : 1;
  double sum = 0;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (remaining[i] == 0) continue;
    const Known& group = groups_[i];
    const auto count = static_cast<double>(remaining[i]);
    if (group.processes > 0) {
      sum += count * group.seconds / static_cast<double>(group.processes);
    } else if (group.estimate) {
      sum += count * *group.estimate * correction;
    } else if (processes > 0) {
      sum += count * measured / static_cast<double>(processes);
    } else {
      return std::nullopt;
    }
  }
  return sum;
}

}  // namespace torchgate::launch
