// SPDX-License-Identifier: Apache-2.0
#include "stats/pair_allocation.hpp"

#include <algorithm>
#include <cmath>

#include "stats/moments.hpp"
#include "stats/pair_evidence.hpp"
#include "stats/signed_rank.hpp"
#include "stats/student_t.hpp"

namespace torchgate::stats {
namespace {

constexpr double normal_median_deviation = 0.6745;  // of a normal value from its mean, in SDs

// The best that a group can do for its time: as many cases decided as give the most for each second.
struct Turn {
  double cases_per_second = 0.0;
  double seconds = 0.0;  // until they are decided
};

std::optional<Turn> best_turn(const PairGroup& group) {
  std::vector<std::size_t> pairs = group.more_pairs;
  std::sort(pairs.begin(), pairs.end());
  std::optional<Turn> best;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double seconds = static_cast<double>(pairs[i]) * group.seconds_per_pair;
    const double rate = seconds > 0.0 ? static_cast<double>(i + 1) / seconds : HUGE_VAL;
    if (!best || rate >= best->cases_per_second) best = Turn{rate, seconds};
  }
  return best;
}

// Of a t interval at this level, for each number of pairs from `from` on.
std::vector<double> half_widths(double level, std::size_t from, std::size_t last) {
  std::vector<double> widths(last + 1, 0.0);
  if (!(level > 0.0)) return widths;
  for (std::size_t n = std::max<std::size_t>(2, from); n <= last; ++n) {
    const auto pairs = static_cast<double>(n);
    widths[n] = student_t_critical((1.0 - level) / 2.0, pairs - 1.0) / std::sqrt(pairs);
  }
  return widths;
}

}  // namespace

std::optional<double> pooled_pair_sd(std::span<const double> differences, double prior_sd, double prior_df) {
  const std::optional<Moments> seen = moments(differences);
  const std::optional<double> variance = seen ? seen->variance() : std::nullopt;
  if (!variance) return prior_df > 0.0 ? std::optional(prior_sd) : std::nullopt;
  const auto df = static_cast<double>(seen->n - 1);
  return std::sqrt((prior_df * prior_sd * prior_sd + df * *variance) / (prior_df + df));
}

PairForecast::PairForecast(const InterleavedOptions& options)
    : options_(options),
      equivalence_half_width_(half_widths(options.equivalence_stop_level, options.equivalence_stop_from, options.last)),
      no_harm_half_width_(half_widths(options.no_harm_level, fewest_pairs, options.last)) {
  for (std::size_t n = 0; n <= options.last; ++n) look_limit_.push_back(look_limit(n, options));
}

bool PairForecast::stops_without_alarm(std::size_t n, const Known& known) const {
  const double margin = std::log1p(options_.margin);
  const double equivalence = std::log1p(options_.equivalence);
  const auto pairs = static_cast<double>(n);
  // How far the mean of n will lie from the mean of those known, in the median.
  const double wander =
      normal_median_deviation * known.sd * std::sqrt(pairs - static_cast<double>(known.pairs)) / pairs;
  const double half = equivalence_half_width_[n] * known.sd;
  const double mean = std::abs(known.mean);
  if (equivalence_half_width_[n] > 0.0 && mean + wander + half < equivalence && mean - half <= margin) return true;
  const double no_harm = no_harm_half_width_[n] * known.sd + wander;
  return no_harm_half_width_[n] > 0.0 && known.mean + no_harm < std::log1p(harm_limit(options_)) &&
         known.mean - no_harm > -equivalence && !(known.mean + no_harm < -margin);
}

bool PairForecast::decided_at(std::size_t n, const Known& known) const {
  if (stops_without_alarm(n, known)) return true;
  const double limit = look_limit_[n];
  if (std::abs(known.mean) < std::log1p(options_.margin) || !(signed_rank_smallest_p(n) < limit)) return false;
  const auto pairs = static_cast<double>(n);
  const double standard_error = known.sd / std::sqrt(pairs * signed_rank_efficiency);
  return !(standard_error > 0.0) || student_t_two_sided_p(known.mean / standard_error, pairs - 1.0) < limit;
}

std::optional<std::size_t> PairForecast::more_pairs(std::size_t pairs, double mean, double sd) const {
  for (std::size_t n = pairs + 1; n <= options_.last; ++n) {
    if (decided_at(n, {pairs, mean, sd})) return n - pairs;
  }
  return std::nullopt;
}

std::vector<std::size_t> next_pairs(std::span<const PairGroup> groups, double seconds_left) {
  struct Place {
    Turn turn;
    std::size_t group;
  };
  std::vector<Place> places;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (const std::optional<Turn> turn = best_turn(groups[i])) places.push_back({*turn, i});
  }
  std::stable_sort(places.begin(), places.end(),
                   [](const Place& a, const Place& b) { return a.turn.cases_per_second > b.turn.cases_per_second; });
  std::vector<std::size_t> chosen;
  double promised = 0.0;
  for (const Place& place : places) {
    if (promised + place.turn.seconds > seconds_left) {
      // A forecast errs: time that is enough for no whole answer is worth a pair of the nearest one.
      if (chosen.empty() && groups[place.group].seconds_per_pair <= seconds_left) chosen.push_back(place.group);
      break;
    }
    promised += place.turn.seconds;
    chosen.push_back(place.group);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace torchgate::stats
