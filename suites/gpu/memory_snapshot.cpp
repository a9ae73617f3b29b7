// SPDX-License-Identifier: Apache-2.0
#include "suites/gpu/memory_snapshot.hpp"

#include <torch/csrc/jit/serialization/pickle.h>

#ifdef TORCHGATE_WITH_CUDA
#include <c10/cuda/CUDACachingAllocator.h>
#include <torch/csrc/cuda/memory_snapshot.h>
#endif

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>

#include "suites/gpu/cuda_calls.hpp"

namespace torchgate::suites {

#ifdef TORCHGATE_WITH_CUDA

// Optional strings: a literal would select the overload that takes a bool.
MemoryHistory::MemoryHistory(Stacks stacks) {
  constexpr std::size_t most_entries = 10'000;
  const std::optional<std::string> all = "all";
  const bool with_stacks = stacks == Stacks::all;
  torch::cuda::_record_memory_history(/*enabled=*/all, /*context=*/with_stacks ? all : std::nullopt,
                                      /*stacks=*/with_stacks ? "all" : "python", most_entries, /*clearHistory=*/true);
}

MemoryHistory::~MemoryHistory() {
  torch::cuda::_record_memory_history(/*enabled=*/std::optional<std::string>());
}

std::int64_t noted_allocations() {
  using Entry = c10::CachingDeviceAllocator::TraceEntry;
  std::int64_t allocations = 0;
  const auto snapshot = c10::cuda::CUDACachingAllocator::snapshot();
  for (const std::vector<Entry>& of_device : snapshot.device_traces) {
    allocations += std::count_if(of_device.begin(), of_device.end(),
                                 [](const Entry& entry) { return entry.action_ == Entry::Action::ALLOC; });
  }
  return allocations;
}

void write_memory_snapshot(const std::string& path) {
  const std::string pickled = torch::cuda::_memory_snapshot_pickled();
  std::ofstream file(path, std::ios::binary);
  file.write(pickled.data(), static_cast<std::streamsize>(pickled.size()));
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
}

#else

MemoryHistory::MemoryHistory(Stacks /*stacks*/) {
  TORCH_CHECK(false, built_without_cuda);
}

MemoryHistory::~MemoryHistory() = default;

std::int64_t noted_allocations() {
  TORCH_CHECK(false, built_without_cuda);
}

void write_memory_snapshot(const std::string& /*path*/) {
  TORCH_CHECK(false, built_without_cuda);
}

#endif

// {"device_traces": [[{"action": "alloc", "addr": 1, "size": 1, ...}, ...] for each device], ...}. A free is requested, and completed when no
// stream uses the memory any more.
std::vector<NotedAllocation> never_freed(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string pickled{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto snapshot = torch::jit::unpickle(pickled.data(), pickled.size()).toGenericDict();
  std::map<std::int64_t, NotedAllocation> live;  // by address
  std::int64_t number = 0;
  const c10::IValue devices = snapshot.at("device_traces");
  for (const c10::IValue& history : devices.toListRef()) {
    for (const c10::IValue& entry : history.toListRef()) {
      const auto fields = entry.toGenericDict();
      const c10::IValue action = fields.at("action");
      if (action.toStringRef() == "alloc") {
        live[fields.at("addr").toInt()] = {number++, fields.at("size").toInt()};
      } else if (action.toStringRef() == "free_completed") {
        live.erase(fields.at("addr").toInt());
      }
    }
  }
  std::vector<NotedAllocation> left;
  for (const auto& [address, allocation] : live) left.push_back(allocation);
  std::sort(left.begin(), left.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  return left;
}

}  // namespace torchgate::suites
