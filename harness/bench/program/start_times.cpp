// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/program/start_times.hpp"

#include <time.h>

namespace torchgate::bench {
namespace {

std::int64_t loaded_at_ns = 0;  // initialised by the loader: it is written before any constructor runs

void note_loaded() {
  loaded_at_ns = monotonic_ns();
}

// The functions of an executable's .preinit_array run when all libraries are bound and none is initialised (System V ABI,
// "Initialization and Termination Functions").
[[gnu::section(".preinit_array"), gnu::used]] void (*const at_preinit)() = &note_loaded;

}  // namespace

std::int64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  constexpr std::int64_t ns_per_s = 1'000'000'000;
  return now.tv_sec * ns_per_s + now.tv_nsec;
}

std::optional<std::int64_t> libraries_loaded_at_ns() {
  if (loaded_at_ns == 0) return std::nullopt;
  return loaded_at_ns;
}

}  // namespace torchgate::bench
