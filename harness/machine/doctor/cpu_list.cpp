// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/doctor/cpu_list.hpp"

#include <algorithm>

#include "harness/machine/system_files.hpp"

namespace torchgate::machine::doctor {

// The kernel's own limit is 8192 (CONFIG_NR_CPUS). A text with larger numbers is not a list of CPUs.
constexpr std::int64_t most_cpus = 65'536;

std::vector<int> cpu_list(std::string_view text) {
  std::vector<int> cpus;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    const auto first = to_integer(part.substr(0, part.find('-')));
    const auto last = to_integer(part.substr(part.find('-') + 1));  // of "3" without a dash: itself
    if (!first || !last || *first < 0 || *last > most_cpus) return {};
    for (auto cpu = *first; cpu <= *last; ++cpu) cpus.push_back(static_cast<int>(cpu));
  }
  return cpus;
}

}  // namespace torchgate::machine::doctor
