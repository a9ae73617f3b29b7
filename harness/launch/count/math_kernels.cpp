// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/count/math_kernels.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

namespace torchgate::launch {
namespace {

struct Limit {
  const char* library;
  const char* variable;
};

/// oneDNN, "CPU Dispatcher Control"; MKL, "Instruction Set Specific Dispatching on Intel Architectures".
constexpr std::array<Limit, 2> limits{{{"oneDNN", "ONEDNN_MAX_CPU_ISA"}, {"MKL", "MKL_ENABLE_INSTRUCTIONS"}}};
/// The last one before FMA, for both.
constexpr const char* without_fma = "AVX";

// As the process will see it.
std::optional<std::string> value_of(const process::Command& command, const std::string& variable) {
  for (const record::Parameter& each : command.environment)
    if (each.name == variable) return each.value;
  if (std::find(command.unset.begin(), command.unset.end(), variable) != command.unset.end()) return std::nullopt;
  const char* const ours = std::getenv(variable.c_str());
  return ours == nullptr ? std::nullopt : std::optional<std::string>(ours);
}

}  // namespace

std::vector<record::Parameter> kernels_without_fma(const process::Command& command) {
  std::vector<record::Parameter> variables;
  for (const Limit& limit : limits)
    if (!value_of(command, limit.variable)) variables.push_back({limit.variable, without_fma});
  return variables;
}

std::string math_kernels_of(const process::Command& command) {
  std::string text;
  for (const Limit& limit : limits) {
    const auto value = value_of(command, limit.variable);
    if (!value || value->empty()) continue;
    text += (text.empty() ? "" : ", ") + std::string(limit.library) + " " + *value;
  }
  return text;
}

}  // namespace torchgate::launch
