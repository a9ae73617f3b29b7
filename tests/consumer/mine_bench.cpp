// SPDX-License-Identifier: Apache-2.0
#include <numeric>
#include <vector>

#include "harness/bench/bench.hpp"
using namespace torchgate::bench;

int passes();  // passes.cpp, which is all that is compiled again for a slower build

Timed sum(const Args& args) {
  return [x = std::vector<double>(static_cast<std::size_t>(args.number("size")), 1.0)] {
    double total = 0;
    for (int pass = 0; pass < passes(); ++pass) total += std::accumulate(x.begin(), x.end(), 0.0);
    return total / passes();
  };
}
TORCHGATE_GROUP("sum") {
  group.axis("size", {50'000});
  group.sweep("sum", sum);
}
