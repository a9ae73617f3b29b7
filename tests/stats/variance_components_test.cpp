// SPDX-License-Identifier: Apache-2.0
#include "stats/variance_components.hpp"

#include <map>

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;
using Runs = std::vector<std::vector<Numbers>>;  // runs > processes > log iterations

VarianceComponents by_means(const Runs& runs) {
  std::vector<ProcessNumbers> processes;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (const Numbers& iterations : runs[run]) processes.push_back(*process_by_mean(iterations, run));
  }
  return variance_components(processes);
}

// Montgomery, Design and Analysis of Experiments (2001), the nested design of suppliers and batches: purity of raw material,
// 3 suppliers, 4 batches each, 3 determinations. Printed there: mean squares 7.53, 7.77 and 2.64, batch variance 1.71.
TEST(VarianceComponents, ThePurityDataOfMontgomery) {
  const VarianceComponents parts = by_means({{{1, -1, 0}, {-2, -3, -4}, {-2, 0, 1}, {1, 4, 0}},
                                             {{1, -2, -3}, {0, 4, 2}, {-1, 0, -2}, {0, 3, 2}},
                                             {{2, 4, 0}, {-2, 0, 2}, {1, -1, 2}, {3, 2, 1}}});
  EXPECT_NEAR(*parts.iteration.variance, 2.64, 0.005);
  EXPECT_NEAR(*parts.process.variance, 1.71, 0.005);
  // (7.53 - 7.77) / 12 is negative: suppliers do not differ beyond their batches.
  EXPECT_EQ(*parts.run.variance, 0);
  EXPECT_TRUE(parts.run.floored);
  EXPECT_FALSE(parts.process.floored);
}

// One run of k processes with n iterations each: the process variance is (between - within) / n of the mean squares that
// NIST certifies.
TEST(VarianceComponents, NistCertifiedMeanSquares) {
  std::size_t sets = 0;
  for (const auto& set : read_json("nist/index.json")) {
    if (set.at("kind") != "anova") continue;
    const std::string name = set.at("file");
    SCOPED_TRACE(name);
    std::ifstream file(fixture_path("nist/" + name));
    std::map<std::string, Numbers> groups;
    for (std::string line; std::getline(file, line);) {
      const std::size_t comma = line.find(',');
      if (line.rfind("group", 0) != 0) groups[line.substr(0, comma)].push_back(std::stod(line.substr(comma + 1)));
    }
    Runs runs(1);
    for (const auto& [group, values] : groups) runs[0].push_back(values);
    const VarianceComponents parts = by_means(runs);
    const double within = std::stod(set.at("ms_within").get<std::string>());
    const double between = std::stod(set.at("ms_between").get<std::string>());
    const auto n = static_cast<double>(runs[0][0].size());
    // SmLs04 and 05 have leading digits of 1e6 in numbers of 1e-1: NIST's own measure of what a double can keep.
    const double tolerance = name.rfind("SmLs0", 0) == 0 && name != "SmLs01.csv" ? 1e-8 : 1e-7;
    EXPECT_TRUE(is_close(*parts.iteration.variance, within, tolerance));
    EXPECT_TRUE(is_close(*parts.process.variance, (between - within) / n, 20 * tolerance));
    EXPECT_FALSE(parts.run.variance);
    EXPECT_EQ(parts.run.note, "one run: no variance between runs");
    ++sets;
  }
  EXPECT_EQ(sets, 5u);
}

TEST(VarianceComponents, AgreesWithMatricesAndReml) {
  std::size_t with_reml = 0;
  for (const auto& set : read_json("noise.json", "variance_components")) {
    SCOPED_TRACE(set.at("name").get<std::string>());
    const VarianceComponents parts = by_means(set.at("runs").get<Runs>());
    const NoisePart* levels[] = {&parts.iteration, &parts.process, &parts.run};
    for (std::size_t level = 0; level < 3; ++level) {
      const double expected = set.at("components")[level];
      EXPECT_EQ(levels[level]->floored, expected < 0);
      EXPECT_TRUE(levels[level]->note.empty());
      EXPECT_TRUE(is_close(*levels[level]->variance, std::max(0.0, expected), 1e-7)) << level;
      if (!set.contains("reml")) continue;
      EXPECT_TRUE(is_close(*levels[level]->variance, set.at("reml")[level], 1e-3)) << level;
      ++with_reml;
    }
  }
  EXPECT_EQ(with_reml, 6u);
}

TEST(VarianceComponents, ALevelWithOneMemberIsUnknownAndItsNoiseIsInTheLevelAbove) {
  const VarianceComponents one_process = by_means({{{1, 2, 3}}, {{4, 5, 6}}, {{2, 3, 4}}});
  EXPECT_DOUBLE_EQ(*one_process.iteration.variance, 1);
  EXPECT_FALSE(one_process.process.variance);
  EXPECT_EQ(one_process.process.note, "one process in each run: no variance between processes");
  // Means 2, 5, 3 have variance 7/3, of which 1/3 is explained by the iterations.
  EXPECT_DOUBLE_EQ(*one_process.run.variance, 2);
  EXPECT_EQ(one_process.run.note, "holds the noise of processes too: there is one in each run");

  const VarianceComponents one_iteration = by_means({{{1}, {2}, {3}}, {{7}, {8}, {9}}});
  EXPECT_FALSE(one_iteration.iteration.variance);
  EXPECT_DOUBLE_EQ(*one_iteration.process.variance, 1);
  EXPECT_EQ(one_iteration.process.note, "holds the noise of iterations too: there is one in each process");
  EXPECT_NEAR(*one_iteration.run.variance, 18 - 1 / 3.0, 1e-12);

  const VarianceComponents single = by_means({{{1}}});
  EXPECT_FALSE(single.iteration.variance || single.process.variance || single.run.variance);
}

TEST(VarianceComponents, MediansAndQuartilesOfANormalSample) {
  // Quartiles of a normal distribution with SD 2 %: e^(-+0.6745 * 0.02) around 1000.
  const auto process = process_by_median(1000 * std::exp(-0.6744897501960817 * 0.02), 1000,
                                         1000 * std::exp(0.6744897501960817 * 0.02), 100, 7);
  ASSERT_TRUE(process);
  EXPECT_EQ(process->run, 7u);
  EXPECT_DOUBLE_EQ(process->value, std::log(1000));
  EXPECT_NEAR(process->variance, 0.0004, 1e-12);
  EXPECT_NEAR(process->weight, 100 * 0.6366197723675814, 1e-9) << "pi/2: a median of n is worth a mean of 2n/pi";
}

TEST(VarianceComponents, EdgeTable) {
  EXPECT_EQ(variance_components({}).process.note, "no process was measured");
  EXPECT_FALSE(process_by_mean(Numbers{}));
  EXPECT_FALSE(process_by_mean(Numbers{1, not_a_number}));
  EXPECT_FALSE(process_by_median(1, 2, 3, 0));
  EXPECT_FALSE(process_by_median(0, 2, 3, 5));
  EXPECT_FALSE(process_by_median(3, 2, 1, 5));
  EXPECT_FALSE(process_by_median(1, 2, infinity, 5));
  EXPECT_FALSE(process_by_median(1, not_a_number, 3, 5));
  std::vector<ProcessNumbers> bad{*process_by_mean(Numbers{1, 2}), *process_by_mean(Numbers{1, 2})};
  bad[1].value = infinity;
  EXPECT_FALSE(variance_components(bad).iteration.variance);
  EXPECT_EQ(variance_components(bad).run.note, "a value is not a finite number");
  const VarianceComponents equal = by_means({{{5, 5}, {5, 5}}, {{5, 5}, {5, 5}}});
  EXPECT_EQ(*equal.iteration.variance, 0);
  EXPECT_EQ(*equal.process.variance, 0);
  EXPECT_EQ(*equal.run.variance, 0);
  EXPECT_FALSE(equal.run.floored);
  EXPECT_EQ(*equal.run.sd(), 0);
}

}  // namespace
}  // namespace torchgate::stats
