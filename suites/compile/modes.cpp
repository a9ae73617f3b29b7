// SPDX-License-Identifier: Apache-2.0
// The same model as LibTorch runs it, as TorchScript, as an exported program that nativert interprets, and compiled by AOTInductor.
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include "harness/bench/torch/suite.hpp"
#include "suites/compile/gated.hpp"
#include "suites/compile/package.hpp"
#include "suites/compile/program.hpp"

namespace {

using namespace torchgate::bench;
using namespace torchgate::suites::compile;

Timed eager(const Args& args) {
  return [model = Gated(args.artefact(script_file)), x = rows(args, args.number("batch"))] { return model(x); };
}

Timed script(const Args& args) {
  torch::jit::Module loaded = torch::jit::load(args.artefact(script_file));
  auto module = torch::jit::optimize_for_inference(loaded);
  const torch::Tensor x = rows(args, args.number("batch"));
  // The interpreter rewrites the program for the shapes of its first runs.
  for (int run = 0; run < 3; ++run) (void)module.forward({x});
  return [module, x]() mutable { return module.forward({x}).toTensor(); };
}

Timed nativert(const Args& args) {
  return [program = Program(args.artefact("gated.nativert.pt2")), x = rows(args, args.number("batch"))] {
    return program(x);
  };
}

Timed aoti(const Args& args) {
  return calls_of(Package(args.artefact("gated_dynamic.pt2")), rows(args, args.number("batch")));
}

Timed aoti_static(const Args& args) {
  const std::int64_t batch = args.number("batch");
  return calls_of(Package(args.artefact(batch == 8 ? "gated_8.pt2" : "gated_32.pt2"), batch), rows(args, batch));
}

TORCHGATE_GROUP("modes") {
  const Axis batch = group.axis("batch", {1, 4, 8, 16, 32});
  group.items(batch).quick(batch(8)).artefact(script_file);

  group.reference("eager", eager);
  group.variant("script", script).claims(metric("operator_calls") <= 1.0 * reference());
  group.variant("nativert", nativert).artefact("gated.nativert.pt2").needs("nativert", has_nativert);
  group.variant("aoti", aoti)
      .artefact("gated_dynamic.pt2")
      .claims(metric("allocations") <= 0.6 * reference())
      .claims(time() <= 0.8 * reference(), batch(32));
}

TORCHGATE_GROUP("dynamic") {
  const Axis batch = group.axis("batch", {8, 32});
  group.items(batch).quick(batch(32)).artefact("gated_8.pt2").artefact("gated_32.pt2");

  group.reference("static", aoti_static);
  group.variant("dynamic", aoti).within(1e-6).artefact("gated_dynamic.pt2").claims(time() <= 1.4 * reference());
}

}  // namespace
