// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/turns/alternation.hpp"

#include <csignal>
#include <utility>

namespace torchgate::launch {

using process::Ending;

Alternation::Alternation(std::optional<SharedCpu> cpu, std::array<std::optional<std::chrono::nanoseconds>, 2> limits)
    : cpu_(std::move(cpu)) {
  for (std::size_t side = 0; side < sides_.size(); ++side) sides_[side].limit = limits[side];
  if (cpu_) cpu_->begin_case();
}

// The first one works until the second one is started, and both are there.
void Alternation::on_started(std::size_t index, pid_t pid) {
  sides_.at(index).pid = pid;
  if (index == 0) {
    turn_began_ = Clock::now();
    return;
  }
  signal(index, SIGSTOP);
  begin_turn(0);
}

void Alternation::on_ended(std::size_t index, const process::Outcome& /*outcome*/) {
  if (works_ == index) end_turn();
  sides_.at(index).pid = -1;
  const std::size_t other = 1 - index;
  if (sides_[other].pid > 0 && works_ == index) begin_turn(other);
}

std::vector<process::Companion::End> Alternation::step() {
  std::vector<End> to_end;
  const auto now = Clock::now();
  const bool over = now >= turn_ends_;
  const Side& one = sides_[works_];
  const auto worked = one.worked + (one.pid > 0 ? now - turn_began_ : Clock::duration::zero());
  if (one.pid > 0 && one.limit && worked >= *one.limit) to_end.push_back({works_, Ending::timed_out});
  if (!over || !to_end.empty()) return to_end;
  end_turn();
  if (sides_[1 - works_].pid > 0) {
    signal(works_, SIGSTOP);
    begin_turn(1 - works_);
  } else {
    begin_turn(works_);
  }
  return to_end;
}

void Alternation::end_turn() {
  Side& side = sides_[works_];
  side.worked += Clock::now() - turn_began_;
  if (cpu_ && side.pid > 0) cpu_->after_turn(works_, side.pid);
  if (++turns_ % 2 == 0 && cpu_) cpu_->end_round();
  turn_ends_ = Clock::time_point::max();
}

void Alternation::begin_turn(std::size_t side) {
  works_ = side;
  if (cpu_) cpu_->before_turn(side, sides_[side].pid);
  signal(side, SIGCONT);
  turn_began_ = Clock::now();
  turn_ends_ = turn_began_ + turn;
}

void Alternation::signal(std::size_t side, int number) const {
  if (sides_[side].pid > 0) kill(-sides_[side].pid, number);
}

}  // namespace torchgate::launch
