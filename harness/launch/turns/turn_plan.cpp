// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/turns/turn_plan.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

namespace torchgate::launch {
namespace {

/// Of "WORD N N": the numbers; absent: it is something else.
template <std::size_t N>
std::optional<std::array<std::int64_t, N>> numbers_after(std::string_view word, std::string_view line) {
  if (!line.starts_with(word)) return std::nullopt;
  line.remove_prefix(word.size());
  std::array<std::int64_t, N> numbers{};
  for (std::int64_t& number : numbers) {
    if (!line.starts_with(' ')) return std::nullopt;
    line.remove_prefix(1);
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    if (error != std::errc{} || number < 0) return std::nullopt;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  }
  return line.empty() ? std::optional(numbers) : std::nullopt;
}

constexpr std::size_t most_shown_bytes = 100;

base::Error no_answer(std::string_view line, const char* expected) {
  return {base::ErrorCode::bad_input, "answered \"" + std::string(line.substr(0, most_shown_bytes)) +
                                          "\" when taking turns, where " + expected + " was expected"};
}

}  // namespace

TurnPlan::TurnPlan(std::vector<TurnCase> cases, std::uint64_t seed, TurnLimits limits)
    : cases_(std::move(cases)), limits_(limits), random_(seed) {
  if (!cases_.empty()) begin_case();
}

void TurnPlan::begin_case() {
  for (std::size_t side = 0; side < sides_.size(); ++side)
    sides_[side] = {cases_[case_].on_side[side] ? State::waiting : State::absent};
  rounds_ = 0;
  ending_ = false;
  begin_round();
}

/// The turns of a side that asked for it, of one after the other where both did; false: there is none.
bool TurnPlan::begin_again() {
  const auto side =
      std::find_if(sides_.begin(), sides_.end(), [](const Side& each) { return each.state == State::later; });
  if (side == sides_.end()) return false;
  *side = {State::waiting, 0, 0, 0, true};
  rounds_ = 0;
  ending_ = false;
  begin_round();
  return true;
}

void TurnPlan::begin_round() {
  place_in_round_ = 0;
  order_ = {0, 1};
  if (random_.coin()) std::swap(order_[0], order_[1]);
}

bool TurnPlan::any(State state) const {
  return std::any_of(sides_.begin(), sides_.end(), [&](const Side& side) { return side.state == state; });
}

std::optional<TurnPlan::Ask> TurnPlan::ask(std::size_t side, Word word, std::string line) {
  asked_ = side;
  sides_[side].state = word == Word::begin_case ? State::preparing
                       : word == Word::turn     ? State::working
                                                : State::ending;
  return Ask{side, word, std::move(line), case_, rounds_};
}

/// Of the sides that are measured.
bool TurnPlan::enough() const {
  bool settled = true;
  bool spent = false;
  for (const Side& side : sides_) {
    if (side.state != State::ready) continue;
    settled = settled && side.near_floor >= limits_.near_floor;
    spent = spent || side.spent_ns >= side.budget_ns;
  }
  if (spent) return rounds_ >= limits_.fewest_of_long;
  return rounds_ >= limits_.fewest && (settled || rounds_ >= limits_.most);
}

std::optional<TurnPlan::Ask> TurnPlan::next() {
  while (case_ < cases_.size()) {
    for (const std::size_t side : order_)
      if (sides_[side].state == State::waiting) return ask(side, Word::begin_case, "case " + cases_[case_].name);
    while (any(State::ready)) {
      if (ending_ || (place_in_round_ == 0 && enough())) {  // both sides of a round, or none
        ending_ = true;
        const std::size_t side = sides_[order_[0]].state == State::ready ? order_[0] : order_[1];
        return ask(side, Word::end, "end");
      }
      while (place_in_round_ < order_.size()) {
        const std::size_t side = order_[place_in_round_++];
        if (sides_[side].state == State::ready)
          return ask(side, Word::turn, "turn " + std::to_string(limits_.turn.count()));
      }
      ++rounds_;
      begin_round();
    }
    if (begin_again()) continue;
    if (++case_ < cases_.size()) begin_case();
  }
  return std::nullopt;
}

base::Result<void> TurnPlan::answered(std::string_view line) {
  Side& side = sides_[asked_];
  const bool asked = side.state != State::absent && side.state != State::waiting && side.state != State::ready;
  if (asked && line == "done") {
    side.state = State::done;  // also where the case failed, or could not take turns
    return {};
  }
  if (asked && line == "later" && !side.was_later) {
    side.state = State::later;
    return {};
  }
  if (side.state == State::preparing) {
    const auto ready = numbers_after<2>("ready", line);
    if (!ready) return no_answer(line, "\"ready SAMPLE_NS BUDGET_NS\" or \"done\"");
    side.budget_ns = (*ready)[1];
    side.state = State::ready;
    return {};
  }
  if (side.state != State::working) return no_answer(line, side.state == State::ending ? "\"done\"" : "nothing");
  const auto took = numbers_after<3>("took", line);
  if (!took || (*took)[0] < 1) {
    base::Error wrong = no_answer(line, "\"took SAMPLES NEAR_FLOOR SPENT_NS\" or \"done\"");
    // What the process wrote before its fork is written once more where the child ends with exit().
    if (numbers_after<2>("ready", line))
      wrong.message += " (written by a child process of the case? a child after fork() must end with _exit() or exec)";
    return wrong;
  }
  side.near_floor = (*took)[1];
  side.spent_ns += std::min((*took)[2], std::numeric_limits<std::int64_t>::max() / 2 - side.spent_ns);
  side.state = State::ready;
  return {};
}

std::string TurnPlan::place() const {
  if (case_ >= cases_.size()) return "";
  const State state = sides_[asked_].state;
  if (state == State::waiting || state == State::absent) return "";
  const std::string& name = cases_[case_].name;
  return state == State::working ? "in turn " + std::to_string(rounds_ + 1) + " of " + name : "in " + name;
}

}  // namespace torchgate::launch
