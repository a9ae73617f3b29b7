// SPDX-License-Identifier: Apache-2.0
// The simulated noise is what its description says.
#include "tests/simulations/generator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "stats/autocorrelation.hpp"
#include "stats/moments.hpp"
#include "tests/simulations/pull_request.hpp"

namespace torchgate::simulations {
namespace {

// The reference vector of xoshiro256++ for the state 1, 2, 3, 4, as in the tests of Rust's rand_xoshiro.
TEST(Random, IsXoshiro256PlusPlus) {
  Random random = Random::of_state({1, 2, 3, 4});
  for (const std::uint64_t want : {41943041ULL, 58720359ULL, 3588806011781223ULL, 3591011842654386ULL,
                                   9228616714210784205ULL, 9973669472204895162ULL}) {
    EXPECT_EQ(random.bits(), want);
  }
}

TEST(Random, EverySeedHasItsStream) {
  EXPECT_EQ(Random({1, 2}).bits(), Random({1, 2}).bits());
  EXPECT_NE(Random({1, 2}).bits(), Random({2, 1}).bits());
  EXPECT_NE(Random({1, 2}).bits(), Random({1, 2, 0}).bits());
}

TEST(Random, Distributions) {
  Random random({9});
  constexpr std::size_t n = 200000;
  std::vector<double> normal(n);
  std::vector<double> uniform(n);
  double gaps = 0;
  for (std::size_t i = 0; i < n; ++i) {
    normal[i] = random.normal();
    uniform[i] = random.log_uniform(1, 100);
    gaps += static_cast<double>(random.geometric(0.2));
  }
  const stats::Moments of_normal = stats::moments(normal).value();
  EXPECT_NEAR(of_normal.mean, 0, 0.01);
  EXPECT_NEAR(*of_normal.variance(), 1, 0.015);
  const auto beyond = std::count_if(normal.begin(), normal.end(), [](double x) { return std::abs(x) > 1.959964; });
  EXPECT_NEAR(static_cast<double>(beyond) / n, 0.05, 0.002);
  // (b - a) / ln(b / a)
  EXPECT_NEAR(stats::moments(uniform)->mean, 99 / std::log(100), 0.3);
  EXPECT_NEAR(gaps / n, 0.8 / 0.2, 0.05);
  EXPECT_GT(random.geometric(0), 1000000u);
  EXPECT_LT(std::max({random.below(3), random.below(3), random.below(3)}), 3u);
}

// One case without anything but what the test asks for.
std::vector<double> process_of(const CaseTraits& traits, Profile profile, std::size_t processes) {
  profile.spike = profile.burst = profile.disturbance = 0;
  const Suite suite{profile, {traits}};
  Random random({4});
  std::vector<double> all;
  std::array<float, iterations_per_process> samples{};
  for (std::size_t p = 0; p < processes; ++p) {
    draw_process(suite, traits, 1.0, random, samples);
    all.insert(all.end(), samples.begin(), samples.end());
  }
  return all;
}

TEST(Generator, IterationsRemember) {
  CaseTraits traits;
  traits.iteration = 0.02;
  traits.memory = 0.6;
  const std::vector<double> samples = process_of(traits, profiles[1], 3000);
  EXPECT_NEAR(stats::moments(samples)->mean, 1.0, 0.001);
  EXPECT_NEAR(std::sqrt(*stats::moments(samples)->variance()), 0.02, 0.0005);
  double lag1 = 0;
  for (std::size_t p = 0; p < 3000; ++p) {
    double products = 0;
    for (std::size_t i = 0; i + 1 < iterations_per_process; ++i) {
      products += (samples[p * iterations_per_process + i] - 1) * (samples[p * iterations_per_process + i + 1] - 1);
    }
    lag1 += products / (iterations_per_process - 1) / (0.02 * 0.02);
  }
  EXPECT_NEAR(lag1 / 3000, 0.6, 0.02);
}

TEST(Generator, ProcessesDifferMoreThanTheirIterationsSay) {
  CaseTraits traits;
  traits.process = 0.03;
  const std::vector<double> samples = process_of(traits, profiles[1], 2000);
  std::vector<double> firsts;
  for (std::size_t p = 0; p < 2000; ++p) {
    firsts.push_back(samples[p * iterations_per_process]);
    EXPECT_EQ(samples[p * iterations_per_process], samples[p * iterations_per_process + 7]) << "nothing else varies";
  }
  EXPECT_NEAR(std::sqrt(*stats::moments(firsts)->variance()), 0.03, 0.002);
}

TEST(Generator, WarmUpIsCutEitherWay) {
  std::array<float, iterations_per_process> samples{};
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = i < fixed_warm_up ? 9.0F : 2.0F;
  EXPECT_EQ(process_value(samples, WarmUp::fixed), 2.0);
  EXPECT_EQ(process_value(samples, WarmUp::mser), 2.0);
  // 35 values are left: the 18th of them.
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<float>(i);
  EXPECT_EQ(process_value(samples, WarmUp::fixed), 22.0);
}

TEST(Generator, RunsAreWhatTheProfileSays) {
  Random random({8});
  const std::vector<double> days = draw_levels(profiles[1], 0.7, 20000, random);
  EXPECT_NEAR(std::sqrt(*stats::moments(days)->variance()), profiles[1].day, 0.001);
  EXPECT_NEAR(*stats::lag1_autocorrelation(days), 0.7, 0.03);
  const Suite suite = draw_suite(profiles[1], 5000, random);
  double squares = 0;
  for (const CaseTraits& traits : suite.cases) {
    squares += traits.day * traits.day * profiles[1].day * profiles[1].day + traits.run * traits.run;
  }
  EXPECT_NEAR(std::sqrt(squares / 5000), run_to_run_sd(profiles[1]), 0.0003);
  EXPECT_FALSE(find_profile("loud"));
}

TEST(PullRequest, ChangesTenCasesAndNoControl) {
  Machine machine({profiles[0]}, 1);
  for (std::size_t run = 0; run <= stored_runs; ++run) machine.measure();
  PullRequest request(machine, 0);
  std::size_t changed = 0;
  for (std::size_t which = 0; which < request.cases(); ++which) {
    changed += request.changed(which) ? 1U : 0U;
    EXPECT_EQ(request.stored(which).size(), stored_runs);
    EXPECT_EQ(request.effect(which, 0.05), request.changed(which) ? 0.05 : 0.0);
    EXPECT_FALSE(which < control_cases && request.changed(which)) << which;
  }
  EXPECT_EQ(changed, changed_cases);
  EXPECT_EQ(request.pairs(3).size(), most_pairs);
  const auto pairs_of = [&](PullRequest&& one, std::size_t which) {
    const std::span<const double> pairs = one.pairs(which);
    return std::vector<double>(pairs.begin(), pairs.end());
  };
  PullRequest in_steps(machine, 0);
  for (std::size_t n = 1; n < most_pairs; n += 7) EXPECT_EQ(in_steps.pairs(3, n).size(), n);
  EXPECT_EQ(pairs_of(PullRequest(machine, 0), 3), pairs_of(std::move(in_steps), 3))
      << "the same pairs when drawn in steps";
  EXPECT_NE(pairs_of(PullRequest(machine, 0), 3), pairs_of(PullRequest(machine, 0), 4));
  EXPECT_EQ(request.probes().size(), 5u);
  EXPECT_EQ(request.probes(), PullRequest(machine, 0).probes());
  EXPECT_NE(request.probes(), PullRequest(machine, 1).probes());
}

}  // namespace
}  // namespace torchgate::simulations
