// SPDX-License-Identifier: Apache-2.0
// The example of harness/bench/README.md, and the program on which google_benchmark_test.cpp tries the flags.
#include <cstdint>
#include <numeric>
#include <vector>

#include "harness/bench/bench.hpp"

namespace {

using namespace torchgate::bench;

std::vector<double> ones(const Args& args) {
  return std::vector<double>(static_cast<std::size_t>(args.number("size")), 1.0);
}

// [example]
Timed by_index(const Args& args) {
  return [x = ones(args)] {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); i += 1) sum += x[i];
    return sum;
  };
}
Timed by_library(const Args& args) {
  return [x = ones(args)] { return std::reduce(x.begin(), x.end()); };
}

TORCHGATE_GROUP("sum") {
  const Axis size = group.axis("size", {1'000, 100'000});
  group.items(size);

  group.reference("by_index", by_index);
  group.variant("by_library", by_library).within(1e-12).claims(time() <= 0.9 * reference(), size(100'000));
}
// [/example]

}  // namespace

TORCHGATE_PLAIN_SUITE("example")
