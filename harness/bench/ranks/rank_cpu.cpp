// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/ranks/rank_cpu.hpp"

#include <sched.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace torchgate::bench {
namespace {

std::string_view rank_cpu() {
  const char* const text = std::getenv(rank_cpu_variable);
  return text == nullptr ? std::string_view() : text;
}

}  // namespace

bool shares_rank_cpu() {
  return !rank_cpu().empty();
}

bool move_to_rank_cpu() {
  const std::string_view text = rank_cpu();
  int cpu = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cpu);
  if (error != std::errc{} || end != text.data() + text.size() || cpu < 0 || cpu >= CPU_SETSIZE) return false;
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(static_cast<std::size_t>(cpu), &only);
  return sched_setaffinity(0, sizeof(only), &only) == 0;
}

}  // namespace torchgate::bench
