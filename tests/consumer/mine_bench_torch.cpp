// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
using namespace torchgate::bench;

int passes();  // passes.cpp, which is all that is compiled again for a slower build

Timed sum(const Args& args) {
  return [x = torchgate::suites::Inputs(args).normal({args.number("size")})] {
    auto total = x.sum();
    for (int pass = 1; pass < passes(); ++pass) total = x.sum();
    return total;
  };
}
TORCHGATE_GROUP("sum") {
  group.axis("size", {500'000});
  group.sweep("sum", sum);
}
