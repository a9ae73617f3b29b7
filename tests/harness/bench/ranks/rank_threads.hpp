// SPDX-License-Identifier: Apache-2.0
// The ranks of a test: threads that are connected as processes are.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "harness/bench/ranks/socket_world.hpp"

namespace torchgate::bench::testing {

/// A port that nobody has now.
inline int free_port() {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  bind(listener, reinterpret_cast<sockaddr*>(&address), size);
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  close(listener);
  return ntohs(address.sin_port);
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
