// SPDX-License-Identifier: Apache-2.0
// Threads and the CPUs that they may use: both are set when a process starts, so that each variant has a process of its own.
#include <sched.h>

#include <tuple>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/requirements.hpp"

namespace torchgate::suites::affinity {
namespace {

using namespace torchgate::bench;
using torchgate::suites::Inputs;
using torchgate::suites::two_cpus;

int cpus_allowed() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) throw Skip("the kernel does not tell the affinity");
  return CPU_COUNT(&allowed);
}

Timed product(const Args& args) {
  constexpr std::int64_t size = 384;
  Inputs inputs(args);
  const torch::Tensor left = inputs.normal({size, size});
  const torch::Tensor right = inputs.normal({size, size});
  return [left, right, cpus = cpus_allowed(), threads = at::get_num_threads()](Recorder& recorder) {
    recorder.put("cpus", cpus);
    recorder.put("threads", threads);
    return torch::mm(left, right);
  };
}

TORCHGATE_GROUP("affinity") {
  group.only_full().measures(count("cpus")).measures(count("threads"));
  group.reference("two_threads_one_cpu", product)
      .threads(2)
      .cpus(1)
      .proves(metric("cpus") == 1)
      .proves(metric("threads") == 2);
  group.variant("one_thread_one_cpu", product)
      .within(1e-6)
      .threads(1)
      .cpus(1)
      .proves(metric("cpus") == 1)
      .proves(metric("threads") == 1)
      .claims(time() <= 1.1 * reference());
  group.variant("two_threads_two_cpus", product)
      .within(1e-6)
      .needs("two CPUs", two_cpus)
      .threads(2)
      .cpus(2)
      .proves(metric("cpus") == 2)
      .proves(metric("threads") == 2)
      .claims(time() <= 0.8 * reference());
}

}  // namespace
}  // namespace torchgate::suites::affinity
