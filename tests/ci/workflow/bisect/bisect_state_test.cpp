// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/bisect/bisect_state.hpp"

#include <gtest/gtest.h>

#include "tests/ci/workflow/working_folder.hpp"

namespace torchgate::workflow {
namespace {

using stats::SideOfChange;
using testing::WorkingFolder;
using testing::write_text;

BisectState made_state() {
  BisectState state;
  state.question = {std::string(40, 'a'),
                    std::string(40, 'b'),
                    "make",
                    {"build"},
                    {"g/one", "g/two"},
                    true,
                    "quick",
                    12,
                    policy::DeviceMetric::gpu_time_hot,
                    1,
                    7};
  state.changed = {{"g/one", PairNumber::floor, 0.05, 0.01}, {"g/two", PairNumber::median, 0.2, 0.02}};
  state.files = {"build/suite"};
  state.good_content = std::string(64, '1');
  state.bad_content = std::string(64, '2');
  state.judged = {{std::string(40, 'c'),
                   CommitFate::measured,
                   std::string(64, '3'),
                   "",
                   4.5,
                   {{"g/one", SideOfChange::after, 4}, {"g/two", SideOfChange::undecided, 48}}},
                  {std::string(40, 'd'), CommitFate::skipped, "", "its build fails", 1, {}}};
  state.pairs = 40;
  state.seconds = 12.5;
  return state;
}

TEST(BisectState, IsReadAsItWasWritten) {
  const WorkingFolder folder;
  EXPECT_FALSE(load_bisect_state().value().has_value());
  ASSERT_TRUE(save_bisect_state(made_state()).ok());
  const auto read = load_bisect_state();
  ASSERT_TRUE(read.ok()) << read.error().message;
  const BisectState& state = **read;
  EXPECT_EQ(state.question, made_state().question);
  EXPECT_EQ(state.changed.at(0).number, PairNumber::floor);
  EXPECT_EQ(state.changed.at(1).change, 0.2);
  EXPECT_EQ(state.judged.at(0).cases.at(1).side, SideOfChange::undecided);
  EXPECT_EQ(state.judged.at(1).reason, "its build fails");
  EXPECT_EQ(state.pairs, 40);
  EXPECT_FALSE(state.finished);
}

TEST(BisectState, KnowsWhatBuildsOfOneContentAre) {
  const BisectState state = made_state();
  const auto any_commit = [](const std::string&) { return true; };
  EXPECT_EQ(state.side_of_content(std::string(64, '1'), "g/one", any_commit), SideOfChange::before);
  EXPECT_EQ(state.side_of_content(std::string(64, '2'), "g/one", any_commit), SideOfChange::after);
  EXPECT_EQ(state.side_of_content(std::string(64, '3'), "g/one", any_commit), SideOfChange::after);
  EXPECT_EQ(state.side_of_content(std::string(64, '3'), "g/two", any_commit), std::nullopt) << "undecided";
  EXPECT_EQ(state.side_of_content("", "g/one", any_commit), std::nullopt) << "not known";
  const auto no_commit = [](const std::string&) { return false; };
  for (const char each : {'1', '2', '3'})
    EXPECT_EQ(state.side_of_content(std::string(64, each), "g/one", no_commit), std::nullopt) << "other inputs";
  EXPECT_EQ(state.of(std::string(40, 'd'))->fate, CommitFate::skipped);
  EXPECT_EQ(state.of("e"), nullptr);
}

TEST(BisectState, RefusesWhatIsNotOne) {
  const WorkingFolder folder;
  std::filesystem::create_directories(bisect_folder);
  write_text(std::string(bisect_folder) + "/state.json", "{\"schema\": \"torchgate.bisect_state/1\"}");
  EXPECT_EQ(load_bisect_state().error().code, base::ErrorCode::bad_input);
}

}  // namespace
}  // namespace torchgate::workflow
