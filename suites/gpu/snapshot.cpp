// SPDX-License-Identifier: Apache-2.0
// The history of device memory: what it costs to note every allocation, and a leak that is found in the file that a history is written to.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/temporary_folder.hpp"
#include "suites/gpu/cached_memory.hpp"
#include "suites/gpu/memory_snapshot.hpp"

namespace torchgate::suites::snapshot {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

// --- snapshot: what it costs to note every allocation, with its stack ---------------------------------------------------

constexpr int tensors = 50;

Tensor sum_of_tensors(const Args& args) {
  constexpr std::int64_t size = 4096;
  Tensor sum = buffer(args, size);
  for (int i = 0; i < tensors; ++i) sum = sum + buffer(args, size);
  return sum;
}

Timed noted(const Args& args, bool is_noted) {
  const auto history = is_noted ? std::make_shared<MemoryHistory>(MemoryHistory::Stacks::all) : nullptr;
  (void)device_allocator();
  const std::int64_t before = noted_allocations();
  (void)sum_of_tensors(args);
  const auto seen = static_cast<double>(noted_allocations() - before);
  return [args, history, seen](Recorder& recorder) {
    Tensor sum = sum_of_tensors(args);
    recorder.put("noted_allocations", seen);
    return sum;
  };
}

Timed not_recorded(const Args& args) {
  return noted(args, /*is_noted=*/false);
}

Timed recorded(const Args& args) {
  return noted(args, /*is_noted=*/true);
}

// Two allocations for each tensor: itself, and the sum with it.
TORCHGATE_GROUP("snapshot") {
  group.axis("device", {"cuda"});
  group.measures(count("noted_allocations"));

  group.reference("off", not_recorded).proves(metric("noted_allocations") == 0);
  group.variant("recording", recorded).within(0).proves(metric("noted_allocations") >= 2 * tensors);
}

// --- leak: some requests keep memory, and the snapshot shows which -------------------------------------------------------

constexpr int requests = 20;
constexpr std::int64_t scratch_bytes = 2 * bytes_of_megabyte;
constexpr std::int64_t session_bytes = 600 * 512;  // in steps of the allocator
constexpr std::int64_t leaks = 3;

// Three of twenty.
bool keeps_its_session(int request) {
  constexpr int period = 7;
  constexpr int phase = 5;
  return request % period == phase;
}

Tensor empty(const Args& args, std::int64_t bytes) {
  return torch::empty({bytes}, torch::TensorOptions().dtype(torch::kByte).device(device_of(args)));
}

/// Returns what leaks, which belongs to the caller so that a later call begins without it.
std::vector<Tensor> answered_requests(const Args& args) {
  const bool is_leaking = args.number("leaks") > 0;
  std::vector<Tensor> kept;
  for (int request = 0; request < requests; ++request) {
    const Tensor scratch = empty(args, scratch_bytes);
    const Tensor session = empty(args, session_bytes);
    if (is_leaking && keeps_its_session(request)) kept.push_back(session);
  }
  return kept;
}

// For each request whether the file says that it leaked, then whether it did.
Timed found_in_file(const Args& args) {
  const auto folder = std::make_shared<TemporaryFolder>();
  return [args, folder, path = folder->add("snapshot.pickle")](Recorder& recorder) {
    constexpr std::int64_t allocations_of_request = 2;
    const MemoryHistory history(MemoryHistory::Stacks::none);
    const std::vector<Tensor> kept = answered_requests(args);
    write_memory_snapshot(path);
    std::vector<double> leaked(requests * 2, 0);
    std::int64_t leaked_tensors = 0;
    std::int64_t leaked_bytes = 0;
    for (const NotedAllocation& each : never_freed(path)) {
      leaked.at(static_cast<std::size_t>(each.number / allocations_of_request)) = 1;
      ++leaked_tensors;
      leaked_bytes += each.bytes;
    }
    if (!kept.empty()) {
      for (int request = 0; request < requests; ++request)
        leaked[static_cast<std::size_t>(requests + request)] = keeps_its_session(request) ? 1 : 0;
    }
    recorder.put("leaked_tensors", static_cast<double>(leaked_tensors));
    recorder.put("leaked_bytes", static_cast<double>(leaked_bytes));
    return leaked;
  };
}

std::optional<std::string> found_are_those_that_leak(const Output& output) {
  for (std::size_t i = 0; i < requests; ++i) {
    if (output.values.at(i) == output.values.at(requests + i)) continue;
    const std::string what = output.values[i] > 0 ? " is found, and does not leak" : " leaks, and is not found";
    return "request " + std::to_string(i) + what;
  }
  return std::nullopt;
}

TORCHGATE_GROUP("leak") {
  const Axis planted = group.axis("leaks", {0, 3});
  group.axis("device", {"cuda"});
  group.measures(count("leaked_tensors")).measures(bytes("leaked_bytes")).quick(planted(3));

  group.sweep("snapshot", found_in_file)
      .checks(found_are_those_that_leak)
      .proves(metric("leaked_tensors") == 0, planted(0))
      .proves(metric("leaked_tensors") == leaks, planted(3))
      .proves(metric("leaked_bytes") == leaks * session_bytes, planted(3));
}

}  // namespace
}  // namespace torchgate::suites::snapshot
