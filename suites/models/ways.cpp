// SPDX-License-Identifier: Apache-2.0
#include "suites/models/ways.hpp"

#include "harness/bench/run/cpu_feature.hpp"

namespace torchgate::suites {

std::optional<std::string> missing_bf16() {
  const auto avx512 = bench::missing_cpu_feature("avx512_bf16");
  const auto amx = bench::missing_cpu_feature("amx_bf16");
  if (!avx512 || !amx) return std::nullopt;
  return *avx512 + "; " + *amx;
}

}  // namespace torchgate::suites
