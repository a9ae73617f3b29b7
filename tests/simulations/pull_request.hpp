// SPDX-License-Identifier: Apache-2.0
// Consecutive simulated pull requests against the same main branch: ten stored runs, one new run, ten of the 200 cases
// changed. Every rule gets the same numbers, and the size of the change is added afterwards, so that rules and sizes are
// compared on equal noise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "stats/screen.hpp"
#include "stats/textbook.hpp"
#include "stats/variance_components.hpp"
#include "tests/simulations/generator.hpp"
#include "tests/simulations/pair_verdicts.hpp"

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
  std::size_t cases = cases_per_suite;
  std::size_t changed = changed_cases;
};

/// The runs of one machine over time. Run values of all runs are kept, process values of the last eleven, raw samples of
/// the last two.
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
  /// Log process values of the newest run (`age` 0) or an earlier one, up to `stored_runs` runs before it.
  [[nodiscard]] const std::vector<double>& process_values(std::size_t which, std::size_t age) const;
  /// The same processes as `calibrate` reads them from a record: medians and quartiles of the steady times.
  [[nodiscard]] const std::vector<stats::ProcessNumbers>& process_numbers(std::size_t which, std::size_t age) const;
  /// All sampled times of the newest run (`age` 0) or the one before it (1), not logarithms.
  [[nodiscard]] const std::vector<double>& samples(std::size_t which, std::size_t age) const;

 private:
  struct Measured {
    std::vector<double> process_values;
    std::vector<stats::ProcessNumbers> process_numbers;
  };

  Setting setting_;
  std::uint64_t seed_;
  Random random_;
  Suite suite_;
  std::vector<double> days_;
  std::size_t run_ = 0;
  std::vector<std::vector<double>> run_values_;            // per case
  std::vector<std::vector<Measured>> last_;                // [run % (stored_runs + 1)][case]
  std::vector<std::vector<std::vector<double>>> samples_;  // [run % 2][case]
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
  /// stored run, or the newest `stored` ones. Without an effect the answer is the same for every size of change, and
  /// cached.
  stats::Textbook textbook(std::size_t which, double effect);
  stats::Screen few_runs(std::size_t which, double effect, std::size_t stored, double run_sd);

  /// Log differences of the first n interleaved pairs, without the change; measured when first asked for.
  std::span<const double> pairs(std::size_t which, std::size_t n = most_pairs);

  /// Verdicts on these pairs, shared by all rules and sizes.
  PairVerdicts& verdicts() { return verdicts_; }

  /// Run-to-run SD of every case as `calibrate` would estimate it from the newest stored runs, 3 or more of them.
  const std::vector<double>& calibrated_run_sd(std::size_t runs);

  /// SD of a pair of this case as the process values of the newest stored run and of the new one predict it, by their
  /// median absolute deviations (ci/gate/pairs).
  [[nodiscard]] double predicted_pair_sd(std::size_t which) const;

  /// Cases drawn at random, the same for every rule and size: the probes of the suite's drift.
  [[nodiscard]] std::vector<std::size_t> probes() const;

 private:
  struct PairSession {
    Random random;
    std::vector<double> differences;
  };
  double measure_process(std::size_t which, std::size_t slot, Random& random) const;

  const Machine& machine_;
  std::uint64_t number_;
  std::vector<bool> changed_;
  std::vector<double> session_;                      // the machine's level while pairs run, one per process
  std::map<std::size_t, stats::Textbook> textbook_;  // without effect
  std::map<std::tuple<std::size_t, double, std::size_t>, stats::Screen> few_runs_;  // by stored runs and run SD
  std::map<std::size_t, PairSession> pairs_;
  PairVerdicts verdicts_;
  std::map<std::size_t, std::vector<double>> calibrated_;  // by number of runs
};

}  // namespace torchgate::simulations
