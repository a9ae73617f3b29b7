// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/timed.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tests/harness/bench/fakes.hpp"

namespace torchgate::bench {
namespace {

TEST(Timed, WhatIsCheckedIsWhatIsTimed) {
  Timed timed([state = 0]() mutable { return ++state; });
  Recorder recorder;
  timed.run(recorder);
  timed.run(recorder);
  EXPECT_EQ(timed.output().values, std::vector<double>{3}) << "one object, not a copy each";
}

TEST(Timed, TakesCallsThatCannotBeCopied) {
  Timed timed([owned = std::make_unique<int>(5)] { return *owned; });
  EXPECT_EQ(timed.output().values, std::vector<double>{5});
}

struct CountsCopies {
  explicit CountsCopies(int* copies) : copies_(copies) {}
  CountsCopies(const CountsCopies& other) : copies_(other.copies_) { ++*copies_; }
  CountsCopies& operator=(const CountsCopies&) = delete;
  ~CountsCopies() = default;
  int* copies_;
};

}  // namespace

template <>
struct OutputOf<CountsCopies> {
  static Output get(const CountsCopies&) { return {{1}, "mine"}; }
};

namespace {

TEST(Timed, AReturnedReferenceIsNotCopied) {
  int copies = 0;
  CountsCopies value(&copies);
  Timed timed([&value]() -> const CountsCopies& { return value; });
  Recorder recorder;
  timed.run(recorder);
  EXPECT_EQ(copies, 0);
  EXPECT_EQ(timed.output().dtype, "mine") << "a specialisation for one's own type";
}

TEST(Timed, ACallWithoutResultHasNoOutput) {
  EXPECT_FALSE(Timed([] {}).has_output());
  EXPECT_FALSE(Timed([](Recorder&) {}).has_output());
  EXPECT_TRUE(Timed([](Recorder&) { return 1; }).has_output());
}

TEST(Recorder, AddsUpAndCounts) {
  Recorder recorder;
  recorder.put("bytes", 3);
  recorder.put("bytes", 4);
  EXPECT_EQ(recorder.sums().at("bytes").value, 7);
  EXPECT_EQ(recorder.sums().at("bytes").puts, 2);
  recorder.clear();
  EXPECT_EQ(recorder.sums().at("bytes").puts, 0);
}

TEST(Recorder, PhasesAreTimedByItsClock) {
  testing::FakeClock clock;
  Recorder recorder(clock);
  {
    const auto outer = recorder.phase("step");
    clock.work(10);
    {
      const auto inner = recorder.phase("forward");
      clock.work(32);
    }
  }
  EXPECT_EQ(recorder.sums().at("forward").value, 32);
  EXPECT_EQ(recorder.sums().at("step").value, 42);
}

}  // namespace
}  // namespace torchgate::bench
