// SPDX-License-Identifier: Apache-2.0
#include "suites/common/requirements.hpp"

#include <torch/version.h>

#include "harness/bench/run/cpu_feature.hpp"
#include "harness/bench/run/own_cpus.hpp"

namespace torchgate::suites {

std::optional<std::string> two_cpus() {
  return bench::missing_second_cpu(bench::allowed_cpus());
}

namespace {

// Cooper Lake, which has AVX512-BF16 at the full rate and no AMX, has no FP16 either.
bool is_made_for_amx() {
#if defined(__x86_64__)
  return __builtin_cpu_is("intel") && __builtin_cpu_supports("avx512fp16");
#else
  return false;  // the built-in functions of other architectures do not know these names
#endif
}

}  // namespace

bench::OnlyWith bf16_at_full_rate() {
  const auto test = []() -> std::optional<std::string> {
    if (!is_made_for_amx() || !bench::missing_cpu_feature("amx_bf16")) return std::nullopt;
    return "this CPU multiplies BF16 in AMX, which is missing here";
  };
  return {"BF16 at full rate", test};
}

std::optional<std::string> libtorch_before_2_15() {
  constexpr int major = 2;
  constexpr int minor = 15;
  if (TORCH_VERSION_MAJOR < major || (TORCH_VERSION_MAJOR == major && TORCH_VERSION_MINOR < minor)) return std::nullopt;
  return "this is LibTorch " TORCH_VERSION;
}

bench::OnlyWith libtorch_2_15_or_newer() {
  const auto test = []() -> std::optional<std::string> {
    if (libtorch_before_2_15()) return std::nullopt;
    return "this is LibTorch " TORCH_VERSION;
  };
  return {"LibTorch 2.15 or newer", test};
}

}  // namespace torchgate::suites
