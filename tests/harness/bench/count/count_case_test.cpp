// SPDX-License-Identifier: Apache-2.0
// Which parts of a case are counted, with a counter that counts what the test does.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/record/instruction_count.hpp"
#include "tests/harness/bench/run/case_runner_fixture.hpp"

namespace torchgate::bench {
namespace {

using testing::described;

using record::CaseResult;
using record::CaseStatus;

/// Counts WORK while it is started. In a tool it gives no numbers, but the names of the parts.
class FakeCounter final : public InstructionCounter {
 public:
  explicit FakeCounter(const double& work, bool in_tool = false) : work_(work), in_tool_(in_tool) {}
  void start() override { at_start_ = work_; }
  void stop() override { counted_ += at_start_ < 0 ? 0 : work_ - std::exchange(at_start_, -1); }
  std::optional<double> take(const std::string& name) override {
    parts.push_back(name + "=" + std::to_string(static_cast<int>(counted_)));
    const double counted = std::exchange(counted_, 0);
    return in_tool_ ? std::nullopt : std::optional(counted);
  }
  [[nodiscard]] const char* name() const override { return "fake"; }

  std::vector<std::string> parts;

 private:
  const double& work_;
  bool in_tool_;
  double at_start_ = -1;
  double counted_ = 0;
};

class CountCaseTest : public testing::CaseRunnerTest {
 protected:
  // Building takes 1000, what is done before each call 100, a call 7, and the first one 50 more.
  Factory working(bool with_set_up = false) {
    return [this, with_set_up](const Args&) -> Timed {
      work += 1000;
      Timed call = [this, first = true]() mutable { work += 7 + (std::exchange(first, false) ? 50 : 0); };
      if (!with_set_up) return call;
      return each_time([this] { work += 100; }, std::move(call));
    };
  }

  CaseResult count(const GroupCases& group, const CountOptions& options, InstructionCounter& counter) {
    const auto instances = group.instances();
    CaseRunner runner(backend, SamplerSettings{}, clock);
    return runner.count_instructions(group, instances.front(), counter, options);
  }

  static double instructions_of(const CaseResult& result) {
    EXPECT_EQ(result.status, CaseStatus::ok) << result.message;
    EXPECT_EQ(result.measurements.size(), 1U);
    return measurement(result, record::instructions_metric).value.value_or(-1);
  }

  double work = 0;
};

TEST_F(CountCaseTest, CallsCountAfterTheWarmUpAndNothingElse) {
  FakeCounter counter(work);
  const CaseResult result = count(described([&](Group& g) { g.sweep("v", working()); }), {3, false}, counter);
  EXPECT_EQ(instructions_of(result), 7);
  EXPECT_EQ(result.calls_per_sample, 3);
  EXPECT_EQ(result.name, "s/g/v");
  EXPECT_EQ(counter.parts, (std::vector<std::string>{"set-up s/g/v=0", "calls s/g/v=21"}));
}

TEST_F(CountCaseTest, WhatIsDoneBeforeEachCallDoesNotCount) {
  FakeCounter counter(work);
  EXPECT_EQ(instructions_of(count(described([&](Group& g) { g.sweep("v", working(true)); }), {2, false}, counter)), 7);
}

TEST_F(CountCaseTest, BuildingAndWarmUpAreAPartOfTheirOwnWhereTheyAreWanted) {
  FakeCounter counter(work);
  EXPECT_EQ(instructions_of(count(described([&](Group& g) { g.sweep("v", working()); }), {1, true}, counter)), 7);
  EXPECT_EQ(counter.parts.front(), "set-up s/g/v=1064");
}

TEST_F(CountCaseTest, AColdStartIsBuildingAndTheFirstCall) {
  FakeCounter counter(work);
  EXPECT_EQ(instructions_of(count(described([&](Group& g) { g.cold(2).sweep("v", working()); }), {3, false}, counter)),
            1057);
  EXPECT_EQ(counter.parts, std::vector<std::string>{"calls s/g/v=1057"});
}

TEST_F(CountCaseTest, AColdStartIsSetUpBeforeItsCallAndThatDoesNotCount) {
  FakeCounter counter(work);
  int set_ups = 0;
  const Factory factory = [&](const Args& args) -> Timed {
    return each_time(
        [&] {
          ++set_ups;
          work += 100;
        },
        working()(args));
  };
  EXPECT_EQ(instructions_of(count(described([&](Group& g) { g.cold(2).sweep("v", factory); }), {1, false}, counter)),
            1057);
  EXPECT_EQ(set_ups, 1);
}

TEST_F(CountCaseTest, AToolThatKeepsTheNumbersGetsTheNames) {
  FakeCounter counter(work, true);
  const CaseResult result = count(described([&](Group& g) { g.sweep("v", working()); }), {1, false}, counter);
  EXPECT_EQ(result.status, CaseStatus::ok);
  EXPECT_TRUE(result.measurements.empty());
  EXPECT_EQ(counter.parts.back(), "calls s/g/v=7");
}

TEST_F(CountCaseTest, WhatCannotBeCountedIsSkippedWithAReason) {
  FakeCounter counter(work);
  const CaseResult ranks = count(described([&](Group& g) { g.ranks(2).sweep("v", working()); }), {1, false}, counter);
  EXPECT_EQ(ranks.status, CaseStatus::skipped);
  EXPECT_NE(ranks.message.text().find("ranks wait for each other"), std::string::npos);
  const CaseResult absent =
      count(described([&](Group& g) { g.needs("no_such_feature").sweep("v", working()); }), {1, false}, counter);
  EXPECT_EQ(absent.status, CaseStatus::skipped);
  EXPECT_TRUE(counter.parts.empty());
  EXPECT_EQ(work, 0) << "nothing was built";
}

TEST_F(CountCaseTest, ACallThatThrowsFails) {
  FakeCounter counter(work);
  const auto boom = [] { throw std::runtime_error("no such kernel"); };
  const CaseResult result = count(described([&](Group& g) { g.sweep("v", throws_at(2, boom)); }), {1, false}, counter);
  EXPECT_EQ(result.status, CaseStatus::failed);
  EXPECT_NE(result.message.text().find("no such kernel"), std::string::npos);
  EXPECT_TRUE(result.measurements.empty());
}

}  // namespace
}  // namespace torchgate::bench
