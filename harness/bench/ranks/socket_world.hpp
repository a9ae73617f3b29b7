// SPDX-License-Identifier: Apache-2.0
// A world whose ranks are connected to rank 0 by TCP.
#pragma once

#include <chrono>
#include <memory>

#include "harness/base/result.hpp"
#include "harness/bench/ranks/world.hpp"
#include "harness/bench/ranks/world_environment.hpp"

namespace torchgate::bench {

struct RankPatience {
  /// Until all ranks are connected: LibTorch with CUDA takes 3 to 5 s to load from a cold disk.
  std::chrono::milliseconds join{30'000};
  /// Between two messages of a rank. All ranks do the same work: a minute more than the others is a hang.
  std::chrono::milliseconds answer{60'000};
};

/// Rank 0 listens at PLACE and waits for the others, which retry until it does. io names the missing ranks and the
/// reason. A rank that ends later is noticed at once by the ranks that wait for it.
base::Result<std::unique_ptr<World>> join_world(const WorldPlace& place, RankPatience patience = {});

}  // namespace torchgate::bench
