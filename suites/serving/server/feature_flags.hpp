// SPDX-License-Identifier: Apache-2.0
// What a server switches on by what it knows of its machine: BF16 where the CPU multiplies it, the GPU path where there is one.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace torchgate::serving {

/// Facts of the machine by name: {"cpu_capability", "AVX512"}.
using Facts = std::map<std::string, std::string>;

struct FlagRule {
  std::string flag;
  std::string fact;
  std::vector<std::string> values;  ///< on for these values of the fact
};

struct FlagState {
  bool on = false;
  std::string why;  ///< "cpu_capability is AVX2, not AVX512", "gpu is unknown"
};

/// A flag of several rules needs all of them. An unknown fact switches off, with that reason; an unknown flag is off.
FlagState flag_state(const std::string& flag, const std::vector<FlagRule>& rules, const Facts& facts);

}  // namespace torchgate::serving
