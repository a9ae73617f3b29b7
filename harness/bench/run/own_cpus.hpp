// SPDX-License-Identifier: Apache-2.0
// The CPUs of this process: which it may use, and how many of its threads can run at the same time.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace torchgate::bench {

/// What the affinity mask of the calling thread allows, in ascending order; empty if the kernel does not tell.
std::vector<int> allowed_cpus();

/// `count` of the CPUs in `allowed`, or all if there are fewer: of different cores as long as there are any, since two CPUs of one core (SMT)
/// share its units. Below `root` as on a real machine (tests choose it). CPUs whose cores are unknown count as cores of their own.
std::vector<int> cpus_of_different_cores(const std::vector<int>& allowed, int count,
                                         const std::filesystem::path& root = "/");

/// Why two threads of a process with these CPUs cannot compute at the same time at full speed; absent if they can, and where it is unknown: one CPU, two
/// CPUs of one core, or a control group (`docker run --cpus`) that gives less than the time of two.
std::optional<std::string> missing_second_cpu(const std::vector<int>& allowed, const std::filesystem::path& root = "/");

}  // namespace torchgate::bench
