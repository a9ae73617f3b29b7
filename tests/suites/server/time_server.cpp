// SPDX-License-Identifier: Apache-2.0
// The time of a request through the server without a model, one at a time: what queue, batch and two changes of thread cost.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <vector>

#include "suites/serving/server/server.hpp"

int main() {
  using namespace torchgate::serving;
  constexpr std::size_t requests = 20'000;
  Server<int, int> server([](std::span<int> inputs) { return std::vector<int>(inputs.begin(), inputs.end()); }, {},
                          {.batches = {1, {}}});
  std::vector<double> us;
  for (std::size_t i = 0; i < requests; ++i) {
    std::atomic<bool> answered{false};  // the client spins: what it takes to wake one is no part of the server
    const auto start = std::chrono::steady_clock::now();
    server.submit(i, 1, start, [&](const RequestSeen&, std::optional<int>) { answered.store(true); });
    while (!answered.load()) std::this_thread::yield();
    us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(us.begin(), us.end());
  std::printf("closed loop without a model: median %.1f us, P99 %.1f us of %zu requests\n", us[requests / 2],
              us[requests * 99 / 100], requests);
}
