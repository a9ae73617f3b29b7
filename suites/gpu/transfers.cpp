// SPDX-License-Identifier: Apache-2.0
// Copies between host and device: from which memory, how many, and whether they are needed.
#include <cmath>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace torchgate::suites::transfers {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;

Tensor on_host(const Args& args, at::IntArrayRef shape) {
  return Inputs(args).normal(shape).cpu();
}

// --- pinned: the kind of host memory ------------------------------------------------------------------------------------

constexpr std::int64_t megabytes = 16;
constexpr std::int64_t bytes_of_megabyte = 1 << 20;
constexpr std::int64_t copied_bytes = megabytes * bytes_of_megabyte;

Tensor copied_tensor(const Args& args) {
  return on_host(args, {copied_bytes / static_cast<std::int64_t>(sizeof(float))});
}

// `queuing` is how long the host is busy with the copy: all of it, unless it need not wait for the device.
Timed copied(const Args& args, const Tensor& x, bool non_blocking) {
  const double pinned_bytes = x.is_pinned() ? static_cast<double>(x.nbytes()) : 0;
  return [x, device = device_of(args), non_blocking, pinned_bytes](Recorder& recorder) {
    Tensor copy;
    {
      const auto phase = recorder.phase("queuing");
      copy = x.to(device, non_blocking);
    }
    recorder.put("pinned_bytes", pinned_bytes);
    return copy;
  };
}

Timed pageable(const Args& args) {
  return copied(args, copied_tensor(args), /*non_blocking=*/false);
}

Timed pinned(const Args& args) {
  return copied(args, copied_tensor(args).pin_memory(), /*non_blocking=*/false);
}

Timed pinned_non_blocking(const Args& args) {
  return copied(args, copied_tensor(args).pin_memory(), /*non_blocking=*/true);
}

TORCHGATE_GROUP("pinned") {
  group.axis("device", {"cuda"});
  group.bytes_per_call(
      [](const Args&) { return static_cast<double>(copied_bytes); });  // to compare with the link's rate
  group.measures(bytes("pinned_bytes")).phases({"queuing"});

  group.reference("pageable", pageable).proves(metric("pinned_bytes") == 0);
  group.variant("pinned", pinned)
      .within(0)
      .proves(calls("aten::_to_copy") == 1)
      .proves(metric("pinned_bytes") == copied_bytes)
      .claims(time() <= 0.8 * reference());
  group.variant("non_blocking", pinned_non_blocking)
      .within(0)
      .proves(calls("aten::_to_copy") == 1)
      .proves(metric("pinned_bytes") == copied_bytes)
      .claims(metric("queuing") <= 0.5 * variant_named("pinned"));
}

// --- h2d: ten small copies ----------------------------------------------------------------------------------------------

struct SmallCopies {
  static constexpr std::int64_t count = 10;
  static constexpr std::int64_t elements = 16'384;
  Tensor from;  // [count, elements], pinned
  Tensor to;

  explicit SmallCopies(const Args& args) {
    from = on_host(args, {count, elements}).pin_memory();
    to = torch::empty({count, elements}, torch::TensorOptions().device(device_of(args)));
  }
};

Timed wait_for_each_copy(const Args& args) {
  return [copies = SmallCopies(args)] {
    for (std::int64_t i = 0; i < SmallCopies::count; ++i) {
      copies.to[i].copy_(copies.from[i], /*non_blocking=*/true);
      torch::cuda::synchronize();
    }
    return copies.to;
  };
}

Timed wait_once(const Args& args) {
  return [copies = SmallCopies(args)] {
    for (std::int64_t i = 0; i < SmallCopies::count; ++i) {
      copies.to[i].copy_(copies.from[i], /*non_blocking=*/true);
    }
    return copies.to;
  };
}

Timed one_copy(const Args& args) {
  return [copies = SmallCopies(args)] { return copies.to.copy_(copies.from, /*non_blocking=*/true); };
}

// The copies of a call that waits for each cannot be counted on the device.
TORCHGATE_GROUP("h2d") {
  group.axis("device", {"cuda"});
  group.reference("wait_for_each", wait_for_each_copy).proves(calls("aten::copy_") == SmallCopies::count);
  group.variant("wait_once", wait_once)
      .within(0)
      .proves(calls("aten::copy_") == SmallCopies::count)
      .claims(time() <= 0.8 * reference());
  group.variant("packed", one_copy)
      .within(0)
      .proves(calls("aten::copy_") == 1)
      .claims(metric("operator_calls") <= 0.1 * reference())
      .claims(metric("device_copies") <= 0.2 * variant_named("wait_once"))
      .claims(time() <= 0.7 * reference());
}

// --- stay: results of layers go back to the host, or stay where they are ------------------------------------------------

struct Layers {
  static constexpr std::int64_t width = 1024;
  static constexpr std::int64_t rows = 128;
  static constexpr int count = 8;
  std::vector<Tensor> weights;
  Tensor x;
  torch::Device device;

  explicit Layers(const Args& args) : device(device_of(args)) {
    Inputs inputs(args);
    x = inputs.normal({rows, width});
    for (int i = 0; i < count; ++i) {
      weights.push_back(inputs.normal({width, width}) * std::sqrt(2.0 / static_cast<double>(width)));
    }
  }
};

Timed to_host_and_back(const Args& args) {
  return [layers = Layers(args)] {
    Tensor x = layers.x.cpu();
    for (const Tensor& weight : layers.weights) x = torch::relu(torch::mm(x.to(layers.device), weight)).cpu();
    return x;
  };
}

Timed stays(const Args& args) {
  return [layers = Layers(args)] {
    Tensor x = layers.x;
    for (const Tensor& weight : layers.weights) x = torch::relu(torch::mm(x, weight));
    return x;
  };
}

// To the host once before the first layer, then there and back for each.
TORCHGATE_GROUP("stay") {
  group.axis("device", {"cuda"});
  group.reference("to_host_and_back", to_host_and_back).proves(calls("aten::_to_copy") == 1 + 2 * Layers::count);
  group.variant("stays", stays)
      .proves(calls("aten::_to_copy") == 0)
      .proves(calls("aten::copy_") == 0)
      .claims(metric("operator_calls") <= 0.5 * reference())
      .claims(time() <= 0.6 * reference());
}

}  // namespace
}  // namespace torchgate::suites::transfers
