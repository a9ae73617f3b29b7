// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/health.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/system_files.hpp"
#include "harness/record/cuda_cases.hpp"
#include "harness/record/short_samples.hpp"

namespace torchgate::launch {
namespace {

namespace doctor = machine::doctor;

/// The worse build of both sides; unknown if the suites do not report theirs.
std::optional<std::string> suite_build(const record::Run& run) {
  std::optional<std::string> found;
  for (const record::MachineFact& fact : run.machine.facts) {
    const bool of_side = fact.name.starts_with("suite_build");  // "suite_build (before)" where the sides differ
    if (of_side && fact.value && (!found || *fact.value != "optimised")) found = *fact.value;
  }
  return found;
}

/// By group, of the processes that the kernel counted switches of.
std::vector<doctor::GroupSwitches> switches_of(const record::Run& run, std::int64_t threads) {
  std::map<std::string_view, doctor::GroupSwitches> by_group;
  for (const record::Group& group : run.groups) by_group[group.name].threads = group.ranks * threads;
  for (const record::Process& process : run.processes) {
    if (!process.usage || !process.cpu_ns) continue;
    doctor::GroupSwitches& group = by_group[process.group];
    group.involuntary += process.usage->involuntary_switches;
    group.voluntary += process.usage->voluntary_switches;
    group.cpu += std::chrono::nanoseconds(*process.cpu_ns);
  }
  std::vector<doctor::GroupSwitches> measured;
  for (const auto& [name, group] : by_group)
    if (group.cpu.count() > 0) measured.push_back(group);
  return measured;
}

/// The rows of unused devices are not part of a run.
void leave_out_gpu(record::MachineChecks& checks) {
  std::erase_if(checks, [](const auto& check) { return check.name.starts_with("gpu_"); });
}

}  // namespace

std::int64_t threads_of(const machine::FactSources& sources) {
  const auto variable = sources.environment.find("OMP_NUM_THREADS");
  const auto number = variable == sources.environment.end() ? std::nullopt : machine::to_integer(variable->second);
  return std::max<std::int64_t>(1, number.value_or(1));
}

HealthWatch::HealthWatch(const machine::FactSources& sources, const Request& request)
    : sources_(sources), request_(request), before_(doctor::take_snapshot(sources)) {
  asked_.threads = threads_of(sources);
}

doctor::Snapshot HealthWatch::look() const {
  doctor::Snapshot now = doctor::take_snapshot(sources_);
  if (nvml_) now.gpu = doctor::look_at_gpus(*nvml_, sources_.environment);
  return now;
}

void HealthWatch::begin(record::Run& run) {
  asked_.cuda = record::has_cuda_cases(run);
  if (asked_.cuda) {
    nvml_.emplace(doctor::Nvml::open(request_.nvml_library));
    before_.gpu = doctor::look_at_gpus(*nvml_, sources_.environment);
    doctor::add_device_facts(run.machine, before_.gpu);
    if (*nvml_) watch_.emplace(**nvml_, sources_.environment);
  }
  probes_ = doctor::probe();
  run.machine.noisy_allowed = request_.allow_noisy;
  run.machine.checks_before = doctor::examine(before_, probes_, asked_);
  if (!asked_.cuda) leave_out_gpu(run.machine.checks_before);
}

void HealthWatch::finish(record::Run& run, const CpuOfNodes& cpu_beside) {
  doctor::RunFacts facts;
  if (watch_) facts.gpu = watch_->stop();
  doctor::Snapshot after = look();
  if (const auto here = cpu_beside.find(0); here != cpu_beside.end() && after.load.busy_ms)
    *after.load.busy_ms -= std::chrono::duration_cast<std::chrono::milliseconds>(here->second).count();
  facts.wall = after.taken - before_.taken;
  facts.suite_build = suite_build(run);
  facts.switches = switches_of(run, asked_.threads);
  run.machine.checks_after = doctor::examine_run(before_, after, facts, asked_);
  if (!asked_.cuda) leave_out_gpu(run.machine.checks_after);
  const auto change =
      machine::change_of_load(before_.load, after.load, facts.wall, after.process.cpu - before_.process.cpu);
  const auto load = machine::load_facts(change);
  run.machine.facts.insert(run.machine.facts.end(), load.begin(), load.end());
  record::MachineFact step{record::clock_step_fact, std::nullopt, "the clock did not advance"};
  if (probes_.timer_ns) step = {record::clock_step_fact, fmt::format("{:g}", *probes_.timer_ns), ""};
  run.machine.facts.push_back(std::move(step));
}

}  // namespace torchgate::launch
