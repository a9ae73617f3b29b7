// SPDX-License-Identifier: Apache-2.0
// What the compiler did when the suite was built, as packages.py noted it: the graph from pass to pass, and the time that it took.
#include <array>
#include <cmath>

#include "harness/bench/torch/suite.hpp"
#include "suites/compile/gated.hpp"
#include "suites/compile/package.hpp"

namespace torchgate::suites::built {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites::compile;

constexpr std::int64_t batch = 32;
constexpr double ns_per_s = 1e9;

// --- graphs: operators of the exported program, after the passes over it, and nodes before and after fusion. Of torch.compile: where it
// would break the graph of the model itself, and of one with a branch on a value ---------------------------------------------

constexpr std::array<const char*, 7> passes{
    "exported_nodes", "graph_nodes", "nodes", "fused_nodes", "kernels", "graph_breaks", "graph_breaks_of_branch"};

Timed graphs(const Args& args) {
  const Package package(args.artefact("gated_dynamic.pt2"));
  return [package, x = rows(args, batch), numbers = package.numbers(passes)](Recorder& recorder) {
    put_all(numbers, recorder);
    return package(x);
  };
}

TORCHGATE_GROUP("graphs") {
  for (const char* name : passes) group.measures(count(name));
  group.artefact("gated_dynamic.pt2");
  group.sweep("aoti", graphs)
      .proves(metric("fused_nodes") >= 1)  // counted by a hook of the compiler: of 0 nodes the claim holds too
      .proves(metric("graph_breaks") == 0)
      .proves(metric("graph_breaks_of_branch") >= 1)
      .claims(metric("fused_nodes") <= 0.8 * own(metric("nodes")));
}

// --- packages: seconds of the build. CPU seconds of the compiler and the C++ compilers that it starts are gated: those on the clock depend
// on what else the machine built. One number per build, the same in each process ---------------------------------------------

double whole_ns(double seconds) {
  return std::round(seconds * ns_per_s);
}

Timed built(const Args& args) {
  const Package package(args.artefact(args.text("package") + ".pt2"), batch);
  const Numbers numbers{{"compile_time", whole_ns(package.number("compile_cpu_s"))},
                        {"compile_wall_time", whole_ns(package.number("compile_s"))},
                        {"export_time", whole_ns(package.number("export_s"))},
                        {"tuned", package.number("tuned")}};
  return [package, x = rows(args, batch), numbers](Recorder& recorder) {
    put_all(numbers, recorder);
    return package(x);
  };
}

TORCHGATE_GROUP("packages") {
  const Axis package = group.axis("package", {"gated_32", "gated_dynamic", "gated_autotune_32", "freezing_on"});
  group.measures(ns("compile_time").primary()).measures(ns("compile_wall_time")).measures(ns("export_time"));
  group.measures(count("tuned"));
  group.quick(package("gated_32", "gated_autotune_32"));
  group.artefact("gated_32.pt2").artefact("gated_dynamic.pt2");
  group.artefact("gated_autotune_32.pt2").artefact("freezing_on.pt2");
  group.sweep("built", built)
      .proves(metric("tuned") == 0, package("gated_32", "gated_dynamic", "freezing_on"))
      .proves(metric("tuned") >= 1, package("gated_autotune_32"))
      .claims(metric("compile_time") <= 0.9 * case_with(package("gated_autotune_32")), package("gated_32"));
}

}  // namespace
}  // namespace torchgate::suites::built
