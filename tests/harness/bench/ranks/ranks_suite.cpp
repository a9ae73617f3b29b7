// SPDX-License-Identifier: Apache-2.0
// A suite whose cases are measured by two processes together, well or badly, without LibTorch.
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

#include "harness/bench/bench.hpp"
#include "harness/bench/program/suite_program.hpp"

namespace {

using namespace torchgate::bench;

bool is_second() {
  return this_world().rank() == 1;
}

void work() {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

// The second rank takes three times as long: the time of the case is its.
Timed uneven(const Args&) {
  return [] {
    for (int i = 0; i < (is_second() ? 3 : 1); ++i) work();
    return 1.0;
  };
}
Timed even(const Args&) {
  return [] { return work(), 1.0; };
}
Timed second_is_wrong(const Args&) {
  return [] { return is_second() ? 2.0 : 1.0; };
}
Timed second_throws(const Args&) {
  return []() -> double {
    if (is_second()) throw std::runtime_error("the second has had enough");
    return this_world().barrier(), 1.0;  // as a collective: it waits for the other
  };
}
Timed second_crashes(const Args&) {
  return [] {
    if (is_second()) std::signal(SIGSEGV, SIG_DFL), std::raise(SIGSEGV);
    return work(), 1.0;
  };
}
Timed second_hangs(const Args&) {
  return [] {
    while (is_second()) pause();
    return work(), 1.0;
  };
}

TORCHGATE_GROUP("well") {
  group.ranks(2);
  group.reference("even", even);
  group.variant("uneven", uneven);
}
TORCHGATE_GROUP("badly") {
  group.ranks(2);
  group.reference("even", even);
  group.variant("wrong", second_is_wrong);
  group.variant("throws", second_throws);
  group.variant("goes_on", even);
}
TORCHGATE_GROUP("crash") {
  group.ranks(2);
  group.sweep("crash", second_crashes);
}
TORCHGATE_GROUP("hang") {
  group.ranks(2);
  group.sweep("hang", second_hangs);
}
TORCHGATE_GROUP("alone") {
  group.sweep("alone", even);
}

}  // namespace

TORCHGATE_PLAIN_SUITE("ranks")
