// SPDX-License-Identifier: Apache-2.0
// The same model as LibTorch runs it, as TorchScript, as an exported program that nativert interprets, and compiled by AOTInductor.
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <array>
#include <string>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/interpreter.hpp"
#include "suites/compile/gated.hpp"
#include "suites/compile/package.hpp"
#include "suites/compile/program.hpp"

namespace torchgate::suites::modes {
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
  for (int run = 0; run < runs_until_rewritten; ++run) (void)module.forward({x});
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
  return calls_of(Package(args.artefact("gated_" + std::to_string(batch) + ".pt2"), batch), rows(args, batch));
}

TORCHGATE_GROUP("modes") {
  const Axis batch = group.axis("batch", {1, 4, 8, 16, 32});
  group.items(batch).quick(batch(8)).only_full(batch(4, 16)).artefact(script_file);

  group.reference("eager", eager);
  group.variant("script", script)
      .proves(calls("aten::addmm") == 0)  // oneDNN's layers, which are constants of the program
      .claims(metric("operator_calls") <= 1.0 * reference());
  group.variant("nativert", nativert).artefact("gated.nativert.pt2").needs("nativert", has_nativert);
  group.variant("aoti", aoti)
      .artefact("gated_dynamic.pt2")
      .claims(metric("allocations") <= 0.6 * reference())
      .claims(time() <= 1.1 * reference(), batch(32));
}

TORCHGATE_GROUP("dynamic") {
  const Axis batch = group.axis("batch", {8, 32});
  group.items(batch).quick(batch(32)).artefact("gated_8.pt2").artefact("gated_32.pt2");

  group.reference("static", aoti_static);
  group.variant("dynamic", aoti).within(1e-6).artefact("gated_dynamic.pt2").claims(time() <= 1.4 * reference());
}

// --- grid: torch.compile's modes default and max-autotune, compiled for each batch. Its third, reduce-overhead, is CUDA graphs ------

constexpr std::array<const char*, 2> tuning{"tuned", "choices"};

Factory for_this_batch(const std::string& prefix) {
  return [prefix](const Args& args) -> Timed {
    const std::int64_t batch = args.number("batch");
    const Package package(args.artefact(prefix + std::to_string(batch) + ".pt2"), batch);
    return [package, x = rows(args, batch), numbers = package.numbers(tuning)](Recorder& recorder) {
      put_all(numbers, recorder);
      return package(x);
    };
  };
}

TORCHGATE_GROUP("grid") {
  const Axis batch = group.axis("batch", {1, 4, 8, 16, 32});
  group.items(batch).only_full();
  for (const char* name : tuning) group.measures(count(name));
  for (const int number : {1, 4, 8, 16, 32}) {
    group.artefact("gated_" + std::to_string(number) + ".pt2");
    group.artefact("gated_autotune_" + std::to_string(number) + ".pt2");
  }

  group.reference("default", for_this_batch("gated_")).proves(metric("tuned") == 0);
  group.variant("max_autotune", for_this_batch("gated_autotune_"))
      .proves(metric("tuned") >= 1)
      .claims(metric("choices") >= 2.0 * own(metric("tuned")));
}

}  // namespace
}  // namespace torchgate::suites::modes
