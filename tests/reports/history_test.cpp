// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/columns.hpp"
#include "reports/formats/history_json.hpp"
#include "reports/formats/history_text.hpp"
#include "tests/reports/history_models.hpp"
#include "tests/reports/read_back.hpp"

namespace torchgate::reports {
namespace {

TEST(HistoryText, NoLineIsWiderThanTheTerminal) {
  for (const History& history : {models::two_changes(), models::too_few_runs(), models::quiet_throughput(),
                                 models::hostile_history(), History{}}) {
    for (std::size_t width : {60u, 80u, 100u, 200u}) {
      for (const std::string& line : lines_of(render_history_text(history, {.width = width}))) {
        EXPECT_LE(display_width(line), width) << line;
      }
    }
  }
}

TEST(HistoryText, AsciiIsAscii) {
  for (const History& history : {models::two_changes(), models::hostile_history()}) {
    for (const char c : render_history_text(history, {.unicode = false})) {
      EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << static_cast<int>(c);
    }
  }
}

TEST(HistoryText, HostileNamesHaveNoEffect) {
  const std::string text = render_history_text(models::hostile_history());
  for (const char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= ' ');
  EXPECT_EQ(text.find("\xe2\x80\xae"), std::string::npos) << "a change of direction";
}

// A step of which five runs are there, of the eight or so that the search needs, is not "no change".
TEST(HistoryFinding, WithoutALevelChangeNamesAnAlertForTheNewestRun) {
  History history = models::quiet_throughput();
  EXPECT_EQ(history_finding(history), "no level change found in 10 runs");
  history.runs.back().watch = HistoryWatch{4.5, true, true, false};
  EXPECT_EQ(history_finding(history),
            "no level change found in 10 runs; the newest runs are worse, too few yet for a level");
}

// After one outlier, and 45 runs after a step of 0.9 %, the newest run may be better than the level.
TEST(HistoryFinding, OfAWeightedMeanSaysNothingOfTheNewestRuns) {
  History history = models::quiet_throughput();
  history.runs.back().watch = HistoryWatch{-0.4, false, false, true};
  EXPECT_EQ(newest_runs(history), NewestRuns::worse_on_mean);
  EXPECT_EQ(history_finding(history),
            "no level change found in 10 runs; the weighted mean of the newest runs is worse than the mean of this "
            "level's first runs");
}

TEST(HistoryFinding, NamesAnAlertAfterLevelChanges) {
  History history = models::two_changes();
  EXPECT_EQ(newest_runs(history), NewestRuns::worse);
  EXPECT_TRUE(history_finding(history).ends_with("; the newest runs are worse, too few yet for a level"));
  history.judged = false;
  EXPECT_EQ(newest_runs(history), NewestRuns::quiet);
}

TEST(HistoryFinding, CallsSmallChangesInARowASlowRise) {
  History history = models::two_changes();
  history.runs.back().watch.reset();
  const std::string without = history_finding(history);
  history.slow_change = 0.296;
  EXPECT_EQ(history_finding(history), without + ", parts of a slow rise by 30 %");
  history.slow_change = -0.12;
  EXPECT_EQ(history_finding(history), without + ", parts of a slow fall by 12 %");
}

// A command that is copied into a shell: "git" and "log" on two lines are none.
TEST(HistoryText, BreaksNoCommand) {
  const std::string text = render_history_text(models::two_changes(), {.width = 80});
  const std::size_t at = text.find("`git log ");
  ASSERT_NE(at, std::string::npos);
  EXPECT_GT(text.find('\n', at), text.find('`', at + 1));
}

TEST(HistoryText, SaysThatTheMachineChangedAndNotTheCode) {
  History history = models::two_changes();
  history.runs[13].commit = history.runs[14].commit;
  EXPECT_NE(render_history_text(history, {.width = 200}).find("the machine or its software changed, not the code"),
            std::string::npos);
}

TEST(HistoryText, NamesBisectWhereGitKnowsTheCommits) {
  History history = models::two_changes();
  EXPECT_NE(render_history_text(history, {.width = 300}).find("--build COMMAND --suites PATH"), std::string::npos);
  history.changes.front().commits_between.reset();
  const std::string unknown = render_history_text(history, {.width = 300});
  EXPECT_NE(unknown.find("git log "), std::string::npos);
  EXPECT_EQ(unknown.find("bisect"), std::string::npos);
}

TEST(HistoryText, HidesOldRunsUnlessVerbose) {
  const History history = models::two_changes();
  const auto rows = [&](bool verbose) {
    std::size_t count = 0;
    for (const std::string& line : lines_of(render_history_text(history, {.verbose = verbose}))) {
      count += line.ends_with(" 5") || line.find("  5  ") != std::string::npos ? 1U : 0U;
    }
    return count;
  };
  EXPECT_EQ(rows(false), 30u);
  EXPECT_EQ(rows(true), 44u);
}

TEST(HistoryJson, HasEveryNumberUnrounded) {
  const History history = models::two_changes();
  const auto json = nlohmann::json::parse(render_history_json(history));
  EXPECT_EQ(json.at("schema"), "torchgate.history/1");
  ASSERT_EQ(json.at("runs").size(), history.runs.size());
  for (std::size_t i = 0; i < history.runs.size(); ++i) {
    EXPECT_EQ(json.at("runs").at(i).at("value").get<double>(), history.runs[i].value);
    EXPECT_EQ(json.at("runs").at(i).at("watch").is_null(), !history.runs[i].watch);
  }
  EXPECT_EQ(json.at("changes").at(0).at("commits_between"), 3);
  EXPECT_TRUE(json.at("changes").at(1).at("commits_between").is_null());
  EXPECT_TRUE(json.at("changes").at(1).at("commit").is_null());
  EXPECT_EQ(json.at("changes").at(1).at("commit_before"), *history.runs[29].commit);
}

}  // namespace
}  // namespace torchgate::reports
