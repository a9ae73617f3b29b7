// SPDX-License-Identifier: Apache-2.0
// While pairs are measured: which groups get the next one. Suspects first, each until it is decided; then the cases that the screen
// left open, those that need the fewest more pairs, until all are decided or their time is spent. To `ab` every case is a suspect.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ci/gate/evidence/evidence.hpp"
#include "ci/gate/pairs/pair_forecasts.hpp"
#include "ci/policy/case_rules.hpp"
#include "ci/policy/policy.hpp"
#include "harness/record/run.hpp"
#include "stats/pair_allocation.hpp"

namespace torchgate::gate {

class PairRounds {
 public:
  /// BASELINE and CURRENT: the runs that the pairs of CONFIRMS are about; both are read here only. `policy` is the project's.
  PairRounds(const record::Confirms& confirms, const record::Run& baseline, const record::Run& current,
             policy::Policy policy);

  /// Of pairs that no screen came before (`ab`): every case is a suspect, every group gets a first pair, and no case is given up before
  /// the last one.
  explicit PairRounds(policy::Policy policy) : policy_(std::move(policy)), screened_(false) {}

  /// Of the pairs of all cases that no run came before: CONFIRMS.open, as the screen's open cases, but none is given up before its first
  /// look. A group of one side alone is measured as often as a run measures it. KEEP_IDENTICAL: groups whose files are
  /// byte-identical on both sides go on, too; else one pair shows it.
  PairRounds(record::Confirms confirms, policy::Policy policy, bool keep_identical)
      : confirms_(std::move(confirms)), policy_(std::move(policy)), screened_(false), end_identical_(!keep_identical) {}

  /// The groups that get one more pair. None: nothing more can be decided, or the time is spent.
  std::set<std::string> next(const record::Run& so_far);

  /// How far the pairs are, as of the last next(). Times are those of processes.
  struct Progress {
    std::int64_t pairs = 0;       ///< measured, of all groups
    std::int64_t most_pairs = 0;  ///< in the end at most
    std::int64_t cases = 0;       ///< that pairs are to decide
    std::int64_t decided = 0;
    double spent_s = 0;     ///< by all pairs
    double expected_s = 0;  ///< until no more can be decided, or the time of open cases is spent
  };
  [[nodiscard]] Progress progress() const;

 private:
  struct GroupState {
    bool suspects_open = false;                    // a suspect is undecided
    stats::PairGroup open;                         // undecided cases that the screen left open
    std::array<std::int64_t, 2> launches{-1, -1};  // of each side, that this state knows of
    std::int64_t most_pairs = 0;                   // if it goes on until the last one
    std::int64_t cases = 0;                        // that pairs are to decide
    std::int64_t decided = 0;
    std::size_t pairs_for_suspects = 0;  // expected until all of them are decided

    [[nodiscard]] bool goes_on() const { return suspects_open || !open.more_pairs.empty(); }
  };

  struct Launched {
    std::array<std::int64_t, 2> of_side{0, 0};
    double seconds = 0.0;

    [[nodiscard]] std::int64_t pairs() const { return std::max(of_side[0], of_side[1]); }
    [[nodiscard]] bool one_side() const { return of_side[0] == 0 || of_side[1] == 0; }
  };

  void update(const record::Run& so_far);
  std::map<std::string_view, Launched> account(const record::Run& so_far);
  [[nodiscard]] double seconds_per_pair(std::string_view group, const Launched& launched) const;
  [[nodiscard]] std::optional<std::size_t> more_pairs(const record::Case& definition, const CaseEvidence& before,
                                                      const CaseEvidence& after, const PairForecasts& forecasts) const;
  [[nodiscard]] double seconds_left() const;
  [[nodiscard]] bool has_to_run(const Launched& launched) const;
  [[nodiscard]] std::size_t pairs_to_first_look(const PairValues& values, const PairForecasts& forecasts,
                                                const Launched& launched) const;
  [[nodiscard]] std::size_t pairs_for_suspect(const record::Case& definition, const CaseEvidence& before,
                                              const CaseEvidence& after, const PairPlan& plan,
                                              const PairForecasts& forecasts, const Launched& launched) const;

  record::Confirms confirms_;
  policy::Policy policy_;
  bool screened_ = true;
  bool end_identical_ = false;
  std::map<std::string, PairSdEstimate, std::less<>> before_any_pair_;
  std::map<std::string, double, std::less<>> seconds_per_pair_;  // of a group, from the runs; later from its pairs
  std::map<std::string, GroupState, std::less<>> groups_;
  double spent_s_ = 0.0;  // by all pairs
  double spent_on_open_s_ = 0.0;
  bool on_open_ = false;  // the last round was for open cases
  std::optional<double> total_s_;
};

}  // namespace torchgate::gate
