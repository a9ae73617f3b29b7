// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/after_side.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace torchgate::gate {

record::Run after_side(const record::Run& pairs, const ListedAfter& listed) {
  constexpr std::int64_t after = 1;
  record::Run run = pairs;
  run.plan.confirms.reset();
  run.plan.suites = listed.suites;
  run.sides = {pairs.sides.at(after)};
  run.code.clear();
  std::erase_if(run.processes, [](const record::Process& process) { return process.side != after; });
  for (record::Process& process : run.processes) {
    process.side = 0;
    process.pair.reset();
    process.order_in_pair = 0;
  }
  std::erase_if(run.instructions, [](const record::InstructionCount& count) { return count.side != after; });
  for (record::InstructionCount& count : run.instructions) count.side = 0;

  std::map<std::string_view, const record::Case*> by_name;
  for (const record::Case& each : listed.cases) by_name.emplace(each.name, &each);
  std::erase_if(run.cases, [&](const record::Case& each) { return !by_name.contains(each.name); });
  std::set<std::string_view> groups;
  for (record::Case& each : run.cases) {
    each.sides_differ.reset();                      // this side is one definition
    each.skipped = by_name.at(each.name)->skipped;  // what runs on the before side only is not skipped in the pairs
    groups.insert(each.group);
  }
  std::erase_if(run.groups, [&](const record::Group& group) { return !groups.contains(group.name); });
  return run;
}

}  // namespace torchgate::gate
