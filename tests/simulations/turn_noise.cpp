// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/turn_noise.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <utility>

#include "stats/quantile.hpp"
#include "stats/turns.hpp"

namespace torchgate::simulations {
namespace {

constexpr double level_memory = 0.95;
constexpr double process_ms = 250.0;  // of samples, where processes run one after the other
constexpr double settled_within = 1.015;
constexpr double usual_call_ms = 0.4;
constexpr Range call_ms{0.3, 4.0};
constexpr double slow_call = 0.2623642644674911;  // ln 1.3
constexpr std::size_t slow_every = 3;
constexpr std::size_t turns_before_other_load = 7;
constexpr double busy_loop = 0.4;  // ln, what a program on the other thread of the core adds

// Fitted to recordings: see README.md.
constexpr Profile two_state{"two-state", 0.01, {0.001, 0.004}, {0.002, 0.008}, {0.004, 0.03}, 0.0, 0.0, 0.004, 0.1};
constexpr Range stretch_ms{10.0, 500.0};
constexpr Range busy_height{0.05, 0.64};  // ln: up to 1.9 times, mostly less (the square of a uniform value)
constexpr Range busy_share{0.2, 0.7};     // from one pair to another: the other load changes within seconds
constexpr double busy_jitter = 0.08;      // ln, of a sample while the core is shared
constexpr double other_core = 0.1;        // chance that a process wakes up on the other core
constexpr Range preempted_ms{1.0, 8.0};

// Of the profiles: other load and bursts in time, as the generator has them in processes.
constexpr Range load_burst{0.05, 0.30};
constexpr Range load_disturbance{0.02, 0.12};
constexpr double profile_stretch_ms = 125.0;

double between(const Range& range, Random& random) {
  return random.uniform(range.low, range.high);
}

}  // namespace

launch::TurnLimits recorded_limits() {
  launch::TurnLimits limits;
  limits.most = 48;
  return limits;
}

std::vector<TurnMachine> turn_machines() {
  std::vector<TurnMachine> machines;
  for (const Profile& profile : profiles) machines.push_back({profile.name, profile});
  machines.push_back({two_state.name, std::nullopt});
  return machines;
}

PairSource::PairSource(const TurnMachine& machine, Random random, std::size_t other_load_from,
                       const launch::TurnLimits& limits)
    : machine_(machine), random_(std::move(random)), other_load_from_(other_load_from), limits_(limits) {
  suite_ = draw_suite(machine.profile.value_or(two_state), 1, random_);
  traits_ = suite_.cases.front();
  call_ms_ = machine.profile ? usual_call_ms : random_.log_uniform(call_ms.low, call_ms.high);
  session_ = random_.normal() * suite_.profile.day;
  trend_ = random_.normal() * suite_.profile.day / 96.0;
}

// The machine moves on between processes: what others do is drawn anew, the level remembers.
void PairSource::begin_pair() {
  const double news = suite_.profile.day * std::sqrt(1.0 - level_memory * level_memory);
  session_ = level_memory * session_ + news * random_.normal() + trend_;
  busy_share_ = between(busy_share, random_);
  cores_ = {};
  advance(0.0);
}

void PairSource::begin_process(Side& side) {
  side = {};
  side.level = suite_.profile.process.low > 0 ? traits_.process * random_.normal() : 0.0;
  if (random_.chance(traits_.mode_chance)) side.level += traits_.mode_distance;
  side.wander = random_.normal();
}

void PairSource::next_stretch(Core& core) {
  if (machine_.profile) {
    core.left_ms += profile_stretch_ms;
    core.other = random_.chance(machine_.profile->disturbance) ? between(load_disturbance, random_) : 0.0;
    if (random_.chance(machine_.profile->burst)) core.other += between(load_burst, random_);
    return;
  }
  core.left_ms += random_.log_uniform(stretch_ms.low, stretch_ms.high);
  const double part = random_.uniform();
  const double height = busy_height.low + (busy_height.high - busy_height.low) * part * part;
  core.other = random_.chance(busy_share_) ? height : 0.0;
}

// Time passes on both cores: where a stretch of one ends, another one is drawn.
void PairSource::advance(double ms) {
  for (Core& core : cores_) {
    core.left_ms -= ms;
    while (core.left_ms <= 0.0) next_stretch(core);
  }
}

double PairSource::sample(Side& side) {
  side.wander = traits_.memory * side.wander + std::sqrt(1.0 - traits_.memory * traits_.memory) * random_.normal();
  const double other = cores_.at(side.core).other;
  double log = side.level + traits_.iteration * side.wander + traits_.day * session_ + other;
  if (other_load_) log += busy_loop;
  if (!machine_.profile && other > 0.0) log += busy_jitter * std::abs(random_.normal());
  double ms = call_ms_ * std::exp(log);
  if (random_.chance(suite_.profile.spike))
    ms += machine_.profile ? 0.2 * ms / std::sqrt(1.0 - random_.uniform()) : between(preempted_ms, random_);
  advance(ms);
  return ms;
}

bool PairSource::floor_settled(const std::vector<double>& samples) const {
  const double least = *std::min_element(samples.begin(), samples.end());
  return std::count_if(samples.begin(), samples.end(), [&](double value) { return value <= least * settled_within; }) >=
         limits_.near_floor;
}

bool PairSource::enough_turns(const Side& before, const Side& after) const {
  const auto turns = static_cast<std::int64_t>(before.means.size());
  if (turns < limits_.fewest) return false;
  return turns >= limits_.most || (floor_settled(before.samples) && floor_settled(after.samples));
}

void PairSource::turn(Side& side) {
  const std::size_t begin = side.samples.size();
  if (!machine_.profile && random_.chance(other_core)) side.core = 1 - side.core;
  const double turn_ms = std::chrono::duration<double, std::milli>(limits_.turn).count();
  double spent = 0.0;
  do {
    const double ms = sample(side);
    spent += ms;
    side.samples.push_back(ms);
    side.slow_samples.push_back(++side.calls % slow_every == 0 ? ms * std::exp(slow_call) : ms);
  } while (spent < turn_ms);
  const auto of_turn = [&](const std::vector<double>& all) { return *stats::turn_mean(std::span(all).subspan(begin)); };
  side.means.push_back(of_turn(side.samples));
  side.slow_means.push_back(of_turn(side.slow_samples));
}

double PairSource::median_of_process() {
  Side side;
  begin_process(side);
  for (double spent = 0.0; spent < process_ms; spent += side.samples.back()) side.samples.push_back(sample(side));
  return std::log(*stats::median(side.samples));
}

double PairSource::draw_medians() {
  begin_pair();
  const double first = median_of_process();
  begin_pair();
  const double second = median_of_process();
  return random_.chance(0.5) ? second - first : first - second;  // a coin for every pair
}

TurnNumbers PairSource::draw_in_turns() {
  ++pairs_;
  TurnNumbers numbers;
  begin_pair();
  Side before;
  Side after;
  begin_process(before);
  begin_process(after);
  while (!enough_turns(before, after)) {
    const bool as_named = random_.chance(0.5);
    turn(as_named ? before : after);
    if (pairs_ == other_load_from_ + 1 && before.means.size() >= turns_before_other_load) other_load_ = true;
    turn(as_named ? after : before);
  }
  const double floor = std::log(*stats::floor_of(before.samples));
  numbers.floor = std::log(*stats::floor_of(after.samples)) - floor;
  numbers.floor_slow_calls = std::log(*stats::floor_of(after.slow_samples)) - floor;
  numbers.typical = *stats::typical_change(before.means, after.means);
  numbers.typical_slow_calls = *stats::typical_change(before.means, after.slow_means);
  return numbers;
}

}  // namespace torchgate::simulations
