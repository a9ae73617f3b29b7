// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/sides_in_order.hpp"

#include <algorithm>
#include <string_view>

#include "harness/record/imported.hpp"
#include "reports/facts/about_inputs.hpp"

namespace torchgate::gate {
namespace {

// Of timestamps as records have them the alphabetical order is that of time.
std::string_view last_start(const record::Run& run) {
  std::string_view last = run.created;
  for (const record::Process& process : run.processes) last = std::max(last, std::string_view(process.started));
  return last;
}

}  // namespace

std::optional<facts::Fact> swapped_sides(const record::Run& before, const record::Run& after) {
  if (!record::has_dates(before) || !record::has_dates(after)) return std::nullopt;
  if (before.created <= last_start(after)) return std::nullopt;
  return facts::sides_swapped(before.created, after.created);
}

}  // namespace torchgate::gate
