// SPDX-License-Identifier: Apache-2.0
// serve_tcp RATE COUNT: the server, measured by its own open loop and then offered to another load generator with the same schedule.
// Prints, one line each: the port; the times of the schedule in ns; P50 and P99 of its own open loop in ns. Then it answers a client
// that sends numbers, 4 bytes each, with the same numbers, and ends with the connection.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "suites/serving/server/arrivals.hpp"
#include "suites/serving/server/open_loop.hpp"
#include "suites/serving/server/server.hpp"

namespace {

using namespace torchgate::serving;

// 10 ms for a batch of at most two: at 100 requests a second some wait.
std::vector<std::uint32_t> model(std::span<std::uint32_t> inputs) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(10);
  std::this_thread::sleep_until(end);
  return {inputs.begin(), inputs.end()};
}
using NumberServer = Server<std::uint32_t, std::uint32_t>;
const ServerOptions options{.batches = {2, std::chrono::nanoseconds(0)}};

void print_own_percentiles(const std::vector<nanoseconds>& arrivals) {
  std::vector<std::int64_t> latencies(arrivals.size());
  {
    NumberServer server(model, {}, options);
    send_open_loop(arrivals, {}, [&](std::size_t i, SteadyTime scheduled) {
      server.submit(
          i, static_cast<std::uint32_t>(i), scheduled,
          [&, i](const RequestSeen& seen, std::optional<std::uint32_t>) { latencies[i] = seen.latency().count(); });
    });
  }
  std::sort(latencies.begin(), latencies.end());
  std::printf("%lld %lld\n", static_cast<long long>(latencies[latencies.size() / 2]),
              static_cast<long long>(latencies[latencies.size() * 99 / 100]));
  std::fflush(stdout);
}

void answer_client(int connection) {
  std::mutex sending;
  NumberServer server(model, {}, options);
  for (std::uint32_t number = 0; recv(connection, &number, sizeof number, MSG_WAITALL) == sizeof number;) {
    server.submit(number, number, std::chrono::steady_clock::now(),
                  [&](const RequestSeen&, std::optional<std::uint32_t> answer) {
                    const std::lock_guard lock(sending);
                    (void)!write(connection, &*answer, sizeof *answer);
                  });
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: serve_tcp RATE COUNT\n");
    return 2;
  }
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener, 1) != 0) return 1;
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  std::printf("%d\n", ntohs(address.sin_port));
  const auto arrivals = poisson_arrivals(std::strtoul(argv[2], nullptr, 10), std::atof(argv[1]), 7);
  for (const nanoseconds time : arrivals) std::printf("%lld ", static_cast<long long>(time.count()));
  std::printf("\n");
  print_own_percentiles(arrivals);
  const int connection = accept(listener, nullptr, nullptr);
  const int on = 1;
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  answer_client(connection);
  close(connection);
  return 0;
}
