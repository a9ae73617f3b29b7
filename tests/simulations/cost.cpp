// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/cost.hpp"

#include <cmath>
#include <vector>

#include "stats/interleaved.hpp"
#include "tests/simulations/pull_request.hpp"

namespace torchgate::simulations {
namespace {

// Of twenty neighbours one is slower by 5 %, one by 20 %. Which traits a case has does not depend on its number.
std::size_t kind_of(std::size_t which) {
  constexpr std::size_t neighbours = 20;
  const std::size_t place = which % neighbours;
  return place == 0 ? 1 : place == 1 ? 2 : 0;
}

void judge(PullRequest& request, double no_harm_level, Cost& cost) {
  bool alarmed = false;
  bool alarmed_by_all = false;
  for (std::size_t which = 0; which < request.cases(); ++which) {
    CostOfKind& kind = cost.kinds[kind_of(which)];
    const std::span<const double> unchanged = request.pairs(which);
    std::vector<double> differences(unchanged.begin(), unchanged.end());
    for (double& difference : differences) difference += std::log1p(kind.effect);
    stats::InterleavedOptions options;
    options.family = request.cases();
    options.no_harm_level = no_harm_level;
    const auto answer = stats::judge_interleaved(differences, options);
    const bool by_all = stats::judge_pairs(differences, options).call == stats::Call::regressed;
    const bool found = answer.call == stats::Call::regressed;
    ++kind.cases;
    kind.pairs += answer.pairs;
    kind.regressed += found;
    kind.regressed_by_all += by_all;
    alarmed = alarmed || (found && kind.effect == 0);
    alarmed_by_all = alarmed_by_all || (by_all && kind.effect == 0);
  }
  ++cost.requests;
  cost.requests_alarmed += alarmed;
  cost.requests_alarmed_by_all += alarmed_by_all;
}

}  // namespace

double Cost::share() const {
  std::size_t pairs = 0;
  std::size_t planned = 0;
  for (const CostOfKind& kind : kinds) {
    pairs += kind.pairs;
    planned += kind.cases * most_pairs;
  }
  return static_cast<double>(pairs) / static_cast<double>(planned);
}

Cost cost_of_pairs(const Profile& profile, std::uint64_t requests, std::uint64_t seed, double no_harm_level) {
  Cost cost;
  Machine machine({profile, Schedule::round_robin, WarmUp::fixed}, seed);
  while (machine.runs() <= stored_runs) machine.measure();
  for (std::uint64_t number = 0; number < requests; ++number) {
    PullRequest request(machine, number);
    judge(request, no_harm_level, cost);
    machine.measure();
  }
  return cost;
}

double cost_bar(const Profile& profile) {
  return profile.name == "noisy" ? 0.6 : 1.0 / 3;
}

}  // namespace torchgate::simulations
