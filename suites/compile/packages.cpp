// SPDX-License-Identifier: Apache-2.0
// Packages against packages: the options of Inductor, and weights that several packages share.
#include <set>

#include "harness/bench/torch/suite.hpp"
#include "suites/compile/gated.hpp"
#include "suites/compile/package.hpp"

namespace {

using namespace torchgate::bench;
using namespace torchgate::suites::compile;

constexpr std::int64_t batch = 32;
constexpr std::int64_t small_batch = 8;

Factory package(const std::string& file) {
  return [file](const Args& args) -> Timed {
    const Package package(args.artefact(file), batch);
    return [package, x = rows(args, batch), kernels = package.number("kernels"),
            nodes = package.number("nodes")](Recorder& recorder) {
      recorder.put("kernels", kernels);
      recorder.put("nodes", nodes);
      return package(x);
    };
  };
}

// What torch.compile would make of the model, as packages.py counted it: of the model itself, and of one with a branch on a value.
Timed graphs(const Args& args) {
  const Package package(args.artefact("gated_dynamic.pt2"));
  return [package, x = rows(args, batch), breaks = package.number("graph_breaks"),
          with_branch = package.number("graph_breaks_of_branch")](Recorder& recorder) {
    recorder.put("graph_breaks", breaks);
    recorder.put("graph_breaks_of_branch", with_branch);
    return package(x);
  };
}

TORCHGATE_GROUP("options") {
  group.measures(count("kernels")).measures(count("nodes"));
  group.reference("default", package("gated_32.pt2")).artefact("gated_32.pt2");
  group.variant("no_epilogue_fusion", package("gated_no_epilogue.pt2")).within(1e-6).artefact("gated_no_epilogue.pt2");
  group.variant("aggressive_fusion", package("gated_aggressive.pt2"))
      .within(1e-6)
      .artefact("gated_aggressive.pt2")
      .claims(metric("kernels") <= 1.0 * reference());
  group.variant("freezing", package("gated_freezing.pt2")).artefact("gated_freezing.pt2");
  group.variant("shape_padding", package("gated_padding.pt2")).within(1e-6).artefact("gated_padding.pt2");
  group.variant("max_autotune", package("gated_autotune.pt2"))
      .artefact("gated_autotune.pt2")
      .claims(metric("operator_calls") <= 1.0 * reference());
}

TORCHGATE_GROUP("graphs") {
  group.measures(count("graph_breaks")).measures(count("graph_breaks_of_branch")).artefact("gated_dynamic.pt2");
  group.sweep("aoti", graphs).proves(metric("graph_breaks") == 0).proves(metric("graph_breaks_of_branch") >= 1);
}

// Bytes of the weights of both, each tensor in memory counted once.
double constant_bytes(const Package& first, const Package& second) {
  std::set<const void*> seen;
  double bytes = 0;
  for (const Package* each : {&first, &second}) {
    for (const auto& [name, tensor] : each->constants()) {
      if (seen.insert(tensor.const_data_ptr()).second) bytes += static_cast<double>(tensor.nbytes());
    }
  }
  return bytes;
}

Timed both(const Args& args, const Package& small, const Package& large) {
  return [small, large, few = rows(args, small_batch), many = rows(args, batch),
          bytes = constant_bytes(small, large)](Recorder& recorder) {
    recorder.put("constant_bytes", bytes);
    return torch::cat({small(few), large(many)});
  };
}

Timed own_weights(const Args& args) {
  return both(args, Package(args.artefact("gated_8.pt2"), small_batch), Package(args.artefact("gated_32.pt2"), batch));
}

Timed shared_weights(const Args& args) {
  const auto weights = Package(args.artefact("gated_8.pt2"), small_batch).constants();
  Package small(args.artefact("gated_bare_8.pt2"), small_batch);
  Package large(args.artefact("gated_bare_32.pt2"), batch);
  small.use_constants(weights);
  large.use_constants(weights);
  return both(args, small, large);
}

TORCHGATE_GROUP("shared") {
  group.measures(bytes("constant_bytes")).gates("constant_bytes").artefact("gated_8.pt2").artefact("gated_32.pt2");
  group.reference("own", own_weights);
  group.variant("shared", shared_weights)
      .within(1e-6)
      .artefact("gated_bare_8.pt2")
      .artefact("gated_bare_32.pt2")
      .claims(metric("constant_bytes") <= 0.5 * reference())
      .claims(time() <= 1.2 * reference());
}

}  // namespace
