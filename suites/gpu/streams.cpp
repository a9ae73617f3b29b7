// SPDX-License-Identifier: Apache-2.0
// Order of work on a device: several streams, copies beside computing, and waiting for each operator.
#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;

c10::Stream current_stream(const torch::Device& device) {
  return c10::impl::VirtualGuardImpl(device.type()).getStream(device);
}

c10::Stream side_stream(const torch::Device& device) {
  return c10::impl::VirtualGuardImpl(device.type()).getStreamFromGlobalPool(device, /*isHighPriority=*/false);
}

/// What is queued on `later` from now on begins when all that is on `earlier` now has ended.
void let_wait(const c10::Stream& later, const c10::Stream& earlier) {
  c10::Event event(earlier.device_type());
  event.record(earlier);
  event.block(later);
}

// --- streams: two independent chains of products that are too small to fill a device ------------------------------------

struct Chain {
  static constexpr std::int64_t size = 256;
  static constexpr int products = 16;
  Tensor first;
  Tensor factor;

  explicit Chain(Inputs& inputs) {
    // Keeps the size of the numbers from product to product.
    factor = inputs.normal({size, size}) / std::sqrt(static_cast<double>(size));
    first = inputs.normal({size, size});
  }
  [[nodiscard]] Tensor operator()() const {
    Tensor x = first;
    for (int i = 0; i < products; ++i) x = torch::mm(x, factor);
    return x;
  }
};

struct Chains {
  Inputs inputs;
  Chain left;
  Chain right;

  explicit Chains(const Args& args) : inputs(args), left(inputs), right(inputs) {}
};

Timed one_stream(const Args& args) {
  return [chains = Chains(args)] { return chains.left() + chains.right(); };
}

Timed two_streams(const Args& args) {
  const torch::Device device = device_of(args);
  return [chains = Chains(args), device, side = side_stream(device)] {
    const c10::Stream main = current_stream(device);
    let_wait(side, main);
    Tensor right;
    {
      const c10::StreamGuard guard(side);
      right = chains.right();
    }
    const Tensor left = chains.left();
    let_wait(main, side);
    // Its memory belongs to the side stream: without this it could be used again before the sum has been computed.
    right.record_stream(main);
    return left + right;
  };
}

TORCHGATE_GROUP("streams") {
  group.axis("device", {"cuda"});
  group.reference("one_stream", one_stream);
  group.variant("two_streams", two_streams).proves(calls("aten::record_stream") == 1);
}

// --- prefetch: the copy of a batch beside the work on the one before it -------------------------------------------------

struct Batches {
  static constexpr std::int64_t rows = 1024;
  static constexpr std::int64_t width = 1024;
  static constexpr int count = 8;
  std::vector<Tensor> on_host;  // in pinned memory
  Tensor weight;
  torch::Device device;

  explicit Batches(const Args& args) : device(device_of(args)) {
    Inputs inputs(args);
    weight = inputs.normal({width, width}) / std::sqrt(static_cast<double>(width));
    for (int i = 0; i < count; ++i) on_host.push_back(inputs.normal({rows, width}).cpu().pin_memory());
  }
  [[nodiscard]] Tensor work_on(const Tensor& batch) const { return torch::relu(torch::mm(batch, weight)).sum(); }
};

Timed copied_before_use(const Args& args) {
  return [batches = Batches(args)] {
    std::vector<Tensor> sums;
    for (const Tensor& batch : batches.on_host) {
      sums.push_back(batches.work_on(batch.to(batches.device, /*non_blocking=*/true)));
    }
    return torch::stack(sums);
  };
}

Timed copied_ahead(const Args& args) {
  return [batches = Batches(args), copies = side_stream(device_of(args))] {
    const c10::Stream main = current_stream(batches.device);
    const auto copy = [&](const Tensor& batch) {
      const c10::StreamGuard guard(copies);
      return batch.to(batches.device, /*non_blocking=*/true);
    };
    let_wait(copies, main);
    Tensor next = copy(batches.on_host.front());
    std::vector<Tensor> sums;
    for (std::size_t i = 0; i < batches.on_host.size(); ++i) {
      const Tensor batch = next;
      let_wait(main, copies);  // for this batch alone: the next copy is not queued yet
      if (i + 1 < batches.on_host.size()) next = copy(batches.on_host[i + 1]);
      sums.push_back(batches.work_on(batch));
      batch.record_stream(main);
    }
    return torch::stack(sums);
  };
}

TORCHGATE_GROUP("prefetch") {
  group.axis("device", {"cuda"});
  group.reference("copied_before_use", copied_before_use);
  group.variant("copied_ahead", copied_ahead).proves(calls("aten::record_stream") == Batches::count);
}

// --- async: the host queues operators, or waits for each ----------------------------------------------------------------

constexpr int operators = 32;

Timed pointwise(const Args& args, bool waits) {
  constexpr std::int64_t elements = 100'000;
  return [x = Inputs(args).normal({elements}), waits] {
    Tensor y = x;
    for (int i = 0; i < operators; ++i) {
      y = torch::sin(y);
      if (waits) torch::cuda::synchronize();
    }
    return y;
  };
}

Timed wait_for_each(const Args& args) {
  return pointwise(args, /*waits=*/true);
}

Timed wait_once(const Args& args) {
  return pointwise(args, /*waits=*/false);
}

TORCHGATE_GROUP("async") {
  group.axis("device", {"cuda"});
  group.reference("wait_for_each", wait_for_each);
  group.variant("wait_once", wait_once).within(1e-6).proves(calls("aten::sin") == operators);
}

}  // namespace
