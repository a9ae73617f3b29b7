// SPDX-License-Identifier: Apache-2.0
// Pairs of processes, one after the other and in turns, sample by sample: on the machines of profiles.hpp, and on one whose core is
// shared with another program (two states, fitted to recordings; README.md, "Pairs in turns").
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/launch/turns/turn_plan.hpp"
#include "tests/simulations/generator.hpp"
#include "tests/simulations/profiles.hpp"
#include "tests/simulations/random.hpp"

namespace torchgate::simulations {

/// ln(after / before) of one pair of processes of unchanged code that took turns.
struct TurnNumbers {
  double floor = 0.0;
  double typical = 0.0;
  double floor_slow_calls = 0.0;  ///< when every third call of the after side takes 30 % longer, as the next one
  double typical_slow_calls = 0.0;
};

/// A machine with the noise of a profile, or the two-state one (no profile).
struct TurnMachine {
  std::string_view name;
  std::optional<Profile> profile;
};
std::vector<TurnMachine> turn_machines();

/// The recordings that the two-state machine is fitted to have twice as many turns as pairs of the product.
launch::TurnLimits recorded_limits();

/// Pairs of one case, one session. `other_load_from`: the pair in whose eighth turn a busy loop begins, for good. LIMITS: those of the product.
class PairSource {
 public:
  PairSource(const TurnMachine& machine, Random random, std::size_t other_load_from = never,
             const launch::TurnLimits& limits = {});

  TurnNumbers draw_in_turns();
  /// ln(after / before) of the medians of processes that ran one after the other.
  double draw_medians();

  static constexpr std::size_t never = static_cast<std::size_t>(-1);

 private:
  struct Side {
    double level = 0.0;   // ln, of the process
    double wander = 0.0;  // AR(1) of its iterations, SD 1
    std::vector<double> samples;
    std::vector<double> means;  // of turns
    std::vector<double> slow_samples;
    std::vector<double> slow_means;
    std::size_t calls = 0;
    std::size_t core = 0;
  };
  /// What another program does on a core, until when.
  struct Core {
    double other = 0.0;  // ln, what it adds
    double left_ms = 0.0;
  };

  void begin_pair();
  void begin_process(Side& side);
  double sample(Side& side);
  void turn(Side& side);
  void advance(double ms);
  void next_stretch(Core& core);
  double median_of_process();
  [[nodiscard]] bool floor_settled(const std::vector<double>& samples) const;
  [[nodiscard]] bool enough_turns(const Side& before, const Side& after) const;

  TurnMachine machine_;
  Random random_;
  Suite suite_;
  CaseTraits traits_;
  double call_ms_ = 0.0;
  std::size_t pairs_ = 0;
  std::size_t other_load_from_;
  launch::TurnLimits limits_;
  bool other_load_ = false;
  double session_ = 0.0;  // ln, the machine's level: AR(1) from process to process
  double trend_ = 0.0;    // of a session, for each process
  double busy_share_ = 0.0;
  std::array<Core, 2> cores_;
};

}  // namespace torchgate::simulations
