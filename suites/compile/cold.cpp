// SPDX-License-Identifier: Apache-2.0
// The first result of a process: loading a model, and its first call, which loads and specialises what is left.
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <chrono>
#include <optional>
#include <string>

#include "harness/bench/torch/suite.hpp"
#include "suites/compile/gated.hpp"
#include "suites/compile/package.hpp"
#include "suites/compile/program.hpp"

namespace {

using namespace torchgate::bench;
using namespace torchgate::suites::compile;

constexpr std::int64_t batch = 8;

Timed script(const Args& args) {
  torch::jit::Module loaded = torch::jit::load(args.artefact(script_file));
  auto module = torch::jit::optimize_for_inference(loaded);
  return [module, x = rows(args, batch)]() mutable { return module.forward({x}).toTensor(); };
}

Timed nativert(const Args& args) {
  return [program = Program(args.artefact("gated.nativert.pt2")), x = rows(args, batch)] { return program(x); };
}

Timed aoti(const Args& args) {
  return calls_of(Package(args.artefact("gated_8.pt2"), batch), rows(args, batch));
}

TORCHGATE_GROUP("cold") {
  group.cold(2).artefact(script_file);
  group.reference("script", script);
  group.variant("nativert", nativert)
      .artefact("gated.nativert.pt2")
      .needs("nativert", has_nativert)
      .quick(none)
      .claims(time() <= 0.7 * reference());
  group.variant("aoti", aoti).artefact("gated_8.pt2").claims(time() <= 0.7 * reference());
}

// --- sizes: the first request of another size, whose package is loaded for it or was loaded before ------------------------

constexpr std::int64_t other_batch = 32;

Factory second_size(bool loaded_before) {
  return [loaded_before](const Args& args) -> Timed {
    const Package first(args.artefact("gated_8.pt2"), batch);
    const std::string other_file = args.artefact("gated_32.pt2");
    std::optional<Package> other;
    if (loaded_before) other.emplace(other_file, other_batch);
    return [first, other, other_file, few = rows(args, batch), many = rows(args, other_batch)](Recorder& recorder) {
      const torch::Tensor of_first = first(few);
      const auto begin = std::chrono::steady_clock::now();
      const torch::Tensor of_other = (other ? *other : Package(other_file, other_batch))(many);
      recorder.put("second_size",
                   std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count());
      return torch::cat({of_first, of_other});
    };
  };
}

TORCHGATE_GROUP("sizes") {
  group.cold(2).quick(none).measures(ns("second_size")).artefact("gated_8.pt2").artefact("gated_32.pt2");
  group.reference("on_demand", second_size(/*loaded_before=*/false));
  group.variant("precompiled", second_size(/*loaded_before=*/true))
      .within(1e-6)
      .claims(metric("second_size") <= 0.5 * reference());
}

}  // namespace
