// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/noise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "ci/gate/judge.hpp"
#include "harness/record/sample_summary.hpp"
#include "stats/summary.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_case;
using gate::testing::empty_run;
using gate::testing::result_of;

const std::string name = "g/one/v";

// Samples of one process, given the number of the sample and a generator.
using Shape = std::function<double(std::size_t, std::mt19937_64&)>;

// Gives each process of the case n samples and their true summary.
void give_samples(record::Run& run, std::size_t n, const std::vector<Shape>& shapes, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  for (std::size_t process = 0; process < run.processes.size(); ++process) {
    record::CaseResult& result = result_of(run, process, name);
    record::Measurement& time = result.measurements.front();
    time.samples.clear();
    for (std::size_t i = 0; i < n; ++i) time.samples.push_back(shapes[process % shapes.size()](i, random));
    const auto summary = stats::summarize(time.samples);
    time.summary->n = static_cast<std::int64_t>(n);
    time.summary->median = summary->median;
    time.summary->p25 = summary->p25;
    time.summary->p75 = summary->p75;
  }
}

double normal(std::mt19937_64& random) {
  return std::normal_distribution<double>()(random);
}

const Shape quiet_shape = [](std::size_t, std::mt19937_64& random) { return 1e5 * (1 + 0.02 * normal(random)); };
const Shape rising = [](std::size_t i, std::mt19937_64& random) {
  return 1e5 * (1 + 0.002 * static_cast<double>(i) + 0.005 * normal(random));
};
const Shape two_modes = [](std::size_t, std::mt19937_64& random) {
  return 1e5 * (1 + 0.005 * normal(random) + (random() % 10 < 4 ? 0.06 : 0));
};

struct Measured {
  record::Run run = empty_run("aaaa");

  Measured(std::size_t processes, std::size_t samples, const std::vector<Shape>& shapes) {
    add_case(run, name, std::vector<double>(processes, 1e5));
    give_samples(run, samples, shapes);
  }
  [[nodiscard]] reports::Noise noise() const {
    const gate::SideEvidence side(run, 0);
    const gate::CaseEvidence* evidence = side.find(name);
    return gate::noise_of(std::span(&evidence, 1), run.cases.front().metrics.front());
  }
};

TEST(Noise, OfAQuietCase) {
  const reports::Noise noise = Measured(5, 100, {quiet_shape}).noise();
  EXPECT_NEAR(noise.iteration.sd.value(), 0.02, 0.003);
  EXPECT_LT(noise.process.sd.value(), 0.004) << "processes do not differ beyond their iterations";
  EXPECT_FALSE(noise.run.sd) << "one run";
  EXPECT_GT(noise.effective_samples.value(), 300);
  EXPECT_LE(noise.effective_samples.value(), 500);
  EXPECT_LE(noise.outliers.value(), 5);
  for (const reports::SeriesFlag& flag : {noise.two_modes, noise.drift}) {
    EXPECT_FALSE(flag.raised);
    EXPECT_EQ(flag.of, 5);
  }
  EXPECT_EQ(noise.not_steady.of, 0) << "the steady state of these made samples was not looked for";
}

TEST(Noise, AFlagIsRaisedWhenMostProcessesHaveIt) {
  const reports::Noise few = Measured(5, 100, {rising, quiet_shape, rising, quiet_shape, quiet_shape}).noise();
  EXPECT_EQ(few.drift.processes, 2);
  EXPECT_FALSE(few.drift.raised);
  const reports::Noise most = Measured(5, 100, {rising, quiet_shape, rising, quiet_shape, rising}).noise();
  EXPECT_EQ(most.drift.processes, 3);
  EXPECT_TRUE(most.drift.raised);
}

TEST(Noise, TwoModesComeWithTheirPlaces) {
  const reports::Noise noise = Measured(4, 200, {two_modes}).noise();
  EXPECT_EQ(noise.two_modes.processes, 4);
  ASSERT_TRUE(noise.modes);
  EXPECT_NEAR(noise.modes->lower, 1e5, 300);
  EXPECT_NEAR(noise.modes->upper, 1.06e5, 300);
  EXPECT_NEAR(noise.modes->upper_share, 0.4, 0.08);
  EXPECT_FALSE(noise.drift.raised);
}

TEST(Noise, OfBenchmarksThatWereStoppedIsThatOfTheirMedians) {
  Measured measured(5, 100, {two_modes, rising});
  for (std::size_t process = 0; process < measured.run.processes.size(); ++process) {
    record::Measurement& time = result_of(measured.run, process, name).measurements.front();
    time.turns = record::turns_of_one_sample(time.samples).value();
  }
  EXPECT_TRUE(measured.noise().iteration.sd) << "a suite of torchgate is never stopped within a sample";
  measured.run.cases.front().protocol = "google-benchmark/1";
  const reports::Noise noise = measured.noise();
  EXPECT_FALSE(noise.iteration.sd);
  EXPECT_TRUE(noise.process.sd);
  EXPECT_FALSE(noise.two_modes.raised || noise.drift.raised || noise.modes);
  EXPECT_EQ(noise.two_modes.of, 0);
  EXPECT_FALSE(noise.outliers || noise.effective_samples);

  measured.run.cases.front().metrics.front().clock = record::Clock::cpu;
  EXPECT_TRUE(measured.noise().iteration.sd) << "a process that is stopped takes no CPU time";
}

TEST(Noise, NoSteadyStateInMostProcesses) {
  Measured measured(5, 100, {quiet_shape});
  for (std::size_t process = 0; process < 5; ++process) result_of(measured.run, process, name).steady = process < 2;
  EXPECT_EQ(measured.noise().not_steady.processes, 3);
  EXPECT_EQ(measured.noise().not_steady.of, 5);
  EXPECT_TRUE(measured.noise().not_steady.raised);
  // At n = 40 the cut of many a steady series is at its limit: nothing is said there, whatever the record says.
  Measured short_series(5, 40, {quiet_shape});
  for (std::size_t process = 0; process < 5; ++process) result_of(short_series.run, process, name).steady = false;
  EXPECT_EQ(short_series.noise().not_steady.processes, 0);
}

TEST(Noise, WithoutRawSamplesThePartsAreKnownAndTheRestIsNot) {
  Measured measured(5, 100, {quiet_shape});
  for (record::Process& process : measured.run.processes) process.cases.front().measurements.front().samples.clear();
  const reports::Noise noise = measured.noise();
  EXPECT_TRUE(noise.iteration.sd && noise.process.sd);
  EXPECT_FALSE(noise.effective_samples);
  EXPECT_FALSE(noise.outliers);
  EXPECT_EQ(noise.two_modes.of, 0);
  EXPECT_EQ(noise.drift.of, 0);
}

TEST(Noise, WarmUpThatWasDiscardedIsNotLookedAt) {
  Measured measured(3, 100, {quiet_shape});
  for (record::Process& process : measured.run.processes) {
    auto& samples = process.cases.front().measurements.front().samples;
    samples.insert(samples.begin(), 60, 3e5);
  }
  EXPECT_FALSE(measured.noise().drift.raised);
  EXPECT_LE(measured.noise().outliers.value(), 3);
}

TEST(Noise, LeavesOutSeriesWithASampleThatIsNotPositive) {
  Measured measured(2, 100, {quiet_shape});
  measured.run.cases.front().metrics.front().unit = "bytes";  // a time of 0 would not be a measurement at all
  measured.run.processes[0].cases.front().measurements.front().samples[7] = 0;
  EXPECT_EQ(measured.noise().drift.of, 1);
  EXPECT_FALSE(measured.noise().outliers);
}

TEST(Noise, RunsArePooledForTheirPart) {
  Measured runs[] = {{5, 60, {quiet_shape}}, {5, 60, {quiet_shape}}, {5, 60, {quiet_shape}}};
  const double levels[] = {1.0, 1.05, 0.97};
  for (std::size_t i = 0; i < 3; ++i) {
    give_samples(
        runs[i].run, 60,
        {[&, i](std::size_t, std::mt19937_64& random) { return levels[i] * 1e5 * (1 + 0.01 * normal(random)); }}, i);
  }
  record::Run current = empty_run("bbbb");
  add_case(current, name, std::vector<double>(5, 1e5));
  gate::Comparison comparison;
  runs[1].run.id = "r1";
  runs[2].run.id = "r2";
  comparison.baseline = {&runs[0].run, &runs[1].run, &runs[2].run};
  comparison.current = &current;
  const auto report = gate::judge_stored(comparison, {});
  ASSERT_TRUE(report.ok());
  const auto found = std::find_if(report->findings.begin(), report->findings.end(),
                                  [](const auto& finding) { return finding.metric.name == "time"; });
  ASSERT_NE(found, report->findings.end());
  EXPECT_NEAR(found->before->noise->run.sd.value(), 0.04, 0.008);  // SD of ln 1, ln 1.05, ln 0.97
  EXPECT_NEAR(found->before->noise->iteration.sd.value(), 0.01, 0.002);
  EXPECT_EQ(found->before->noise->drift.of, 5) << "series are those of the nearest run";
  EXPECT_FALSE(found->after->noise->run.sd);
}

}  // namespace
