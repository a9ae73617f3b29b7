// SPDX-License-Identifier: Apache-2.0
// /proc and /sys of some machine: its facts, its load, and what the doctor says.
#include <chrono>
#include <cmath>

#include "harness/machine/cgroup.hpp"
#include "harness/machine/doctor/examine.hpp"
#include "harness/machine/doctor/snapshot.hpp"
#include "harness/machine/facts.hpp"
#include "harness/machine/load_watch.hpp"
#include "tests/fuzz/file_set.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

TORCHGATE_FUZZ_TARGET(machine_files) {
  static const fuzz::ScratchFolder folder;
  folder.fill(input);
  machine::FactSources sources;
  sources.root = folder.path();
  sources.cpus = {0, 1};
  sources.architecture = "x86_64";
  const auto facts = machine::collect_machine(sources);
  fuzz::require(!facts.host_key.empty() && facts.host_key.find('/') == std::string::npos, "a host key is one folder");
  if (!facts.facts.empty() && machine::cpu_quota(sources.root)) fuzz::accepted();
  for (const auto& fact : facts.facts)
    fuzz::require(fact.value || !fact.unknown_reason.empty(), fact.name + ": a fact is known or says why not");
  if (const auto quota = machine::cpu_quota(sources.root); quota && quota->cpus)
    fuzz::require(std::isfinite(*quota->cpus) && *quota->cpus > 0, "a quota is some CPU time");
  const auto snapshot = machine::doctor::take_snapshot(sources);
  for (const auto& counted : {snapshot.load.busy_ms, snapshot.load.steal_ms, snapshot.load.total_ms,
                              snapshot.load.quota_throttles, snapshot.load.cpu_pressure_us, snapshot.load.runnable})
    fuzz::require(!counted || *counted >= 0, "what the kernel has counted is not negative");
  fuzz::require(!snapshot.swap_used_kib || *snapshot.swap_used_kib >= 0, "nor is what is in swap");
  for (const auto& measured : {snapshot.load.load_average, snapshot.load.cpu_pressure_percent})
    fuzz::require(!measured || std::isfinite(*measured), "what the kernel has measured is a number");
  machine::LoadSnapshot idle = snapshot.load;
  if (idle.busy_ms) idle.busy_ms = 0;
  (void)machine::load_facts(
      machine::change_of_load(idle, snapshot.load, std::chrono::seconds(1), std::chrono::seconds(0)));
  auto checks = machine::doctor::examine(snapshot, {}, {});
  machine::doctor::sort_worst_first(checks);
  (void)machine::doctor::examine_run(snapshot, snapshot, {}, {});
}
