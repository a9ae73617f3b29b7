// SPDX-License-Identifier: Apache-2.0
// The calls of every rule on a simulated pull request. The rules are those of stats/, called as the gate calls them;
// this file only decides which numbers each rule gets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "stats/screen.hpp"
#include "tests/simulations/pull_request.hpp"

namespace torchgate::simulations {

enum class Said : std::int8_t { nothing, slower, faster, same };
using Answers = std::vector<Said>;  ///< one per case

/// The cases whose median shift is subtracted from the stored runs and the new one before they are compared.
enum class Drift { kept, of_suite, of_controls };

/// A pull request whose changed cases are slower by `log_effect`, with numbers that several rules use.
class Question {
 public:
  Question(PullRequest& request, double log_effect) : request_(request), log_effect_(log_effect) {}

  [[nodiscard]] PullRequest& request() const { return request_; }
  [[nodiscard]] double log_effect() const { return log_effect_; }
  [[nodiscard]] double effect(std::size_t which) const { return request_.effect(which, log_effect_); }
  /// Stored and new run values after drift removal: per case ten stored, then the new one. Computed once, as the screens.
  const std::vector<std::vector<double>>& values(Drift drift);
  /// The screen against ten stored runs.
  const std::vector<stats::Screen>& history(Drift drift);

 private:
  [[nodiscard]] std::vector<std::vector<double>> without_drift(Drift drift) const;

  static constexpr std::size_t kinds_of_drift = 3;
  PullRequest& request_;
  double log_effect_;
  std::array<std::optional<std::vector<std::vector<double>>>, kinds_of_drift> values_;
  std::array<std::optional<std::vector<stats::Screen>>, kinds_of_drift> screens_;
};

struct RuleAnswers {
  Answers answers;
  std::size_t pairs = 0;       ///< measured for the answer
  std::size_t candidates = 0;  ///< that were confirmed
};

struct Rule {
  std::string_view name;
  RuleAnswers (*ask)(Question&);
};

/// All rules, in the order of the table.
std::span<const Rule> all_rules();

inline constexpr std::string_view textbook_rule = "textbook, raw samples, 1 stored run";
inline constexpr std::string_view suite_rule = "two stages, drift of the suite removed";
inline constexpr std::string_view both_ways_rule = "two stages, speed-ups confirmed too";

}  // namespace torchgate::simulations
