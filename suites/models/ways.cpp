// SPDX-License-Identifier: Apache-2.0
#include "suites/models/ways.hpp"

#include "harness/bench/run/backend.hpp"

namespace torchgate::suites {

std::optional<std::string> missing_bf16() {
  if (!bench::missing_cpu_feature("avx512_bf16") || !bench::missing_cpu_feature("amx_bf16")) return std::nullopt;
  return "this CPU has neither avx512_bf16 nor amx_bf16";
}

}  // namespace torchgate::suites
