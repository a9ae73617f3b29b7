// SPDX-License-Identifier: Apache-2.0
// A suite whose time is decided by a file, as by a model that is loaded: SIZED_FILE, or data/model.txt, says how much work a call is.
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "harness/bench/bench.hpp"

namespace {

using namespace torchgate::bench;

int layers() {
  const char* const name = std::getenv("SIZED_FILE");
  int count = 0;
  std::ifstream(name == nullptr ? "data/model.txt" : name) >> count;
  return count;
}

Timed forward(const Args&) {
  return [count = layers(), x = std::vector<double>(20'000, 1.0)] {
    double sum = 0;
    for (int layer = 0; layer < count; ++layer)
      for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * layer;
    return sum;
  };
}

TORCHGATE_GROUP("forward") {
  group.sweep("forward", forward);
}

}  // namespace

TORCHGATE_PLAIN_SUITE("sized")
