// SPDX-License-Identifier: Apache-2.0
// NCCL in a world of one device: what a collective costs before anything is sent. Two devices would be needed to send.
#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/gpu/cuda_calls.hpp"

namespace torchgate::suites::one_rank {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

struct Buffers {
  static constexpr std::int64_t elements = 1 << 20;
  Tensor from;
  Tensor to;

  explicit Buffers(const Args& args) : from(Inputs(args).normal({elements})), to(torch::zeros_like(from)) {}
};

Timed copied(const Args& args) {
  return [buffers = Buffers(args), version = nccl_version()](Recorder& recorder) {
    buffers.to.copy_(buffers.from);
    recorder.put("nccl_version", static_cast<double>(version));
    return buffers.to;
  };
}

Timed reduced(const Args& args) {
  return [buffers = Buffers(args), version = nccl_version()](Recorder& recorder) {
    all_reduce_of_one(buffers.from, buffers.to);
    recorder.put("nccl_version", static_cast<double>(version));
    return buffers.to;
  };
}

// The sum of one tensor is a copy of it.
TORCHGATE_GROUP("nccl") {
  group.axis("device", {"cuda"});
  group.measures(count("nccl_version")).quick(none);

  group.reference("copy", copied).proves(calls("aten::copy_") == 1);
  group.variant("all_reduce", reduced)
      .within(0)
      .proves(calls("aten::copy_") == 0)
      .claims(metric("device_copies") <= 1.0 * reference())
      .claims(time() <= 10.0 * reference());
}

}  // namespace
}  // namespace torchgate::suites::one_rank
