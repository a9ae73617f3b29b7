// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/cgroup.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <vector>

#include "harness/machine/system_files.hpp"

namespace torchgate::machine {
namespace {

/// Folders of our CPU control group, innermost first, as paths on the machine.
base::Result<std::vector<std::string>> cpu_groups(const std::filesystem::path& root) {
  const auto membership = read_system_file(root, "/proc/self/cgroup");
  if (!membership) return membership.error();
  std::string mount;
  std::string group;
  for (const std::string_view line : lines(*membership)) {  // "4:cpu,cpuacct:/docker/3f" or "0::/user.slice"
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string controllers(line.substr(first + 1, second - first - 1));
    const bool version1 = ("," + controllers + ",").find(",cpu,") != std::string::npos;
    if (!version1 && !(controllers.empty() && mount.empty())) continue;
    mount = version1 ? "/sys/fs/cgroup/" + controllers : "/sys/fs/cgroup";
    group = line.substr(second + 1);
  }
  std::error_code ignored;
  if (mount.empty() || !std::filesystem::is_directory(root / std::filesystem::path(mount).relative_path(), ignored))
    return base::Error{base::ErrorCode::not_found, "no CPU control group is mounted below /sys/fs/cgroup"};
  std::vector<std::string> folders;
  // A container without a cgroup namespace sees the host's path, which does not exist below its own mount: the folders
  // that are missing are skipped, and the mount itself is the container's group.
  if (!group.starts_with('/')) group.clear();  // the kernel writes paths from the root of the hierarchy
  for (; group.size() > 1; group.erase(group.rfind('/'))) folders.push_back(mount + group);
  folders.push_back(mount);
  return folders;
}

std::optional<double> quota_of(const std::filesystem::path& root, const std::string& folder) {
  std::string quota;
  std::string period;
  if (const auto version2 = read_system_file(root, folder + "/cpu.max")) {  // "150000 100000" or "max 100000"
    const auto fields = words(*version2);
    if (fields.size() != 2) return std::nullopt;
    quota = fields[0], period = fields[1];
  } else {
    const auto version1 = read_system_file(root, folder + "/cpu.cfs_quota_us");  // -1: none
    const auto length = read_system_file(root, folder + "/cpu.cfs_period_us");
    if (!version1 || !length) return std::nullopt;
    quota = *version1, period = *length;
  }
  const auto numerator = to_integer(quota);
  const auto denominator = to_integer(period);
  if (!numerator || *numerator <= 0 || !denominator || *denominator <= 0) return std::nullopt;
  return static_cast<double>(*numerator) / static_cast<double>(*denominator);
}

}  // namespace

base::Result<CpuQuota> cpu_quota(const std::filesystem::path& root) {
  const auto folders = cpu_groups(root);
  if (!folders) return folders.error();
  CpuQuota result;
  for (const std::string& folder : *folders) {
    const auto quota = quota_of(root, folder);
    if (quota) result.cpus = std::min(*quota, result.cpus.value_or(*quota));
  }
  return result;
}

base::Result<std::int64_t> quota_throttles(const std::filesystem::path& root) {
  const auto folders = cpu_groups(root);
  if (!folders) return folders.error();
  std::optional<std::int64_t> sum;
  for (const std::string& folder : *folders) {
    const auto statistics = read_system_file(root, folder + "/cpu.stat");
    if (!statistics) continue;
    for (const std::string_view line : lines(*statistics)) {
      const auto fields = words(line);
      if (fields.size() != 2 || fields[0] != "nr_throttled") continue;
      if (const auto count = to_count(fields[1])) sum = sum.value_or(0) + *count;
    }
  }
  if (!sum) return base::Error{base::ErrorCode::not_found, "no cpu.stat with nr_throttled below /sys/fs/cgroup"};
  return *sum;
}

}  // namespace torchgate::machine
