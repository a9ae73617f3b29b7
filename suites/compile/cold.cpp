// SPDX-License-Identifier: Apache-2.0
// The first result of a process: loading a model, and its first call, which loads and specialises what is left.
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <optional>
#include <string>

#include "harness/bench/torch/suite.hpp"
#include "suites/compile/gated.hpp"
#include "suites/compile/package.hpp"
#include "suites/compile/program.hpp"

namespace torchgate::suites::cold {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites::compile;

constexpr std::int64_t batch = 8;

// What the process has in memory, in whole pages; of its libraries what was read so far.
double resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::int64_t size = 0;
  std::int64_t resident = 0;
  statm >> size >> resident;
  return static_cast<double>(resident * sysconf(_SC_PAGESIZE));
}

// `build` returns the call of a model. After the call it is recorded what the process has grown by: the model, its libraries and buffers.
template <class Build>
Factory grown(Build build) {
  return [build](const Args& args) -> Timed {
    const double before = resident_bytes();
    return [call = build(args), before](Recorder& recorder) mutable {
      torch::Tensor y = call();
      recorder.put("resident_growth", resident_bytes() - before);
      return y;
    };
  };
}

auto script(const Args& args) {
  torch::jit::Module loaded = torch::jit::load(args.artefact(script_file));
  auto module = torch::jit::optimize_for_inference(loaded);
  return [module, x = rows(args, batch)]() mutable { return module.forward({x}).toTensor(); };
}

auto nativert(const Args& args) {
  return [program = Program(args.artefact("gated.nativert.pt2")), x = rows(args, batch)] { return program(x); };
}

auto aoti(const Args& args) {
  return [package = Package(args.artefact("gated_8.pt2"), batch), x = rows(args, batch)] { return package(x); };
}

TORCHGATE_GROUP("cold") {
  group.cold(2).artefact(script_file).measures(OwnMetric({"resident_growth", "bytes"}));
  group.reference("script", grown(script));
  group.variant("nativert", grown(nativert))
      .artefact("gated.nativert.pt2")
      .needs("nativert", has_nativert)
      .quick(none)
      .claims(time() <= 0.7 * reference());
  group.variant("aoti", grown(aoti)).artefact("gated_8.pt2").claims(time() <= 0.7 * reference());
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
      recorder.put("loaded_before", other ? 1 : 0);
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
  group.cold(2).only_full().measures(ns("second_size")).measures(count("loaded_before"));
  group.artefact("gated_8.pt2").artefact("gated_32.pt2");
  group.reference("on_demand", second_size(/*loaded_before=*/false)).proves(metric("loaded_before") == 0);
  group.variant("precompiled", second_size(/*loaded_before=*/true))
      .within(1e-6)
      .proves(metric("loaded_before") == 1)
      .claims(metric("second_size") <= 0.5 * reference());
}

}  // namespace
}  // namespace torchgate::suites::cold
