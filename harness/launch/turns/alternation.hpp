// SPDX-License-Identifier: Apache-2.0
// Two processes that know nothing of turns, and take them: each works for a while, and is stopped (SIGSTOP) while the other one does.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <vector>

#include "harness/launch/turns/shared_cpu.hpp"
#include "harness/process/process.hpp"

namespace torchgate::launch {

/// For process::run_together(), which ends both where one of them fails. Each has its time limit for what it works itself.
class Alternation final : public process::Companion {
 public:
  using Clock = std::chrono::steady_clock;

  /// CPU: absent where the programs have several threads. A repetition in which its process was stopped is slow by a TURN: that has to be long compared
  /// with a repetition, and short compared with how long a neighbour works (10 to 500 ms).
  Alternation(std::optional<SharedCpu> cpu, std::chrono::nanoseconds turn,
              std::array<std::optional<std::chrono::nanoseconds>, 2> limits);

  void on_started(std::size_t index, pid_t pid) override;
  void on_ended(std::size_t index, const process::Outcome& outcome) override;
  void add_events(std::vector<pollfd>&) const override {}
  [[nodiscard]] Clock::time_point wake_up() const override { return turn_ends_; }
  std::vector<End> step() override;

  [[nodiscard]] std::chrono::nanoseconds worked(std::size_t side) const { return sides_.at(side).worked; }

 private:
  struct Side {
    pid_t pid = -1;
    std::chrono::nanoseconds worked{0};
    std::optional<std::chrono::nanoseconds> limit;
  };
  void account();
  void end_turn();
  void begin_turn(std::size_t side);
  void signal(std::size_t side, int number) const;

  std::optional<SharedCpu> cpu_;
  std::chrono::nanoseconds turn_;
  std::array<Side, 2> sides_;
  std::size_t works_ = 0;
  std::size_t turns_ = 0;
  Clock::time_point turn_began_ = Clock::now();
  Clock::time_point turn_ends_ = Clock::time_point::max();
};

}  // namespace torchgate::launch
