// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/ranks/rank_cpu.hpp"

#include <sched.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace torchgate::bench {

bool shares_rank_cpu() {
  const char* text = std::getenv(rank_cpu_variable);
  return text != nullptr && *text != '\0';
}

bool move_to_rank_cpu() {
  if (!shares_rank_cpu()) return false;
  const std::string_view text = std::getenv(rank_cpu_variable);
  int cpu = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cpu);
  if (error != std::errc{} || end != text.data() + text.size() || cpu < 0 || cpu >= CPU_SETSIZE) return false;
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(static_cast<std::size_t>(cpu), &only);
  return sched_setaffinity(0, sizeof(only), &only) == 0;
}

}  // namespace torchgate::bench
