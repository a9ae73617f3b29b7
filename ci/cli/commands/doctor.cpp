// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include "ci/cli/command_table.hpp"
#include "ci/cli/present.hpp"
#include "ci/cli/shared_options.hpp"
#include "harness/machine/doctor/check.hpp"
#include "harness/machine/doctor/examine.hpp"
#include "harness/machine/doctor/gpu_watch.hpp"

namespace torchgate::cli {
namespace {

struct DoctorCommand {
  ShowFlags show;
};

namespace doctor = machine::doctor;

// Other programs are noticed by the time they use: /proc/stat counts in hundredths of a second.
constexpr std::chrono::seconds watched{1};

std::string why(const std::string& check) {
  const auto* const kind = doctor::find_kind(check);
  return kind == nullptr ? "" : kind->why;
}

ExitCode doctor_command(const DoctorCommand& command, const policy::Policy& policy, const Console& console) {
  if (auto usable = check_show_flags<reports::DoctorReport>(command.show); !usable) return console.fail(usable.error());
  const machine::FactSources sources = machine::this_machine();
  const auto nvml = doctor::Nvml::open();
  doctor::Snapshot before = doctor::take_snapshot(sources);
  before.gpu = doctor::look_at_gpus(nvml, sources.environment);
  doctor::Asked asked;
  asked.threads = policy.threads;
  asked.cuda = !before.gpu.devices.empty();  // a machine with a device is expected to use it
  std::optional<doctor::GpuWatch> watch;
  if (asked.cuda) watch.emplace(*nvml, sources.environment);

  const doctor::Probes probes = doctor::probe();
  std::this_thread::sleep_until(before.taken + watched);
  doctor::Snapshot after = doctor::take_snapshot(sources);
  after.gpu = doctor::look_at_gpus(nvml, sources.environment);

  doctor::RunFacts run;
  run.wall = after.taken - before.taken;
  if (watch) run.gpu = watch->stop();
  record::MachineChecks checks = doctor::examine(before, probes, asked);
  for (record::MachineCheck& check : doctor::examine_run(before, after, run, asked)) {
    const bool known =
        std::any_of(checks.begin(), checks.end(), [&](const auto& other) { return other.name == check.name; });
    if (!known) checks.push_back(std::move(check));  // a setting that changed in this second is shown as it was
  }
  doctor::sort_worst_first(checks);
  record::Machine here = machine::collect_machine(sources);
  doctor::add_device_facts(here, after.gpu);
  const auto counters = machine::counter_facts(after.load, after.taken.time_since_epoch(), after.process.cpu);
  here.facts.insert(here.facts.end(), counters.begin(), counters.end());
  const ExitCode verdict = reports::fatal_count(checks) > 0 ? ExitCode::no_verdict : ExitCode::ok;
  const auto shown = show(reports::DoctorReport{std::move(checks), why, std::move(here)}, command.show, console);
  return shown ? verdict : console.fail(shown.error());
}

}  // namespace

Invocation define_doctor(Options& options) {
  const auto command = std::make_shared<DoctorCommand>();
  format_option<reports::DoctorReport>(options, command->show);
  options.on_flag(
      "--json", [&show = command->show] { show.format = "json"; }, "Print JSON");
  write_option(options, command->show);
  threads_option(options);
  options.footer(
      "Exit codes: 0 no fatal condition; 2 usage error; 3 a fatal condition: times measured now would not be judged.");
  return invocation(command, doctor_command);
}

}  // namespace torchgate::cli
