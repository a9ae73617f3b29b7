// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/run/own_cpus.hpp"

#include <sched.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <sstream>

#include "harness/machine/cgroup.hpp"
#include "harness/machine/system_files.hpp"

namespace torchgate::bench {
namespace {

/// The same text for all CPUs of a core ("0,4"); its own number where the kernel does not tell.
std::string core_of(int cpu, const std::filesystem::path& root) {
  const std::string number = std::to_string(cpu);
  auto siblings =
      machine::read_system_file(root, "/sys/devices/system/cpu/cpu" + number + "/topology/thread_siblings_list");
  return siblings ? *std::move(siblings) : number;
}

}  // namespace

std::vector<int> allowed_cpus() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof mask, &mask) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &mask)) cpus.push_back(cpu);
  }
  return cpus;
}

std::vector<int> cpus_of_different_cores(const std::vector<int>& allowed, int count,
                                         const std::filesystem::path& root) {
  std::vector<int> chosen;
  std::vector<int> siblings;
  std::set<std::string> cores;
  for (const int cpu : allowed) (cores.insert(core_of(cpu, root)).second ? chosen : siblings).push_back(cpu);
  chosen.insert(chosen.end(), siblings.begin(), siblings.end());
  chosen.resize(std::min(chosen.size(), static_cast<std::size_t>(std::max(0, count))));
  return chosen;
}

std::optional<std::string> missing_second_cpu(const std::vector<int>& allowed, const std::filesystem::path& root) {
  if (allowed.size() == 1) return "this process may use only one CPU";
  std::set<std::string> cores;
  for (const int cpu : allowed) cores.insert(core_of(cpu, root));
  if (cores.size() == 1) return "this process may use only one core: its CPUs are threads of that core";
  constexpr double two = 2;
  const auto quota = machine::cpu_quota(root);
  if (!quota || !quota->cpus || *quota->cpus >= two) return std::nullopt;
  std::ostringstream text;
  text << "this process may use only the time of " << *quota->cpus << " CPUs: its control group limits it";
  return text.str();
}

}  // namespace torchgate::bench
