// SPDX-License-Identifier: Apache-2.0
// 100 bisections of 32 commits on each sequence of recorded pairs (tests/fixtures/stats/aa_pairs.csv): one commit, drawn at random, is 5 % slower. The ends
// and the last check are judged as interleaved pairs, each step by side_of_change. Prints the table of stats/README.md.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "stats/interleaved.hpp"
#include "stats/quantile.hpp"
#include "stats/side_of_change.hpp"
#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using testing::Numbers;

constexpr double slow_down = 0.05;
constexpr int bisections = 100;

std::map<std::string, Numbers> recorded_pairs() {
  std::ifstream file(testing::fixture_path("aa_pairs.csv"));
  std::map<std::string, Numbers> sequences;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string workload;
    std::string sequence;
    std::string value;
    std::getline(fields, workload, ',');
    std::getline(fields, sequence, ',');
    std::getline(fields, value, ',');
    sequences[workload + " " + sequence].push_back(std::stod(value));
  }
  return sequences;
}

enum class End {
  right,
  wrong,
  open_check,    // the search ended at the right commit, and its pairs with its parent stay open: 48 were too few
  not_decided,   // it ended at another one, which the last check did not confirm, or among skipped commits
  no_slow_down,  // the pairs of both ends stay open
};

struct Counts {
  std::map<End, int> ends;
  double pairs = 0;         // of the bisections whose ends showed a slow-down
  double confirmation = 0;  // of these, the pairs of the ends alone
  int most_steps = 0;
};

class History {
 public:
  History(const Numbers& recorded, std::mt19937_64& random) : recorded_(recorded), random_(random) {
    culprit_ = std::uniform_int_distribution<int>(1, last)(random_);
  }

  End bisect(Counts& counts) {
    Numbers of_ends;
    if (!slower(0, last, of_ends)) return End::no_slow_down;
    counts.confirmation += static_cast<double>(of_ends.size());
    double pairs = static_cast<double>(of_ends.size());
    const KnownChange known{*median(of_ends), *spread_of_pairs(of_ends)};
    int good = 0;
    int bad = last;
    int steps = 0;
    std::set<int> skipped;
    while (bad - good > 1) {
      const int next = middle(good, bad, skipped);
      if (next < 0) break;
      const PlacedBuild placed = place(next, known);
      pairs += static_cast<double>(placed.pairs);
      ++steps;
      if (placed.side == SideOfChange::before) good = next;
      if (placed.side == SideOfChange::after) bad = next;
      if (placed.side == SideOfChange::undecided) skipped.insert(next);
    }
    counts.most_steps = std::max(counts.most_steps, steps);
    Numbers of_check;
    const bool confirmed = bad - good == 1 && slower(good, bad, of_check);
    counts.pairs += pairs + static_cast<double>(of_check.size());
    if (!confirmed) return bad - good == 1 && bad == culprit_ ? End::open_check : End::not_decided;
    return bad == culprit_ ? End::right : End::wrong;
  }

 private:
  static constexpr int last = 31;

  double pair(int before, int after) {
    const double noise = recorded_[std::uniform_int_distribution<std::size_t>(0, recorded_.size() - 1)(random_)];
    return noise + (before < culprit_ && after >= culprit_ ? std::log1p(slow_down) : 0.0);
  }

  bool slower(int before, int after, Numbers& differences) {
    while (differences.empty() || stop_after(differences) == Stop::not_yet) differences.push_back(pair(before, after));
    return judge_after(differences).call == Call::regressed;
  }

  // The pairs with the bad build have the same noise: they say the same, shifted by the change.
  PlacedBuild place(int commit, const KnownChange& known) {
    Numbers differences;
    PlacedBuild placed;
    SideOptions options;
    options.most *= 2;
    while (!placed.done) {
      differences.push_back(pair(0, commit));
      placed = place_build(differences, known, options);
    }
    return placed;
  }

  static int middle(int good, int bad, const std::set<int>& skipped) {
    int found = -1;
    for (int each = good + 1; each < bad; ++each) {
      if (skipped.contains(each)) continue;
      if (found < 0 || std::abs(2 * each - good - bad) < std::abs(2 * found - good - bad)) found = each;
    }
    return found;
  }

  const Numbers& recorded_;
  std::mt19937_64& random_;
  int culprit_ = 0;
};

TEST(BisectionRates, NamesTheWrongCommitInAtMostFiveOfAHundred) {
  std::mt19937_64 random(1);
  std::printf(
      "| pairs of | robust SD of a pair, %% | right | wrong | check open | not decided | ends open | pairs, in "
      "confirmations |\n");
  for (const auto& [name, recorded] : recorded_pairs()) {
    Counts counts;
    for (int i = 0; i < bisections; ++i) {
      History history(recorded, random);
      ++counts.ends[history.bisect(counts)];
    }
    const double cost = counts.confirmation > 0 ? counts.pairs / counts.confirmation : 0;
    Numbers deviations;
    for (const double each : recorded) deviations.push_back(std::abs(each - *median(recorded)));
    const double sd = normal_per_mad * *median(deviations);
    std::printf("| %s | %.1f | %d | %d | %d | %d | %d | %.1f |\n", name.c_str(), 100 * sd, counts.ends[End::right],
                counts.ends[End::wrong], counts.ends[End::open_check], counts.ends[End::not_decided],
                counts.ends[End::no_slow_down], cost);
    EXPECT_LE(counts.ends[End::wrong], 5) << name;
    // Where the noise is below half of the change: named nearly always, and at what is promised.
    if (sd > slow_down / 2) continue;
    EXPECT_LE(counts.ends[End::not_decided], 5) << name;
    EXPECT_LE(cost, 6.0) << name;
    EXPECT_LE(counts.most_steps, 8) << name;
  }
}

}  // namespace
}  // namespace torchgate::stats
