// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/two_stages.hpp"

#include <cmath>

#include "stats/interleaved.hpp"
#include "stats/multiplicity.hpp"
#include "stats/quantile.hpp"
#include "tests/simulations/open_cases.hpp"

namespace torchgate::simulations {
namespace {

using stats::Call;
using stats::Screen;

// As in ci/gate/drift: a suite that moved by more is probed, and probes that moved at least half as far prove it.
constexpr double shift_worth_a_probe = 0.01;
constexpr double moved_with_the_suite = 0.5;

// As stats/rule_screen.cpp: a candidate that is not kept has the answer that it would have had without being one.
void keep_discoveries(std::vector<Screen>& screens) {
  constexpr double false_discovery_level = 0.05;
  const double margin = std::log1p(0.01);
  const double equivalence = stats::ScreenOptions{}.equivalence;
  std::vector<double> p;
  p.reserve(screens.size());
  for (const Screen& screen : screens) p.push_back(screen.change->p);
  const std::vector<double> adjusted = *stats::benjamini_hochberg(p);
  for (std::size_t which = 0; which < screens.size(); ++which) {
    Screen& screen = screens[which];
    const bool kept = adjusted[which] < false_discovery_level && std::abs(screen.change->effect) >= margin;
    if (!screen.candidate || kept) continue;
    screen.candidate = false;
    screen.call = stats::is_equivalent(*screen.change, equivalence) ? Call::equivalent : Call::inconclusive;
  }
}

std::vector<Screen> screens_of(Question& question, const Screening& screening, const Procedure& procedure) {
  std::vector<Screen> screens = question.screens(screening);
  const double least = std::log1p(stats::ScreenOptions{}.candidate_effect);
  for (Screen& screen : screens) {
    screen.candidate = screen.change->p < procedure.candidate_p && std::abs(screen.change->effect) >= least;
  }
  if (procedure.false_discovery_rate) keep_discoveries(screens);
  return screens;
}

class Gate {
 public:
  Gate(Question& question, const Procedure& procedure)
      : question_(question),
        procedure_(procedure),
        result_(suspicions(screens_of(question, procedure.screening, procedure))),
        in_pairs_(result_.answers.size(), false) {}

  RuleAnswers judge() {
    choose_probes();
    sort_cases();
    measure_suspects();
    put_drift_back();
    for (std::size_t which = 0; which < in_pairs_.size(); ++which) {
      if (!in_pairs_[which] && result_.answers[which] != Said::same) result_.answers[which] = Said::nothing;
    }
    measure_open();
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool is_suspect(std::size_t which) const {
    const Said said = result_.answers[which];
    return said == Said::slower || (said == Said::faster && procedure_.confirm == Confirm::both);
  }

  void choose_probes() {
    const Screening& screening = procedure_.screening;
    if (screening.stored < stats::history_from_runs || screening.drift != Drift::of_suite) return;
    if (std::abs(question_.suite_shift()) > std::log1p(shift_worth_a_probe)) probes_ = question_.request().probes();
  }

  // Fixed before the first pair: who is measured as a suspect, who is open, and how many of each share alpha.
  void sort_cases() {
    for (std::size_t which = 0; which < in_pairs_.size(); ++which) in_pairs_[which] = is_suspect(which);
    for (const std::size_t probe : probes_) in_pairs_[probe] = true;
    for (std::size_t which = 0; which < in_pairs_.size(); ++which) {
      if (in_pairs_[which]) {
        ++result_.suspects;
      } else if (result_.answers[which] != Said::same) {
        open_.push_back(which);
      }
    }
  }

  void measure_suspects() {
    const bool open_too = procedure_.budget > 0.0;
    const auto options = suspect_options(procedure_, result_.suspects, open_too ? open_.size() : 0);
    for (std::size_t which = 0; which < in_pairs_.size(); ++which) {
      if (!in_pairs_[which]) continue;
      const PairVerdict judged = question_.request().verdicts().of(which, question_.effect(which),
                                                                   question_.pairs(which, most_pairs), options);
      result_.pairs += judged.pairs;
      for (const std::size_t probe : probes_) {
        if (probe == which) probed_.push_back(judged.effect);
      }
      Said& said = result_.answers[which];
      said = direction(judged.call == Call::regressed || judged.call == Call::improved, judged.effect);
      if (said == Said::slower && judged.effect < procedure_.least_effect) said = Said::nothing;
      if (judged.call == Call::equivalent) said = Said::same;
    }
  }

  // The probes moved with the suite: nothing is corrected, and a case without pairs has the answer of that screen.
  void put_drift_back() {
    if (probed_.empty() || *stats::median(probed_) / question_.suite_shift() < moved_with_the_suite) return;
    const Screening kept{procedure_.screening.stored, Drift::kept, procedure_.screening.run_sd};
    const RuleAnswers without = suspicions(screens_of(question_, kept, procedure_));
    for (std::size_t which = 0; which < in_pairs_.size(); ++which) {
      if (!in_pairs_[which]) result_.answers[which] = without.answers[which];
    }
  }

  void measure_open() {
    result_.open_cases = open_.size();
    if (procedure_.budget == 0.0 || open_.empty()) return;
    const auto options = open_options(procedure_, result_.suspects, open_.size());
    const auto budget = static_cast<std::size_t>(procedure_.budget * static_cast<double>(in_pairs_.size()));
    const OpenAnswers measured = measure_open_cases(question_, open_, options, budget);
    result_.open_pairs = measured.pairs;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (measured.said[i] != Said::nothing) result_.answers[open_[i]] = measured.said[i];
    }
  }

  Question& question_;
  const Procedure& procedure_;
  RuleAnswers result_;
  std::vector<bool> in_pairs_;
  std::vector<std::size_t> probes_;
  std::vector<double> probed_;  // effects
  std::vector<std::size_t> open_;
};

}  // namespace

stats::InterleavedOptions suspect_options(const Procedure& procedure, std::size_t suspects, std::size_t open) {
  stats::InterleavedOptions options;
  options.family = suspects;
  options.alpha_share = open > 0 ? procedure.suspects_share : 1.0;
  options.no_harm_level = procedure.no_harm_level;
  return options;
}

stats::InterleavedOptions open_options(const Procedure& procedure, std::size_t suspects, std::size_t open) {
  stats::InterleavedOptions options;
  options.family = open;
  options.alpha_share = suspects > 0 ? 1.0 - procedure.suspects_share : 1.0;
  options.no_harm_level = options.equivalence_stop_level = procedure.no_harm_level;
  options.equivalence_stop_from = procedure.equivalence_from;
  return options;
}

RuleAnswers two_stages(Question& question, const Procedure& procedure) {
  return Gate(question, procedure).judge();
}

}  // namespace torchgate::simulations
