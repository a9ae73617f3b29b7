// SPDX-License-Identifier: Apache-2.0
// affinity, isolation, cgroup_quota.
#include <algorithm>

#include "harness/base/counted.hpp"
#include "harness/machine/doctor/cpu_list.hpp"
#include "harness/machine/doctor/rows.hpp"

namespace torchgate::machine::doctor {
namespace {

MachineCheck affinity(const Snapshot& now, const Asked& asked) {
  if (now.cpus.empty()) return unknown("affinity", "the affinity mask is unknown");
  const std::string seen =
      base::counted(now.cpus.size(), "CPU", "CPUs") + " for " + base::counted(asked.threads, "thread", "threads");
  const bool enough = static_cast<std::int64_t>(now.cpus.size()) >= asked.threads;
  return enough ? ok("affinity", seen) : bad("affinity", seen);
}

MachineCheck isolation(const Snapshot& now) {
  if (!now.isolated) return unknown("isolation", now.isolated.why);
  if (now.isolated->empty()) return bad("isolation", "no CPUs are isolated");
  const auto isolated = cpu_list(*now.isolated);
  if (isolated.empty()) return unknown("isolation", "isolated CPUs: invalid list '" + *now.isolated + "'");
  const bool ours = std::all_of(now.cpus.begin(), now.cpus.end(), [&](int cpu) {
    return std::find(isolated.begin(), isolated.end(), cpu) != isolated.end();
  });
  if (now.cpus.empty()) return unknown("isolation", "the affinity mask is unknown");
  return ours ? ok("isolation", "all CPUs of the run are isolated (" + *now.isolated + ")")
              : bad("isolation", "some CPUs of the run are not isolated (isolated: " + *now.isolated + ")");
}

}  // namespace

MachineChecks isolation_rows(const Snapshot& now, const Asked& asked) {
  return {affinity(now, asked), isolation(now)};
}

MachineChecks quota_rows(const Snapshot& now, const Asked& asked) {
  if (!now.quota_cpus) return {unknown("cgroup_quota", now.quota_cpus.why)};
  if (*now.quota_cpus <= 0) return {ok("cgroup_quota", "no CPU quota")};
  const std::string seen = "the container's CPU quota is " + short_number(*now.quota_cpus) + " CPUs for " +
                           base::counted(asked.threads, "thread", "threads");
  const bool enough = *now.quota_cpus >= static_cast<double>(asked.threads);
  return {enough ? ok("cgroup_quota", seen) : bad("cgroup_quota", seen)};
}

}  // namespace torchgate::machine::doctor
