// SPDX-License-Identifier: Apache-2.0
// What a rule is asked: a pull request whose changed cases are slower by one size, screened in one of several ways. Screens
// are computed once, however many rules ask for them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "stats/screen.hpp"
#include "tests/simulations/pull_request.hpp"

namespace torchgate::simulations {

/// The cases whose median shift is subtracted from the stored runs and the new one before they are compared.
enum class Drift { kept, of_suite, of_controls };

/// The run-to-run SD of a screen against few runs: assumed, as without a calibration, or calibrated by so many runs.
enum class RunSd { assumed, calibrated_by_3, calibrated_by_10 };

struct Screening {
  std::size_t stored = stored_runs;  ///< K; fewer than five are screened with a run-to-run SD, and no drift is removed
  Drift drift = Drift::kept;
  RunSd run_sd = RunSd::assumed;
  auto operator<=>(const Screening&) const = default;
};

class Question {
 public:
  Question(PullRequest& request, double log_effect) : request_(request), log_effect_(log_effect) {}

  [[nodiscard]] PullRequest& request() const { return request_; }
  [[nodiscard]] double effect(std::size_t which) const { return request_.effect(which, log_effect_); }
  const std::vector<stats::Screen>& screens(const Screening& screening);
  /// The first n pairs of a case, with the change.
  [[nodiscard]] std::vector<double> pairs(std::size_t which, std::size_t n) const;
  /// How far the suite as a whole has moved, as log shift of the new run.
  double suite_shift();

 private:
  struct RunValues {
    std::vector<std::vector<double>> cases;  // of each ten stored, then the new one
    double shift = 0.0;                      // that was removed from the new one
  };
  const RunValues& values(Drift drift);
  [[nodiscard]] RunValues without_drift(Drift drift) const;
  [[nodiscard]] std::vector<stats::Screen> screen_few(const Screening& screening) const;

  static constexpr std::size_t kinds_of_drift = 3;
  PullRequest& request_;
  double log_effect_;
  std::array<std::optional<RunValues>, kinds_of_drift> values_;
  std::map<Screening, std::vector<stats::Screen>> screens_;
};

}  // namespace torchgate::simulations
