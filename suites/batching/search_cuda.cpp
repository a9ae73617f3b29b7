// SPDX-License-Identifier: Apache-2.0
// The search of search.cpp against the memory of a GPU: a batch that needs more than is left ends in LibTorch's out-of-memory
// error, which is an answer. One tensor takes nearly all of the device first, so that the batches are small on any GPU.
#include <c10/core/CachingDeviceAllocator.h>

#include <new>

#include "harness/bench/torch/suite.hpp"
#include "suites/batching/batch_search.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"

namespace torchgate::suites::search_cuda {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

constexpr std::int64_t largest_batch = 64;
constexpr std::int64_t tokens = 4096;  // of an item: 4 MiB of activations in each layer
constexpr std::int64_t width = 256;
// Two activations of 32 items need 256 MiB: the first probe of the search by halves is refused.
constexpr std::int64_t left_bytes = std::int64_t{192} << 20;
constexpr double usable_share = 0.8;

c10::DeviceAllocator& allocator() {
  return *c10::getDeviceAllocator(torch::kCUDA);
}

c10::CachingAllocator::Stat requested_bytes() {
  constexpr auto all = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  return allocator().getDeviceStats(/*device=*/0).requested_bytes[all];
}

/// What the device has, but for left_bytes.
Tensor rest_of_device(const torch::Device& device) {
  allocator().emptyCache();
  const auto available = static_cast<std::int64_t>(allocator().getMemoryInfo(/*device=*/0).first);
  TORCH_CHECK(available > left_bytes, "only ", available, " bytes of the device are free");
  return torch::empty({available - left_bytes}, torch::TensorOptions().dtype(torch::kByte).device(device));
}

/// Of one call. Memory that the device refuses is counted in `refused`, and thrown as what the search expects.
std::int64_t peak_bytes_of(Mlp& model, const Tensor& x, std::int64_t& refused) {
  allocator().emptyCache();  // blocks of another batch would decide whether this one fits
  allocator().resetPeakStats(/*device=*/0);
  const std::int64_t before = requested_bytes().current;
  try {
    (void)model(x);
  } catch (const c10::OutOfMemoryError&) {
    ++refused;
    throw std::bad_alloc();
  }
  return requested_bytes().peak - before;
}

/// Handles and kernels of cuBLAS are loaded by the first product of each size, and need memory of the device too.
void load_kernels(Mlp& model, const Tensor& x) {
  for (std::int64_t batch = 1; batch <= largest_batch; ++batch) (void)model(x.narrow(0, 0, batch * tokens));
}

Factory batch_found_by(FoundBatch (*search)(std::int64_t largest, const Fits& fits)) {
  return [search](const Args& args) -> Timed {
    Mlp model({width, width, width, width}, args);
    const Tensor x = Inputs(args).normal({largest_batch * tokens, width});
    load_kernels(model, x);
    return [search, model, x](Recorder& recorder) mutable {
      constexpr auto budget = static_cast<std::int64_t>(usable_share * left_bytes);
      std::int64_t refused = 0;
      Tensor rest = rest_of_device(x.device());
      const FoundBatch found = search(largest_batch, [&](std::int64_t batch) {
        return peak_bytes_of(model, x.narrow(0, 0, batch * tokens), refused) <= budget;
      });
      rest.reset();
      allocator().emptyCache();
      recorder.put("probes", static_cast<double>(found.probes));
      recorder.put("refused", static_cast<double>(refused));
      return static_cast<double>(found.batch);
    };
  };
}

constexpr double same_answer = 1e-9;
constexpr int most_probes_by_halves = 7;  // of 65 answers

TORCHGATE_GROUP("search_cuda") {
  group.axis("device", {"cuda"});
  group.only_full();  // meanwhile no other program gets memory of the device
  group.samples(5);   // a call takes and returns all memory of the device
  // The probes reset the statistics that the harness would count the call with.
  group.without({"allocations", "allocated_bytes", "peak_bytes", "retained_bytes"});
  group.measures(count("probes")).measures(count("refused"));

  group.reference("linear", batch_found_by(search_linearly));
  group.variant("by_halves", batch_found_by(search_by_halves))
      .within(same_answer)
      .proves(metric("refused") >= 1)
      .proves(metric("probes") <= most_probes_by_halves);
}

}  // namespace
}  // namespace torchgate::suites::search_cuda
