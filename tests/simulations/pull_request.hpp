// SPDX-License-Identifier: Apache-2.0
// Consecutive simulated pull requests against the same main branch: ten stored runs, one new run, ten of the 200 cases
// changed. Every rule gets the same numbers, and the size of the change is added afterwards, so that rules and sizes are
// compared on equal noise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "stats/screen.hpp"
#include "stats/textbook.hpp"
#include "tests/simulations/generator.hpp"

namespace torchgate::simulations {

inline constexpr std::size_t stored_runs = 10;         ///< K
inline constexpr std::size_t changed_cases = 10;       ///< of a suite's 200
inline constexpr std::size_t control_cases = 5;        ///< frozen cases: the first ones, never among the changed
inline constexpr std::size_t requests_per_seed = 120;  ///< pull requests that share a machine, its cases and its days
inline constexpr std::size_t most_pairs = 48;

struct Setting {
  Profile profile;
  Schedule schedule = Schedule::round_robin;
  WarmUp warm_up = WarmUp::fixed;
};

/// The runs of one machine over time. Values of all runs are kept, raw samples only of the last two.
class Machine {
 public:
  Machine(const Setting& setting, std::uint64_t seed);

  /// The next run, which is stored: it is the new run of one pull request and the youngest baseline of the next.
  void measure();
  [[nodiscard]] std::size_t runs() const { return run_; }
  [[nodiscard]] const Suite& suite() const { return suite_; }
  [[nodiscard]] const Setting& setting() const { return setting_; }
  [[nodiscard]] std::uint64_t seed() const { return seed_; }

  /// Run values of a case, oldest first.
  [[nodiscard]] std::span<const double> run_values(std::size_t which) const { return run_values_[which]; }
  /// Log process values of the newest run (`age` 0) or the one before it (1).
  [[nodiscard]] const std::vector<double>& process_values(std::size_t which, std::size_t age) const;
  /// All sampled times of that run, not logarithms.
  [[nodiscard]] const std::vector<double>& samples(std::size_t which, std::size_t age) const;

 private:
  struct Measured {
    std::vector<double> process_values;
    std::vector<double> samples;
  };

  Setting setting_;
  std::uint64_t seed_;
  Random random_;
  Suite suite_;
  std::vector<double> days_;
  std::size_t run_ = 0;
  std::vector<std::vector<double>> run_values_;  // per case
  std::vector<std::vector<Measured>> last_;      // [run % 2][case]
};

class PullRequest {
 public:
  /// The newest run of the machine against the ten before it. REQUIRES: more than `stored_runs` runs.
  PullRequest(const Machine& machine, std::uint64_t number);

  [[nodiscard]] const Machine& machine() const { return machine_; }
  [[nodiscard]] std::size_t cases() const { return changed_.size(); }
  [[nodiscard]] bool changed(std::size_t which) const { return changed_[which]; }
  /// The change of the log times of this case's new side.
  [[nodiscard]] double effect(std::size_t which, double log_effect) const { return changed(which) ? log_effect : 0.0; }
  [[nodiscard]] std::span<const double> stored(std::size_t which) const;
  [[nodiscard]] double current(std::size_t which) const { return machine_.run_values(which).back(); }

  /// The answers of these two rules for a case whose new run has log times shifted by `effect`, against the newest
  /// stored run. Without an effect the answer is the same for every size of change, and cached.
  stats::Textbook textbook(std::size_t which, double effect);
  stats::Screen few_runs(std::size_t which, double effect, double run_sd);

  /// Log differences of interleaved pairs, without the change; measured when first asked for.
  const std::vector<double>& pairs(std::size_t which);
  /// Run values of two later, independent runs of the new code, without the day (corrected by control cases).
  const std::vector<double>& later_runs(std::size_t which);

 private:
  const Machine& machine_;
  std::uint64_t number_;
  std::vector<bool> changed_;
  std::vector<double> session_;                      // the machine's level while pairs run, one per process
  std::map<std::size_t, stats::Textbook> textbook_;  // without effect
  std::map<std::pair<double, std::size_t>, stats::Screen> few_runs_;  // the same, by run SD
  std::map<std::size_t, std::vector<double>> pairs_;
  std::map<std::size_t, std::vector<double>> later_;
};

}  // namespace torchgate::simulations
