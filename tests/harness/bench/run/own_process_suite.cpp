// SPDX-License-Identifier: Apache-2.0
// A suite whose cases ask for processes of their own: cold starts, environment, threads, CPUs, artefacts.
#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>

#include "harness/bench/bench.hpp"

namespace {

using namespace torchgate::bench;

// How often something was built in this process: 1 in a process of its own.
int built_here = 0;

Timed counts_builds(const Args&) {
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ++built_here;
  return [](Recorder& recorder) {
    recorder.put("built_here", built_here);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return 1;
  };
}

Factory value_of(const char* variable) {
  return [variable](const Args&) -> Timed {
    const char* const value = std::getenv(variable);
    return [number = value != nullptr ? std::atoi(value) : 0](Recorder& recorder) {
      recorder.put("value", number);
      return 1;
    };
  };
}

// Another output in another environment.
Timed own_value(const Args&) {
  const char* const value = std::getenv("OWN_VALUE");
  return [number = value != nullptr ? std::atoi(value) : 0] { return number; };
}
// As above; writes each time that it is built to the file OWN_LOG, and not as an input.
Timed logged_value(const Args& args) {
  const char* const log = std::getenv("OWN_LOG");
  if (log != nullptr) std::ofstream(log, std::ios::app) << "built\n";
  return own_value(args);
}
Timed cannot(const Args&) {
  throw Skip("there is no fast path");
}

Timed counts_cpus(const Args&) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  sched_getaffinity(0, sizeof cpus, &cpus);
  return [count = CPU_COUNT(&cpus)](Recorder& recorder) {
    recorder.put("value", count);
    return 1;
  };
}

Timed one(const Args&) {
  return [] { return 1; };
}
Timed two(const Args&) {
  return [] { return 2; };
}
Timed crashes(const Args&) {
  raise(SIGABRT);
  return [] { return 1; };
}
Timed ends(const Args&) {
  _exit(7);
}

Timed ends_well(const Args&) {
  _exit(0);
}

Timed reads_artefact(const Args& args) {
  std::ifstream file(args.artefact("model.bin"));
  int number = 0;
  file >> number;
  return [number](Recorder& recorder) {
    recorder.put("value", number);
    return number;
  };
}
Timed never_built(const Args&) {
  throw std::logic_error("its artefact is missing: it must not be built");
}

// Works for as many tenths of a millisecond as its artefact says.
Timed loads(const Args& args) {
  std::ifstream file(args.artefact("model.bin"));
  int tenths = 0;
  file >> tenths;
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(100 * tenths);
  while (std::chrono::steady_clock::now() < end) continue;
  return [] { return 1; };
}

TORCHGATE_GROUP("loads") {
  group.cold(2).artefact("model.bin");
  group.sweep("model", loads);
}
TORCHGATE_GROUP("cold") {
  group.cold(3).measures(count("built_here"));
  group.reference("first", counts_builds);
  group.variant("second", counts_builds);
}
TORCHGATE_GROUP("cold_bad") {
  group.cold(2);
  group.reference("one", one);
  group.variant("two", two);
  group.variant("crashes", crashes);
}
TORCHGATE_GROUP("environment") {
  group.measures(count("value"));
  group.reference("unset", value_of("OWN_VALUE"));
  group.variant("set", value_of("OWN_VALUE")).environment("OWN_VALUE", "42");
  group.variant("threads", value_of("OMP_NUM_THREADS")).threads(3);
}
TORCHGATE_GROUP("compared") {
  group.reference("one", own_value).environment("OWN_VALUE", "1");
  group.variant("same", own_value).environment("OWN_VALUE", "1");
  group.variant("right", one).environment("OWN_VALUE", "2");
  group.variant("wrong", own_value).environment("OWN_VALUE", "2");
  group.variant("right_here", one);
  group.variant("wrong_here", own_value);
}
TORCHGATE_GROUP("compared_here") {
  group.reference("unset", own_value);
  group.variant("wrong", own_value).environment("OWN_VALUE", "2");
}
TORCHGATE_GROUP("compared_cold") {
  group.cold(2);
  group.reference("one", logged_value).environment("OWN_VALUE", "1");
  group.variant("right", one).environment("OWN_VALUE", "2");
  group.variant("wrong", own_value).environment("OWN_VALUE", "2");
}
TORCHGATE_GROUP("reference_ends") {
  group.reference("ends", ends).environment("OWN_VALUE", "1");
  group.variant("one", one).environment("OWN_VALUE", "2");
  group.variant("one_here", one);
}
TORCHGATE_GROUP("reference_skips") {
  group.reference("cannot", cannot).environment("OWN_VALUE", "1");
  group.variant("one", one).environment("OWN_VALUE", "2");
}
TORCHGATE_GROUP("cpus") {
  group.measures(count("value"));
  group.sweep("one", counts_cpus).cpus(1);
}
TORCHGATE_GROUP("bad") {
  group.reference("one", one);
  group.variant("ends", ends).environment("OWN_VALUE", "1");
  group.variant("ends_well", ends_well).environment("OWN_VALUE", "1");
}
TORCHGATE_GROUP("artefact") {
  group.measures(count("value"));
  group.sweep("here", reads_artefact).artefact("model.bin");
  group.sweep("missing", never_built).artefact("other.bin");
}

}  // namespace

TORCHGATE_PLAIN_SUITE("own")
