// SPDX-License-Identifier: Apache-2.0
// Distributed: one training step of several ranks with LibTorch's Reducer. The time of a step is the slowest rank's.
#include <optional>
#include <string>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/expected.hpp"
#include "suites/distributed/checked_step.hpp"
#include "suites/distributed/ddp.hpp"

namespace torchgate::suites::distributed {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;

constexpr double fp16_error = 2e-3;
constexpr double bf16_error = 1e-2;
constexpr std::size_t kb = 1024;

Timed timed(DdpStep step) {
  return [step = std::move(step)]() mutable { return step(); };
}

Factory ddp(const DdpOptions& options) {
  return [options](const Args& args) { return timed(after_first_step(DdpStep(args, options))); };
}

Factory checked(const DdpOptions& options) {
  return [options](const Args& args) { return timed(checked_by_one_process(DdpStep(args, options))); };
}

double rows(const Args&) {
  return batch_rows;
}

// --- ddp: what DistributedDataParallel offers -------------------------------------------------------------------------

DdpOptions as_views() {
  DdpOptions options;
  options.gradients_as_views = true;
  return options;
}
DdpOptions static_graph() {
  DdpOptions options;
  options.static_graph = true;
  return options;
}
DdpOptions sent_as(torch::Dtype dtype) {
  DdpOptions options;
  options.compression = dtype;
  return options;
}

TORCHGATE_GROUP("ddp") {
  group.ranks(2).training().items(rows);
  group.reference("plain", checked({}));
  group.variant("gradients_as_views", ddp(as_views()))
      .within(order_error)
      .proves(calls("c10d::allreduce_") >= 1)
      .claims(metric("peak_bytes") <= 0.5 * reference());
  group.variant("static_graph", ddp(static_graph()))
      .within(order_error)
      .proves(calls("c10d::allreduce_") >= 1)
      // The same result, so that the option shows in its cost. Its gain is in distributed/step: no search for unused ones.
      .claims(metric("operator_calls") >= 1.05 * reference())
      .claims(metric("operator_calls") <= 1.2 * reference());
  group.variant("fp16", ddp(sent_as(torch::kHalf)))
      .within(fp16_error)
      .only_full()
      .proves(calls("c10d::allreduce_").on("Half") >= 1)
      .claims(metric("collective_bytes") <= 0.55 * reference());
  group.variant("bf16", ddp(sent_as(torch::kBFloat16)))
      .within(bf16_error)
      .proves(calls("c10d::allreduce_").on("BFloat16") >= 1)
      .claims(metric("collective_bytes") <= 0.55 * reference());
}

// --- buckets: few large messages or many small ones -------------------------------------------------------------------

// A sweep has no reference that its gradients are compared with: each call also returns those of the first step, as one process computes them.
Timed beside_expected(DdpStep step) {
  return [step = std::move(step)]() mutable {
    std::vector<torch::Tensor> gradients = step();
    gradients.push_back(step.expected());
    return gradients;
  };
}

// A step later than the first has other weights, if only by the small learning rate. The gradients of a rank's own rows, which are not
// reduced, are close as well: with 63 MB less than a tenth of a percent apart.
std::optional<std::string> are_those_of_one_process(const Output& output) {
  constexpr double error_of_later_steps = 1e-4;
  const double distance = distance_of_halves(output);
  if (distance <= error_of_later_steps) return std::nullopt;
  return "the relative L2 distance of the gradients to those of one process is " + std::to_string(distance);
}

Timed with_buckets(const Args& args) {
  DdpOptions options;
  options.bucket_bytes = static_cast<std::size_t>(args.number("bucket_kb")) * kb;
  return beside_expected(checked_by_one_process(DdpStep(args, options)));
}

// The network above fits into one bucket of PyTorch's default, 25 MB. This one has 63 MB of gradients: 15 layers of 4.2 MB.
Timed with_buckets_that_fill(const Args& args) {
  DdpOptions options;
  options.shape.layers = 15;
  options.shape.width = 1024;
  options.bucket_bytes = static_cast<std::size_t>(args.number("bucket_kb")) * kb;
  options.first_bucket_bytes = 1024 * kb;  // PyTorch's
  return beside_expected(checked_by_one_process(DdpStep(args, options)));
}

TORCHGATE_GROUP("buckets") {
  const Axis bucket_kb = group.axis("bucket_kb", {64, 256, 25'600});
  group.ranks(2).training().items(rows).quick(none).only_full(bucket_kb(256));

  group.sweep("ddp", with_buckets)
      .checks(are_those_of_one_process)
      .proves(calls("c10d::allreduce_") >= 2)
      .claims(metric("collective_calls") <= 0.5 * case_with(bucket_kb(64)), bucket_kb(25'600));
  group.sweep("ddp_63mb", with_buckets_that_fill)
      .only_full()
      .samples(10)
      .checks(are_those_of_one_process)
      .proves(calls("c10d::allreduce_") >= 3)
      .claims(metric("collective_calls") <= 0.4 * case_with(bucket_kb(64)), bucket_kb(25'600));
}

// --- buffers: running statistics from rank 0 before every forward pass, or each rank's own ------------------------------

DdpOptions with_buffers(bool broadcast) {
  DdpOptions options;
  options.shape.batch_norm = true;
  options.broadcast_buffers = broadcast;
  return options;
}

TORCHGATE_GROUP("buffers") {
  group.ranks(2).training().items(rows).quick(none);
  group.without({"peak_bytes"});  // Gloo's thread releases the message of a broadcast at a time of its own

  group.reference("broadcast", checked(with_buffers(true)));
  group.variant("each_its_own", ddp(with_buffers(false)))
      .within(order_error)
      .proves(calls("c10d::broadcast_") == 0)
      .claims(metric("collective_calls") <= 0.7 * reference());
}

}  // namespace
}  // namespace torchgate::suites::distributed
