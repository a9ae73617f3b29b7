// SPDX-License-Identifier: Apache-2.0
#include "ci/calibrate/repetitions.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "ci/gate/evidence/machines.hpp"
#include "ci/gate/instructions/counts.hpp"
#include "harness/record/cuda_cases.hpp"

namespace torchgate::calibrate {
namespace {

using base::Error;
using base::ErrorCode;
using Why = std::optional<std::string>;

Why alone(const record::Run& run) {
  if (run.sides.size() != 1) return "has two sides: calibrate from plain runs";
  if (!run.unchanged.empty())
    return "did not measure all of its groups (--skip-unchanged): calibrate from runs that did";
  if (run.interrupted || !run.plan.missing_shards.empty()) return "is not complete: calibrate from complete runs";
  return std::nullopt;
}

std::string text(const std::string& value) {
  return value;
}
std::string text(std::int64_t value) {
  return std::to_string(value);
}
std::string text(const std::optional<std::int64_t>& value) {
  return value ? std::to_string(*value) : "those of the suites";
}

template <class Value>
Why differs(const char* what, const Value& a, const Value& b) {
  if (a == b) return std::nullopt;
  return fmt::format("have different {} ({} and {})", what, text(a), text(b));
}

Why other_plan(const record::Plan& a, const record::Plan& b) {
  if (auto why = differs("profiles", a.profile, b.profile)) return why;
  if (auto why = differs("numbers of processes", a.processes, b.processes)) return why;
  if (auto why = differs("numbers of warm-up calls", a.warmup_calls, b.warmup_calls)) return why;
  if (auto why = differs("numbers of samples", a.samples, b.samples)) return why;
  return a.count && b.count ? differs("numbers of counted calls", a.count->calls, b.count->calls) : std::nullopt;
}

// Which code runs. Processes of one run that differ ("1, 2" threads) may be missing in another, where they crashed.
Why other_settings(const record::Machine& a, const record::Machine& b) {
  static const std::set<std::string_view> facts{"cpu_capability", "environment_switches", "inter_op_threads",
                                                "intra_op_threads", "quantized_engine"};
  for (const reports::Difference& one : gate::machine_differences(a, b)) {
    const bool several = (one.before + one.after).find(", ") != std::string::npos;
    if (facts.contains(one.name) && !several) return differs(one.name.c_str(), one.before, one.after);
  }
  return std::nullopt;
}

std::map<std::string_view, const record::Case*> measurable(const record::Run& run) {
  std::map<std::string_view, const record::Case*> cases;
  for (const record::Case& one : run.cases)
    if (!one.skipped) cases.emplace(one.name, &one);
  return cases;
}

Why other_cases(const record::Run& a, const record::Run& b) {
  const auto known = measurable(a);
  const auto others = measurable(b);
  for (const auto* const one : {&known, &others}) {
    for (const auto& [name, definition] : *one)
      if (!known.contains(name) || !others.contains(name))
        return fmt::format("do not have the same cases: only run {} has {}", one == &known ? a.id : b.id, name);
  }
  for (const auto& [name, one] : known) {
    const auto& other = *others.at(name);
    if (!one->settings || !other.settings) continue;
    if (auto why = differs("settings of a process", *one->settings, *other.settings)) return why;
  }
  return std::nullopt;
}

Why other_kernels(const record::Run& a, const record::Run& b) {
  const auto counts = gate::counts_of({&a, 0});
  for (const auto& [name, count] : gate::counts_of({&b, 0})) {
    const auto other = counts.find(name);
    if (other == counts.end() || other->second->counter != count->counter) continue;
    if (other->second->per_call.empty() || count->per_call.empty()) continue;
    if (auto why = differs("kernels counted", other->second->cpu_capability, count->cpu_capability)) return why;
  }
  return std::nullopt;
}

Why together(const record::Run& a, const record::Run& b) {
  constexpr const char* each_by_itself = ": each machine is calibrated by itself";
  if (auto why = differs("hosts", a.machine.host_key, b.machine.host_key)) return *why + each_by_itself;
  if (record::has_cuda_cases(b) && a.machine.device_key != b.machine.device_key)
    return fmt::format("have different GPUs ({} and {}){}", a.machine.device_key.value_or("unknown"),
                       b.machine.device_key.value_or("unknown"), each_by_itself);
  if (!gate::same_objects(a, b))
    return "did not load the same executables and libraries (or it is not known what they loaded): not all of what "
           "differs between them is noise";
  for (const Why& why :
       {other_plan(a.plan, b.plan), other_settings(a.machine, b.machine), other_cases(a, b), other_kernels(a, b)})
    if (why) return *why + "; use runs measured with the same options";
  return std::nullopt;
}

}  // namespace

base::Result<void> check_repetitions(const std::vector<const record::Run*>& runs) {
  std::set<std::string_view> ids;
  for (const record::Run* run : runs) {
    if (const auto why = alone(*run)) return Error{ErrorCode::bad_input, fmt::format("run {} {}", run->id, *why)};
    if (!ids.insert(run->id).second)
      return Error{ErrorCode::bad_input, fmt::format("run {} is named twice; name each run once", run->id)};
    if (run == runs.front()) continue;
    if (const auto why = together(*runs.front(), *run))
      return Error{ErrorCode::bad_input, fmt::format("runs {} and {} {}", runs.front()->id, run->id, *why)};
  }
  return {};
}

}  // namespace torchgate::calibrate
