// SPDX-License-Identifier: Apache-2.0
// The time of a request through the server without a model, one at a time: what queue, batch and two changes of thread cost.
// time_server record N: latencies (us) of N requests of a model that works for about 200 us, as tests/fixtures/serving has them.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "suites/serving/server/server.hpp"

namespace {

using namespace torchgate::serving;

// The clients spin: the time to wake one is not part of the server.
std::vector<double> closed_loop(Server<int, int>& server, std::size_t requests) {
  std::vector<double> us;
  for (std::size_t i = 0; i < requests; ++i) {
    std::atomic<bool> answered{false};
    const auto start = std::chrono::steady_clock::now();
    server.submit(i, 1, start, [&](const RequestSeen&, std::optional<int>) { answered.store(true); });
    while (!answered.load()) std::this_thread::yield();
    us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  return us;
}

std::vector<int> works(std::span<int> inputs) {
  // Reads 4 MB, so that the memory of other programs is in the times, as in a model's.
  static std::vector<double> numbers(500'000, 1.5);
  double sum = 0;
  for (const double number : numbers) sum += number;
  return std::vector<int>(inputs.size(), static_cast<int>(sum));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "record") {
    Server<int, int> server(works, {}, {.batches = {1, {}}});
    for (const double us : closed_loop(server, std::stoul(argv[2]))) std::printf("%.2f\n", us);
    return 0;
  }
  constexpr std::size_t requests = 20'000;
  Server<int, int> server([](std::span<int> inputs) { return std::vector<int>(inputs.begin(), inputs.end()); }, {},
                          {.batches = {1, {}}});
  std::vector<double> us = closed_loop(server, requests);
  std::sort(us.begin(), us.end());
  std::printf("closed loop without a model: median %.1f us, P99 %.1f us of %zu requests\n", us[requests / 2],
              us[requests * 99 / 100], requests);
  return 0;
}
