// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/pair_verdicts.hpp"

namespace torchgate::simulations {
namespace {

PairVerdict verdict_of(const stats::InterleavedJudgement& judged) {
  return {judged.call, judged.pairs, *judged.effect};
}

}  // namespace

PairVerdict PairVerdicts::of(std::size_t which, double effect, std::span<const double> differences,
                             const stats::InterleavedOptions& options) {
  const std::tuple key{which, effect, options.no_harm_level};
  auto known = without_alarm_.find(key);
  if (known == without_alarm_.end()) {
    stats::InterleavedOptions no_alarm = options;
    no_alarm.alpha = 0.0;
    known = without_alarm_.emplace(key, verdict_of(stats::judge_interleaved(differences, no_alarm))).first;
  }
  const PairVerdict& silent = known->second;
  for (std::size_t look = 1; look <= silent.pairs; ++look) {
    if (!(stats::look_limit(look, options) > 0.0)) continue;
    if (stats::stop_after(differences.first(look), options) == stats::Stop::significant)
      return verdict_of(stats::judge_interleaved(differences.first(look), options));
  }
  return silent;
}

}  // namespace torchgate::simulations
