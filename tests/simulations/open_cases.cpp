// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/open_cases.hpp"

#include <algorithm>
#include <cmath>

#include "stats/moments.hpp"
#include "stats/student_t.hpp"

namespace torchgate::simulations {
namespace {

using stats::Call;
using stats::Stop;

constexpr std::size_t own_spread_from = 3;  // pairs
constexpr double efficiency_of_signed_rank = 0.955;

struct OpenCase {
  std::size_t which = 0;
  double expected_sd = 0.0;  // of a pair, before there are own pairs
  std::size_t measured = 0;
  Stop stop = Stop::not_yet;
  double needed = 0.0;  // pairs to a decision, as predicted

  [[nodiscard]] double more() const { return needed - static_cast<double>(measured); }
};

// Pairs until a t interval of this upper tail is narrower than `gap` on a side [guenther-1981].
double pairs_for(double sd, double gap, double tail) {
  if (!(gap > 0.0)) return INFINITY;
  const double z = stats::student_t_critical(tail, stats::normal_df);
  return std::ceil(z * z * (sd * sd / (gap * gap) + 0.5));
}

class Measuring {
 public:
  Measuring(const Question& question, std::span<const std::size_t> cases, std::size_t stored,
            const stats::InterleavedOptions& options)
      : question_(question), options_(options) {
    for (const std::size_t which : cases) {
      open_.push_back({which, question.request().predicted_pair_sd(which, stored)});
      open_.back().needed = predict(open_.back(), {});
    }
  }

  OpenAnswers spend(std::size_t budget) {
    OpenAnswers result;
    while (result.pairs < budget) {
      const std::vector<OpenCase*> round = choose(budget - result.pairs);
      if (round.empty()) break;
      for (OpenCase* one : round) measure_pair(*one);
      result.pairs += round.size();
    }
    for (const OpenCase& one : open_) result.said.push_back(answer(one));
    return result;
  }

 private:
  // Whichever comes first: the equivalence stop, or a look at which a change as large as the one seen would be called.
  [[nodiscard]] double predict(const OpenCase& one, std::span<const double> differences) const {
    double sd = one.expected_sd;
    double mean = 0.0;
    if (differences.size() >= own_spread_from) {
      const auto seen = stats::moments(differences);
      sd = std::sqrt(seen->variance().value());
      mean = std::abs(seen->mean);
    }
    const double within =
        std::max(static_cast<double>(options_.equivalence_stop_from),
                 pairs_for(sd, std::log1p(options_.equivalence) - mean, (1.0 - options_.equivalence_stop_level) / 2.0));
    double called = INFINITY;
    if (mean > std::log1p(options_.margin)) {
      const double tail = options_.alpha * options_.alpha_share / static_cast<double>(options_.family) / 2.0;
      called = std::max(static_cast<double>(stats::first_pairs_to_alarm(options_)),
                        pairs_for(sd / std::sqrt(efficiency_of_signed_rank), mean, tail));
    }
    return std::max(std::min(within, called), static_cast<double>(one.measured + 1));
  }

  // One pair of each case whose decisions the rest of the budget can pay, the cheapest first. A case that would need more
  // than the last pair is measured only when nothing else is left, and then no further than the first possible stop.
  std::vector<OpenCase*> choose(std::size_t rest) {
    const auto last = static_cast<double>(options_.last);
    std::vector<OpenCase*> wanted = undecided([&](const OpenCase& one) { return one.needed <= last; });
    if (wanted.empty())
      wanted = undecided([&](const OpenCase& one) { return one.measured < options_.equivalence_stop_from; });
    std::sort(wanted.begin(), wanted.end(), [](const OpenCase* a, const OpenCase* b) { return a->more() < b->more(); });
    double cost = 0.0;
    std::size_t paid = 0;
    while (paid < wanted.size() && (paid == 0 || cost + wanted[paid]->more() <= static_cast<double>(rest))) {
      cost += wanted[paid++]->more();
    }
    wanted.resize(std::min(paid, rest));
    return wanted;
  }

  template <class Wanted>
  std::vector<OpenCase*> undecided(Wanted&& wanted) {
    std::vector<OpenCase*> found;
    for (OpenCase& one : open_) {
      if (one.stop == Stop::not_yet && wanted(one)) found.push_back(&one);
    }
    return found;
  }

  void measure_pair(OpenCase& one) {
    const std::vector<double> differences = question_.pairs(one.which, ++one.measured);
    one.stop = stats::stop_after(differences, options_);
    if (one.stop == Stop::not_yet) one.needed = predict(one, differences);
  }

  [[nodiscard]] Said answer(const OpenCase& one) const {
    if (one.stop == Stop::within || one.stop == Stop::no_harm) return Said::same;
    if (one.measured == 0) return Said::nothing;
    const auto judged = stats::judge_interleaved(question_.pairs(one.which, one.measured), options_);
    if (judged.call == Call::equivalent) return Said::same;
    return direction(judged.call == Call::regressed || judged.call == Call::improved, *judged.effect);
  }

  const Question& question_;
  stats::InterleavedOptions options_;
  std::vector<OpenCase> open_;
};

}  // namespace

OpenAnswers measure_open_cases(const Question& question, std::span<const std::size_t> cases, std::size_t stored,
                               const stats::InterleavedOptions& options, std::size_t budget) {
  return Measuring(question, cases, stored, options).spend(budget);
}

}  // namespace torchgate::simulations
