// SPDX-License-Identifier: Apache-2.0
// Options of Inductor, each with a model whose code it changes. What the compiler did is in the metadata that packages.py wrote: an option
// that is ignored leaves the digest of the kernels as it was, and the numbers too.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/compile/gated.hpp"
#include "suites/compile/package.hpp"

namespace torchgate::suites::options {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites::compile;

constexpr std::int64_t batch = 32;
constexpr std::int64_t tower_features = 4096;
constexpr std::array<const char*, 2> tuning{"tuned", "choices"};
// Of a package that was tuned, these depend on which candidate was the fastest in this build.
constexpr std::array<const char*, 5> of_code{"nodes", "fused_nodes", "kernels", "templates", "code_lines"};

torch::Tensor joined(const std::vector<torch::Tensor>& outputs) {
  return outputs.size() == 1 ? outputs.front() : torch::cat(outputs);
}

// `base`: the package whose kernels are compared with those of `file`.
Timed compared(const Args& args, const std::string& file, const std::string& base, std::vector<torch::Tensor> inputs) {
  const Package package(args.artefact(file), batch);
  Numbers numbers = package.numbers(tuning);
  numbers.merge(package.numbers(of_code));
  numbers["same_code"] = package.text("code") == Package(args.artefact(base), batch).text("code") ? 1 : 0;
  return [package, numbers = std::move(numbers), inputs = std::move(inputs)](Recorder& recorder) {
    put_all(numbers, recorder);
    return joined(package.outputs(inputs));
  };
}

template <class Cases>
void measure_code(Cases&& cases) {
  cases.measures(count("same_code"));
  for (const char* name : of_code) cases.measures(count(name));
}

void measure_tuning(Group& group) {
  for (const char* name : tuning) group.measures(count(name));
}

// --- options: tuning the products of the suite's model --------------------------------------------------------------------

Timed tuned(const Args& args) {
  const Package package(args.artefact("gated_autotune_32.pt2"), batch);
  return [package, numbers = package.numbers(tuning), x = rows(args, batch)](Recorder& recorder) {
    put_all(numbers, recorder);
    return package(x);
  };
}

Factory gated(const std::string& file) {
  return [file](const Args& args) { return compared(args, file, "gated_32.pt2", {rows(args, batch)}); };
}

TORCHGATE_GROUP("options") {
  measure_tuning(group);
  group.artefact("gated_32.pt2");
  measure_code(group.reference("default", gated("gated_32.pt2")));
  // Which candidate is the fastest depends on the build: that there were some, and that they were timed, does not.
  group.variant("max_autotune", tuned)
      .artefact("gated_autotune_32.pt2")
      .proves(metric("tuned") >= 1)
      .claims(metric("choices") >= 2.0 * own(metric("tuned")))
      .claims(time() <= 1.5 * reference());
  Variant templates = group.variant("templates", gated("gated_templates_32.pt2"));
  measure_code(templates);
  templates.artefact("gated_templates_32.pt2")
      .proves(metric("same_code") == 0)
      .proves(metric("templates") >= 2)
      .proves(calls("aten::addmm") == 0)
      .claims(metric("operator_calls") <= 0.6 * reference());
}

// --- switches: one option off and on, all others alike --------------------------------------------------------------------

std::vector<torch::Tensor> inputs_of(const Args& args) {
  if (args.text("option") != "aggressive_fusion") return {rows(args, batch)};
  const torch::Tensor left = torchgate::suites::Inputs(args).normal({batch, tower_features});
  return {left, left.flip(0)};
}

Factory switched(const std::string& state) {
  return [state](const Args& args) {
    const std::string option = args.text("option");
    return compared(args, option + "_" + state + ".pt2", option + "_off.pt2", inputs_of(args));
  };
}

TORCHGATE_GROUP("switches") {
  const Axis option = group.axis("option", {"aggressive_fusion", "epilogue_fusion", "freezing"});
  measure_tuning(group);
  measure_code(group);
  group.quick(option("freezing")).only_full(option("aggressive_fusion"));
  for (const char* name : {"aggressive_fusion", "epilogue_fusion", "freezing"}) {
    for (const char* state : {"_off.pt2", "_on.pt2"}) group.artefact(std::string(name) + state);
  }
  group.reference("off", switched("off")).proves(metric("fused_nodes") >= 1);
  group.variant("on", switched("on"))
      .proves(metric("fused_nodes") >= 1)  // counted by a hook of the compiler: of 0 nodes the claim holds too
      .proves(metric("same_code") == 0)
      .claims(metric("fused_nodes") <= 0.9 * reference());
}

}  // namespace
}  // namespace torchgate::suites::options
