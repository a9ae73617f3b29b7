// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/pull_request.hpp"

#include <array>
#include <cmath>

#include "stats/run_value.hpp"

namespace torchgate::simulations {
namespace {

constexpr double day_memory = 0.7;       // from run to run
constexpr double session_memory = 0.95;  // from process to process
constexpr std::size_t later_run_count = 2;

// Independent streams of one pull request.
enum Stream : std::uint64_t { machine_stream, choice_stream, session_stream, pair_stream, later_stream };

using Samples = std::array<float, iterations_per_process>;

}  // namespace

Machine::Machine(const Setting& setting, std::uint64_t seed)
    : setting_(setting),
      seed_(seed),
      random_({seed, machine_stream}),
      suite_(draw_suite(setting.profile, cases_per_suite, random_)),
      days_(draw_levels(setting.profile, day_memory, stored_runs + requests_per_seed, random_)),
      run_values_(cases_per_suite),
      last_(2, std::vector<Measured>(cases_per_suite)) {}

void Machine::measure() {
  const Profile& profile = setting_.profile;
  Samples logs{};
  for (std::size_t which = 0; which < suite_.cases.size(); ++which) {
    const CaseTraits& traits = suite_.cases[which];
    Measured& measured = last_[run_ % 2][which];
    measured.process_values.clear();
    measured.samples.clear();
    double level = traits.day * days_[run_] + traits.run * random_.normal();
    if (setting_.schedule == Schedule::sequential) level += draw_disturbance(profile, random_);
    for (std::size_t p = 0; p < processes_per_run; ++p) {
      const bool alone = setting_.schedule == Schedule::round_robin;
      draw_process(suite_, traits, level + (alone ? draw_disturbance(profile, random_) : 0.0), random_, logs);
      measured.process_values.push_back(process_value(logs, setting_.warm_up));
      for (float log : logs) measured.samples.push_back(std::exp(log));
    }
    run_values_[which].push_back(*stats::run_value(measured.process_values));
  }
  ++run_;
}

const std::vector<double>& Machine::process_values(std::size_t which, std::size_t age) const {
  return last_[(run_ - 1 - age) % 2][which].process_values;
}

const std::vector<double>& Machine::samples(std::size_t which, std::size_t age) const {
  return last_[(run_ - 1 - age) % 2][which].samples;
}

PullRequest::PullRequest(const Machine& machine, std::uint64_t number)
    : machine_(machine), number_(number), changed_(machine.suite().cases.size(), false) {
  Random random({machine.seed(), number, choice_stream});
  for (std::size_t left = changed_cases; left > 0;) {
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

stats::Screen PullRequest::few_runs(std::size_t which, double effect, double run_sd) {
  const auto known = few_runs_.find({run_sd, which});
  if (effect == 0.0 && known != few_runs_.end()) return known->second;
  stats::ScreenOptions options;
  options.run_sd = run_sd;
  std::vector<double> current = machine_.process_values(which, 0);
  for (double& value : current) value += effect;
  const std::array<std::vector<double>, 1> baseline{machine_.process_values(which, 1)};
  const stats::Screen judged = stats::screen_few_runs(baseline, current, options);
  if (effect == 0.0) few_runs_.emplace(std::pair{run_sd, which}, judged);
  return judged;
}

const std::vector<double>& PullRequest::pairs(std::size_t which) {
  std::vector<double>& differences = pairs_[which];
  if (!differences.empty()) return differences;
  Random random({machine_.seed(), number_, pair_stream, which});
  const CaseTraits& traits = machine_.suite().cases[which];
  Samples logs{};
  const auto measure = [&](std::size_t slot) {
    const double level = traits.day * session_[slot] + draw_disturbance(machine_.setting().profile, random);
    draw_process(machine_.suite(), traits, level, random, logs);
    return process_value(logs, machine_.setting().warm_up);
  };
  for (std::size_t pair = 0; pair < most_pairs; ++pair) {
    const double first = measure(2 * pair);
    const double second = measure(2 * pair + 1);
    differences.push_back(random.chance(0.5) ? second - first : first - second);  // a coin for every pair
  }
  return differences;
}

const std::vector<double>& PullRequest::later_runs(std::size_t which) {
  std::vector<double>& values = later_[which];
  if (!values.empty()) return values;
  Random random({machine_.seed(), number_, later_stream, which});
  const CaseTraits& traits = machine_.suite().cases[which];
  const Profile& profile = machine_.setting().profile;
  Samples logs{};
  for (std::size_t run = 0; run < later_run_count; ++run) {
    const double level = traits.run * random.normal();
    const double hit = draw_disturbance(profile, random);  // of the whole run, where processes run back to back
    std::vector<double> processes;
    for (std::size_t p = 0; p < processes_per_run; ++p) {
      const bool alone = machine_.setting().schedule == Schedule::round_robin;
      draw_process(machine_.suite(), traits, level + (alone ? draw_disturbance(profile, random) : hit), random, logs);
      processes.push_back(process_value(logs, machine_.setting().warm_up));
    }
    values.push_back(*stats::run_value(processes));
  }
  return values;
}

}  // namespace torchgate::simulations
