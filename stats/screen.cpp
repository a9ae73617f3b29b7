// SPDX-License-Identifier: Apache-2.0
#include "stats/screen.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "stats/effect_size.hpp"
#include "stats/moderated_variance.hpp"
#include "stats/moments.hpp"
#include "stats/rounding.hpp"
#include "stats/student_t.hpp"
#include "stats/welch.hpp"

namespace torchgate::stats {
namespace {

// E[winsorised sum of squares / (h-1)] / sigma^2 for normal values, one winsorised a side: without it the test is
// liberal, 7.1 % at K = 8 for nominal 5. Simulated at these K; linear between them, constant outside.
struct WinsorFactor {
  double runs;
  double factor;
};
constexpr std::array winsor_factors{WinsorFactor{8, .815},  WinsorFactor{9, .836},  WinsorFactor{10, .851},
                                    WinsorFactor{12, .879}, WinsorFactor{15, .902}, WinsorFactor{20, .925}};

double winsor_factor(std::size_t runs) {
  const auto k = static_cast<double>(runs);
  const auto above = std::find_if(winsor_factors.begin(), winsor_factors.end(),
                                  [&](const WinsorFactor& row) { return k <= row.runs; });
  if (above == winsor_factors.end()) return winsor_factors.back().factor;
  if (above == winsor_factors.begin()) return above->factor;
  const auto below = above - 1;
  return std::lerp(below->factor, above->factor, (k - below->runs) / (above->runs - below->runs));
}

Screen no_verdict(Screen screen, Reason reason) {
  screen.reasons.add(reason);
  return screen;
}

// The same decision for few and for many stored runs, once effect, standard error, df and p are known.
void decide(Screen& screen, const ScreenOptions& options) {
  const ChangeEstimate& change = *screen.change;
  screen.candidate = change.p < options.candidate_p && std::abs(change.effect) >= std::log1p(options.candidate_effect);
  if (screen.candidate && change.effect > 0.0) {
    screen.call = Call::suspected;
    return;
  }
  if (is_equivalent(change, options.equivalence)) screen.call = Call::equivalent;
  if (screen.candidate) {
    screen.reasons.add(Reason::improvement_unconfirmed);
  } else if (screen.call == Call::inconclusive) {
    screen.reasons.add(change.p < options.candidate_p ? Reason::below_margin : Reason::not_significant);
  }
}

struct BaselineFit {
  double centre;
  Variance run_variance;      // of a single run
  double centre_uncertainty;  // variance of the centre, in units of the run variance
};

std::optional<BaselineFit> fit_baseline(std::span<const double> runs) {
  const auto k = static_cast<double>(runs.size());
  if (runs.size() < trimmed_from_runs) {
    const std::optional<Moments> m = moments(runs);
    if (!m) return std::nullopt;
    return BaselineFit{m->mean, {*m->variance(), k - 1.0}, 1.0 / k};
  }
  std::vector<double> sorted(runs.begin(), runs.end());
  std::sort(sorted.begin(), sorted.end());
  const std::optional<Moments> kept = moments(std::span(sorted).subspan(1, sorted.size() - 2));
  sorted.front() = sorted[1];
  sorted.back() = sorted[sorted.size() - 2];
  const std::optional<Moments> winsorised = moments(sorted);
  if (!kept || !winsorised) return std::nullopt;
  const double h = k - 2.0;
  const double s2 = winsorised->sum_of_squares / ((h - 1.0) * winsor_factor(runs.size()));
  return BaselineFit{kept->mean, {s2, h - 1.0}, 1.0 / h};
}

// Variance of the change by the rounding of values that do not vary.
double rounding_between(std::span<const double> before, std::span<const double> after) {
  std::vector<double> both(before.begin(), before.end());
  both.insert(both.end(), after.begin(), after.end());
  return rounding_variance(both);
}

// Adds a VARIANCE that is known.
void add_known(ChangeEstimate& change, double variance) {
  const double before = change.standard_error;
  change.standard_error = std::hypot(before, std::sqrt(variance));
  if (before > 0) change.df *= std::pow(change.standard_error / before, 4);
}

std::optional<Reason> unusable(const HistoryCase& one) {
  if (one.baseline.empty() || one.current.empty()) return Reason::no_values;
  if (!all_finite(one.baseline) || !all_finite(one.current)) return Reason::not_finite;
  if (one.baseline.size() < history_from_runs) return Reason::too_few_runs;
  if (one.one_process) return Reason::one_process;
  return std::nullopt;
}

}  // namespace

Screen screen_few_runs(std::span<const std::vector<double>> baseline, std::span<const double> current,
                       const ScreenOptions& options) {
  Screen screen;
  std::vector<double> before;
  for (const std::vector<double>& run : baseline) {
    if (!run.empty()) ++screen.baseline_runs;
    before.insert(before.end(), run.begin(), run.end());
  }
  if (screen.baseline_runs < history_from_runs) screen.reasons.add(Reason::few_baseline_runs);
  if (before.empty() || current.empty()) return no_verdict(screen, Reason::no_values);
  if (!all_finite(before) || !all_finite(current)) return no_verdict(screen, Reason::not_finite);
  if (before.size() < 2 || current.size() < 2) return no_verdict(screen, Reason::one_process);
  const std::optional<Moments> b = moments(before);
  const std::optional<Moments> a = moments(current);
  if (!b || !a) return no_verdict(screen, Reason::out_of_range);

  const double variance_before = *b->variance() / static_cast<double>(b->n);
  const double variance_after = *a->variance() / static_cast<double>(a->n);
  const double runs = 1.0 / static_cast<double>(screen.baseline_runs) + 1.0;
  // Known, not estimated: it adds to the variance but not to its uncertainty.
  const double between_runs = std::max(options.run_sd * options.run_sd, smallest_log_variance) * runs;
  const bool no_spread = variance_before + variance_after == 0.0;
  const double known = between_runs + (no_spread ? rounding_between(before, current) : 0.0);
  const double variance = variance_before + variance_after + known;
  ChangeEstimate change;
  change.effect = a->mean - b->mean - options.shift;
  change.standard_error = std::sqrt(variance);
  if (!std::isfinite(change.effect) || !std::isfinite(change.standard_error)) {
    return no_verdict(screen, Reason::out_of_range);
  }
  change.df = *satterthwaite_df(variance_before, b->n, variance_after, a->n, known);
  change.p = student_t_two_sided_p(change.effect / change.standard_error, change.df);
  if (no_spread) screen.reasons.add(Reason::no_spread);
  screen.change = change;
  screen.levels = levels_from(b->mean, change.effect, Estimator::process_mean);
  screen.cohen_d = cohen_d(*b, *a);
  decide(screen, options);
  return screen;
}

std::vector<Screen> screen_history(std::span<const HistoryCase> suite, const ScreenOptions& options) {
  std::vector<Screen> screens(suite.size());
  std::vector<std::size_t> judged;  // positions of the cases that can be judged, and what was fitted to each
  std::vector<BaselineFit> fits;
  std::vector<Variance> variances;
  for (std::size_t i = 0; i < suite.size(); ++i) {
    screens[i].baseline_runs = suite[i].baseline.size();
    if (const auto reason = unusable(suite[i])) {
      screens[i].reasons.add(*reason);
      continue;
    }
    const std::optional<BaselineFit> fit = fit_baseline(suite[i].baseline);
    if (!fit) {
      screens[i].reasons.add(Reason::out_of_range);
      continue;
    }
    if (fit->run_variance.s2 <= smallest_log_variance) screens[i].reasons.add(Reason::no_spread);
    judged.push_back(i);
    fits.push_back(*fit);
    variances.push_back({std::max(fit->run_variance.s2, smallest_log_variance), fit->run_variance.df});
  }
  if (judged.size() >= moderated_from_cases) variances = moderate(variances).cases;

  for (std::size_t j = 0; j < judged.size(); ++j) {
    Screen& screen = screens[judged[j]];
    const std::span<const double> current = suite[judged[j]].current;
    const std::optional<Moments> now = moments(current);
    ChangeEstimate change;
    change.effect = (now ? now->mean : NAN) - options.shift - fits[j].centre;
    const double of_new_run = (variances[j].s2 + suite[judged[j]].more_variance) / static_cast<double>(current.size());
    change.standard_error = std::sqrt(of_new_run + variances[j].s2 * fits[j].centre_uncertainty);
    change.df = variances[j].df;
    if (screen.reasons.contains(Reason::no_spread))
      add_known(change, rounding_between(std::span(&fits[j].centre, 1), current));
    if (!std::isfinite(change.effect) || !std::isfinite(change.standard_error)) {
      screen.reasons.add(Reason::out_of_range);
      continue;
    }
    change.p = student_t_two_sided_p(change.effect / change.standard_error, change.df);
    screen.change = change;
    screen.levels = levels_from(fits[j].centre, change.effect, Estimator::history);
    screen.cohen_d = change.effect / std::sqrt(variances[j].s2);
    decide(screen, options);
  }
  return screens;
}

}  // namespace torchgate::stats
