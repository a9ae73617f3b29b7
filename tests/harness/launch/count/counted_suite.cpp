// SPDX-License-Identifier: Apache-2.0
// A suite with known numbers of instructions, and with everything that can go wrong while they are counted.
#include <signal.h>
#include <unistd.h>
#include <valgrind/valgrind.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <vector>

#include "harness/bench/bench.hpp"

namespace {

using namespace torchgate::bench;

volatile unsigned sink;

// So many turns of a loop without calls: the same instructions in each.
[[gnu::noinline]] void turns(long count) {
  for (long i = 0; i < count; ++i) sink = sink + 1;
}

// What is planted: thousandths on top.
long with_extra(long count) {
  const char* const extra = std::getenv("COUNTED_EXTRA");
  return extra == nullptr ? count : count + count * std::atol(extra) / 1000;
}

Timed loop(const Args& args) {
  return [count = with_extra(args.number("turns"))] { turns(count); };
}
// Neither building nor the part before each call is counted.
Timed prepared(const Args&) {
  turns(100'000);
  return each_time([] { turns(5000); }, [] { turns(1000); });
}
Timed in_own_process(const Args&) {
  return [] { turns(std::getenv("COUNTED_OWN") == nullptr ? 1 : 3000); };
}
Timed cold(const Args&) {
  turns(20'000);
  return [] { turns(10'000); };
}
// Crashes only in Valgrind, so that the times of all cases can be measured.
Timed illegal(const Args&) {
  return [] {
    if (RUNNING_ON_VALGRIND) __builtin_trap();
  };
}
Timed killed(const Args&) {
  return [] {
    if (RUNNING_ON_VALGRIND) kill(getpid(), SIGKILL);
  };
}
Timed hanging(const Args&) {
  return [] {
    if (RUNNING_ON_VALGRIND) std::this_thread::sleep_for(std::chrono::hours(1));
  };
}
Timed throwing(const Args&) {
  return [] {
    if (RUNNING_ON_VALGRIND) throw std::runtime_error("no such kernel");
  };
}
// In every process but the first one.
Timed second_fails(const Args&) {
  const char* const mark = std::getenv("COUNTED_MARK");
  const bool fails = mark != nullptr && RUNNING_ON_VALGRIND && std::ifstream(mark).good();
  if (mark != nullptr && RUNNING_ON_VALGRIND) std::ofstream(mark) << "counted";
  return [fails] {
    turns(1000);
    if (fails) throw std::runtime_error("no such kernel");
  };
}
Timed in_threads(const Args&) {
  return [] {
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) threads.emplace_back([] { turns(5000); });
    for (std::thread& each : threads) each.join();
  };
}
// Reports that it is being counted, and runs for a long time: for the test that interrupts it.
Timed slow(const Args&) {
  return [] {
    const char* const file = std::getenv("COUNTED_STARTED");
    if (!RUNNING_ON_VALGRIND || file == nullptr) return;
    std::ofstream(file) << getpid();
    std::this_thread::sleep_for(std::chrono::hours(1));
  };
}

TORCHGATE_GROUP("loop") {
  group.axis("turns", {1000, 100'000});
  group.sweep("loop", loop);
}
TORCHGATE_GROUP("prepared") {
  group.sweep("prepared", prepared);
}
TORCHGATE_GROUP("own") {
  group.sweep("loop", in_own_process).environment("COUNTED_OWN", "1");
}
TORCHGATE_GROUP("cold") {
  group.cold(2);
  group.sweep("cold", cold);
}
TORCHGATE_GROUP("illegal") {
  group.sweep("illegal", illegal);
  group.sweep("loop", prepared);
}
TORCHGATE_GROUP("killed") {
  group.sweep("killed", killed);
}
TORCHGATE_GROUP("hanging") {
  group.sweep("hanging", hanging);
}
TORCHGATE_GROUP("throwing") {
  group.sweep("throwing", throwing);
  group.sweep("loop", prepared);
}
TORCHGATE_GROUP("second_fails") {
  group.sweep("second_fails", second_fails);
}
TORCHGATE_GROUP("threads") {
  group.sweep("threads", in_threads);
}
TORCHGATE_GROUP("slow") {
  group.sweep("slow", slow);
}

}  // namespace

TORCHGATE_PLAIN_SUITE("counted")
