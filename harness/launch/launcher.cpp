// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/launcher.hpp"

#include <sys/random.h>

#include <array>
#include <cstdio>
#include <random>
#include <utility>

#include "harness/launch/health.hpp"
#include "harness/launch/interrupt.hpp"
#include "harness/launch/machine_lock.hpp"
#include "harness/launch/session.hpp"
#include "harness/launch/survey.hpp"
#include "harness/launch/temporary_folder.hpp"
#include "harness/machine/timestamp.hpp"

namespace torchgate::launch {
namespace {

std::string hexadecimal(std::uint64_t number) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
  return text.data();
}

std::uint64_t random_number() {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) == static_cast<ssize_t>(sizeof number)) return number;
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

/// The machine's facts as the suites will find them.
machine::FactSources sources_of(const Request& request) {
  machine::FactSources sources = request.machine;
  for (const record::Parameter& each : request.environment) sources.environment[each.name] = each.value;
  for (const std::string& name : request.unset) sources.environment.erase(name);
  return sources;
}

record::Run new_run(const Request& request, const Survey& found, const machine::FactSources& sources) {
  record::Run run;
  run.id = hexadecimal(random_number());
  run.created = machine::utc_timestamp(std::chrono::system_clock::now());
  run.tool_version = request.tool_version;
  run.plan = request.plan;
  run.plan.suites = found.selection.suites;
  run.plan.group_limit_s = request.plan.group_limit_s.value_or(static_cast<double>(default_group_limit.count()));
  run.plan.total_limit_s = request.plan.total_limit_s.value_or(static_cast<double>(default_total_limit.count()));
  if (!request.only_cases.empty()) run.plan.filter = exact_filter(request.only_cases);
  run.machine = machine::collect_machine(sources);
  for (const SideRequest& side : request.sides) {
    run.sides.push_back({side.label, side.source, {}});
    for (const auto& path : side.suites) run.sides.back().suite_paths.push_back(path.string());
  }
  run.groups = found.selection.groups;
  run.cases = found.selection.cases;
  run.warnings = found.selection.warnings;
  return run;
}

}  // namespace

record::Result<record::Run> measure(const Request& request, Observer& observer) {
  const InterruptScope interrupts;
  const auto scratch = TemporaryFolder::create();
  if (!scratch) return scratch.error();
  std::optional<MachineLock> lock;
  if (!request.lock_file.empty())
    lock =
        MachineLock::take(request.lock_file, request.lock_wait, [&](const std::string& why) { observer.on_note(why); });
  if (stop_requested())
    return record::Error{record::ErrorCode::interrupted, "interrupted before anything was measured"};

  const machine::FactSources sources = sources_of(request);
  HealthWatch health(sources, request);  // before anything is of our own doing
  auto found = survey(request, scratch->path());
  if (!found) return found.error();
  record::Run run = new_run(request, *found, sources);
  if (lock && !lock->held()) run.warnings.push_back(lock->warning());
  health.begin(run);
  observer.on_plan(forecast_of(*found, request.plan));

  Session session(request, *found, scratch->path(), run, observer);
  session.run_all();
  session.record_failed(std::move(found->failed));

  health.finish(run);
  return run;
}

std::uint64_t fresh_seed() {
  return random_number() >> 11;
}  // 53 bits

}  // namespace torchgate::launch
