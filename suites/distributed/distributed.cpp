// SPDX-License-Identifier: Apache-2.0
// Distributed: one training step of several ranks. The time of a step is the slowest rank's.
#include <string>

#include "harness/bench/torch/suite.hpp"
#include "suites/distributed/ddp.hpp"

namespace {

using namespace torchgate::bench;
using torchgate::suites::batch_rows;
using torchgate::suites::DdpOptions;
using torchgate::suites::DdpStep;

// Sums in another order than one process takes them.
constexpr double order_error = 1e-5;
constexpr double fp16_error = 2e-3;
constexpr double bf16_error = 1e-2;

// Buckets are rearranged before the second step: from the third on all are alike. What is compared is the gradients of
// the next step, after the same number of steps in all variants.
Timed settled(DdpStep step) {
  for (int i = 0; i < 2; ++i) step();
  return [step = std::move(step)]() mutable { return step(); };
}

Factory ddp(const DdpOptions& options) {
  return [options](const Args& args) {
    DdpStep step(args, options);
    step();
    return settled(std::move(step));
  };
}

// What the others are compared with is itself compared with what one process computes from the whole batch.
Timed checked_by_one_process(const Args& args, const DdpOptions& options) {
  DdpStep step(args, options);
  const double error = step.error_of(step());
  TORCH_CHECK(error <= order_error, "its gradients are not the average over all ranks: they differ by ", error,
              " (relative L2)");
  return settled(std::move(step));
}

Factory checked(const DdpOptions& options) {
  return [options](const Args& args) { return checked_by_one_process(args, options); };
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

TORCHGATE_GROUP("distributed/ddp")
    .ranks(2)
    .training()
    .items(rows)
    .reference("plain", checked({}))
    .variant("gradients_as_views", ddp(as_views()), within(order_error))
    .proves(calls("c10d::allreduce_") >= 1)
    .claims(exact("peak_bytes") <= 0.5 * reference())
    .variant("static_graph", ddp(static_graph()), within(order_error))
    .proves(calls("c10d::allreduce_") >= 1)
    .variant("fp16", ddp(sent_as(torch::kHalf)), within(fp16_error))
    .proves(calls("c10d::allreduce_").on("Half") >= 1)
    .claims(exact("collective_bytes") <= 0.55 * reference())
    .variant("bf16", ddp(sent_as(torch::kBFloat16)), within(bf16_error))
    .proves(calls("c10d::allreduce_").on("BFloat16") >= 1)
    .claims(exact("collective_bytes") <= 0.55 * reference());

// --- buckets: few large messages or many small ones -------------------------------------------------------------------

Timed with_buckets(const Args& args) {
  constexpr std::size_t kb = 1024;
  DdpOptions options;
  options.bucket_bytes = static_cast<std::size_t>(args.number("bucket_kb")) * kb;
  return checked_by_one_process(args, options);
}

TORCHGATE_GROUP("distributed/buckets")
    .ranks(2)
    .training()
    .axis("bucket_kb", {64, 256, 25'600})
    .items(rows)
    .sweep("ddp", with_buckets)
    .claims(exact("collective_calls") <= 0.5 * case_with("bucket_kb", 64), {{"bucket_kb", 25'600}});

// --- buffers: running statistics from rank 0 before every forward pass, or each rank's own ------------------------------

DdpOptions with_buffers(bool broadcast) {
  DdpOptions options;
  options.batch_norm = true;
  options.broadcast_buffers = broadcast;
  return options;
}

TORCHGATE_GROUP("distributed/buffers")
    .ranks(2)
    .training()
    .items(rows)
    .without("peak_bytes")  // Gloo's thread lets go of a broadcast's message when it comes to it
    .reference("broadcast", checked(with_buffers(true)))
    .variant("each_its_own", ddp(with_buffers(false)), within(order_error))
    .proves(calls("c10d::broadcast_") == 0)
    .claims(exact("collective_calls") <= 0.7 * reference());

}  // namespace

TORCHGATE_TORCH_SUITE("distributed")
