// SPDX-License-Identifier: Apache-2.0
// The same kernel compiled for several instruction sets. LibTorch chooses once, when the process makes its first call: each variant has a
// process of its own.
#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace {

using namespace torchgate::bench;
using torchgate::suites::Inputs;

// SiLU has a kernel of LibTorch's own for each; GELU may be oneDNN's, which chooses by itself.
Timed silu(const Args& args) {
  constexpr std::int64_t elements = 100'000;
  return [x = Inputs(args).normal({elements})] { return torch::silu(x); };
}

TORCHGATE_GROUP("isa") {
  group.reference("default", silu).environment("ATEN_CPU_CAPABILITY", "default");
  group.variant("avx2", silu)
      .needs("avx2")
      .environment("ATEN_CPU_CAPABILITY", "avx2")
      .claims(time() <= 0.7 * reference());
  group.variant("avx512", silu).needs("avx512f").environment("ATEN_CPU_CAPABILITY", "avx512").quick(none);
}

}  // namespace
