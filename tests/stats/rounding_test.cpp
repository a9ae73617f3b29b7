// SPDX-License-Identifier: Apache-2.0
#include "stats/rounding.hpp"

#include <iostream>
#include <random>

#include "stats/screen.hpp"
#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

Numbers logs(const Numbers& values) {
  Numbers result;
  for (const double value : values) result.push_back(std::log(value));
  return result;
}

double step(const Numbers& values) {
  return rounding_step(logs(values));
}

TEST(Rounding, TheStepIsAUnitOfWhichAllValuesAreMultiples) {
  EXPECT_NEAR(step({11, 12}), std::log(12.0 / 11), 1e-12);
  EXPECT_NEAR(step({3, 4}), std::log(4.0 / 3), 1e-12);
  EXPECT_NEAR(step({11, 11, 13}), std::log(12.0 / 11), 1e-12) << "two steps";
  EXPECT_NEAR(step({11e6, 13e6}), std::log(12.0 / 11), 1e-12) << "whole milliseconds";
  EXPECT_NEAR(step({0.011, 0.012}), std::log(12.0 / 11), 1e-12);
  EXPECT_NEAR(step({1.0 / 11, 1.0 / 12}), std::log(12.0 / 11), 1e-12) << "a rate of whole numbers, as its reciprocal";
  EXPECT_NEAR(step({1e9 / 11, 1e9 / 12}), std::log(12.0 / 11), 1e-12) << "calls per second of whole nanoseconds";
  EXPECT_NEAR(step({9876, 9999}), std::log(9877.0 / 9876), 1e-12);
}

TEST(Rounding, ARoundNumberIsNotOneStep) {
  EXPECT_NEAR(step({100, 200}), std::log(101.0 / 100), 1e-12);
  EXPECT_NEAR(step({100, 110}), std::log(101.0 / 100), 1e-12);
  EXPECT_NEAR(step({20, 40}), std::log(21.0 / 20), 1e-12);
  EXPECT_NEAR(step({1000, 2000}), std::log(1001.0 / 1000), 1e-12) << "one digit of a microsecond";
  EXPECT_NEAR(step({1000, 1100}), std::log(1001.0 / 1000), 1e-12);
  EXPECT_NEAR(step({1000, 500}), std::log(501.0 / 500), 1e-12) << "a rate: 1 and 2 thousandths are round, too";
  EXPECT_NEAR(step({1e6, 2e6}), std::log(1001.0 / 1000), 1e-12) << "of thousands";
}

TEST(Rounding, NoStepIsSeen) {
  EXPECT_EQ(step({}), 0);
  EXPECT_EQ(step({11}), 0);
  EXPECT_EQ(step({11, 11, 11}), 0) << "equal values";
  EXPECT_EQ(step({11, 12.3456789}), 0);
  EXPECT_EQ(step({98765, 98766}), 0) << "too fine to matter";
  EXPECT_EQ(rounding_step(Numbers{-700, 700}), 0);
  EXPECT_EQ(rounding_variance(Numbers{6, 6.5}), 0);
  EXPECT_NEAR(rounding_variance(logs({11, 12})), std::pow(std::log(12.0 / 11), 2) / 6, 1e-12);
}

// Five processes per side, each a whole number of nanoseconds.
TEST(Rounding, OneStepIsNotBeyondTheGate) {
  const auto screened = [](double before, double after) {
    return screen_few_runs(std::vector<Numbers>{logs(Numbers(5, before))}, logs(Numbers(5, after)));
  };
  for (const auto& [before, after] : {std::pair{11.0, 12.0}, {10.0, 11.0}, {3.0, 4.0}, {2.0, 3.0}, {19.0, 20.0}}) {
    const Screen one = screened(before, after);
    EXPECT_FALSE(beyond_gate(*one.change, 1)) << before << " ns: the true times may differ by next to nothing";
    EXPECT_TRUE(one.reasons.contains(Reason::no_spread));
  }
  EXPECT_TRUE(beyond_gate(*screened(11, 13).change, 1)) << "by more than one step, 8 %";
  EXPECT_TRUE(beyond_gate(*screened(41, 51).change, 1));
  EXPECT_TRUE(beyond_gate(*screened(98765, 108765).change, 1)) << "a fine clock";
  for (const auto& [before, after] :
       {std::pair{100.0, 200.0}, {100.0, 110.0}, {1000.0, 2000.0}, {5.0, 10.0}, {1e6, 2e6}})
    EXPECT_TRUE(beyond_gate(*screened(before, after).change, 1)) << before;
  EXPECT_EQ(screened(11, 11).call, Call::equivalent);
}

TEST(Rounding, OneStepAfterManyEqualRunsIsNotBeyondTheGate) {
  for (const std::size_t runs : {5U, 6U, 8U, 30U}) {
    const auto beyond = [runs](double before, double after) {
      const Numbers stored = logs(Numbers(runs, before));
      const Numbers now = logs({after});
      return beyond_gate(*screen_history(std::vector<HistoryCase>{{stored, now}}).front().change, 1);
    };
    EXPECT_FALSE(beyond(15, 16)) << runs;
    EXPECT_FALSE(beyond(3, 4)) << runs;
    EXPECT_TRUE(beyond(15, 18)) << runs;
    EXPECT_TRUE(beyond(98765, 108765)) << runs;
  }
}

TEST(Rounding, ARunThatIsLeftOutDoesNotHideTheStep) {
  Numbers stored = logs(Numbers(20, 15.0));
  stored[7] = std::log(15.3333);  // a mean of several processes
  const Numbers now = logs({16});
  const Screen screen = screen_history(std::vector<HistoryCase>{{stored, now}}).front();
  EXPECT_FALSE(beyond_gate(*screen.change, 1));
}

// Oracle by simulation: unchanged true times anywhere between 8 and 30 ns, a clock of whole nanoseconds, five processes per side that share what their run
// moved. A time on the edge of a step is once the lower and once the upper number. Without the step 539 of the 160,000 lie beyond the gate.
TEST(Rounding, UnchangedTimesOfACoarseClockDoNotFail) {
  std::mt19937_64 random(20261130);
  std::uniform_real_distribution<double> place(8, 30);
  for (const double sd : {0.0005, 0.002, 0.005, 0.01}) {
    std::normal_distribution<double> moved(0, sd);
    int beyond = 0;
    int apart = 0;
    for (int i = 0; i < 40000; ++i) {
      const double truth = place(random);
      const auto side = [&] {
        Numbers values(5);
        const double run = truth * std::exp(moved(random));
        for (double& value : values) value = std::log(std::round(run * std::exp(moved(random) / 10)));
        return values;
      };
      const Numbers before = side();
      const Numbers after = side();
      apart += before.front() == after.front() ? 0 : 1;
      beyond += beyond_gate(*screen_few_runs(std::vector<Numbers>{before}, after).change, 1) ? 1 : 0;
    }
    std::cout << "SD " << sd << ": beyond the gate " << beyond << " of 40000, the first values apart " << apart << '\n';
    EXPECT_GT(apart, 100);
    EXPECT_LE(beyond, 4) << "0.01 %";
  }
}

}  // namespace
}  // namespace torchgate::stats
