// SPDX-License-Identifier: Apache-2.0
#include "stats/change_point.hpp"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <set>

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;
using Places = std::vector<std::size_t>;

Places places(const Numbers& values, const ChangePointOptions& options) {
  Places found;
  for (const ChangePoint& point : find_change_points(values, options).points) found.push_back(point.index);
  return found;
}

Numbers logs_of(const Numbers& values) {
  Numbers result;
  for (double value : values) result.push_back(std::log(value));
  return result;
}

TEST(ChangePoint, PlacesAreThoseOfTheReferenceOnRandomSeries) {
  const auto fixture = read_json("change_points.json");
  const double unit = fixture.at("unit").get<double>();
  std::size_t with_changes = 0;
  for (const auto& row : fixture.at("detections")) {
    Numbers values;
    for (double steps : row.at("values").get<Numbers>()) values.push_back(steps * unit);
    const ChangePointOptions options{row.at("alpha").get<double>(), row.at("magnitude").get<double>()};
    const auto want = row.at("changes").get<Places>();
    with_changes += !want.empty();
    EXPECT_EQ(places(values, options), want) << values.size() << " values, alpha " << options.alpha;
  }
  ASSERT_EQ(fixture.at("detections").size(), 200u);
  EXPECT_GT(with_changes, 80u) << "most series must have a change";
}

// As the Turing data set defines it: a change is found within five places, each found place serves one change, 0 is always
// a change, precision counts what anybody saw, recall is the mean over the people.
std::size_t matched(const std::set<int>& wanted, std::set<int> found) {
  constexpr int margin = 5;
  std::size_t count = 0;
  for (int place : wanted) {
    const auto distance = [place](int other) { return std::abs(other - place); };
    const auto nearest =
        std::min_element(found.begin(), found.end(), [&](int a, int b) { return distance(a) < distance(b); });
    if (nearest == found.end() || distance(*nearest) > margin) continue;
    found.erase(nearest);
    ++count;
  }
  return count;
}

double f1_score(const nlohmann::json& annotations, const Places& places_found) {
  std::set<int> found{0};
  for (std::size_t place : places_found) found.insert(static_cast<int>(place));
  std::set<int> anybody{0};
  double recall = 0;
  for (const auto& person : annotations) {
    std::set<int> seen{0};
    for (int place : person.get<std::vector<int>>()) seen.insert(place);
    anybody.insert(seen.begin(), seen.end());
    recall += static_cast<double>(matched(seen, found)) / static_cast<double>(seen.size());
  }
  recall /= static_cast<double>(annotations.size());
  const double precision = static_cast<double>(matched(anybody, found)) / static_cast<double>(found.size());
  return 2 * precision * recall / (precision + recall);
}

Numbers standardized(Numbers values) {
  double sum = 0;
  for (double value : values) sum += value;
  const double mean = sum / static_cast<double>(values.size());
  double squares = 0;
  for (double value : values) squares += (value - mean) * (value - mean);
  for (double& value : values) value = (value - mean) / std::sqrt(squares / static_cast<double>(values.size()));
  return values;
}

TEST(ChangePoint, FindsWhatPeopleSeeInTheTuringSeries) {
  const auto data = read_json("change_series/tcpd.json");
  std::map<std::string, double> ours;
  double sum = 0;
  double sum_of_nothing = 0;
  std::cout << std::fixed << std::setprecision(3) << "series               F1   nothing reported\n";
  for (const auto& [name, series] : data.at("series").items()) {
    const Numbers values = standardized(series.at("values").get<Numbers>());
    ours[name] = f1_score(series.at("annotations"), places(values, {0.001, 0.0}));
    const double nothing = f1_score(series.at("annotations"), {});
    std::cout << std::left << std::setw(20) << name << ours[name] << "  " << nothing << '\n';
    sum += ours[name];
    sum_of_nothing += nothing;
    const auto& published = data.at("published_f1_of_reporting_nothing");
    if (published.contains(name)) {
      EXPECT_NEAR(nothing, published.at(name).get<double>(), 1e-9) << name << ": the score itself has to be right";
    }
  }
  ASSERT_EQ(ours.size(), 6u);
  std::cout << "mean                " << sum / 6 << "  " << sum_of_nothing / 6 << '\n';
  EXPECT_GE(sum / 6, 0.88);
  EXPECT_NEAR(sum_of_nothing / 6, 0.735, 0.001);
  EXPECT_GE(ours.at("well_log"), 0.89);
  EXPECT_EQ(ours.at("quality_control_1"), 1) << "one change, found where people see it";
}

// Otava's places. Eleven values hold little evidence: the second split separates the ranks completely, which happens in 1.7 %
// of unchanged series of that length, so that only alpha .05 reports it (and .01 the first).
TEST(ChangePoint, FindsOtavasSmallSeries) {
  const auto data = read_json("change_series/otava.json");
  const Numbers first = logs_of(data.at("series1").get<Numbers>());
  const Numbers second = logs_of(data.at("series2").get<Numbers>());
  EXPECT_EQ(places(first, {0.01, 0.01}), data.at("expected1").get<Places>());
  EXPECT_EQ(places(first, {0.05, 0.01}), data.at("expected1").get<Places>());
  EXPECT_EQ(places(second, {0.05, 0.01}), data.at("expected2").get<Places>());
}

TEST(ChangePoint, MongoDbsOutliersAreNotChanges) {
  const Numbers values = logs_of(read_json("change_series/mongodb.json").at("series").get<Numbers>());
  for (double alpha : {0.001, 0.01}) {
    const ChangePoints found = find_change_points(values, {alpha, 0.01});
    EXPECT_TRUE(found.searched);
    EXPECT_TRUE(found.points.empty());
    EXPECT_NE(std::find(found.outliers.begin(), found.outliers.end(), 4u), found.outliers.end());
    EXPECT_NE(std::find(found.outliers.begin(), found.outliers.end(), 90u), found.outliers.end());
  }
}

// Of very even runs the filter replaces many by a little: these are not a second state, and do not hide a change.
TEST(ChangePoint, EvenRunsHaveNoStates) {
  Numbers values;
  for (int i = 0; i < 28; ++i) values.push_back(std::log((i >= 16 ? 1.3e5 : 1e5) * (1 + 0.002 * (i % 5))));
  EXPECT_EQ(places(values, {0.001, 0.01}).size(), 1U);
}

// A machine of two states and no change: the rarer one, 16 % slower in 17 of 60 runs, is replaced where it stands alone. What was left of it, of the
// last eleven runs four in a row, was a change of +15.6 % with p below .001.
TEST(ChangePoint, TheRarerStateOfTheMachineIsNotAnOutlier) {
  const Numbers values =
      logs_of({998,  998,  1000, 1004, 999,  997,  998,  1005, 999,  996,  999,  1001, 1001, 1168, 1161,
               995,  1005, 1001, 1001, 998,  997,  1167, 995,  998,  997,  1004, 1001, 998,  1002, 1169,
               997,  1159, 1001, 1001, 1158, 998,  1000, 1165, 996,  1164, 1002, 1006, 993,  999,  1160,
               1167, 996,  1160, 1001, 1164, 1002, 1157, 1169, 1159, 1001, 1003, 999,  1002, 1156, 1161});
  EXPECT_EQ(places(values, {0.001, 0.01}), Places{});
}

// One run of ten far above both levels: for the ranks of the values as measured it is one of the slower level.
TEST(ChangePoint, AnOutlierBeyondBothLevelsDoesNotHideAChange) {
  Numbers values;
  for (int i = 0; i < 20; ++i) values.push_back(std::log((i >= 10 ? 120 : 100) + 0.1 * (i * 7 % 5)));
  values[4] = std::log(150.0);
  EXPECT_EQ(places(values, {0.001, 0.01}), (Places{10}));
}

// A slow-down that was merged and reverted: no single split of the whole series says much.
TEST(ChangePoint, ALevelBetweenTwoThatAreAlikeIsFound) {
  for (const int part : {15, 20}) {
    Numbers values;
    for (int i = 0; i < 3 * part; ++i) values.push_back(std::log((i / part == 1 ? 150 : 100) + 0.1 * (i * 7 % 5)));
    const auto at = static_cast<std::size_t>(part);
    EXPECT_EQ(places(values, {0.001, 0.01}), (Places{at, 2 * at})) << part;
  }
}

Numbers step(std::size_t before, std::size_t after, double height) {
  Numbers values;
  for (std::size_t i = 0; i < before + after; ++i) {
    values.push_back(0.001 * static_cast<double>((i * 7) % 5) + (i < before ? 0 : height));
  }
  return values;
}

TEST(ChangePoint, SaysWhereAndHowMuch) {
  const ChangePoints found = find_change_points(step(20, 25, 0.1));
  EXPECT_TRUE(found.reasons.empty());
  ASSERT_EQ(found.points.size(), 1u);
  EXPECT_EQ(found.points[0].index, 20u);
  EXPECT_NEAR(found.points[0].before, 0.002, 1e-12);
  EXPECT_NEAR(found.points[0].after, 0.102, 1e-12);
  EXPECT_NEAR(found.points[0].p, 1.0 / 20001, 1e-12) << "beyond all draws";
}

TEST(ChangePoint, IgnoresStepsBelowTheSmallestChange) {
  EXPECT_EQ(places(step(30, 30, 0.0300), {0.001, 0.03}), Places{30});
  EXPECT_EQ(places(step(30, 30, 0.0290), {0.001, 0.03}), Places{}) << "ln 1.03 is 0.02956";
}

TEST(ChangePoint, LevelsAreOfTheSixtyRunsNextToTheChange) {
  Numbers values = step(200, 100, 0.1);
  for (std::size_t i = 0; i < 100; ++i) values[i] -= 0.004;  // too small for a change of its own
  const ChangePoints found = find_change_points(values);
  ASSERT_EQ(found.points.size(), 1u);
  EXPECT_NEAR(found.points[0].before, 0.002, 1e-12);
}

TEST(ChangePoint, ShiftAndSignChangeNoPlace) {
  const auto fixture = read_json("change_points.json");
  const double unit = fixture.at("unit").get<double>();
  for (std::size_t i = 0; i < 60; ++i) {
    Numbers values;
    Numbers mirrored;
    for (double steps : fixture.at("detections").at(i).at("values").get<Numbers>()) {
      values.push_back(steps * unit);
      mirrored.push_back(8 - steps * unit);
    }
    // A noise-free series is decided by rounding.
    if (i % 8 == 6 || i % 8 == 4) continue;
    EXPECT_EQ(places(mirrored, {}), places(values, {})) << i;
  }
}

TEST(ChangePoint, EdgeTable) {
  const auto reason = [](const Numbers& values, const ChangePointOptions& options = {}) {
    const ChangePoints found = find_change_points(values, options);
    EXPECT_EQ(found.searched, found.reasons.empty());
    EXPECT_TRUE(found.searched || found.points.empty());
    return found.reasons.empty() ? std::string() : found.reasons.front();
  };
  for (std::size_t n : {0u, 1u, 2u, 7u}) EXPECT_NE(reason(Numbers(n, 1.0)).find("at least 8 runs"), std::string::npos);
  EXPECT_EQ(reason(Numbers(8, 1.0)), "");
  for (double odd : {not_a_number, infinity, -infinity}) {
    Numbers values = step(20, 20, 0.1);
    values[7] = odd;
    EXPECT_NE(reason(values).find("not a finite number"), std::string::npos);
  }
  EXPECT_NE(reason(step(20, 20, 1e200)).find("too large"), std::string::npos);
  for (double alpha : {0.0, -1.0, 0.00009, 0.051, 1.0, not_a_number}) {
    EXPECT_NE(reason(step(20, 20, 0.1), {alpha, 0.01}).find("between 0.0001 and 0.05"), std::string::npos) << alpha;
  }
  for (double magnitude : {-0.01, not_a_number, infinity}) {
    EXPECT_NE(reason(step(20, 20, 0.1), {0.001, magnitude}).find("smallest magnitude"), std::string::npos);
  }
  for (std::size_t n : {8u, 60u, 61u, 500u}) {
    EXPECT_EQ(places(Numbers(n, 0.1), {0.05, 0.0}), Places{}) << "all equal";
    EXPECT_EQ(places(Numbers(n, 0.0), {0.05, 0.0}), Places{});
  }
  EXPECT_EQ(places(Numbers(8, 0.1), {0.05, 0.0}), Places{});
  Numbers clean(40, 1.0);
  std::fill(clean.begin() + 13, clean.end(), 2.0);
  EXPECT_EQ(places(clean, {}), Places{13}) << "a step without any noise";
}

TEST(ChangePoint, SearchesThousandsOfRuns) {
  Numbers values;
  for (std::size_t i = 0; i < 20000; ++i) {
    values.push_back(0.01 * static_cast<double>((i * 31) % 7) + (i / 100 % 2 == 0 ? 0.0 : 0.2));
  }
  const Places found = places(values, {});
  ASSERT_EQ(found.size(), 199u);
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(static_cast<double>(found[i]), 100.0 * static_cast<double>(i + 1), 1);
}

}  // namespace
}  // namespace torchgate::stats
