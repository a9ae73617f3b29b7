// SPDX-License-Identifier: Apache-2.0
// The ranks of a test: threads that are connected as processes are.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "harness/bench/ranks/socket_world.hpp"
#include "harness/process/free_port.hpp"

namespace torchgate::bench::testing {

/// A port that is not in use now.
inline int free_port() {
  const auto port = process::free_port();
  if (!port) throw std::runtime_error("no free port on 127.0.0.1");
  return *port;
}

/// Runs `work` as each of `size` ranks; what it threw, by rank ("" where nothing).
inline std::vector<std::string> in_ranks(std::int64_t size, const std::function<void(World&)>& work,
                                         RankPatience patience = {}) {
  const int port = free_port();
  std::vector<std::string> thrown(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  for (std::int64_t rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        auto world = join_world({rank, size, "127.0.0.1", port}, patience);
        if (!world) throw std::runtime_error(world.error().message);
        work(**world);
      } catch (const std::exception& error) {
        thrown[static_cast<std::size_t>(rank)] = error.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return thrown;
}

}  // namespace torchgate::bench::testing
