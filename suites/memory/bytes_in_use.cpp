// SPDX-License-Identifier: Apache-2.0
#include "suites/memory/bytes_in_use.hpp"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <torch/torch.h>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace torchgate::suites {
namespace {

using Count = std::shared_ptr<std::atomic<std::int64_t>>;

// Above that of the harness's counting allocator, from which the blocks still come: its counts stay as they are.
constexpr std::uint8_t priority_over_harness = 200;

/// In front of the allocator that was installed before. The size of a block is kept beside it and not in it, so that the block
/// is as large as without this allocator.
class CountingInScope final : public c10::Allocator {
 public:
  /// Never destroyed: tensors may be released after all objects of the program.
  static CountingInScope& instance() {
    static auto* const allocator = new CountingInScope;
    return *allocator;
  }

  void begin(Count count) {
    TORCH_CHECK(!count_, "bytes in use: a scope within another one");
    count_ = std::move(count);
    behind_ = c10::GetCPUAllocator();
    c10::SetCPUAllocator(this, priority_over_harness);
  }
  void end() {
    c10::SetCPUAllocator(behind_, priority_over_harness);
    count_.reset();
  }

  c10::DataPtr allocate(std::size_t size) override {
    if (!count_) return behind_->allocate(size);  // for a tensor that is resized outside of the scope that made it
    void* data = behind_->raw_allocate(size);
    if (data != nullptr) add(data, static_cast<std::int64_t>(size));
    return {data, data, &release, c10::Device(c10::kCPU)};
  }
  [[nodiscard]] c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { default_copy_data(to, from, bytes); }

 private:
  struct Block {
    std::int64_t bytes = 0;
    Count count;
  };

  void add(void* data, std::int64_t bytes) {
    const std::lock_guard lock(mutex_);
    blocks_[data] = {bytes, count_};
    count_->fetch_add(bytes);
  }

  void remove(void* data) {
    const std::lock_guard lock(mutex_);
    const auto found = blocks_.find(data);
    if (found == blocks_.end()) return;  // of oneDNN, which releases by the allocator that is installed then
    found->second.count->fetch_sub(found->second.bytes);
    blocks_.erase(found);
  }

  static void release(void* data) {
    if (data == nullptr) return;
    instance().remove(data);  // first: another thread may get the same address as soon as it is free
    instance().behind_->raw_deallocate(data);
  }

  std::mutex mutex_;
  std::unordered_map<void*, Block> blocks_;
  Count count_;                       // of the current scope
  c10::Allocator* behind_ = nullptr;  // from the first scope on
};

std::int64_t requested_bytes(const torch::Device& device) {
  constexpr auto all = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  return c10::getDeviceAllocator(device.type())->getDeviceStats(/*device=*/0).requested_bytes[all].current;
}

/// The first product of a process allocates the workspaces of cuBLAS, which stay: they are not the case's.
void allocate_workspaces(const torch::Device& device) {
  constexpr std::int64_t size = 64;
  const torch::Tensor square = torch::ones({size, size}, torch::TensorOptions().device(device));
  (void)at::linear(square, square, square.select(/*dim=*/0, /*index=*/0));
}

}  // namespace

BytesInUse::BytesInUse(const torch::Device& device)
    : device_(device), on_cpu_(std::make_shared<std::atomic<std::int64_t>>(0)) {
  if (device_.is_cpu()) return;
  allocate_workspaces(device_);
  before_ = requested_bytes(device_);
}

std::int64_t BytesInUse::operator()() const {
  if (device_.is_cpu()) return on_cpu_->load();
  return std::max<std::int64_t>(0, requested_bytes(device_) - before_);
}

BytesInUse::Scope::Scope(const BytesInUse& counted) : is_cpu_(counted.device_.is_cpu()) {
  if (is_cpu_) CountingInScope::instance().begin(counted.on_cpu_);
}

BytesInUse::Scope::~Scope() {
  if (is_cpu_) CountingInScope::instance().end();
}

}  // namespace torchgate::suites
