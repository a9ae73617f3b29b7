// SPDX-License-Identifier: Apache-2.0
// From the bytes of images to an answer, stage by stage. The policy can limit a case: `budget = { time = "100 ms", peak_bytes = "4 GB" }`
// (ci/policy/README.md).
#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"

namespace torchgate::suites::pipeline {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;
using torchgate::suites::SmallCnn;

constexpr std::int64_t images = 8;
constexpr std::int64_t size = 64;
constexpr std::int64_t best = 5;

// Decoded images: bytes, channels last, as a decoder gives them.
Tensor decoded(const Args& args) {
  return Inputs(args).bytes({images, size, size, 3});
}

// Four passes over the floats.
Tensor normalised(const Tensor& bytes) {
  const Tensor floats = bytes.permute({0, 3, 1, 2}).to(torch::kFloat).contiguous();
  return (floats / 255.0 - 0.5) / 0.25;
}

// One conversion that keeps the layout, and one pass in place.
Tensor normalised_in_place(const Tensor& bytes) {
  return bytes.permute({0, 3, 1, 2}).to(torch::kFloat).sub_(127.5).mul_(4.0 / 255.0);
}

Tensor answer(const Tensor& logits) {
  return std::get<0>(torch::softmax(logits, -1).topk(best));
}

Factory pipeline(Tensor (*normalise)(const Tensor&)) {
  return [normalise](const Args& args) -> Timed {
    return [bytes = decoded(args), model = SmallCnn({3, 32, 32}, 100, args), normalise](Recorder& recorder) mutable {
      Tensor x;
      {
        const auto phase = recorder.phase("preprocess");
        x = normalise(bytes);
      }
      {
        const auto phase = recorder.phase("infer");
        x = model(x);
      }
      const auto phase = recorder.phase("postprocess");
      return answer(x);
    };
  };
}

TORCHGATE_GROUP("pipeline") {
  group.items([](const Args&) { return static_cast<double>(images); }).phases({"preprocess", "infer", "postprocess"});
  group.reference("separate", pipeline(normalised));
  group.variant("in_place", pipeline(normalised_in_place))
      .within(1e-4)
      .claims(metric("allocated_bytes") <= 0.9 * reference())
      .claims(metric("preprocess") <= 0.7 * reference());
}

}  // namespace
}  // namespace torchgate::suites::pipeline
