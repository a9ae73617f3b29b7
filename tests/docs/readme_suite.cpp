// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/torch/suite.hpp"
using namespace torchgate::bench;

Timed out_of_place(const Args& a) {
  auto x = torch::randn({a.number("size")});
  return [=] { return (x * x).relu(); };
}

Timed in_place(const Args& a) {
  auto x = torch::randn({a.number("size")});
  return [=] { return (x * x).relu_(); };
}

TORCHGATE_GROUP("square_relu") {
  group.axis("size", {10000, 100000});
  group.reference("out_of_place", out_of_place);
  group.variant("in_place", in_place)
      .within(1e-6)
      .proves(calls("aten::relu_") == 1)
      .claims(metric("allocations") <= 0.5 * reference());
}
