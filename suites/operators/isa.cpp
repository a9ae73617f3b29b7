// SPDX-License-Identifier: Apache-2.0
// The same kernel compiled for several instruction sets. LibTorch chooses once, when the process makes its first call: each variant has a
// process of its own.
#include <ATen/Version.h>

#include <string>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace torchgate::suites::isa {
namespace {

using namespace torchgate::bench;
using torchgate::suites::Inputs;

// Width of the vectors of the kernels that LibTorch has chosen.
int vector_bits() {
  const std::string capability = at::get_cpu_capability();
  constexpr int of_default = 128;  // SSE, which every x86-64 CPU has
  constexpr int of_avx2 = 256;
  constexpr int of_avx512 = 512;
  if (capability == "AVX512") return of_avx512;
  return capability == "AVX2" ? of_avx2 : of_default;
}

// SiLU has a kernel of LibTorch's own for each; GELU may be oneDNN's, which chooses by itself.
Timed silu(const Args& args) {
  constexpr std::int64_t elements = 100'000;
  return [x = Inputs(args).normal({elements}), bits = vector_bits()](Recorder& recorder) {
    recorder.put("vector_bits", bits);
    return torch::silu(x);
  };
}

TORCHGATE_GROUP("isa") {
  group.quick(none).measures(count("vector_bits").higher());

  group.reference("default", silu).environment("ATEN_CPU_CAPABILITY", "default").proves(metric("vector_bits") == 128);
  group.variant("avx2", silu)
      .needs("avx2")
      .environment("ATEN_CPU_CAPABILITY", "avx2")
      .proves(metric("vector_bits") == 256)
      .claims(time() <= 0.7 * reference());
  group.variant("avx512", silu)
      .needs("avx512f")
      .environment("ATEN_CPU_CAPABILITY", "avx512")
      .proves(metric("vector_bits") == 512);
}

}  // namespace
}  // namespace torchgate::suites::isa
