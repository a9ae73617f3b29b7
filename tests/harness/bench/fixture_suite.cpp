// SPDX-License-Identifier: Apache-2.0
// A suite with known times and with everything that can go wrong in a case.
#include <chrono>
#include <stdexcept>
#include <thread>

#include "harness/bench/bench.hpp"

namespace {

using namespace torchgate::bench;
using torchgate::record::Direction;
using torchgate::record::MetricKind;

// Wall time passes, CPU time hardly does.
Timed sleeping(const Args& args) {
  return [time = std::chrono::milliseconds(args.number("ms"))] { std::this_thread::sleep_for(time); };
}
// CPU time passes as wall time does.
Timed spinning(const Args&) {
  return [] {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
    while (std::chrono::steady_clock::now() < end) continue;
  };
}
Timed fails(const Args&) {
  throw std::runtime_error("the model is \"broken\"");
}
Timed returns_one(const Args&) {
  return [] { return 1; };
}
Timed returns_two(const Args&) {
  return [] { return 2; };
}
Timed counts(const Args&) {
  return [](Recorder& recorder) { recorder.put("pages", 3); };
}

TORCHGATE_GROUP("sleep") {
  const Axis ms = group.axis("ms", {2, 6});
  group.items(ms);
  group.sweep("sleep", sleeping);
}
TORCHGATE_GROUP("spin") {
  group.sweep("spin", spinning);
}
TORCHGATE_GROUP("bad") {
  group.reference("one", returns_one);
  group.variant("two", returns_two);
  group.variant("fails", fails);
}
TORCHGATE_GROUP("counts") {
  group.measures(count("pages"));
  group.sweep("counts", counts);
}
TORCHGATE_GROUP("absent") {
  group.needs("no_such_feature");
  group.sweep("absent", counts);
}

}  // namespace

TORCHGATE_PLAIN_SUITE("fixture")
