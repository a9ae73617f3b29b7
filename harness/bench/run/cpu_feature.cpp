// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/run/cpu_feature.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

namespace torchgate::bench {
namespace {

// The values of ONEDNN_MAX_CPU_ISA in ascending order, with the feature (or the first part of the names of the features) that
// each adds to those before it: oneDNN's documentation, "CPU Dispatcher Control". Other values ("ALL", newer names, a typing
// error) limit nothing here.
struct Isa {
  std::string_view name;
  std::string_view adds;
};
constexpr std::array isas{
    Isa{"SSE41", "sse4_1"},
    Isa{"AVX", "avx"},
    Isa{"AVX2", "avx2"},
    Isa{"AVX2_VNNI", "avx_vnni"},
    Isa{"AVX2_VNNI_2", "avx_ne_convert"},
    Isa{"AVX512_CORE", "avx512"},
    Isa{"AVX512_CORE_VNNI", "avx512_vnni"},
    Isa{"AVX512_CORE_BF16", "avx512_bf16"},
    Isa{"AVX512_CORE_FP16", "avx512_fp16"},
    Isa{"AVX512_CORE_AMX", "amx_"},
};

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));  // as oneDNN compares them
  return text;
}

std::optional<std::string> excluded_by(const char* variable, const std::string& feature) {
  const char* value = std::getenv(variable);
  if (value == nullptr) return std::nullopt;
  const auto allowed =
      std::find_if(isas.rbegin(), isas.rend(), [name = upper(value)](const Isa& isa) { return isa.name == name; });
  // From the last: "avx512_vnni" begins with "avx512", too.
  const auto needed =
      std::find_if(isas.rbegin(), isas.rend(), [&](const Isa& isa) { return feature.rfind(isa.adds, 0) == 0; });
  const bool both_known = allowed != isas.rend() && needed != isas.rend();
  if (!both_known || needed >= allowed) return std::nullopt;
  return std::string(variable) + "=" + value + " excludes " + feature;
}

std::optional<std::string> missing_in_cpu(const std::string& name) {
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::string line;
  while (std::getline(cpuinfo, line)) {
    // "flags" on x86, "Features" on Arm
    if (line.rfind("flags", 0) != 0 && line.rfind("Features", 0) != 0) continue;
    std::istringstream words(line.substr(std::min(line.find(':'), line.size())));
    std::string word;
    while (words >> word) {
      if (word == name) return std::nullopt;
    }
    return "this CPU has no " + name;
  }
  return "CPU feature " + name + " unknown: /proc/cpuinfo lists no features";
}

}  // namespace

std::optional<std::string> missing_cpu_feature(const std::string& name) {
  if (auto why = missing_in_cpu(name)) return why;
  // oneDNN reads the older name only if the newer one is not set.
  const char* variable = std::getenv("ONEDNN_MAX_CPU_ISA") != nullptr ? "ONEDNN_MAX_CPU_ISA" : "DNNL_MAX_CPU_ISA";
  return excluded_by(variable, name);
}

}  // namespace torchgate::bench
