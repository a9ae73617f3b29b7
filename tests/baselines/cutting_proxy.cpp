// SPDX-License-Identifier: Apache-2.0
#include "tests/baselines/cutting_proxy.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <string_view>
#include <utility>

namespace torchgate::baselines::testing {
namespace {

// A message of the protocol: its letter, its length and the statement.
constexpr std::string_view commit_message{
    "Q\0\0\0\x0b"
    "COMMIT\0",
    12};
constexpr int look_again_ms = 50;

int connection_to(const std::string& path) {
  const int server = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  if (::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return server;
  ::close(server);
  return -1;
}

bool is_readable(int file, int wait_ms) {
  pollfd waits{file, POLLIN, 0};
  return ::poll(&waits, 1, wait_ms) == 1;
}

std::string received(int from) {
  char piece[65536];
  const ssize_t count = ::recv(from, piece, sizeof piece, 0);
  return count > 0 ? std::string(piece, static_cast<std::size_t>(count)) : "";
}

void send_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace

CuttingProxy::CuttingProxy(std::string socket) : socket_(std::move(socket)) {
  listening_ = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(listening_, reinterpret_cast<const sockaddr*>(&address), size) == 0 && ::listen(listening_, 8) == 0 &&
      ::getsockname(listening_, reinterpret_cast<sockaddr*>(&address), &size) == 0)
    port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

CuttingProxy::~CuttingProxy() {
  ends_ = true;
  thread_.join();
  ::close(listening_);
}

std::string CuttingProxy::through(const std::string& url) const {
  const auto host = url.find('@') + 1;
  return url.substr(0, host) + "127.0.0.1:" + std::to_string(port_) + url.substr(url.find('/', host));
}

void CuttingProxy::cut(Cut where, bool for_good) {
  for_good_ = for_good;
  next_ = where;
}

void CuttingProxy::serve() {
  while (!ends_) {
    if (!is_readable(listening_, look_again_ms)) continue;
    const int client = ::accept(listening_, nullptr, nullptr);
    const int server = for_good_ && has_cut() ? -1 : connection_to(socket_);
    if (server >= 0) forward(client, server);
    ::close(server);
    ::close(client);
  }
}

void CuttingProxy::forward(int client, int server) {
  bool is_silent = false;
  while (!ends_) {
    if (is_readable(client, 0)) {
      const std::string request = received(client);
      if (request.empty()) return;
      const bool is_commit = request.find(commit_message) != std::string::npos;
      const Cut here = is_commit ? next_.exchange(Cut::none) : Cut::none;
      if (here == Cut::before_commit) return;
      send_all(server, request);
      if (here == Cut::at_commit) return;
      is_silent = here == Cut::silence;
      if (here == Cut::after_commit || is_silent) received(server);
      if (here == Cut::after_commit) return;
    }
    if (is_silent) {
      is_readable(client, look_again_ms);
      continue;
    }
    pollfd waits[] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
    if (::poll(waits, 2, look_again_ms) < 1 || waits[1].revents == 0) continue;
    const std::string answer = received(server);
    if (answer.empty()) return;
    send_all(client, answer);
  }
}

}  // namespace torchgate::baselines::testing
