// SPDX-License-Identifier: Apache-2.0
// The procedure of the gate on a simulated pull request: screen, pairs of suspects and probes, and then pairs of the cases
// that the screen left open, as far as a budget reaches.
#pragma once

#include "stats/interleaved.hpp"
#include "tests/simulations/answers.hpp"
#include "tests/simulations/question.hpp"

namespace torchgate::simulations {

enum class Confirm { slower, both };

/// The defaults are those of the gate (ci/policy, ci/gate/pairs), but for the open cases.
struct Procedure {
  Screening screening{stored_runs, Drift::of_suite, RunSd::assumed};
  Confirm confirm = Confirm::slower;
  double candidate_p = stats::ScreenOptions{}.candidate_p;
  /// Of the candidates only those that Benjamini-Hochberg keeps at 5 %, from the margin on (`gate.suspects = "fdr"`).
  bool false_discovery_rate = false;
  double no_harm_level = 0.98;
  /// Smaller estimates are not called slower: the gate, where it is asked which pull requests fail.
  double least_effect = 0.0;
  /// Pairs for the open cases, for each case of the suite; 0: they stay open.
  double budget = 0.0;
  double suspects_share = 0.5;       ///< of alpha, where both classes have cases; the rest is the open cases'
  std::size_t equivalence_from = 6;  ///< pairs
};

/// As long as the run took: so many processes of each case, of which a pair has two.
inline constexpr double budget_of_a_run = processes_per_run / 2.0;

/// The gate with its open cases measured for as long as the run took, screened in this way.
constexpr Procedure with_open_cases(const Screening& screening) {
  Procedure procedure;
  procedure.screening = screening;
  procedure.budget = budget_of_a_run;
  return procedure;
}

/// What the pairs of each class are judged with, when so many cases of both are measured.
stats::InterleavedOptions suspect_options(const Procedure& procedure, std::size_t suspects, std::size_t open);
stats::InterleavedOptions open_options(const Procedure& procedure, std::size_t suspects, std::size_t open);

RuleAnswers two_stages(Question& question, const Procedure& procedure);

}  // namespace torchgate::simulations
