// SPDX-License-Identifier: Apache-2.0
// Search for the largest batch from 1 to 64 rows whose peak is within 80 % of the available memory. Each probe runs the model
// and counts its bytes: on a GPU the peak is that of the caching allocator, here it is that of the counting allocator.
#include <new>

#include "harness/bench/torch/counting_allocator.hpp"
#include "harness/bench/torch/suite.hpp"
#include "suites/batching/batch_search.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"

namespace torchgate::suites::search {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

constexpr std::int64_t largest_batch = 64;
constexpr std::int64_t features = 64;
constexpr std::int64_t available_bytes = 128 << 10;  // so that the answer is between a half and the whole of the range
constexpr double usable_share = 0.8;

std::int64_t peak_bytes_of(Mlp& model, const Tensor& x) {
  start_counting_allocations();
  try {
    model(x);
  } catch (const c10::OutOfMemoryError&) {
    stop_counting_allocations();
    throw std::bad_alloc();  // what the search understands
  }
  return stop_counting_allocations().peak_bytes;
}

Factory batch_found_by(FoundBatch (*search)(std::int64_t largest, const Fits& fits)) {
  return [search](const Args& args) -> Timed {
    return [search, model = Mlp({features, 256, 256, 10}, args),
            x = Inputs(args).normal({largest_batch, features})](Recorder& recorder) mutable {
      constexpr auto budget = static_cast<std::int64_t>(usable_share * available_bytes);
      const FoundBatch found = search(
          largest_batch, [&](std::int64_t batch) { return peak_bytes_of(model, x.narrow(0, 0, batch)) <= budget; });
      recorder.put("probes", static_cast<double>(found.probes));
      return static_cast<double>(found.batch);
    };
  };
}

constexpr double same_answer = 1e-9;

TORCHGATE_GROUP("search") {
  // The probes use the counters that the harness would count the call with.
  group.without({"allocations", "allocated_bytes", "peak_bytes", "retained_bytes"}).measures(count("probes"));

  group.reference("linear", batch_found_by(search_linearly));
  group.variant("by_halves", batch_found_by(search_by_halves))
      .within(same_answer)
      .claims(metric("probes") <= 0.3 * reference())
      .claims(time() <= 0.6 * reference());
}

}  // namespace
}  // namespace torchgate::suites::search
