// SPDX-License-Identifier: Apache-2.0
// Runs whose groups are chosen from round to round (Request::rounds), and what a budget leaves of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "harness/launch/launcher.hpp"
#include "tests/harness/launch/running.hpp"

namespace torchgate::launch {
namespace {

using record::ProcessStatus;
using testing::fake_request;
using testing::in_pairs;
using testing::run;

// Chooses as a test says.
class Scripted final : public Rounds {
 public:
  using Next = std::function<std::set<std::string>(const record::Run& so_far)>;
  explicit Scripted(Next next) : next_(std::move(next)) {}
  std::set<std::string> next(const record::Run& so_far) override { return next_(so_far); }

 private:
  Next next_;
};

std::size_t launches_of(const record::Run& run, const std::string& group) {
  return static_cast<std::size_t>(
      std::count_if(run.processes.begin(), run.processes.end(), [&](const auto& each) { return each.group == group; }));
}

TEST(Rounds, AGroupThatIsNoLongerChosenEnds) {
  Request request = in_pairs(fake_request("ok,slow"));
  request.plan.processes = 4;
  request.rounds = std::make_shared<Scripted>([](const record::Run& so_far) {
    EXPECT_EQ(so_far.processes.size() % 2, 0U);  // asked between pairs, never inside one
    return launches_of(so_far, "fake/slow") < 4 ? std::set<std::string>{"fake/ok", "fake/slow"}
                                                : std::set<std::string>{"fake/ok"};
  });
  const record::Run result = run(request);
  EXPECT_EQ(launches_of(result, "fake/slow"), 4U);
  EXPECT_EQ(result.processes.size(), 12U);
}

// In the order of the schedule: a group's rounds one after the other, whatever the others do.
TEST(Rounds, ARoundIsOfTheGroupsThatWereChosen) {
  Request request = in_pairs(fake_request("ok,slow"));
  request.plan.processes = 4;
  int round = 0;
  request.rounds = std::make_shared<Scripted>([&](const record::Run& so_far) -> std::set<std::string> {
    EXPECT_EQ(so_far.processes.size(), round == 0 ? 0U : static_cast<std::size_t>(2 * round + 2));
    ++round;
    if (round == 1) return {"fake/ok", "fake/slow"};
    if (round <= 4) return {"fake/ok"};
    return {};
  });
  const record::Run result = run(request);
  std::vector<std::int64_t> pairs;
  std::int64_t slow = 0;
  for (const auto& process : result.processes) {
    if (process.group == "fake/ok") pairs.push_back(process.pair.value_or(-1));
    slow += process.group == "fake/slow" ? 1 : 0;
  }
  EXPECT_EQ(pairs, (std::vector<std::int64_t>{0, 0, 1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(slow, 2);
  EXPECT_EQ(round, 5);
}

TEST(Rounds, AChosenGroupWithoutFurtherRoundsEndsTheRun) {
  Request request = in_pairs(fake_request("ok"));
  request.plan.processes = 2;
  request.rounds = std::make_shared<Scripted>([](const record::Run&) {
    return std::set<std::string>{"fake/ok", "fake/none"};
  });
  EXPECT_EQ(run(request).processes.size(), 4U);
  request.plan.budget_pairs = 1;
  EXPECT_EQ(run(request).processes.size(), 2U);
}

// The whole schedule, and one that is chosen from round to round: what is known of the end.
TEST(Rounds, ProgressSaysWhatIsKnownOfTheEnd) {
  struct Seen final : Observer {
    void on_plan(const Forecast& forecast) override { plan = forecast; }
    void on_process_finished(const record::Process&, const Progress& progress) override { all.push_back(progress); }
    Forecast plan;
    std::vector<Progress> all;
  };
  Request request = in_pairs(fake_request("ok,slow"));
  request.plan.processes = 2;
  Seen whole;
  ASSERT_TRUE(measure(request, whole));
  EXPECT_EQ(whole.plan.processes, 8);
  EXPECT_FALSE(whole.plan.at_most);
  ASSERT_EQ(whole.all.size(), 8U);
  for (const Progress& each : whole.all) EXPECT_EQ(each.total, 8);

  request.rounds = std::make_shared<Scripted>(
      [](const record::Run& so_far) { return std::set<std::string>{so_far.processes.empty() ? "fake/ok" : "none"}; });
  Seen chosen;
  ASSERT_TRUE(measure(request, chosen));
  EXPECT_EQ(chosen.plan.processes, 8);
  EXPECT_TRUE(chosen.plan.at_most);
  ASSERT_EQ(chosen.all.size(), 2U);
  EXPECT_EQ(chosen.all.back().total, 0);
  EXPECT_EQ(chosen.all.back().left, std::nullopt);

  constexpr double budget_s = 100;
  request.plan.budget_s = budget_s;
  Seen limited;
  ASSERT_TRUE(measure(request, limited));
  ASSERT_EQ(limited.all.size(), 2U);
  ASSERT_TRUE(limited.all.back().left);
  EXPECT_LE(*limited.all.back().left, std::chrono::seconds(100));
  EXPECT_GT(*limited.all.back().left, std::chrono::seconds(50));
}

// Says how far it is, and chooses once.
class Telling final : public Rounds {
 public:
  std::set<std::string> next(const record::Run& so_far) override {
    asked_ = so_far.processes.size();
    return asked_ < 4 ? std::set<std::string>{"fake/ok"} : std::set<std::string>{};
  }
  [[nodiscard]] std::optional<RoundsSoFar> so_far() const override {
    const auto pairs = static_cast<std::int64_t>(asked_ / 2);
    return RoundsSoFar{pairs, 4, 2, pairs, static_cast<double>(pairs), 2};
  }

 private:
  std::size_t asked_ = 0;
};

// What an observer was told after each process.
class Ends final : public Observer {
 public:
  void on_process_finished(const record::Process&, const Progress& progress) override { all.push_back(progress); }
  std::vector<Progress> all;
};

TEST(Rounds, WhatTheySayIsInTheProgress) {
  Request request = in_pairs(fake_request("ok,slow"));
  request.plan.processes = 2;
  request.rounds = std::make_shared<Telling>();
  Ends seen;
  ASSERT_TRUE(measure(request, seen));
  ASSERT_EQ(seen.all.size(), 4U);
  for (const Progress& each : seen.all) {
    ASSERT_TRUE(each.rounds);
    EXPECT_EQ(each.rounds->most_pairs, 4);
    EXPECT_EQ(each.total, 0);
  }
  // Pairs are counted as they end; what is decided, between rounds. Without a pair no time is expected.
  EXPECT_EQ(seen.all[1].rounds->pairs, 1);
  EXPECT_EQ(seen.all[1].rounds->decided, 0);
  EXPECT_EQ(seen.all[1].left, std::nullopt);
  EXPECT_EQ(seen.all[3].rounds->pairs, 2);
  EXPECT_EQ(seen.all[3].rounds->decided, 1);
  ASSERT_TRUE(seen.all[3].left);
  EXPECT_GE(*seen.all[3].left, std::chrono::nanoseconds(0));
}

TEST(Rounds, NoPairStartsBeyondTheBudgetAndNothingIsLost) {
  Request request = in_pairs(fake_request("ok,slow"));
  request.plan.processes = 4;
  request.plan.budget_pairs = 3;
  const record::Run result = run(request);
  EXPECT_EQ(result.processes.size(), 6U);
  for (const auto& process : result.processes) EXPECT_EQ(process.status, ProcessStatus::ok) << process.message;
  EXPECT_EQ(result.plan.budget_pairs, 3);
  EXPECT_FALSE(result.interrupted);

  request.plan.budget_pairs.reset();
  request.plan.budget_s = 1e-6;
  EXPECT_TRUE(run(request).processes.empty());
}

}  // namespace
}  // namespace torchgate::launch
