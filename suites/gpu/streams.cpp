// SPDX-License-Identifier: Apache-2.0
// Order of work on a device: several streams, copies beside computing, and waiting for each operator.
#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <array>
#include <cmath>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/gpu/recorded_graph.hpp"

namespace torchgate::suites::streams {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;
using torchgate::suites::longest_chain;

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

/// Calls `call`, and records how many of its kernels and copies have to run one after the other.
template <class Call>
Timed with_chain_length(Call call) {
  const auto length = static_cast<double>(longest_chain([&] { (void)call(); }));
  return [call, length](Recorder& recorder) {
    Tensor result = call();
    recorder.put("chain_length", length);
    return result;
  };
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
  return with_chain_length([chains = Chains(args)] { return chains.left() + chains.right(); });
}

// The memory of the right result belongs to the side stream, which begins the next call by waiting for the sum of this one: it is not written
// before it has been read. (record_stream() would record an event when it is freed, which a recorded call must not do.)
Timed two_streams(const Args& args) {
  const torch::Device device = device_of(args);
  return with_chain_length([chains = Chains(args), device, side = side_stream(device)] {
    const c10::Stream main = current_stream(device);
    let_wait(side, main);
    Tensor right;
    {
      const c10::StreamGuard guard(side);
      right = chains.right();
    }
    const Tensor left = chains.left();
    let_wait(main, side);
    return left + right;
  });
}

TORCHGATE_GROUP("streams") {
  group.axis("device", {"cuda"});
  group.measures(count("chain_length"));

  group.reference("one_stream", one_stream);
  group.variant("two_streams", two_streams)
      .proves(calls("aten::mm") == 2 * Chain::products)
      .claims(metric("chain_length") <= 0.6 * reference())
      .claims(metric("gpu_time_hot") <= 0.9 * reference());
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
  return with_chain_length([batches = Batches(args)] {
    std::vector<Tensor> sums;
    for (const Tensor& batch : batches.on_host) {
      sums.push_back(batches.work_on(batch.to(batches.device, /*non_blocking=*/true)));
    }
    return torch::stack(sums);
  });
}

// Two places on the device: one batch is worked on while the next one is copied.
Timed copied_ahead(const Args& args) {
  const Batches all(args);
  const auto place = [&] {
    return torch::empty({Batches::rows, Batches::width}, torch::TensorOptions().device(all.device));
  };
  const std::array<Tensor, 2> places{place(), place()};
  return with_chain_length([batches = all, places, copies = side_stream(all.device)] {
    const c10::Stream main = current_stream(batches.device);
    const auto copy = [&](std::size_t i) {
      let_wait(copies, main);  // until the batch that had this place has been worked on
      const c10::StreamGuard guard(copies);
      places.at(i % places.size()).copy_(batches.on_host[i], /*non_blocking=*/true);
    };
    copy(0);
    std::vector<Tensor> sums;
    for (std::size_t i = 0; i < batches.on_host.size(); ++i) {
      let_wait(main, copies);  // for this batch alone: the next copy is not queued yet
      if (i + 1 < batches.on_host.size()) copy(i + 1);
      sums.push_back(batches.work_on(places.at(i % places.size())));
    }
    return torch::stack(sums);
  });
}

// Eight copies and eight times three kernels, or one copy and the kernels.
TORCHGATE_GROUP("prefetch") {
  group.axis("device", {"cuda"});
  group.measures(count("chain_length"));

  group.reference("copied_before_use", copied_before_use);
  group.variant("copied_ahead", copied_ahead)
      .proves(calls("aten::mm") == Batches::count)
      .claims(metric("chain_length") <= 0.9 * reference())
      .claims(metric("gpu_time_hot") <= 0.95 * reference());
}

// --- async: the host queues operators, or waits for each ----------------------------------------------------------------

constexpr int operators = 32;

Timed pointwise(const Args& args, bool waits) {
  constexpr std::int64_t elements = 100'000;
  return [x = Inputs(args).normal({elements}), waits](Recorder& recorder) {
    int waited = 0;
    Tensor y = x;
    for (int i = 0; i < operators; ++i) {
      y = torch::sin(y);
      if (!waits) continue;
      torch::cuda::synchronize();
      ++waited;
    }
    recorder.put("waits", waited);
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
  group.measures(count("waits"));

  group.reference("wait_for_each", wait_for_each).proves(metric("waits") == operators);
  group.variant("wait_once", wait_once)
      .within(1e-6)
      .proves(calls("aten::sin") == operators)
      .proves(metric("waits") == 0)
      .claims(time() <= 0.8 * reference());
}

}  // namespace
}  // namespace torchgate::suites::streams
