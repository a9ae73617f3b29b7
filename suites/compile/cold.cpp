// SPDX-License-Identifier: Apache-2.0
// The first result of a process: loading a model, and its first call, which loads and specialises what is left.
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/nativert/ModelRunnerHandle.h>

#include <memory>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/compile/gated.hpp"
#include "suites/compile/package.hpp"

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
  auto runner = std::make_shared<torch::nativert::ModelRunnerHandle>(args.artefact("gated.nativert.pt2"), "model");
  return [runner, x = rows(args, batch)] { return runner->run({x}, {}).toTensor(); };
}

Timed aoti(const Args& args) {
  return calls_of(Package(args.artefact("gated_8.pt2"), batch), rows(args, batch));
}

// The sizes that are expected, loaded before the first request.
Timed aoti_precompiled(const Args& args) {
  std::vector<Package> others{Package(args.artefact("gated_32.pt2"), 32), Package(args.artefact("gated_dynamic.pt2"))};
  return [others, package = Package(args.artefact("gated_8.pt2"), batch), x = rows(args, batch)] { return package(x); };
}

TORCHGATE_GROUP("cold") {
  group.cold(2).artefact(script_file);
  group.reference("script", script);
  group.variant("nativert", nativert).artefact("gated.nativert.pt2").quick(none).claims(time() <= 0.7 * reference());
  group.variant("aoti", aoti).artefact("gated_8.pt2").claims(time() <= 0.7 * reference());
  group.variant("aoti_precompiled", aoti_precompiled)
      .artefact("gated_8.pt2")
      .artefact("gated_32.pt2")
      .artefact("gated_dynamic.pt2")
      .quick(none);
}

}  // namespace
