// SPDX-License-Identifier: Apache-2.0
#include "harness/process/free_port.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "harness/process/descriptor.hpp"

namespace torchgate::process {

std::optional<int> free_port() {
  const Descriptor listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (!listener.open() || bind(listener.get(), any, size) != 0 || getsockname(listener.get(), any, &size) != 0)
    return std::nullopt;
  return ntohs(address.sin_port);
}

}  // namespace torchgate::process
