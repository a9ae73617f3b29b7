// SPDX-License-Identifier: Apache-2.0
#include "harness/process/free_port.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <random>

#include "harness/process/descriptor.hpp"

namespace torchgate::process {

namespace {

// Below the ports that the kernel assigns to connections (net.ipv4.ip_local_port_range): one of those may be assigned to another process, for
// example srun's, before the ranks listen.
constexpr int first_port = 20'000;
constexpr int last_port = 32'767;
constexpr int attempts = 64;

// PORT, or for 0 any, if it is free.
std::optional<int> bound(int port) {
  const Descriptor listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (!listener.open() || bind(listener.get(), any, size) != 0 || getsockname(listener.get(), any, &size) != 0)
    return std::nullopt;
  return ntohs(address.sin_port);
}

}  // namespace

std::optional<int> free_port() {
  std::random_device random;
  std::uniform_int_distribution<int> any_port(first_port, last_port);
  for (int i = 0; i < attempts; ++i) {
    if (const auto port = bound(any_port(random))) return port;
  }
  return bound(0);
}

}  // namespace torchgate::process
