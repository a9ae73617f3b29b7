// SPDX-License-Identifier: Apache-2.0
// Weights that several packages share.
#include <set>

#include "harness/bench/torch/suite.hpp"
#include "suites/compile/gated.hpp"
#include "suites/compile/package.hpp"

namespace torchgate::suites::packages {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites::compile;

constexpr std::int64_t batch = 32;
constexpr std::int64_t small_batch = 8;

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
}  // namespace torchgate::suites::packages
