// SPDX-License-Identifier: Apache-2.0
#include "stats/watch.hpp"

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

TEST(Watch, EachStateIsThatOfAPlainLoop) {
  std::size_t rang = 0;
  for (const auto& chart : read_json("watch.json", "charts")) {
    const auto values = chart.at("values").get<Numbers>();
    const Watch watch = watch_level(values);
    ASSERT_EQ(watch.states.size(), chart.at("states").size());
    EXPECT_TRUE(watch.reasons.empty());
    for (std::size_t i = 0; i < watch.states.size(); ++i) {
      const auto& want = chart.at("states").at(i);
      const WatchState& got = watch.states[i];
      EXPECT_EQ(got.index, want.at("index").get<std::size_t>());
      EXPECT_NEAR(got.sds_above, want.at("sds_above").get<double>(), 1e-9);
      EXPECT_NEAR(got.ewma_above, want.at("ewma_above").get<double>(), 1e-12);
      EXPECT_NEAR(got.ewma_limit, want.at("ewma_limit").get<double>(), 1e-12);
      EXPECT_EQ(got.three_sigma, want.at("three_sigma").get<bool>());
      EXPECT_EQ(got.two_in_a_row, want.at("two_in_a_row").get<bool>());
      EXPECT_EQ(got.ewma, want.at("ewma").get<bool>());
      rang += got.three_sigma || got.two_in_a_row || got.ewma ? 1U : 0U;
    }
  }
  EXPECT_GT(rang, 20u) << "the charts have to have something to say";
}

// NIST/SEMATECH e-Handbook of Statistical Methods, 6.3.2.4 "EWMA Control Charts": weight 0.3, mean 50, SD 2.0539. Values,
// EWMA and limits as printed there; the limits are those after many runs.
TEST(Watch, IsTheHandbooksEwma) {
  const Numbers data{52.0, 47.0, 53.0, 49.3, 50.1, 47.0, 51.0, 50.1, 51.2, 50.5,
                     49.6, 47.6, 49.9, 51.3, 47.8, 51.2, 52.6, 52.4, 53.6, 52.1};
  const Numbers printed{50.60, 49.52, 50.56, 50.18, 50.16, 49.21, 49.75, 49.85, 50.26, 50.33,
                        50.11, 49.36, 49.52, 50.05, 49.38, 49.92, 50.73, 51.23, 51.94, 51.99};
  double smoothed = 50;
  for (std::size_t i = 0; i < data.size(); ++i) {
    smoothed = ewma_step(smoothed, data[i], 0.3);
    EXPECT_NEAR(smoothed, printed[i], 0.0051) << i;
  }
  EXPECT_NEAR(50 + ewma_limit(2.0539, 1000, 0.3, 3), 52.5884, 5e-5);
  EXPECT_NEAR(ewma_limit(1, 1, 0.2, 3), 0.6, 1e-12) << "the first one is the weight itself: 3 x 0.2";
}

TEST(Watch, ARunIsTestedBeforeItIsFoldedIn) {
  Numbers values{1, 2, 1, 2, 1, 2, 1, 2};  // mean 1.5, SD sqrt(8/7)/2 = 0.5345
  values.push_back(1.5 + 3 * 0.5345 + 0.01);
  EXPECT_TRUE(watch_level(values).states.at(0).three_sigma) << "itself in the baseline it would hide itself";
  values.back() -= 0.02;
  EXPECT_FALSE(watch_level(values).states.at(0).three_sigma);
}

TEST(Watch, TwoInARowNeedsTwo) {
  Numbers values;
  for (int i = 0; i < 20; ++i) values.push_back(i % 3);
  for (double value : {9.0, 0.0, 9.0, 9.0, 9.0}) values.push_back(value);
  const auto states = watch_level(values).states;
  std::vector<bool> rang;
  for (const WatchState& state : states) {
    if (state.index >= 20) rang.push_back(state.two_in_a_row);
  }
  EXPECT_EQ(rang, (std::vector<bool>{false, false, false, true, true}));
}

TEST(Watch, LaterRunsDoNotMoveTheBaseline) {
  Numbers values(20, 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 3);
  Numbers creeping = values;
  for (int i = 0; i < 30; ++i) creeping.push_back(1 + 0.1 * i);
  const Watch watch = watch_level(creeping);
  EXPECT_TRUE(watch.states.back().ewma) << "a baseline that followed would never see a creep";
  EXPECT_TRUE(watch.states.back().three_sigma);
}

TEST(Watch, EdgeTable) {
  const auto reason = [](const Numbers& values, const WatchOptions& options = {}) {
    const Watch watch = watch_level(values, options);
    EXPECT_EQ(watch.states.empty(), !watch.reasons.empty());
    return watch.reasons.empty() ? std::string() : watch.reasons.front();
  };
  EXPECT_EQ(reason({}), "only 0 runs of this level: watching starts with run 9");
  EXPECT_EQ(reason(Numbers(8, 1.0)), "only 8 runs of this level: watching starts with run 9");
  EXPECT_EQ(reason(Numbers(9, 1.0)), "");
  for (double odd : {not_a_number, infinity, 1e200}) {
    Numbers values(12, 1.0);
    values[3] = odd;
    EXPECT_NE(reason(values).find("not a finite number"), std::string::npos);
  }
  for (const WatchOptions& options :
       {WatchOptions{0, 3, 20, 8}, WatchOptions{1.1, 3, 20, 8}, WatchOptions{not_a_number, 3, 20, 8},
        WatchOptions{0.2, 0, 20, 8}, WatchOptions{0.2, 3, 20, 1}, WatchOptions{0.2, 3, 7, 8}}) {
    EXPECT_NE(reason(Numbers(30, 1.0), options).find("are needed"), std::string::npos);
  }
  EXPECT_EQ(reason(Numbers(30, 1.0), WatchOptions{1, 0.5, 2, 2}), "");
  // All equal: nothing rings, and a change of one in a million does.
  Numbers equal(30, 0.5);
  for (const WatchState& state : watch_level(equal).states) {
    EXPECT_FALSE(state.three_sigma || state.two_in_a_row || state.ewma);
  }
  equal.push_back(0.5 + 4e-6);
  EXPECT_TRUE(watch_level(equal).states.back().three_sigma);
}

}  // namespace
}  // namespace torchgate::stats
