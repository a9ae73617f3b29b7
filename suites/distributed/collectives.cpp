// SPDX-License-Identifier: Apache-2.0
// What communication alone costs: a new connection, a barrier, and all-reduces by size.
#include <cstdint>
#include <string>

#include "harness/bench/ranks/world.hpp"
#include "harness/bench/torch/suite.hpp"
#include "suites/distributed/process_group.hpp"

namespace torchgate::suites::collectives {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;
using ProcessGroup = c10::intrusive_ptr<c10d::ProcessGroup>;

constexpr std::int64_t kb = 1024;

/// This rank's values: its rank plus one.
Tensor own_values(std::int64_t bytes) {
  const auto elements = bytes / static_cast<std::int64_t>(sizeof(float));
  return torch::full({elements}, static_cast<double>(this_world().rank() + 1));
}

/// The average over all ranks, in place: as gradients are averaged. A second call leaves the values as they are.
Tensor averaged(const ProcessGroup& group, const Tensor& values) {
  std::vector<Tensor> tensors{values};
  group->allreduce(tensors)->wait();
  return values.div_(group->getSize());
}

// Without the harness's barrier: the all-reduce ends when all ranks are connected.
Timed connect() {
  return [values = own_values(sizeof(float))] { return averaged(connect_this_rank(), values); };
}

Timed barrier() {
  const ProcessGroup group = connect_ranks();
  return [group, values = averaged(group, own_values(sizeof(float)))] {
    group->barrier()->wait();
    return values;
  };
}

Timed all_reduce(std::int64_t bytes) {
  return [group = connect_ranks(), values = own_values(bytes)] { return averaged(group, values); };
}

Timed collective(const Args& args) {
  const std::string op = args.text("op");
  if (op == "connect") return connect();
  if (op == "barrier") return barrier();
  if (op == "allreduce_64kb") return all_reduce(64 * kb);
  if (op == "allreduce_4mb") return all_reduce(4 * kb * kb);
  return all_reduce(sizeof(float));
}

std::optional<std::string> average_of_ranks(const Output& output) {
  const double average = static_cast<double>(this_world().size() + 1) / 2;  // of 1 to the number of ranks
  for (const double value : output.values) {
    if (value != average) return "a value is " + std::to_string(value) + ", not the average of the ranks";
  }
  return std::nullopt;
}

TORCHGATE_GROUP("collectives") {
  const Axis op = group.axis("op", {"connect", "barrier", "allreduce_4b", "allreduce_64kb", "allreduce_4mb"});
  group.ranks(2).quick(op("allreduce_4b", "allreduce_4mb"));

  group.sweep("gloo", collective)
      .only_full(op("allreduce_64kb", "barrier", "connect"))
      .checks(average_of_ranks)
      .proves(calls("c10d::allreduce_") == 1, op("connect", "allreduce_4b", "allreduce_64kb", "allreduce_4mb"))
      .proves(calls("c10d::barrier") == 1, op("barrier"))
      .proves(calls("c10d::allreduce_") == 0, op("barrier"))
      .claims(time() >= 2 * case_with(op("allreduce_4b")), op("connect"));
}

// Gloo reduces in a ring: with four ranks six messages follow each other instead of two.
TORCHGATE_GROUP("four_ranks") {
  const Axis op = group.axis("op", {"connect", "barrier", "allreduce_4b", "allreduce_4mb"});
  group.ranks(4).only_full();

  group.sweep("gloo", collective)
      .checks(average_of_ranks)
      .proves(calls("c10d::allreduce_") == 1, op("connect", "allreduce_4b", "allreduce_4mb"))
      .proves(calls("c10d::barrier") == 1, op("barrier"))
      .claims(time() >= 2 * case_with(op("allreduce_4b")), op("connect"));
}

}  // namespace
}  // namespace torchgate::suites::collectives
