// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/instructions/counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ci/gate/evidence/libtorch.hpp"
#include "ci/gate/evidence/machines.hpp"
#include "reports/facts/about_counts.hpp"
#include "stats/quantile.hpp"

namespace torchgate::gate {
namespace {

/// Facts of a run that change what a program executes and are not its code: malloc and memcpy are the C library's, a switch of LibTorch's
/// selects other kernels.
constexpr std::array facts_that_matter{"libc", "environment_switches", "quantized_engine", "intra_op_threads"};

const std::string* fact_of_run(const record::Run& run, std::string_view name) {
  for (const record::MachineFact& each : run.machine.facts)
    if (each.name == name && each.value) return &*each.value;
  return nullptr;
}

}  // namespace

const std::string* fact_of(const RunSide& side, std::string_view name) {
  const std::string& label = side.run->sides.at(static_cast<std::size_t>(side.side)).label;
  const std::string* const own = fact_of_run(*side.run, fmt::format("{} ({})", name, label));
  return own != nullptr ? own : fact_of_run(*side.run, name);
}

std::map<std::string_view, const record::InstructionCount*> counts_of(const RunSide& side) {
  std::map<std::string_view, const record::InstructionCount*> counts;
  for (const record::InstructionCount& each : side.run->instructions)
    if (each.side == side.side) counts.emplace(each.case_name, &each);
  return counts;
}

std::optional<facts::Fact> counts_not_comparable(const RunSide& before, const RunSide& after) {
  const auto& plan_before = before.run->plan.count;
  const auto& plan_after = after.run->plan.count;
  if (plan_before && plan_after && plan_before->calls != plan_after->calls)
    return facts::other_calls(plan_before->calls, plan_after->calls);
  if (libtorch_differs(*before.run, before.side, *after.run, after.side)) return facts::other_libtorch;
  if (before.run != after.run) {
    if (auto unknown = host_unknown(before.run->machine, after.run->machine)) return unknown;
  }
  for (const char* name : facts_that_matter) {
    const std::string* const was = fact_of(before, name);
    const std::string* const is = fact_of(after, name);
    if (was != nullptr && is != nullptr && *was != *is) return facts::environment_differs(name, *was, *is);
  }
  return std::nullopt;
}

namespace {

std::string named(const std::string& cpu_capability) {
  return cpu_capability.empty() ? "an unknown CPU" : cpu_capability;
}

}  // namespace

std::optional<facts::Fact> counts_not_comparable(const record::InstructionCount& before,
                                                 const record::InstructionCount& after) {
  if (before.counter != after.counter) return facts::other_counter(before.counter, after.counter);
  if (before.cpu_capability != after.cpu_capability)
    return facts::other_kernels(named(before.cpu_capability), named(after.cpu_capability));
  return std::nullopt;
}

double median_count(const record::InstructionCount& count) {
  return *stats::median(count.per_call);
}

std::optional<double> spread_of(const record::InstructionCount& count) {
  if (count.per_call.size() < 2) return std::nullopt;
  const auto [least, most] = std::minmax_element(count.per_call.begin(), count.per_call.end());
  if (!(*least > 0)) return std::nullopt;
  return *most / *least - 1;
}

}  // namespace torchgate::gate
