// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace torchgate::simulations {

void count(const RuleAnswers& said, const PullRequest& request, double effect, Tally& tally) {
  bool alarmed = false;
  bool misled = false;
  for (std::size_t which = 0; which < said.answers.size(); ++which) {
    const Said answer = said.answers[which];
    tally.decided += answer == Said::nothing ? 0U : 1U;
    if (request.changed(which)) {
      ++tally.changed;
      tally.found += answer == (effect < 0.0 ? Said::faster : Said::slower) ? 1U : 0U;
      tally.changed_same += answer == Said::same ? 1U : 0U;
      continue;
    }
    ++tally.unchanged;
    tally.alarms += answer == Said::slower ? 1U : 0U;
    tally.unchanged_same += answer == Said::same ? 1U : 0U;
    alarmed |= answer == Said::slower;
    misled |= answer == Said::slower || answer == Said::faster;
  }
  ++tally.requests;
  tally.requests_alarmed += alarmed ? 1U : 0U;
  tally.requests_misled += misled ? 1U : 0U;
  tally.suspects += said.suspects;
  tally.pairs += said.pairs;
  tally.open_cases += said.open_cases;
  tally.open_pairs += said.open_pairs;
}

Evaluation evaluate(const Setting& setting, std::size_t requests, std::uint64_t seed, std::span<const Rule> rules) {
  Evaluation evaluation{setting, rules, std::vector<RuleTallies>(rules.size())};
  for (std::size_t done = 0; done < requests; ++seed) {
    Machine machine(setting, seed);
    for (std::size_t run = 0; run < stored_runs; ++run) machine.measure();
    for (std::size_t number = 0; number < requests_per_seed && done < requests; ++number, ++done) {
      machine.measure();
      PullRequest request(machine, number);
      for (std::size_t size = 0; size < effects.size(); ++size) {
        Question question(request, std::log1p(effects[size]));
        for (std::size_t rule = 0; rule < rules.size(); ++rule) {
          count(rules[rule].ask(question), request, effects[size], evaluation.tallies[rule][size]);
        }
      }
    }
  }
  return evaluation;
}

const RuleTallies& tallies_of(const Evaluation& evaluation, std::string_view rule) {
  const std::span<const Rule> rules = evaluation.rules;
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const Rule& one) { return one.name == rule; });
  if (found == rules.end()) throw std::logic_error("no rule of that name: " + std::string(rule));
  return evaluation.tallies[static_cast<std::size_t>(found - rules.begin())];
}

std::string describe(const Setting& setting) {
  std::string text(setting.profile.name);
  text += setting.schedule == Schedule::round_robin ? ", processes round robin" : ", processes back to back";
  text += setting.warm_up == WarmUp::mser ? ", warm-up cut by MSER-5" : ", first 5 iterations dropped";
  return text;
}

}  // namespace torchgate::simulations
