// SPDX-License-Identifier: Apache-2.0
// Batching: what one item costs alone, and what it costs in company.
#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"

namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

Timed mlp(const Args& args) {
  constexpr std::int64_t features = 256;
  return [model = Mlp({features, 512, 512, 10}, args),
          x = Inputs(args).normal({args.number("batch"), features})]() mutable { return model(x); };
}

TORCHGATE_GROUP("batching/mlp")
    .axis("batch", {1, 2, 4, 8, 16, 32, 64})
    .devices()
    .items("batch")
    .sweep("mlp", mlp)
    .claims(items_per_second() >= 2 * case_with("batch", 1), {{"batch", 64}, {"device", "cpu"}});

Timed cnn(const Args& args) {
  constexpr std::int64_t size = 16;
  return [model = SmallCnn({3, 16, 32}, /*classes=*/10, args),
          x = Inputs(args)
                  .normal({args.number("batch"), 3, size, size})
                  .contiguous(torch::MemoryFormat::ChannelsLast)]() mutable { return model(x); };
}

TORCHGATE_GROUP("batching/cnn")
    .axis("batch", {1, 2, 4, 8, 16, 32, 64})
    .devices()
    .items("batch")
    .sweep("cnn", cnn)
    .claims(items_per_second() >= 1.6 * case_with("batch", 1), {{"batch", 32}, {"device", "cpu"}});

}  // namespace

TORCHGATE_TORCH_SUITE("batching")
