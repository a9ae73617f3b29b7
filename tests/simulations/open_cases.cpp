// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/open_cases.hpp"

#include <optional>

#include "stats/moments.hpp"
#include "stats/pair_allocation.hpp"

namespace torchgate::simulations {
namespace {

using stats::Call;
using stats::Stop;

constexpr std::size_t own_mean_from = 3;  // pairs
constexpr std::size_t fewest_pairs = 6;   // of a call without a stop, as in stats/pairs.hpp
constexpr double prior_df = 2.0 * (processes_per_run - 1);

struct OpenCase {
  std::size_t which = 0;
  double expected_sd = 0.0;  // of a pair, before there are own pairs
  std::size_t measured = 0;
  Stop stop = Stop::not_yet;
  std::optional<std::size_t> more;  // pairs to a decision, as forecast; none: not before the last pair
};

class Measuring {
 public:
  Measuring(const Question& question, std::span<const std::size_t> cases, const stats::InterleavedOptions& options)
      : question_(question), options_(options), forecast_(options) {
    for (const std::size_t which : cases) {
      OpenCase& one = open_.emplace_back();
      one.which = which;
      one.expected_sd = question.request().predicted_pair_sd(which);
      one.more = forecast_.more_pairs(0, 0.0, one.expected_sd);
    }
  }

  OpenAnswers spend(std::size_t budget) {
    OpenAnswers result;
    while (result.pairs < budget) {
      const std::vector<std::size_t> round = choose(budget - result.pairs);
      if (round.empty()) break;
      for (const std::size_t place : round) measure_pair(open_[place]);
      result.pairs += round.size();
    }
    for (const OpenCase& one : open_) result.said.push_back(answer(one));
    return result;
  }

 private:
  // Every case is a group of its own, and a pair of each takes as long.
  [[nodiscard]] std::vector<std::size_t> choose(std::size_t rest) const {
    std::vector<stats::PairGroup> groups;
    for (const OpenCase& one : open_) {
      const bool waits = one.stop == Stop::not_yet && one.more;
      groups.push_back({waits ? std::vector{*one.more} : std::vector<std::size_t>{}, 1.0});
    }
    return stats::next_pairs(groups, static_cast<double>(rest));
  }

  void measure_pair(OpenCase& one) {
    const std::vector<double> differences = question_.pairs(one.which, ++one.measured);
    one.stop = stats::stop_after(differences, options_);
    if (one.stop != Stop::not_yet) return;
    const double mean = one.measured < own_mean_from ? 0.0 : stats::moments(differences)->mean;
    const double sd = stats::pooled_pair_sd(differences, one.expected_sd, prior_df).value();
    one.more = forecast_.more_pairs(one.measured, mean, sd);
  }

  [[nodiscard]] Said answer(const OpenCase& one) const {
    if (one.stop == Stop::within || one.stop == Stop::no_harm) return Said::same;
    if (one.measured < fewest_pairs) return Said::nothing;  // too few for any call
    const auto judged = stats::judge_interleaved(question_.pairs(one.which, one.measured), options_);
    if (judged.call == Call::equivalent) return Said::same;
    return direction(judged.call == Call::regressed || judged.call == Call::improved, *judged.effect);
  }

  const Question& question_;
  stats::InterleavedOptions options_;
  stats::PairForecast forecast_;
  std::vector<OpenCase> open_;
};

}  // namespace

OpenAnswers measure_open_cases(const Question& question, std::span<const std::size_t> cases,
                               const stats::InterleavedOptions& options, std::size_t budget) {
  return Measuring(question, cases, options).spend(budget);
}

}  // namespace torchgate::simulations
