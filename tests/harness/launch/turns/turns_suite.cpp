// SPDX-License-Identifier: Apache-2.0
// A suite for pairs that take turns: cases of known length, one that is slow every third call, and what can go wrong in a turn, which
// the environment or the name of the file ("suite-crash") chooses for one side.
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

#include "harness/bench/bench.hpp"

namespace {

using namespace torchgate::bench;
using Clock = std::chrono::steady_clock;

double number(const char* name, double otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtod(text, nullptr);
}

bool is_asked(const std::string& what) {
  const char* text = std::getenv("TURNS_TROUBLE");
  return (text != nullptr && text == what) || std::string(program_invocation_short_name).ends_with("-" + what);
}

/// Work, not waiting: a fixed number of dependent additions, which a neighbour slows down as it does other code.
double spin(std::int64_t steps) {
  double sum = 1;
  for (std::int64_t i = 0; i < steps; ++i) sum = sum * 1.0000001 + 1e-9;
  return sum;
}

constexpr std::int64_t steps_of_a_call = 200'000;  // some hundred microseconds

Timed steady(const Args&) {
  const auto steps = static_cast<std::int64_t>(steps_of_a_call * number("TURNS_WORK", 1));
  return [steps] { return spin(steps); };
}

Timed every_third(const Args&) {
  const auto slow = static_cast<std::int64_t>(steps_of_a_call * number("TURNS_THIRD", 1));
  return [slow, calls = 0]() mutable { return spin(++calls % 3 == 0 ? slow : steps_of_a_call); };
}

Timed idle(const Args&) {
  return [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
}

// The warm-up makes about 14 calls. A busy machine makes one or two in a turn of 8 ms, and the fewest turns of a pair are five: after more calls
// the trouble may never come.
constexpr int well_calls = 20;

/// After the warm-up and some turns. Its calls are long: a fast machine makes few of them in a turn, too.
Timed troubled(const Args&) {
  return [calls = 0]() mutable {
    if (++calls > well_calls) {
      if (is_asked("crash")) {
        signal(SIGSEGV, SIG_DFL);  // the address sanitizer's handler ends with an exit code
        raise(SIGSEGV);
      }
      if (is_asked("exit")) _exit(0);
      if (is_asked("hang")) std::this_thread::sleep_for(std::chrono::hours(1));
      if (is_asked("throw")) throw std::runtime_error("no more");
      if (is_asked("nonsense")) {
        for (int descriptor = 3; descriptor < 64; ++descriptor) {
          if (write(descriptor, "took forty-two\n", 15) < 0) continue;
        }
      }
      if (is_asked("fork") && calls == well_calls + 1 && fork() == 0) {
        std::this_thread::sleep_for(std::chrono::hours(1));
        _exit(0);
      }
    }
    return spin(4 * steps_of_a_call);
  };
}

/// Forty cases of different lengths; of a file that is called "suite-plus10" those of quarter 0 have 10 % more work.
Timed one_of_many(const Args& args) {
  const std::int64_t quarter = args.number("quarter");
  const std::int64_t n = 4 * args.number("step") + quarter;
  const std::string name = program_invocation_short_name;
  const auto plus = name.find("-plus");
  const std::int64_t percent = plus == std::string::npos || quarter != 0 ? 0 : std::stoi(name.substr(plus + 5));
  const std::int64_t steps = (20'000 + 10'000 * n) * (100 + percent) / 100;
  return [steps] { return spin(steps); };
}

TORCHGATE_GROUP("many") {
  group.axis("quarter", {0, 1, 2, 3});
  group.axis("step", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  group.sweep("spin", one_of_many);
}
TORCHGATE_GROUP("steady") {
  group.sweep("spin", steady);
}
TORCHGATE_GROUP("third") {
  group.sweep("spin", every_third);
}
TORCHGATE_GROUP("idle") {
  group.sweep("sleep", idle);
}
TORCHGATE_GROUP("trouble") {
  group.sweep("spin", troubled);
}

}  // namespace

TORCHGATE_PLAIN_SUITE("turns")
