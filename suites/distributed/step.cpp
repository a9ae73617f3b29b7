// SPDX-License-Identifier: Apache-2.0
// Where a step of several ranks waits. The axis `op` names the pair: parameters that no step uses, ranks with unequal work,
// and an all-reduce after or during the backward pass.
#include <string>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/distributed/checked_step.hpp"
#include "suites/distributed/ddp.hpp"
#include "suites/distributed/manual_step.hpp"
#include "suites/distributed/thread_time.hpp"

namespace torchgate::suites::step {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

template <class Step>
std::vector<Tensor> recorded(Step& step, Recorder& recorder) {
  const double before = thread_time_ns();
  std::vector<Tensor> gradients = step();
  recorder.put("compute_time", thread_time_ns() - before);
  recorder.put("wait", step.wait_ns());
  return gradients;
}

template <class Step>
Timed timed(Step step) {
  return [step = std::move(step)](Recorder& recorder) mutable { return recorded(step, recorder); };
}

Factory ddp(const DdpOptions& options) {
  return [options](const Args& args) { return timed(after_first_step(DdpStep(args, options))); };
}

DdpOptions unused_layer(bool find_unused) {
  DdpOptions options;
  options.unused_layer = true;
  options.find_unused = find_unused;
  return options;
}

DdpOptions unused_layer_of_static_graph() {
  DdpOptions options = unused_layer(/*find_unused=*/true);
  options.static_graph = true;
  return options;
}

Timed overlapped(const Args& args) {
  return [step = after_first_step(ManualStep(args, /*overlapped=*/true))](Recorder& recorder) mutable {
    std::vector<Tensor> gradients = recorded(step, recorder);
    recorder.put("early_messages", static_cast<double>(step.early_messages()));
    recorder.put("backward", step.backward_ns());
    return gradients;
  };
}

Timed baseline(const Args& args) {
  const std::string op = args.text("op");
  if (op == "unused") return timed(checked_by_one_process(DdpStep(args, unused_layer(/*find_unused=*/false))));
  if (op == "rows") return timed(checked_by_one_process(DdpStep(args, options_of_large_batch(Rows::equal))));
  return timed(checked_by_one_process(ManualStep(args, /*overlapped=*/false)));
}

TORCHGATE_GROUP("step") {
  const Axis op = group.axis("op", {"unused", "rows", "overlap"});
  group.ranks(2).training();
  group.measures(ns("wait").of_all_ranks());  // from a rank's last gradient to the end of the reduction
  group.measures(ns("compute_time")
                     .of_all_ranks());  // of the rank with the most work: what a step takes where each rank has a CPU
  group.quick(op("unused")).only_full(op("rows"));

  group.reference("baseline", baseline);
  group.variant("find_unused", ddp(unused_layer(/*find_unused=*/true)))
      .within(order_error)
      .only(op("unused"))
      .proves(metric("collective_calls") >= 3)  // two buckets, and which parameters each rank used
      .claims(metric("collective_bytes") <= 1.3 * reference())
      .claims(time() <= 2.0 * reference());
  group.variant("static_graph", ddp(unused_layer_of_static_graph()))
      .within(order_error)
      .only(op("unused"))
      .only_full()
      .claims(metric("collective_calls") <= 0.8 * variant_named("find_unused"));
  group.variant("three_to_one", ddp(options_of_large_batch(Rows::three_to_one)))
      .within(order_error)
      .only(op("rows"))
      .claims(metric("allocated_bytes") <= 1.5 * reference())
      .claims(metric("compute_time") >= 1.15 * reference());
  group.variant("balanced", ddp(options_of_large_batch(Rows::balanced)))
      .within(order_error)
      .only(op("rows"))
      .claims(metric("allocated_bytes") <= 0.85 * variant_named("three_to_one"))
      .claims(metric("compute_time") <= 0.9 * variant_named("three_to_one"));
  group.variant("overlapped", overlapped)
      .within(order_error)
      .only(op("overlap"))
      .measures(count("early_messages"))
      .measures(ns("backward"))
      .proves(metric("early_messages") >= 3)  // all of them
      .claims(metric("backward") <=
              0.5 * own(time()))  // the rest is the wait for the straggler, which it does not contain
      .claims(metric("collective_calls") <= 1.0 * reference());
}

}  // namespace
}  // namespace torchgate::suites::step
