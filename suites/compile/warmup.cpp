// SPDX-License-Identifier: Apache-2.0
// The first calls of a process, one by one, and what a call takes from then on: TorchScript's interpreter records the shapes of its first
// call and rewrites the program in the second, a compiled package is loaded as it stays.
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "harness/bench/torch/suite.hpp"
#include "suites/compile/gated.hpp"
#include "suites/compile/package.hpp"
#include "suites/compile/program.hpp"

namespace torchgate::suites::warmup {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites::compile;

constexpr std::int64_t batch = 8;
constexpr std::array<const char*, 3> first_calls{"call_1", "call_2", "call_3"};
constexpr std::size_t later_calls = 21;

double ns_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
}

// A sample is all calls of a process.
template <class Model>
Timed curve(Model model, torch::Tensor x) {
  return [model = std::move(model), x = std::move(x)](Recorder& recorder) mutable {
    torch::Tensor y;
    const auto call_ns = [&] {
      const auto begin = std::chrono::steady_clock::now();
      y = model(x);
      return ns_since(begin);
    };
    for (const char* name : first_calls) recorder.put(name, call_ns());
    std::array<double, later_calls> later{};
    for (double& duration : later) duration = call_ns();
    const auto middle = later.begin() + later_calls / 2;
    std::nth_element(later.begin(), middle, later.end());
    recorder.put("later_calls", *middle);
    return y;
  };
}

Timed eager(const Args& args) {
  return curve(Gated(args.artefact(script_file)), rows(args, batch));
}

Timed script(const Args& args) {
  torch::jit::Module loaded = torch::jit::load(args.artefact(script_file));
  auto module = torch::jit::optimize_for_inference(loaded);
  const auto forward = [module](const torch::Tensor& x) mutable { return module.forward({x}).toTensor(); };
  return curve(forward, rows(args, batch));
}

Timed nativert(const Args& args) {
  return curve(Program(args.artefact("gated.nativert.pt2")), rows(args, batch));
}

Timed aoti(const Args& args) {
  return curve(Package(args.artefact("gated_8.pt2"), batch), rows(args, batch));
}

TORCHGATE_GROUP("warmup") {
  group.cold(2).only_full().artefact(script_file);
  for (const char* name : first_calls) group.measures(ns(name));
  group.measures(ns("later_calls"));

  group.reference("script", script).claims(metric("call_2") >= 2.0 * own(metric("later_calls")));
  group.variant("eager", eager);
  group.variant("nativert", nativert).artefact("gated.nativert.pt2").needs("nativert", has_nativert);
  group.variant("aoti", aoti)
      .artefact("gated_8.pt2")
      .claims(metric("call_2") <= 0.5 * reference())
      .claims(metric("call_2") <= 4.0 * own(metric("later_calls")));
}

}  // namespace
}  // namespace torchgate::suites::warmup
