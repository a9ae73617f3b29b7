// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/pull_request.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "stats/quantile.hpp"
#include "stats/run_value.hpp"
#include "tests/simulations/calibration.hpp"

namespace torchgate::simulations {
namespace {

constexpr double day_memory = 0.7;       // from run to run
constexpr double session_memory = 0.95;  // from process to process
constexpr std::size_t probe_cases = 5;   // as ci/gate/drift draws

// Independent streams of one pull request.
enum Stream : std::uint64_t { machine_stream, choice_stream, session_stream, pair_stream, probe_stream };

using Samples = std::array<float, iterations_per_process>;

}  // namespace

Machine::Machine(const Setting& setting, std::uint64_t seed)
    : setting_(setting),
      seed_(seed),
      random_({seed, machine_stream}),
      suite_(draw_suite(setting.profile, setting.cases, random_)),
      days_(draw_levels(setting.profile, day_memory, stored_runs + requests_per_seed, random_)),
      run_values_(setting.cases),
      last_(stored_runs + 1, std::vector<Measured>(setting.cases)),
      samples_(2, std::vector<std::vector<double>>(setting.cases)) {}

void Machine::measure() {
  const Profile& profile = setting_.profile;
  Samples logs{};
  for (std::size_t which = 0; which < suite_.cases.size(); ++which) {
    const CaseTraits& traits = suite_.cases[which];
    Measured& measured = last_[run_ % last_.size()][which];
    std::vector<double>& samples = samples_[run_ % samples_.size()][which];
    measured = {};
    samples.clear();
    double level = traits.day * days_[run_] + traits.run * random_.normal();
    if (setting_.schedule == Schedule::sequential) level += draw_disturbance(profile, random_);
    for (std::size_t p = 0; p < processes_per_run; ++p) {
      const bool alone = setting_.schedule == Schedule::round_robin;
      draw_process(suite_, traits, level + (alone ? draw_disturbance(profile, random_) : 0.0), random_, logs);
      measured.process_values.push_back(process_value(logs, setting_.warm_up));
      for (float log : logs) samples.push_back(std::exp(log));
      measured.process_numbers.push_back(
          process_numbers_of(std::span(samples).last(iterations_per_process - fixed_warm_up)));
    }
    run_values_[which].push_back(*stats::run_value(measured.process_values));
  }
  ++run_;
}

const std::vector<double>& Machine::process_values(std::size_t which, std::size_t age) const {
  return last_[(run_ - 1 - age) % last_.size()][which].process_values;
}

const std::vector<stats::ProcessNumbers>& Machine::process_numbers(std::size_t which, std::size_t age) const {
  return last_[(run_ - 1 - age) % last_.size()][which].process_numbers;
}

const std::vector<double>& Machine::samples(std::size_t which, std::size_t age) const {
  return samples_[(run_ - 1 - age) % samples_.size()][which];
}

PullRequest::PullRequest(const Machine& machine, std::uint64_t number)
    : machine_(machine), number_(number), changed_(machine.suite().cases.size(), false) {
  Random random({machine.seed(), number, choice_stream});
  for (std::size_t left = machine.setting().changed; left > 0;) {
    const std::size_t which = control_cases + random.below(changed_.size() - control_cases);
    if (changed_[which]) continue;
    changed_[which] = true;
    --left;
  }
  Random session({machine.seed(), number, session_stream});
  session_ = draw_levels(machine.setting().profile, session_memory, 2 * most_pairs, session);
  // And a trend over the session: the machine warms up, a neighbour comes or goes.
  const double trend = session.normal() * machine.setting().profile.day;
  for (std::size_t slot = 0; slot < session_.size(); ++slot) {
    session_[slot] += trend * static_cast<double>(slot) / static_cast<double>(session_.size() - 1);
  }
}

std::span<const double> PullRequest::stored(std::size_t which) const {
  const std::span<const double> all = machine_.run_values(which);
  return all.subspan(all.size() - 1 - stored_runs, stored_runs);
}

stats::Textbook PullRequest::textbook(std::size_t which, double effect) {
  if (const auto known = textbook_.find(which); effect == 0.0 && known != textbook_.end()) return known->second;
  std::vector<double> after = machine_.samples(which, 0);
  const double factor = std::exp(effect);
  for (double& time : after) time *= factor;
  const stats::Textbook judged = stats::textbook(machine_.samples(which, 1), after);
  if (effect == 0.0) textbook_.emplace(which, judged);
  return judged;
}

stats::Screen PullRequest::few_runs(std::size_t which, double effect, std::size_t stored, double run_sd) {
  const std::tuple key{stored, run_sd, which};
  const auto known = few_runs_.find(key);
  if (effect == 0.0 && known != few_runs_.end()) return known->second;
  stats::ScreenOptions options;
  options.run_sd = run_sd;
  std::vector<double> current = machine_.process_values(which, 0);
  for (double& value : current) value += effect;
  std::vector<std::vector<double>> baseline;
  for (std::size_t age = 1; age <= stored; ++age) baseline.push_back(machine_.process_values(which, age));
  const stats::Screen judged = stats::screen_few_runs(baseline, current, options);
  if (effect == 0.0) few_runs_.emplace(key, judged);
  return judged;
}

double PullRequest::measure_process(std::size_t which, std::size_t slot, Random& random) const {
  const CaseTraits& traits = machine_.suite().cases[which];
  Samples logs{};
  const double level = traits.day * session_[slot] + draw_disturbance(machine_.setting().profile, random);
  draw_process(machine_.suite(), traits, level, random, logs);
  return process_value(logs, machine_.setting().warm_up);
}

std::span<const double> PullRequest::pairs(std::size_t which, std::size_t n) {
  auto known = pairs_.find(which);
  if (known == pairs_.end()) {
    known = pairs_.emplace(which, PairSession{Random({machine_.seed(), number_, pair_stream, which}), {}}).first;
  }
  auto& [random, differences] = known->second;
  for (std::size_t pair = differences.size(); pair < n; ++pair) {
    const double first = measure_process(which, 2 * pair, random);
    const double second = measure_process(which, 2 * pair + 1, random);
    differences.push_back(random.chance(0.5) ? second - first : first - second);  // a coin for every pair
  }
  return std::span(differences).first(n);
}

const std::vector<double>& PullRequest::calibrated_run_sd(std::size_t runs) {
  std::vector<double>& sd = calibrated_[runs];
  if (sd.empty()) sd = calibrate_run_sd(machine_, runs);
  return sd;
}

double PullRequest::predicted_pair_sd(std::size_t which) const {
  const auto robust_sd = [&](std::size_t age) {
    std::vector<double> away = machine_.process_values(which, age);
    const double centre = *stats::median(away);
    for (double& value : away) value = std::abs(value - centre);
    return stats::normal_per_mad * *stats::median(away);
  };
  return std::hypot(robust_sd(1), robust_sd(0));
}

std::vector<std::size_t> PullRequest::probes() const {
  Random random({machine_.seed(), number_, probe_stream});
  std::vector<std::size_t> drawn;
  while (drawn.size() < probe_cases) {
    const std::size_t which = random.below(cases());
    if (std::find(drawn.begin(), drawn.end(), which) == drawn.end()) drawn.push_back(which);
  }
  return drawn;
}

}  // namespace torchgate::simulations
