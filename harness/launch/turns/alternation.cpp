// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/turns/alternation.hpp"

#include <csignal>
#include <utility>

#include "harness/process/interrupt.hpp"

namespace torchgate::launch {

using process::Ending;

Alternation::Alternation(std::optional<SharedCpu> cpu, std::chrono::nanoseconds turn,
                         std::array<std::optional<std::chrono::nanoseconds>, 2> limits)
    : cpu_(std::move(cpu)), turn_(turn) {
  for (std::size_t side = 0; side < sides_.size(); ++side) sides_[side].limit = limits[side];
  if (cpu_) cpu_->begin_case();
}

// The first one works until the second one is started and both are ready.
void Alternation::on_started(std::size_t index, pid_t pid) {
  sides_.at(index).pid = pid;
  if (index == 0) {
    turn_began_ = Clock::now();
    return;
  }
  signal(index, SIGSTOP);
  account();
  begin_turn(0);
}

void Alternation::on_ended(std::size_t index, const process::Outcome& /*outcome*/) {
  const bool worked = works_ == index;
  if (worked) account();
  sides_.at(index).pid = -1;
  turn_ends_ = Clock::time_point::max();
  if (worked && sides_[1 - index].pid > 0) begin_turn(1 - index);
}

// A process that is alone, or was asked to end, continues without turns.
std::vector<process::Companion::End> Alternation::step() {
  account();
  const Side& one = sides_[works_];
  if (one.pid > 0 && one.limit && one.worked >= *one.limit) {
    turn_ends_ = Clock::time_point::max();
    return {{works_, Ending::timed_out}};
  }
  if (Clock::now() < turn_ends_ || process::stop_requested()) return {};
  end_turn();
  if (sides_[1 - works_].pid > 0) {
    signal(works_, SIGSTOP);
    begin_turn(1 - works_);
  } else {
    begin_turn(works_);
  }
  return {};
}

void Alternation::account() {
  const auto now = Clock::now();
  if (sides_[works_].pid > 0) sides_[works_].worked += now - turn_began_;
  turn_began_ = now;
}

void Alternation::end_turn() {
  if (!cpu_) return;
  if (sides_[works_].pid > 0) cpu_->after_turn(works_, sides_[works_].pid);
  if (++turns_ % 2 == 0) cpu_->end_round();
}

void Alternation::begin_turn(std::size_t side) {
  works_ = side;
  if (cpu_) cpu_->before_turn(side, sides_[side].pid);
  signal(side, SIGCONT);
  turn_began_ = Clock::now();
  turn_ends_ = turn_began_ + turn_;
}

void Alternation::signal(std::size_t side, int number) const {
  if (sides_[side].pid > 0) kill(-sides_[side].pid, number);
}

}  // namespace torchgate::launch
