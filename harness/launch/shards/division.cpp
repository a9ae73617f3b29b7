// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/shards/division.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "harness/base/content_hash.hpp"

namespace torchgate::launch {

std::vector<std::vector<std::string>> divide(std::vector<GroupWeight> groups, std::int64_t shards) {
  std::sort(groups.begin(), groups.end(), [](const GroupWeight& a, const GroupWeight& b) {
    return a.seconds != b.seconds ? a.seconds > b.seconds : a.name < b.name;
  });
  std::vector<std::vector<std::string>> division(static_cast<std::size_t>(shards));
  std::vector<double> seconds(division.size(), 0.0);
  for (GroupWeight& group : groups) {
    const auto least = std::min_element(seconds.begin(), seconds.end());
    *least += group.seconds;
    division[static_cast<std::size_t>(least - seconds.begin())].push_back(std::move(group.name));
  }
  for (auto& shard : division) std::sort(shard.begin(), shard.end());
  return division;
}

std::map<std::string, double> group_seconds(const record::Run& run) {
  struct Sum {
    double seconds = 0;
    std::int64_t processes = 0;
  };
  std::map<std::pair<std::string, std::int64_t>, Sum> of_side;
  for (const record::Process& process : run.processes) {
    if (process.status != record::ProcessStatus::ok || process.wall_ns <= 0) continue;
    Sum& sum = of_side[{process.group, process.side}];
    sum.seconds += static_cast<double>(process.wall_ns) * 1e-9;
    ++sum.processes;
  }
  std::map<std::string, double> result;
  for (const auto& [key, sum] : of_side) result[key.first] += sum.seconds / static_cast<double>(sum.processes);
  return result;
}

std::uint64_t common_seed(const record::Plan& plan, const record::Source& source) {
  constexpr std::size_t digits = 13;  // of four bits: 52 bits
  std::string known = plan.profile + '\n' + plan.filter + '\n' + std::to_string(plan.processes) + '\n' +
                      std::to_string(plan.shards) + '\n' + source.commit.value_or("");
  return std::stoull(base::sha256(known).substr(0, digits), nullptr, 16);
}

}  // namespace torchgate::launch
