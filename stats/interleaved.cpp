// SPDX-License-Identifier: Apache-2.0
#include "stats/interleaved.hpp"

#include <algorithm>
#include <cmath>

#include "stats/change_estimate.hpp"
#include "stats/hodges_lehmann.hpp"
#include "stats/moments.hpp"
#include "stats/pair_evidence.hpp"
#include "stats/signed_rank.hpp"
#include "stats/student_t.hpp"
#include "stats/yuen.hpp"

namespace torchgate::stats {
namespace {

constexpr double first_share = 0.1;
constexpr double middle_share = 0.3;
constexpr double last_share = 0.6;
constexpr std::size_t middle_look = 28;
constexpr std::size_t never = 1000;  // pairs: at alpha 0 no look can alarm

// Share of alpha that may be spent at n pairs; 0 where there is no look. Where two looks coincide the later one
// counts.
double share_at(std::size_t n, std::size_t first, std::size_t last) {
  if (n == last) return last_share;
  if (n == middle_look) return middle_share;
  if (n == first) return first_share;
  return 0.0;
}

// Harm and a speed-up beyond the equivalence margin are both excluded, and it is not a clear speed-up that a later look would call
// `improved`.
bool harm_excluded(const Interval& interval, const InterleavedOptions& options) {
  return interval.high < std::log1p(harm_limit(options)) && interval.low > -std::log1p(options.equivalence) &&
         !(interval.high < -std::log1p(options.margin));
}

// Inside the equivalence margin, and not a change of at least `margin` that a later look would call.
bool shown_equivalent(const Interval& interval, const InterleavedOptions& options) {
  const double margin = std::log1p(options.margin);
  return inside_margin(interval, options.equivalence) && !(interval.low > margin) && !(interval.high < -margin);
}

// Whether a stop without an alarm is possible at all: Student's interval contains the normal one, whose quantile costs a
// tenth.
bool narrow_enough(const TrimmedMean& centre, double level, const InterleavedOptions& options) {
  const TrimmedMean as_if_known{centre.mean, centre.standard_error, normal_df};
  const Interval narrowest = trimmed_interval(as_if_known, level);
  return narrowest.high < std::log1p(options.equivalence) && narrowest.low > -std::log1p(options.equivalence);
}

// Neither of these stops spends alpha.
std::optional<Stop> stop_without_alarm(std::span<const double> so_far, const InterleavedOptions& options) {
  const bool may_exclude_harm = so_far.size() >= fewest_pairs;
  const bool may_be_equivalent = options.equivalence_stop_level > 0.0 && so_far.size() >= options.equivalence_stop_from;
  if (!may_exclude_harm && !may_be_equivalent) return std::nullopt;
  const std::optional<TrimmedMean> centre = trimmed_mean(so_far, pair_trim);
  const double lowest_level =
      may_be_equivalent ? std::min(options.no_harm_level, options.equivalence_stop_level) : options.no_harm_level;
  if (!centre || !narrow_enough(*centre, lowest_level, options)) return std::nullopt;
  if (may_exclude_harm && harm_excluded(trimmed_interval(*centre, options.no_harm_level), options))
    return Stop::no_harm;
  if (may_be_equivalent && shown_equivalent(trimmed_interval(*centre, options.equivalence_stop_level), options))
    return Stop::within;
  return std::nullopt;
}

std::size_t first_look_of(const InterleavedOptions& options) {
  return first_look(options.family, options.alpha * options.alpha_share);
}

// The clearest result that n pairs can give, all on one side, would alarm at a look after them.
bool can_alarm_at(std::size_t n, std::size_t first, const InterleavedOptions& options) {
  return signed_rank_smallest_p(n) < alpha_per_case(options) * share_at(n, first, options.last);
}

// The first n up to `pairs` at which a look can alarm; none when all looks up to there are blind.
std::optional<std::size_t> first_alarm(std::size_t pairs, std::size_t first, const InterleavedOptions& options) {
  for (std::size_t n = fewest_pairs; n <= std::min(options.last, pairs); ++n) {
    if (can_alarm_at(n, first, options)) return n;
  }
  return std::nullopt;
}

// What the clearest result could alarm by at the last look of so many pairs; 0: none of their looks can alarm.
double last_limit(std::size_t pairs, std::size_t first, const InterleavedOptions& options) {
  std::size_t n = std::min(options.last, pairs);
  while (n >= fewest_pairs && !can_alarm_at(n, first, options)) --n;
  return n < fewest_pairs ? 0.0 : alpha_per_case(options) * share_at(n, first, options.last);
}

struct Decision {
  Stop stop = Stop::not_yet;
  std::size_t pairs = 0;
  std::optional<double> p_limit;
};

// What n pairs decide, when fewer did not.
Decision decide_after(std::span<const double> so_far, std::size_t first, const InterleavedOptions& options) {
  const std::size_t n = so_far.size();
  if (const double share = share_at(n, first, options.last); share > 0.0 && n >= fewest_pairs) {
    const double limit = alpha_per_case(options) * share;
    if (signed_rank(so_far)->p < limit && std::abs(*hodges_lehmann(so_far)) >= std::log1p(options.margin)) {
      return {Stop::significant, n, limit};
    }
  }
  if (const std::optional<Stop> stop = stop_without_alarm(so_far, options)) return {*stop, n, std::nullopt};
  return {n >= options.last ? Stop::last_pair : Stop::not_yet, n, std::nullopt};
}

Decision replay(std::span<const double> differences, std::size_t first, const InterleavedOptions& options) {
  const std::size_t measured = std::min(options.last, differences.size());
  for (std::size_t n = 1; n <= measured; ++n) {
    const Decision decision = decide_after(differences.first(n), first, options);
    if (decision.stop != Stop::not_yet) return decision;
  }
  return {options.last == 0 ? Stop::last_pair : Stop::not_yet, measured, std::nullopt};
}

std::optional<std::size_t> look_after(std::size_t n, std::size_t first, std::size_t last) {
  std::optional<std::size_t> next;
  for (std::size_t look : {first, middle_look, last}) {
    if (look > n && look <= last && (!next || look < *next)) next = look;
  }
  return next;
}

void call_open_case(InterleavedJudgement& judgement, std::span<const double> judged,
                    const InterleavedOptions& options) {
  if (pairs_equivalent(judgement, options)) {
    judgement.call = Call::equivalent;
    return;
  }
  const bool matters = std::abs(*judgement.effect) >= std::log1p(options.margin);
  const bool significant = *judgement.p < alpha_per_case(options) * last_share;
  if (judgement.blind) {
    judgement.reasons.add(Reason::too_few_pairs);  // not "within the noise": no look has tested it
  } else {
    judgement.reasons.add(significant && !matters ? Reason::below_margin : Reason::not_significant);
  }
  if (judgement.stop == Stop::last_pair) judgement.reasons.add(Reason::pairs_exhausted);
  estimate_more_pairs(judgement, judged, options);
}

InterleavedJudgement not_finite(std::size_t pairs) {
  InterleavedJudgement judgement;
  judgement.pairs = pairs;
  judgement.reasons.add(Reason::not_finite);
  return judgement;
}

InterleavedJudgement judgement_of(std::span<const double> judged, const Decision& decision, std::size_t first,
                                  const InterleavedOptions& options) {
  InterleavedJudgement judgement;
  static_cast<PairJudgement&>(judgement) = gather_evidence(judged, options);
  judgement.stop = decision.stop;
  judgement.p_limit = decision.p_limit;
  judgement.next_look = look_after(decision.pairs, first, options.last);
  judgement.blind = !first_alarm(decision.pairs, first, options);
  if (!judgement.effect) return judgement;
  judgement.smallest_detectable = detectable_by(judged, last_limit(decision.pairs, first, options));

  if (decision.stop == Stop::significant) {
    judgement.call = *judgement.effect > 0.0 ? Call::regressed : Call::improved;
    judgement.interval = signed_rank_interval(judged, 1.0 - *decision.p_limit);
  } else if (decision.stop == Stop::no_harm) {
    judgement.call = Call::equivalent;
    judgement.reasons.add(Reason::no_harm);
  } else if (decision.stop == Stop::within) {
    judgement.call = Call::equivalent;
    judgement.equivalence_interval = trimmed_interval(*trimmed_mean(judged, pair_trim), equivalence_level);
  } else {
    call_open_case(judgement, judged, options);
  }
  return judgement;
}

}  // namespace

std::size_t first_look(std::size_t family, double alpha) {
  constexpr std::size_t few_cases = 2;
  constexpr std::size_t earliest_for_few = 12;
  constexpr std::size_t earliest = 16;
  std::size_t n = family <= few_cases ? earliest_for_few : earliest;
  const double limit = first_share * alpha / static_cast<double>(std::max<std::size_t>(1, family));
  while (n < never && signed_rank_smallest_p(n) > limit) ++n;
  return n;
}

double harm_limit(const InterleavedOptions& options) {
  return std::min(options.harm, options.equivalence);
}

double look_limit(std::size_t n, const InterleavedOptions& options) {
  if (n < fewest_pairs) return 0.0;
  return alpha_per_case(options) * share_at(n, first_look_of(options), options.last);
}

std::size_t fewest_pairs_to_alarm(std::size_t family, double alpha) {
  InterleavedOptions options;
  options.alpha = alpha;
  options.family = family;
  const std::size_t first = first_look(family, alpha);
  for (options.last = fewest_pairs; options.last < never; ++options.last) {
    if (first_alarm(options.last, first, options)) return options.last;
  }
  return never;
}

std::size_t first_pairs_to_alarm(const InterleavedOptions& options) {
  const auto found = first_alarm(options.last, first_look_of(options), options);
  return found ? *found : fewest_pairs_to_alarm(options.family, options.alpha * options.alpha_share);
}

Stop stop_after(std::span<const double> differences, const InterleavedOptions& options) {
  if (differences.empty() || !all_finite(differences)) return Stop::not_yet;
  return decide_after(differences.first(std::min(options.last, differences.size())), first_look_of(options), options)
      .stop;
}

InterleavedJudgement judge_after(std::span<const double> differences, const InterleavedOptions& options) {
  if (!all_finite(differences)) return not_finite(differences.size());
  const std::size_t first = first_look_of(options);
  if (differences.empty()) return judgement_of(differences, replay(differences, first, options), first, options);
  const std::span<const double> judged = differences.first(std::min(options.last, differences.size()));
  return judgement_of(judged, decide_after(judged, first, options), first, options);
}

InterleavedJudgement judge_interleaved(std::span<const double> differences, const InterleavedOptions& options) {
  if (!all_finite(differences)) return not_finite(differences.size());
  const std::size_t first = first_look_of(options);
  const Decision decision = replay(differences, first, options);
  return judgement_of(differences.first(decision.pairs), decision, first, options);
}

}  // namespace torchgate::stats
