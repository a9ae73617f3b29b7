// SPDX-License-Identifier: Apache-2.0
// cuda_launch_blocking, environment; build and suite_build.
#include <array>

#include "harness/machine/doctor/build_kind.hpp"
#include "harness/machine/doctor/rows.hpp"

namespace torchgate::machine::doctor {
namespace {

// TorchBench's machine_config.py (check_environment), and newer names of the same variables.
constexpr std::array loud{"DEBUG",      "MKLDNN_VERBOSE", "DNNL_VERBOSE", "ONEDNN_VERBOSE", "PYTORCH_JIT_LOG_LEVEL",
                          "LD_PRELOAD", "NCCL_DEBUG"};

bool set(const Snapshot& now, const char* name) {
  const auto variable = now.environment.find(name);
  return variable != now.environment.end() && !variable->second.empty() && variable->second != "0";
}

MachineCheck cuda_launch_blocking(const Snapshot& now, const Asked& asked) {
  const char* const name = "cuda_launch_blocking";
  if (now.environment.empty()) return unknown(name, "the environment variables are unknown");
  if (!set(now, "CUDA_LAUNCH_BLOCKING")) return ok(name, "CUDA_LAUNCH_BLOCKING is not set");
  return bad(name, "CUDA_LAUNCH_BLOCKING is set", asked.cuda ? CheckSeverity::fatal : CheckSeverity::warning);
}

MachineCheck environment(const Snapshot& now, const Asked& asked) {
  if (now.environment.empty()) return unknown("environment", "the environment variables are unknown");
  std::string found;
  const auto add = [&](const std::string& what) { found += (found.empty() ? "" : ", ") + what; };
  for (const char* const name : loud)
    if (set(now, name)) add(std::string(name) + "=" + now.environment.at(name));
  const auto threads = now.environment.find("OMP_NUM_THREADS");
  if (threads != now.environment.end() && threads->second != std::to_string(asked.threads))
    add("OMP_NUM_THREADS=" + threads->second + " (suites get " + std::to_string(asked.threads) + ")");
  return found.empty() ? ok("environment", "no interfering variables are set") : bad("environment", "set: " + found);
}

}  // namespace

MachineChecks environment_rows(const Snapshot& now, const Asked& asked) {
  return {cuda_launch_blocking(now, asked), environment(now, asked)};
}

MachineCheck build_row(const std::string& build) {
  if (build.empty()) return unknown("build", "torchgate's build type is unknown");
  return build == optimised_build ? ok("build", "torchgate's build: optimised")
                                  : bad("build", "torchgate's build: " + build);
}

MachineCheck suite_build_row(const std::optional<std::string>& build) {
  if (!build) return unknown("suite_build", "the suites do not report their build type");
  const bool optimised = *build == optimised_build;
  return optimised ? ok("suite_build", "the suites' build: optimised")
                   : bad("suite_build", "the suites' build: " + *build);
}

}  // namespace torchgate::machine::doctor
