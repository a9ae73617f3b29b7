// SPDX-License-Identifier: Apache-2.0
// A suite whose author mistyped an axis.
#include "harness/bench/bench.hpp"

namespace {

using namespace torchgate::bench;

Timed nothing(const Args&) {
  return [] {};
}

TORCHGATE_GROUP("mistaken/group")
    .axis("batch", {1, 8})
    .sweep("v", nothing)
    .claims(time() <= 0.5 * case_with("bacth", 1));

}  // namespace

TORCHGATE_PLAIN_SUITE("mistaken")
