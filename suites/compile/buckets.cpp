// SPDX-License-Identifier: Apache-2.0
// Requests of many sizes, and programs that are kept per size: exact sizes need a program each, buckets a few, at the price of
// padding; a program for any size needs neither. A miss loads a program: what compiling for a new shape costs is above that.
#include <random>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/lru_cache.hpp"
#include "suites/compile/bucket.hpp"
#include "suites/compile/program.hpp"

namespace {

using namespace torchgate::bench;
using namespace torchgate::suites::compile;

constexpr std::int64_t small_features = 16;
constexpr int requests = 64;
constexpr int smallest = 100;
constexpr int largest = 200;
constexpr std::size_t kept_programs = 10;
constexpr std::int64_t any_size = 0;

std::vector<torch::Tensor> inputs_of(const Args& args) {
  // Not std::uniform_int_distribution: its numbers differ from library to library.
  std::mt19937_64 generator(args.seed());
  const torch::Tensor all = torchgate::suites::Inputs(args).normal({largest, small_features});
  std::vector<torch::Tensor> inputs;
  for (int i = 0; i < requests; ++i) {
    const auto size = smallest + static_cast<std::int64_t>(generator() % (largest - smallest + 1));
    inputs.push_back(all.narrow(0, 0, size));
  }
  return inputs;
}

torch::Tensor padded_call(const Program& program, const torch::Tensor& x, std::int64_t size) {
  if (size == x.size(0)) return program(x);
  const torch::Tensor padded = torch::constant_pad_nd(x, {0, 0, 0, size - x.size(0)});
  return program(padded).narrow(0, 0, x.size(0));
}

// A call is the first 64 requests of a server. `width`: of a bucket; any_size: one program for all.
Factory serve(std::int64_t width) {
  return [width](const Args& args) -> Timed {
    return [width, path = args.artefact("small.nativert.pt2"), inputs = inputs_of(args)](Recorder& recorder) {
      torchgate::suites::LruCache<Program> programs(kept_programs);
      double padded_rows = 0;
      double rows = 0;
      double sum = 0;
      for (const torch::Tensor& x : inputs) {
        const std::int64_t size = width == any_size ? x.size(0) : bucket_of(x.size(0), width);
        const auto key = static_cast<std::size_t>(width == any_size ? any_size : size);
        const Program program = programs.get(key, [&](std::size_t) { return Program(path); });
        sum += padded_call(program, x, size).square().sum().item<double>();
        padded_rows += static_cast<double>(size);
        rows += static_cast<double>(x.size(0));
      }
      recorder.put("hit_rate", static_cast<double>(programs.hits()) / requests);
      recorder.put("waste", (padded_rows - rows) / padded_rows);
      return sum;
    };
  };
}

TORCHGATE_GROUP("buckets") {
  group.items([](const Args&) { return static_cast<double>(requests); })
      .samples(5)
      .measures(ratio("hit_rate").higher().exact())
      .measures(ratio("waste").exact())
      .needs("nativert", has_nativert)
      .artefact("small.nativert.pt2");

  group.reference("exact_sizes", serve(1));
  group.variant("buckets_of_32", serve(32))
      .within(1e-6)
      .claims(metric("hit_rate") >= 3.0 * reference())
      .claims(time() <= 0.6 * reference());
  group.variant("any_size", serve(any_size)).within(1e-6).quick(none).claims(time() <= 0.6 * reference());
}

}  // namespace
