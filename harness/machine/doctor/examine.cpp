// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/doctor/examine.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>

#include "harness/machine/doctor/rows.hpp"

namespace torchgate::machine::doctor {
namespace {

void append(MachineChecks& all, MachineChecks more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

/// Rows that can be read at any time, also during a run.
MachineChecks state(const Snapshot& now, const Asked& asked) {
  MachineChecks all = frequency_rows(now);
  append(all, isolation_rows(now, asked));
  append(all, quota_rows(now, asked));
  append(all, memory_rows(now));
  append(all, platform_rows(now));
  append(all, environment_rows(now, asked));
  append(all, gpu_rows(now.gpu, asked));
  return all;
}

int urgency(const MachineCheck& check) {
  if (check.answer == CheckAnswer::bad) return static_cast<int>(check.severity);  // fatal is the first
  return check.answer == CheckAnswer::unknown ? 3 : 4;
}

}  // namespace

std::string short_number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), value < 10 ? "%.1f" : "%.0f", value);
  return text.data();
}

Reading<std::string> fact(const Snapshot& now, std::string_view name) {
  const auto found =
      std::find_if(now.facts.begin(), now.facts.end(), [&](const auto& each) { return each.name == name; });
  if (found == now.facts.end()) return Reading<std::string>::unknown("not collected");
  if (!found->value) return Reading<std::string>::unknown(found->unknown_reason);
  return *found->value;
}

MachineChecks examine(const Snapshot& now, const Probes& probes, const Asked& asked) {
  MachineChecks all = state(now, asked);
  append(all, load_rows(now.load));
  all.push_back(build_row(probes.build));
  all.push_back(timer_row(probes.timer_ns));
  all.push_back(self_test_row(probes.self_test));
  return all;
}

MachineChecks examine_run(const Snapshot& before, const Snapshot& after, const RunFacts& run, const Asked& asked) {
  const auto own_cpu = after.process.cpu - before.process.cpu;
  MachineChecks all = load_change_rows(change_of_load(before.load, after.load, run.wall, own_cpu));
  append(all, process_rows(before.process, after.process, run, before.cpus.size()));
  all.push_back(suite_build_row(run.suite_build));
  append(all, gpu_change_rows(run.gpu));
  append(all, changed_settings(state(before, asked), state(after, asked)));
  return all;
}

MachineChecks changed_settings(const MachineChecks& before, const MachineChecks& after) {
  MachineChecks all;
  for (const MachineCheck& now : after) {
    const CheckKind* const kind = find_kind(now.name);
    if (kind == nullptr || kind->moment != Moment::setting) continue;
    const auto was =
        std::find_if(before.begin(), before.end(), [&](const auto& check) { return check.name == now.name; });
    if (was == before.end() || was->seen == now.seen) continue;
    // Their text is a reading (a temperature): they count only if they became bad.
    const bool reading = now.name == "gpu_temperature" || now.name == "swap" || now.name == "gpu_pcie";
    if (reading && (now.answer != CheckAnswer::bad || was->answer == CheckAnswer::bad)) continue;
    if (now.answer == CheckAnswer::unknown || was->answer == CheckAnswer::unknown) continue;
    MachineCheck changed = now;
    changed.severity = kind->severity;
    changed.answer = CheckAnswer::bad;
    changed.seen = "changed during the run: " + was->seen + " before, " + now.seen + " after";
    changed.advice = "do not change this setting during a run";
    all.push_back(std::move(changed));
  }
  return all;
}

void sort_worst_first(MachineChecks& checks) {
  std::stable_sort(checks.begin(), checks.end(), [](const auto& a, const auto& b) { return urgency(a) < urgency(b); });
}

}  // namespace torchgate::machine::doctor
