// SPDX-License-Identifier: Apache-2.0
#include "suites/common/requirements.hpp"

#include <sched.h>
#include <torch/version.h>

namespace torchgate::suites {

std::optional<std::string> two_cpus() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) >= 2) return std::nullopt;
  return "this process may use only one CPU";
}

std::optional<std::string> libtorch_before_2_15() {
  constexpr int major = 2;
  constexpr int minor = 15;
  if (TORCH_VERSION_MAJOR < major || (TORCH_VERSION_MAJOR == major && TORCH_VERSION_MINOR < minor)) return std::nullopt;
  return "this is LibTorch " TORCH_VERSION;
}

}  // namespace torchgate::suites
