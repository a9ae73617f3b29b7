// SPDX-License-Identifier: Apache-2.0
#include "stats/two_series.hpp"

#include <algorithm>
#include <cmath>

#include "stats/change_estimate.hpp"
#include "stats/hodges_lehmann.hpp"
#include "stats/moments.hpp"
#include "stats/pair_evidence.hpp"
#include "stats/yuen.hpp"

namespace torchgate::stats {
namespace {

constexpr double share_of_each = 0.5;

struct Both {
  std::span<const double> floor;
  std::span<const double> typical;

  [[nodiscard]] Both first(std::size_t n) const { return {floor.first(n), typical.first(n)}; }
  [[nodiscard]] std::span<const double> of(Measure measure) const {
    return measure == Measure::floor ? floor : typical;
  }
};

struct OptionsOfEach {
  InterleavedOptions floor;
  InterleavedOptions typical;

  [[nodiscard]] const InterleavedOptions& of(Measure measure) const {
    return measure == Measure::floor ? floor : typical;
  }
};

constexpr Measure other_of(Measure measure) {
  return measure == Measure::floor ? Measure::typical : Measure::floor;
}

bool no_alarm(Stop stop) {
  return stop == Stop::no_harm || stop == Stop::within;
}

// These differences do not go with "nothing changed": their centre lies outside the equivalence margin, or they show a change that a
// look may still call.
bool contradict(std::span<const double> differences, const InterleavedOptions& options) {
  const std::optional<double> centre = hodges_lehmann(differences);
  if (!centre || std::abs(*centre) >= std::log1p(options.equivalence)) return true;
  const std::optional<TrimmedMean> trimmed = trimmed_mean(differences, pair_trim);
  if (!trimmed) return false;
  const Interval interval = trimmed_interval(*trimmed, trimmed_level);
  const double margin = std::log1p(options.margin);
  return interval.low > margin || interval.high < -margin;
}

// Slower by so much that an improvement of the other measure must not end the pairs.
bool contradict_improvement(std::span<const double> differences, const InterleavedOptions& options) {
  const std::optional<double> centre = hodges_lehmann(differences);
  return !centre || *centre >= std::log1p(options.equivalence);
}

struct Outcome {
  Call call = Call::inconclusive;
  Stop stop = Stop::not_yet;
  std::optional<Measure> measure;  // absent: both say it, or neither
};

std::optional<Measure> the_one(bool floor, bool typical) {
  if (floor == typical) return std::nullopt;
  return floor ? Measure::floor : Measure::typical;
}

// What a look of both says; none: no alarm that stands.
std::optional<Outcome> alarm(const Both& so_far, Stop floor, Stop typical, const OptionsOfEach& options) {
  const auto direction = [&](Stop stop, Measure measure) {
    if (stop != Stop::significant) return 0;
    return *hodges_lehmann(so_far.of(measure)) > 0.0 ? 1 : -1;
  };
  const int of_floor = direction(floor, Measure::floor);
  const int of_typical = direction(typical, Measure::typical);
  if (of_floor > 0 || of_typical > 0)
    return Outcome{Call::regressed, Stop::significant, the_one(of_floor > 0, of_typical > 0)};
  if (of_floor == 0 && of_typical == 0) return std::nullopt;
  const std::optional<Measure> faster = the_one(of_floor < 0, of_typical < 0);
  if (faster && contradict_improvement(so_far.of(other_of(*faster)), options.of(other_of(*faster))))
    return std::nullopt;
  return Outcome{Call::improved, Stop::significant, faster};
}

// One of them says that nothing changed, and the other does not contradict.
std::optional<Outcome> unchanged(const Both& so_far, bool floor, bool typical, Stop stop,
                                 const OptionsOfEach& options) {
  const std::optional<Measure> measure = the_one(floor, typical);
  if (!floor && !typical) return std::nullopt;
  if (measure && contradict(so_far.of(other_of(*measure)), options.of(other_of(*measure)))) return std::nullopt;
  return Outcome{Call::equivalent, stop, measure};
}

// What n pairs decide, when fewer did not.
Outcome decide_after(const Both& so_far, const OptionsOfEach& options) {
  const Stop floor = stop_after(so_far.floor, options.floor);
  const Stop typical = stop_after(so_far.typical, options.typical);
  if (const auto called = alarm(so_far, floor, typical, options)) return *called;
  const Stop stop = no_alarm(floor) ? floor : typical;
  if (const auto called = unchanged(so_far, no_alarm(floor), no_alarm(typical), stop, options)) return *called;
  return {Call::inconclusive, so_far.floor.size() >= options.floor.last ? Stop::last_pair : Stop::not_yet,
          std::nullopt};
}

// The looks that the options of the floor alone leave to the typical change: none.
OptionsOfEach options_of_each(const InterleavedOptions& options) {
  if (asks_both(options)) return {half_of_alpha(options), half_of_alpha(options)};
  InterleavedOptions silent = options;
  silent.alpha = 0.0;
  return {options, silent};
}

void end_open(TwoSeriesJudgement& judged, const Both& so_far, const OptionsOfEach& options) {
  const bool floor = judged.floor.call == Call::equivalent;
  const bool typical = judged.typical.call == Call::equivalent;
  const auto called = unchanged(so_far, floor, typical, judged.stop, options);
  if (!called) {
    judged.measure = more_precise(so_far.floor, so_far.typical);
    // Also an improvement that the other one did not let stand.
    judged.contradicted =
        floor || typical || judged.decisive().stop == Stop::significant || judged.other().stop == Stop::significant;
    return;
  }
  judged.call = called->call;
  judged.measure = called->measure.value_or(more_precise(so_far.floor, so_far.typical));
}

bool other_disagrees(const TwoSeriesJudgement& judged, const InterleavedOptions& options) {
  if (!judged.other().effect) return false;
  const double margin = std::log1p(options.margin);
  if (judged.call == Call::regressed) return *judged.other().effect < margin;
  if (judged.call == Call::improved) return *judged.other().effect > -margin;
  return judged.contradicted;
}

}  // namespace

std::string_view to_string(Measure measure) {
  return measure == Measure::floor ? "floor" : "typical";
}

InterleavedOptions half_of_alpha(const InterleavedOptions& options) {
  InterleavedOptions half = options;
  half.alpha_share *= share_of_each;
  return half;
}

bool asks_both(const InterleavedOptions& options) {
  const auto fewest = [](const InterleavedOptions& with) {
    return fewest_pairs_to_alarm(with.family, with.alpha * with.alpha_share);
  };
  return options.last >= fewest(half_of_alpha(options)) || options.last < fewest(options);
}

Measure more_precise(std::span<const double> floor, std::span<const double> typical) {
  const std::optional<TrimmedMean> of_floor = trimmed_mean(floor, pair_trim);
  const std::optional<TrimmedMean> of_typical = trimmed_mean(typical, pair_trim);
  if (!of_floor || !of_typical) return Measure::floor;
  return of_typical->standard_error < of_floor->standard_error ? Measure::typical : Measure::floor;
}

std::optional<double> upper_bound_of(std::span<const double> differences) {
  constexpr double level_of_both_sides = 0.90;
  const std::optional<TrimmedMean> trimmed = trimmed_mean(differences, pair_trim);
  if (!trimmed) return std::nullopt;
  return trimmed_interval(*trimmed, level_of_both_sides).high;
}

TwoSeriesJudgement judge_two_series(std::span<const double> floor, std::span<const double> typical,
                                    const InterleavedOptions& options) {
  const std::size_t pairs = std::min({floor.size(), typical.size(), options.last});
  const Both all{floor.first(pairs), typical.first(pairs)};
  const OptionsOfEach each = options_of_each(options);
  Outcome outcome;
  std::size_t n = 0;
  while (n < pairs && outcome.stop == Stop::not_yet) outcome = decide_after(all.first(++n), each);
  if (options.last == 0) outcome.stop = Stop::last_pair;
  const Both judged = all.first(n);
  TwoSeriesJudgement result;
  result.floor = judge_after(judged.floor, each.floor);
  result.typical = judge_after(judged.typical, each.typical);
  result.stop = outcome.stop;
  if (outcome.call == Call::inconclusive) {
    end_open(result, judged, each);
  } else {
    result.call = outcome.call;
    result.measure = outcome.measure.value_or(more_precise(judged.floor, judged.typical));
  }
  result.contradicted = other_disagrees(result, options);
  return result;
}

}  // namespace torchgate::stats
