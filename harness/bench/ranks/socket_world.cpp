// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/ranks/socket_world.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace torchgate::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

// The first message of a rank that joins; other connections to the port are closed.
constexpr std::uint64_t greeting = 0x746f726368726b31;  // "torchrk1"
// A foreign connection that sends nothing must not delay the ranks.
constexpr std::chrono::milliseconds greeting_patience{2000};
constexpr std::chrono::milliseconds try_again{10};
// Outputs are compared in one message: 2^27 doubles.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;

std::string last_error() {
  return std::generic_category().message(errno);
}

std::string name_of(std::int64_t rank) {
  return "rank " + std::to_string(rank);
}

class Socket {
 public:
  Socket() = default;
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~Socket() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  [[nodiscard]] int get() const { return descriptor_; }
  [[nodiscard]] bool open() const { return descriptor_ >= 0; }

  void be_patient(std::chrono::milliseconds patience) {
    constexpr std::int64_t ms_per_s = 1000;
    const timeval limit{patience.count() / ms_per_s, patience.count() % ms_per_s * ms_per_s};
    const int on = 1;
    setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(descriptor_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }

  bool send_all(const void* data, std::size_t size) {
    const char* next = static_cast<const char*>(data);
    while (size > 0) {
      const ssize_t sent = ::send(descriptor_, next, size, MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) return false;
      next += sent;
      size -= static_cast<std::size_t>(sent);
    }
    return true;
  }
  bool receive_all(void* data, std::size_t size) {
    char* next = static_cast<char*>(data);
    while (size > 0) {
      const ssize_t got = ::recv(descriptor_, next, size, 0);
      if (got < 0 && errno == EINTR) continue;
      if (got == 0) errno = ECONNRESET;
      if (got <= 0) return false;
      next += got;
      size -= static_cast<std::size_t>(got);
    }
    return true;
  }

 private:
  int descriptor_ = -1;
};

class SocketWorld final : public World {
 public:
  /// `sockets`: of rank 0 by rank, its own unused; of another rank the one to rank 0.
  SocketWorld(std::int64_t rank, std::vector<Socket> sockets, std::int64_t size)
      : rank_(rank), size_(size), sockets_(std::move(sockets)) {}
  [[nodiscard]] std::int64_t rank() const override { return rank_; }
  [[nodiscard]] std::int64_t size() const override { return size_; }

 protected:
  std::vector<std::string> exchange(const std::string& mine) override {
    std::vector<std::string> all(static_cast<std::size_t>(size_));
    if (rank_ != 0) {
      send(0, mine);
      for (std::string& text : all) text = receive(0);
      return all;
    }
    all[0] = mine;
    for (std::size_t other = 1; other < all.size(); ++other) all[other] = receive(other);
    for (std::size_t other = 1; other < all.size(); ++other) {
      for (const std::string& text : all) send(other, text);
    }
    return all;
  }

 private:
  [[noreturn]] static void lost(std::size_t rank) {
    const std::string who = name_of(static_cast<std::int64_t>(rank));
    if (errno == EAGAIN || errno == EWOULDBLOCK) throw RankLost(who + " stopped responding");
    throw RankLost(who + " is lost: " + last_error());
  }
  void send(std::size_t to, const std::string& text) {
    const std::uint64_t size = text.size();
    std::string message(sizeof size, '\0');
    std::memcpy(message.data(), &size, sizeof size);
    message += text;
    if (!sockets_[to].send_all(message.data(), message.size())) lost(to);
  }
  std::string receive(std::size_t from) {
    std::uint64_t size = 0;
    if (!sockets_[from].receive_all(&size, sizeof size)) lost(from);
    if (size == 0 || size > most_bytes)
      throw RankLost(name_of(static_cast<std::int64_t>(from)) + " sent an invalid message");
    std::string text(size, '\0');
    if (!sockets_[from].receive_all(text.data(), text.size())) lost(from);
    return text;
  }

  std::int64_t rank_;
  std::int64_t size_;
  std::vector<Socket> sockets_;
};

/// Calls `use(address, socket)` with each address of PLACE until one succeeds; otherwise returns the last error.
template <class Use>
std::pair<Socket, std::string> with_addresses(const WorldPlace& place, Use&& use) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  const int error = getaddrinfo(place.address.c_str(), std::to_string(place.port).c_str(), &hints, &list);
  if (error != 0) return {Socket(), gai_strerror(error)};
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> addresses(list, &freeaddrinfo);
  for (const addrinfo* each = list; each != nullptr; each = each->ai_next) {
    Socket socket(::socket(each->ai_family, each->ai_socktype | SOCK_CLOEXEC, each->ai_protocol));
    if (socket.open() && use(*each, socket)) return {std::move(socket), ""};
  }
  return {Socket(), last_error()};
}

std::string at(const WorldPlace& place) {
  return place.address + " port " + std::to_string(place.port);
}

base::Error io(const std::string& what) {
  return {base::ErrorCode::io, what};
}

struct Hello {
  std::uint64_t greeting = bench::greeting;
  std::int64_t rank = 0;
  std::int64_t size = 0;
};

std::string missing(const std::vector<Socket>& sockets) {
  std::string text;
  for (std::size_t rank = 1; rank < sockets.size(); ++rank) {
    if (!sockets[rank].open()) text += (text.empty() ? "" : ", ") + name_of(static_cast<std::int64_t>(rank));
  }
  return text;
}

base::Result<std::vector<Socket>> gather(const WorldPlace& place, RankPatience patience) {
  const auto listening = [](const addrinfo& address, Socket& socket) {
    const int on = 1;
    setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    return bind(socket.get(), address.ai_addr, address.ai_addrlen) == 0 && listen(socket.get(), SOMAXCONN) == 0;
  };
  const auto [listener, why_not] = with_addresses(place, listening);
  if (!listener.open()) return io("rank 0 cannot listen at " + at(place) + ": " + why_not);
  std::vector<Socket> sockets(static_cast<std::size_t>(place.size));
  const auto deadline = SteadyClock::now() + patience.join;
  for (std::int64_t there = 1; there < place.size;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now()).count();
    pollfd event{listener.get(), POLLIN, 0};
    if (left <= 0 || (poll(&event, 1, static_cast<int>(left)) == 0)) return io("missing ranks: " + missing(sockets));
    Socket socket(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket.open()) continue;
    socket.be_patient(greeting_patience);
    Hello hello;
    if (!socket.receive_all(&hello, sizeof hello) || hello.greeting != greeting) continue;
    if (hello.size != place.size || hello.rank < 1 || hello.rank >= place.size ||
        sockets[static_cast<std::size_t>(hello.rank)].open()) {
      return io("rank " + std::to_string(hello.rank) + " of " + std::to_string(hello.size) +
                " does not fit a world of " + std::to_string(place.size) + " ranks");
    }
    socket.be_patient(patience.answer);
    sockets[static_cast<std::size_t>(hello.rank)] = std::move(socket);
    ++there;
  }
  return sockets;
}

base::Result<std::vector<Socket>> connect_to_first(const WorldPlace& place, RankPatience patience) {
  const auto connected = [](const addrinfo& address, Socket& socket) {
    if (connect(socket.get(), address.ai_addr, address.ai_addrlen) != 0) return false;
    // If nothing listens yet, a socket that happens to get this port as its own is connected to itself.
    sockaddr_storage here{};
    sockaddr_storage there{};
    socklen_t here_size = sizeof here;
    socklen_t there_size = sizeof there;
    getsockname(socket.get(), reinterpret_cast<sockaddr*>(&here), &here_size);
    getpeername(socket.get(), reinterpret_cast<sockaddr*>(&there), &there_size);
    errno = ECONNREFUSED;
    return here_size != there_size || std::memcmp(&here, &there, here_size) != 0;
  };
  for (const auto deadline = SteadyClock::now() + patience.join;;) {
    auto [socket, why_not] = with_addresses(place, connected);
    if (socket.open()) {
      socket.be_patient(patience.answer);
      const Hello hello{greeting, place.rank, place.size};
      if (!socket.send_all(&hello, sizeof hello)) return io("rank 0 at " + at(place) + " is lost: " + last_error());
      std::vector<Socket> sockets;
      sockets.push_back(std::move(socket));
      return sockets;
    }
    if (SteadyClock::now() >= deadline) return io("cannot reach rank 0 at " + at(place) + ": " + why_not);
    std::this_thread::sleep_for(try_again);
  }
}

}  // namespace

base::Result<std::unique_ptr<World>> join_world(const WorldPlace& place, RankPatience patience) {
  auto sockets = place.rank == 0 ? gather(place, patience) : connect_to_first(place, patience);
  if (!sockets) return sockets.error();
  return std::unique_ptr<World>(std::make_unique<SocketWorld>(place.rank, std::move(*sockets), place.size));
}

}  // namespace torchgate::bench
