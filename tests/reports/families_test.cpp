// SPDX-License-Identifier: Apache-2.0
#include "reports/families.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "tests/reports/model_parts.hpp"

namespace torchgate::reports {
namespace {

using Findings = std::vector<Finding>;

void add_case(Findings& findings, const std::string& name, Verdict verdict, double change = 0.04) {
  findings.push_back(models::timed(name, verdict, GateAction::warn, 1e6, change));
}

TEST(Families, OneBenchmarkOfTwoBecameSlower) {
  Findings findings;
  for (int i = 0; i < 12; ++i) {
    add_case(findings, "BM_UFlat/" + std::to_string(i), i == 7 ? Verdict::equivalent : Verdict::regressed,
             i == 7 ? 0.001 : 0.03 + 0.002 * i);
    add_case(findings, "BM_ZFlat/" + std::to_string(i), Verdict::equivalent, 0.001);
  }
  const auto families = families_of(findings);
  ASSERT_TRUE(families);
  ASSERT_EQ(families->families.size(), 2U);
  EXPECT_EQ(families->families[0].name, "BM_UFlat");
  EXPECT_EQ(families->families[0].changed, 11);
  EXPECT_EQ(families->families[0].cases, 12);
  // Cases of both stand in turns: 0, 2, 4 ... 22 without the one that is equivalent.
  EXPECT_EQ(families->families[0].changed_at, (std::vector<std::size_t>{0, 2, 4, 6, 8, 10, 12, 16, 18, 20, 22}));
  EXPECT_TRUE(families->families[1].changed_at.empty());
  // The 11 changes are 3.0, 3.2, 3.4, 3.6, 3.8, 4.0, 4.2, 4.6, 4.8, 5.0, 5.2 %.
  EXPECT_NEAR(families->families[0].median_change.value_or(0), 0.040, 1e-12);
  EXPECT_EQ(family_words(*families), "BM_UFlat: 11 of 12 slower, median +4.00 %; BM_ZFlat: 0 of 12");
}

TEST(Families, RatesAndTimesHaveNoMedianInCommon) {
  Findings findings;
  for (int i = 0; i < 3; ++i) add_case(findings, "Time" + std::to_string(i), Verdict::regressed, 1);
  for (int i = 0; i < 3; ++i) {
    add_case(findings, "Rate" + std::to_string(i), Verdict::regressed, -0.98);
    findings.back().metric.direction = record::Direction::higher_is_better;
  }
  EXPECT_EQ(family_words(*families_of(findings)), "6 of 6 cases slower");
  findings.erase(findings.begin(), findings.begin() + 3);
  EXPECT_EQ(family_words(*families_of(findings)), "3 of 3 cases slower, median -98.0 %");
}

TEST(Families, ByAKeyWhereverItStands) {
  Findings findings;
  for (const char* const group : {"conv", "linear", "attention", "norm"}) {
    for (const char* const device : {"cpu", "cuda"}) {
      for (const char* const batch : {"1", "8"}) {
        add_case(findings, std::string(group) + "/device:" + device + "/batch:" + batch,
                 std::string(batch) == "8" ? Verdict::suspected : Verdict::inconclusive);
      }
    }
  }
  EXPECT_EQ(family_words(*families_of(findings)), "batch:8: 8 of 8 suspected, median +4.00 %; batch:1: 0 of 8");
}

TEST(Families, NamesThatSayNothing) {
  Findings findings;
  for (int i = 0; i < 40; ++i)
    add_case(findings, "case/" + std::to_string(i), i % 4 == 0 ? Verdict::regressed : Verdict::equivalent);
  EXPECT_EQ(family_words(*families_of(findings)), "10 of 40 cases slower, median +4.00 %");
}

TEST(Families, AllOfThem) {
  Findings findings;
  for (int i = 0; i < 5; ++i) add_case(findings, "a/" + std::to_string(i), Verdict::regressed);
  EXPECT_EQ(family_words(*families_of(findings)), "5 of 5 cases slower, median +4.00 %");
}

TEST(Families, NotOneForEachCase) {
  Findings findings;
  for (const char* const name : {"g/one", "g/two", "g/three"}) add_case(findings, name, Verdict::regressed);
  add_case(findings, "g/four", Verdict::equivalent);
  EXPECT_EQ(family_words(*families_of(findings)), "3 of 4 cases slower, median +4.00 %");
}

TEST(Families, SuspectsThatDoNotFailAreNotCalledSlower) {
  Findings findings;
  for (int i = 0; i < 4; ++i) add_case(findings, "a/" + std::to_string(i), Verdict::suspected);
  EXPECT_EQ(family_words(*families_of(findings)), "4 of 4 cases suspected, median +4.00 %");
  for (std::size_t i = 0; i < 2; ++i) findings[i].action = GateAction::fail;
  EXPECT_EQ(family_words(*families_of(findings)), "4 of 4 cases slower or suspected, median +4.00 %");
  for (Finding& finding : findings) finding.action = GateAction::fail;
  EXPECT_EQ(family_words(*families_of(findings)), "4 of 4 cases slower, median +4.00 %");
}

TEST(Families, NotOfTwoCases) {
  Findings findings;
  add_case(findings, "a/1", Verdict::regressed);
  add_case(findings, "a/2", Verdict::regressed);
  add_case(findings, "b/1", Verdict::equivalent);
  EXPECT_FALSE(families_of(findings));
}

TEST(Families, FasterOnesOnlyWhereNothingBecameSlower) {
  Findings findings;
  for (int i = 0; i < 4; ++i) {
    add_case(findings, "fused/" + std::to_string(i), Verdict::improved, -0.1);
    add_case(findings, "eager/" + std::to_string(i), Verdict::equivalent, 0);
  }
  EXPECT_EQ(family_words(*families_of(findings)), "fused: 4 of 4 faster, median -10.0 %; eager: 0 of 4");
  add_case(findings, "eager/4", Verdict::regressed);
  EXPECT_FALSE(families_of(findings));
}

TEST(Families, ManyFamiliesAreNamedByTheWorst) {
  Findings findings;
  for (int family = 0; family < 9; ++family) {
    for (int i = 0; i < 10; ++i)
      add_case(findings, "suite" + std::to_string(family) + "/" + std::to_string(i),
               family == 3 ? Verdict::regressed : Verdict::equivalent);
  }
  EXPECT_EQ(family_words(*families_of(findings)), "suite3: 10 of 10 slower, median +4.00 %; others: 0 of 80");
}

TEST(Families, CountsAndFurtherMetricsAreNotCases) {
  Findings findings;
  for (int i = 0; i < 4; ++i) {
    add_case(findings, "a/" + std::to_string(i), Verdict::regressed);
    findings.push_back(
        models::exact("b/" + std::to_string(i), models::operator_calls, Verdict::changed, GateAction::warn, 1, 2));
  }
  EXPECT_EQ(family_words(*families_of(findings)), "4 of 4 cases slower, median +4.00 %");
}

// Of names with two parts, a slow search over the three ways to divide them by hand.
TEST(Families, TheBestDivisionOfASlowSearch) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    Findings findings;
    std::vector<std::array<std::string, 3>> names;
    std::vector<bool> changed;
    for (int i = 0; i < 30; ++i) {
      const std::string first(1, static_cast<char>('a' + random() % 3));
      const std::string second(1, static_cast<char>('u' + random() % 4));
      const bool slower = random() % 10 < (first == "a" ? 8U : 1U);
      add_case(findings, first + "/" + second, slower ? Verdict::regressed : Verdict::equivalent);
      names.push_back({first, first + "/" + second, second});
      changed.push_back(slower);
    }
    const auto total = static_cast<double>(std::count(changed.begin(), changed.end(), true));
    if (total < 3) continue;
    double best = 0;
    std::set<std::string> best_names = {""};
    for (const std::size_t way : {0U, 1U, 2U}) {
      std::map<std::string, std::pair<double, double>> table;
      for (std::size_t i = 0; i < names.size(); ++i) {
        auto& [cases, slower] = table[names[i][way]];
        ++cases;
        slower += changed[i] ? 1 : 0;
      }
      // Twice the gain in log likelihood of a share for each family over one for all.
      const auto log_likelihood = [](double k, double n) {
        return (k > 0 ? k * std::log(k / n) : 0) + (k < n ? (n - k) * std::log((n - k) / n) : 0);
      };
      double score = -2 * log_likelihood(total, 30) - static_cast<double>(table.size() - 1) * std::log(30.0);
      for (const auto& [name, cell] : table) score += 2 * log_likelihood(cell.second, cell.first);
      if (score > best + 1e-6) {
        best = score;
        best_names.clear();
        for (const auto& [name, cell] : table) best_names.insert(name);
      }
    }
    std::set<std::string> found;
    const auto families = families_of(findings);
    ASSERT_TRUE(families);
    for (const Family& family : families->families) found.insert(family.name);
    EXPECT_EQ(found, best_names) << "round " << round;
  }
}

TEST(Families, HostileNames) {
  Findings findings;
  for (const std::string& name : {std::string(), std::string("/"), std::string("::::[[<<"), std::string(100000, '/'),
                                  std::string("\0:", 2), std::string(":x")}) {
    add_case(findings, name, Verdict::regressed);
    add_case(findings, name + "/quiet", Verdict::equivalent);
  }
  const auto families = families_of(findings);
  ASSERT_TRUE(families);
  std::int64_t cases = 0;
  for (const Family& family : families->families) cases += family.cases;
  EXPECT_EQ(cases, 12);
}

}  // namespace
}  // namespace torchgate::reports
