// SPDX-License-Identifier: Apache-2.0
#include "stats/textbook.hpp"

#include <cmath>

#include "stats/moments.hpp"
#include "stats/welch.hpp"

namespace torchgate::stats {
namespace {

Reasons what_is_wrong(std::span<const double> before, std::span<const double> after) {
  if (before.empty() || after.empty()) return {Reason::no_values};
  if (!all_finite(before) || !all_finite(after)) return {Reason::not_finite};
  if (before.size() < 2 || after.size() < 2) return {Reason::one_sample};
  return {Reason::out_of_range};
}

// Not by the ratio: a baseline of zero has none, and any growth from zero is beyond every gate.
bool is_beyond(double before, double after, const TextbookOptions& options) {
  const double worse_by = options.better == Better::lower ? after - before : before - after;
  return worse_by > options.gate * std::abs(before);
}

}  // namespace

Textbook textbook(std::span<const double> before, std::span<const double> after, const TextbookOptions& options) {
  Textbook result;
  const std::optional<Moments> b = moments(before);
  const std::optional<Moments> a = moments(after);
  const std::optional<Welch> test = b && a ? welch(*b, *a) : std::nullopt;
  const std::optional<double> d = b && a ? cohen_d(*b, *a) : std::nullopt;
  if (b && a && b->mean > 0.0 && a->mean > 0.0 && std::isfinite(a->mean / b->mean)) {
    result.mean_before = b->mean;
    result.ratio = a->mean / b->mean;
  }
  if (!test || !d) {
    result.reasons = what_is_wrong(before, after);
    return result;
  }
  result.t = test->t;
  result.df = test->df;
  result.p = test->p;
  result.d = d;
  result.word = effect_word(*d);

  const double worse = options.better == Better::lower ? *d : -*d;
  if (!test->df) result.reasons.add(Reason::no_spread);
  if (!(test->p < options.alpha)) {
    result.reasons.add(Reason::not_significant);
  } else if (worse > options.min_d) {
    result.call = Call::regressed;
    result.beyond_gate = is_beyond(b->mean, a->mean, options);
  } else if (worse < -options.min_d) {
    result.call = Call::improved;
  } else {
    result.reasons.add(Reason::effect_size_small);
  }
  return result;
}

}  // namespace torchgate::stats
