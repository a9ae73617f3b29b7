// SPDX-License-Identifier: Apache-2.0
// A suite whose author mistyped a value of an axis.
#include "harness/bench/bench.hpp"

namespace {

using namespace torchgate::bench;

Timed nothing(const Args&) {
  return [] {};
}

TORCHGATE_GROUP("group") {
  const Axis batch = group.axis("batch", {1, 8});
  group.sweep("v", nothing).claims(time() <= 0.5 * case_with(batch(2)));
}

}  // namespace

TORCHGATE_PLAIN_SUITE("mistaken")
