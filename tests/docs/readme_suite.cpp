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

TORCHGATE_GROUP("mine/square_relu")
    .axis("size", {10000, 100000})
    .reference("out_of_place", out_of_place)
    .variant("in_place", in_place, within(1e-6))
    .proves(calls("aten::relu_") == 1)
    .claims(exact("allocations") <= 0.5 * reference());

TORCHGATE_TORCH_SUITE("mine")
