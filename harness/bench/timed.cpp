// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/timed.hpp"

#include "harness/bench/clock.hpp"

namespace torchgate::bench {

Recorder::Phase::Phase(Recorder& recorder, std::string name)
    : recorder_(recorder), name_(std::move(name)), start_ns_(real_clock().wall_ns()) {}

Recorder::Phase::~Phase() {
  recorder_.put(name_, static_cast<double>(real_clock().wall_ns() - start_ns_));
}

}  // namespace torchgate::bench
