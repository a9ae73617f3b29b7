// SPDX-License-Identifier: Apache-2.0
// A release and 100 merges after it, judged by `gate --since` with the noise of recorded pairs (tests/fixtures/stats/aa_pairs.csv): without a
// change there is at most one alarm in all of them; ten changes of +0.9 % are found.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "ci/gate/judge.hpp"
#include "ci/policy/since_pin.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate::testing {
namespace {

using Sequence = std::vector<double>;

// By workload: its recorded sequences of log ratios.
std::map<std::string, std::vector<Sequence>> recorded() {
  std::ifstream file(std::string(TORCHGATE_TESTS_DIR) + "/fixtures/stats/aa_pairs.csv");
  std::map<std::string, std::vector<Sequence>> sequences;
  std::string line;
  std::getline(file, line);  // the header
  std::string last;
  while (std::getline(file, line)) {
    const std::size_t first = line.find(',');
    const std::size_t second = line.find(',', first + 1);
    auto& of_workload = sequences[line.substr(0, first)];
    if (line.substr(0, second) != last) of_workload.emplace_back();
    last = line.substr(0, second);
    of_workload.back().push_back(std::stod(line.substr(second + 1)));
  }
  return sequences;
}

// A sequence as it might have been recorded another time: it begins at another pair, and either side may be called before.
Sequence drawn(const std::vector<Sequence>& of_workload, std::mt19937_64& random) {
  const Sequence& from = of_workload[random() % of_workload.size()];
  const std::size_t begin = random() % from.size();
  const double sign = random() % 2 == 0 ? 1 : -1;
  Sequence made;
  for (std::size_t i = 0; i < from.size(); ++i) made.push_back(sign * from[(begin + i) % from.size()]);
  return made;
}

struct Merges {
  int all = 0;
  int alarmed = 0;  // with any `regressed`, whatever its size
  int failed = 0;
  int crept_found = 0;  // cases with a change, of those with any
  int crept = 0;
  int equivalent = 0;
  double largest_change = 0;
};

// COUNT merges; after each of them every case is slower than at the pin by the same log ratio.
Merges merges_with(double effect, int count) {
  const auto sequences = recorded();
  const policy::Policy policy = policy::since_pin({});
  std::mt19937_64 random(20261124);
  Merges merges;
  for (int merge = 0; merge < count; ++merge) {
    record::Run pinned = empty_run("pppp");
    record::Run current = empty_run("cccc");
    record::Run pairs = paired_run("2222");
    pairs.plan.processes = 48;
    pairs.plan.confirms = record::Confirms{current.id, pinned.id, 0};
    for (const auto& [workload, of_workload] : sequences) {
      const std::string name = "g/one/" + workload;
      std::vector<double> before;
      std::vector<double> after;
      for (const double ratio : drawn(of_workload, random)) {
        before.push_back(1e6);
        after.push_back(1e6 * std::exp(ratio + effect));
      }
      add_case(pinned, name, around(1e6, quiet));
      add_case(current, name, around(1e6, quiet));
      add_paired_case(pairs, name, before, after);
      pairs.plan.confirms->open.push_back(name);
    }
    pairs.plan.confirms->open_family = static_cast<std::int64_t>(sequences.size());
    Comparison comparison;
    comparison.pin = {"v1.2", std::nullopt, pinned.created};
    comparison.baseline = {&pinned};
    comparison.judge_unchanged = false;
    comparison.current = &current;
    comparison.pairs = &pairs;
    const auto report = judge_since(comparison, policy);
    if (!report) throw std::logic_error(report.error().message);
    ++merges.all;
    if (report->outcome == reports::Outcome::fail) ++merges.failed;
    int found = 0;
    for (const auto& finding : report->findings) {
      found += finding.verdict == reports::Verdict::regressed ? 1 : 0;
      merges.equivalent += finding.verdict == reports::Verdict::equivalent ? 1 : 0;
      merges.largest_change = std::max(merges.largest_change, finding.change.value_or(0));
    }
    if (found > 0) ++merges.alarmed;
    merges.crept_found += found;
    merges.crept += static_cast<int>(report->findings.size());
  }
  return merges;
}

TEST(CreepSeries, AHundredMergesWithoutAChangeRaiseAtMostOneAlarm) {
  const Merges merges = merges_with(0, 100);
  std::cout << "without a change: " << merges.failed << " of " << merges.all << " merges fail, " << merges.alarmed
            << " have any regressed case; " << merges.equivalent << " of " << merges.crept
            << " cases equivalent, largest change " << 100 * merges.largest_change << " %\n";
  EXPECT_EQ(merges.crept, 600) << "six workloads a merge";
  EXPECT_LE(merges.failed, 1);
  EXPECT_LE(merges.alarmed, 1);
  EXPECT_GT(merges.largest_change, 0.01) << "the noise is that of real machines";
}

TEST(CreepSeries, TenChangesOfZeroPointNinePercentAreFound) {
  const Merges merges = merges_with(10 * std::log(1.009), 20);
  std::cout << "+9.4 % since the pin: " << merges.failed << " of " << merges.all << " merges fail, in "
            << merges.crept_found << " of " << merges.crept << " cases\n";
  EXPECT_EQ(merges.failed, merges.all);
  EXPECT_GE(merges.crept_found, merges.crept * 8 / 10);
}

TEST(CreepSeries, OneOfThemIsNot) {
  EXPECT_LE(merges_with(std::log(1.009), 100).failed, 1);
}

}  // namespace
}  // namespace torchgate::gate::testing
