// SPDX-License-Identifier: Apache-2.0
// Observations that are pooled, metrics of all ranks, set-ups that are not timed, and cases in processes of their own.
#include <algorithm>
#include <deque>

#include "harness/bench/run/cold_start.hpp"
#include "tests/harness/bench/ranks/rank_threads.hpp"
#include "tests/harness/bench/run/case_runner_fixture.hpp"

namespace torchgate::bench::testing {
namespace {

class OwnMetrics : public CaseRunnerTest {};

// Three requests a call: 1, 2 and 3 us in the first one, and so on by call.
Factory three_requests(FakeClock& clock) {
  return [&clock](const Args&) -> Timed {
    return [&clock, calls = 0](Recorder& recorder) mutable {
      ++calls;
      for (int i = 1; i <= 3; ++i) recorder.each("latency", calls * i * 1000);
      clock.work(100 * us);
    };
  };
}

TEST_F(OwnMetrics, EveryObservationOfAPooledMetricIsASample) {
  const CaseResult result =
      run(described([&](Group& g) { g.samples(5).measures(ns("latency").pooled()).sweep("v", three_requests(clock)); }),
          "s/g/v");
  ASSERT_EQ(result.status, CaseStatus::ok) << result.message;
  const auto& latency = measurement(result, "latency");
  ASSERT_EQ(latency.samples.size(), 15U);
  // The first sample's call has the number of the calls before it and one more: what it observed is in the ratio 1, 2, 3.
  EXPECT_DOUBLE_EQ(latency.samples[1], 2 * latency.samples[0]);
  EXPECT_DOUBLE_EQ(latency.samples[2], 3 * latency.samples[0]);
  EXPECT_EQ(latency.summary->n, 15);
  EXPECT_EQ(measurement(result, "time").samples.size(), 5U);
}

TEST_F(OwnMetrics, TailsOfAPooledMetricAreThoseOfRequestsNotOfCalls) {
  // 40 requests per call, one of which is slow: it does not change the median call, but P99 of all requests.
  const Factory one_slow = [this](const Args&) -> Timed {
    return [this](Recorder& recorder) {
      for (int i = 0; i < 40; ++i) recorder.each("latency", i == 7 ? 9e6 : 1e3);
      clock.work(100 * us);
    };
  };
  const CaseResult result =
      run(described([&](Group& g) { g.samples(5).measures(ns("latency").pooled()).sweep("v", one_slow); }), "s/g/v");
  const auto& summary = *measurement(result, "latency").summary;
  EXPECT_EQ(summary.n, 200);
  EXPECT_DOUBLE_EQ(summary.median, 1e3);
  EXPECT_DOUBLE_EQ(*summary.p99, 9e6);
}

TEST_F(OwnMetrics, PutAndEachAreNotMixed) {
  const Factory puts = [this](const Args&) -> Timed {
    return [this](Recorder& recorder) {
      recorder.put("latency", 1);
      clock.work(100 * us);
    };
  };
  expect_no_number(run(described([&](Group& g) { g.measures(ns("latency").pooled()).sweep("v", puts); }), "s/g/v"),
                   CaseStatus::failed, "metric \"latency\" is pooled(); record it with each(), not with put()");
  expect_no_number(
      run(described([&](Group& g) { g.measures(ns("latency")).sweep("v", three_requests(clock)); }), "s/g/v"),
      CaseStatus::failed, "metric \"latency\" has observations of each(); declare it pooled()");
}

TEST_F(OwnMetrics, APooledMetricWithoutAnObservationInASampleFailsTheCase) {
  const Factory rarely = [this](const Args&) -> Timed {
    return [this, calls = 0](Recorder& recorder) mutable {
      if (++calls % 2 == 0) recorder.each("latency", 1);
      clock.work(100 * us);
    };
  };
  expect_no_number(
      run(described([&](Group& g) { g.samples(6).measures(ns("latency").pooled()).sweep("v", rarely); }), "s/g/v"),
      CaseStatus::failed, "but recorded it in 3 of 6 samples");
}

TEST_F(OwnMetrics, ASetUpIsNeitherTimedNorCounted) {
  bool ready = false;
  const Factory with_set_up = [&](const Args&) -> Timed {
    return each_time(
        [&] {
          ready = true;
          clock.work(7 * ms);
        },
        [&] {
          EXPECT_TRUE(ready) << "a call without its set-up";
          ready = false;
          clock.work(100 * us);
          return 1.0;
        });
  };
  const CaseResult result = run_sweep(with_set_up);
  ASSERT_EQ(result.status, CaseStatus::ok) << result.message;
  for (const double sample : measurement(result, "time").samples) EXPECT_DOUBLE_EQ(sample, 100'000);
  for (const double sample : measurement(result, "cpu_time").samples) EXPECT_DOUBLE_EQ(sample, 100'000);
}

TEST_F(OwnMetrics, ShortCallsWithASetUpAreStillBlocksOfSeveral) {
  const Factory with_set_up = [&](const Args&) -> Timed {
    return each_time([&] { clock.work(ms); }, [&] { clock.work(5 * us); });
  };
  const CaseResult result = run_sweep(with_set_up);
  EXPECT_EQ(result.calls_per_sample, 4);
  EXPECT_DOUBLE_EQ(measurement(result, "time").samples.front(), 5'000);
}

// Blocks of 20 us would be 32 calls, and 400 samples of them two minutes.
TEST_F(OwnMetrics, LongSetUpsCountInTheBudget) {
  const Factory with_set_up = [&](const Args&) -> Timed {
    return each_time([&] { clock.work(10 * ms); }, [&] { clock.work(us); });
  };
  const CaseResult result = run_sweep(with_set_up);
  EXPECT_EQ(result.calls_per_sample, 8) << "50 ms of set-up";
  EXPECT_EQ(measurement(result, "time").samples.size(), 37U) << "3 s, as of any slow case";
  EXPECT_LE(clock.wall_ns(), 6'000 * ms);
}

TEST(OwnMetricsOfRanks, HaveTheLargestValueOfAllRanks) {
  const auto thrown = in_ranks(3, [](World& world) {
    FakeClock clock;
    Timed timed([&](Recorder& recorder) {
      recorder.put("wait", 10.0 * static_cast<double>(world.rank()));
      recorder.put("own", static_cast<double>(world.rank()));
      clock.work(ms);
    });
    const Samples samples = sample(timed, [] {}, with_samples(SamplerSettings{}, 5), clock, nullptr, world, {"wait"});
    EXPECT_EQ(samples.recorded.at("wait"), std::vector<double>(5, 20.0));
    EXPECT_EQ(samples.recorded.at("own"), std::vector<double>(5, static_cast<double>(world.rank())));
  });
  EXPECT_EQ(thrown, std::vector<std::string>(3));
}

// Answers with what a test gives, and notes what it was asked.
class FakeCaseProcess final : public CaseProcess {
 public:
  base::Result<CaseAnswer> run(const std::string&, const std::string& case_name, const OwnProcess& settings,
                               const std::optional<std::string>&) override {
    asked.push_back(case_name);
    cpus.push_back(settings.cpus);
    if (answers.empty()) return base::Error{base::ErrorCode::bad_input, "it ended with exit code 7"};
    CaseAnswer answer;
    answer.result = std::move(answers.front());
    answer.load_ns = 1000;
    answers.pop_front();
    return answer;
  }

  std::deque<CaseResult> answers;
  std::vector<std::string> asked;
  std::vector<std::optional<int>> cpus;
};

CaseResult launch(double time_ns, double allocations, CaseStatus status = CaseStatus::ok) {
  CaseResult result;
  result.name = "s/g/v";
  result.status = status;
  result.message = status == CaseStatus::ok ? "" : "it is wrong";
  record::Measurement time;
  time.metric = "time";
  time.samples = {time_ns};
  record::Measurement counted;
  counted.metric = "allocations";
  counted.value = allocations;
  result.measurements = {time, counted};
  return result;
}

class OwnProcesses : public CaseRunnerTest {
 protected:
  CaseResult run_with(FakeCaseProcess& process, const GroupCases& group) {
    const auto instances = group.instances();
    CaseRunner runner(backend, SamplerSettings{}, clock, {}, solo_world(), &process);
    return runner.run(group, instances.front(), instances);
  }
};

TEST_F(OwnProcesses, SamplesOfAColdCaseAreItsLaunches) {
  FakeCaseProcess process;
  process.answers = {launch(10, 3), launch(30, 3), launch(20, 3)};
  const CaseResult result = run_with(process, described([&](Group& g) { g.cold(3).sweep("v", returns(1)); }));
  EXPECT_EQ(process.asked, std::vector<std::string>(3, "s/g/v"));
  EXPECT_EQ(measurement(result, "time").samples, (std::vector<double>{10, 30, 20}));
  EXPECT_DOUBLE_EQ(measurement(result, "time").summary->median, 20);
  EXPECT_EQ(measurement(result, "load_time").samples, std::vector<double>(3, 1000.0));
  EXPECT_EQ(measurement(result, "allocations").value, 3);
}

TEST_F(OwnProcesses, ACountThatDiffersBetweenLaunchesIsNotExact) {
  FakeCaseProcess process;
  process.answers = {launch(10, 3), launch(30, 4)};
  const CaseResult result = run_with(process, described([&](Group& g) { g.cold(2).sweep("v", returns(1)); }));
  EXPECT_EQ(result.measurements.size(), 2U) << "time and load_time";
  EXPECT_EQ(result.message, "allocations differs between the launches and is not recorded");
}

TEST_F(OwnProcesses, TheFirstLaunchThatIsNotOkIsTheResult) {
  FakeCaseProcess process;
  process.answers = {launch(10, 3), launch(30, 3, CaseStatus::wrong), launch(20, 3)};
  const CaseResult result = run_with(process, described([&](Group& g) { g.cold(3).sweep("v", returns(1)); }));
  EXPECT_EQ(result.status, CaseStatus::wrong);
  EXPECT_EQ(process.asked.size(), 2U) << "no launch after it";
}

TEST_F(OwnProcesses, AProcessWithoutAReportFailsTheCase) {
  FakeCaseProcess process;
  expect_no_number(run_with(process, described([&](Group& g) { g.cpus(1).sweep("v", returns(1)); })),
                   CaseStatus::failed, "it ended with exit code 7");
  EXPECT_EQ(process.cpus, std::vector<std::optional<int>>{1});
}

TEST_F(OwnProcesses, AnOrdinaryCaseHasNone) {
  FakeCaseProcess process;
  EXPECT_EQ(run_with(process, described([&](Group& g) { g.sweep("v", returns(1)); })).status, CaseStatus::ok);
  EXPECT_TRUE(process.asked.empty());
}

TEST_F(OwnProcesses, MistakesAreNamed) {
  const auto has = [](const Description& describe, const std::string& said) {
    const std::string mistake = mistake_of(describe);
    EXPECT_NE(mistake.find(said), std::string::npos) << said << "; found: " << mistake;
  };
  const auto of_group = [this](const std::function<void(Group&)>& what) -> Description {
    return [this, what](Group& g) {
      what(g);
      g.sweep("v", returns(1));
    };
  };
  const auto of_sweep = [this](const std::function<void(Sweep)>& what) -> Description {
    return [this, what](Group& g) { what(g.sweep("v", returns(1))); };
  };
  has(of_group([](Group& g) { g.cold(0); }), "cold(0): use at least 1 launch");
  has(of_group([](Group& g) { g.cold(2).samples(5); }), "whose samples are launches");
  has(of_group([](Group& g) { g.ranks(2).cold(2); }), "not possible with ranks()");
  has(of_group([](Group& g) { g.ranks(2).threads(2); }), "not possible with ranks()");
  has(of_sweep([](Sweep v) { v.environment("A=B", "1"); }), "invalid name of a variable");
  has(of_sweep([](Sweep v) { v.environment("TORCHGATE_SAMPLES", "1"); }), "the harness sets it");
  has(of_sweep([](Sweep v) { v.environment("A", "1").environment("A", "2"); }), "duplicate variable A");
  has(of_sweep([](Sweep v) { v.threads(0); }), "threads(0): use at least 1");
  has(of_sweep([](Sweep v) { v.cpus(0); }), "cpus(0): use at least 1");
  has(of_sweep([](Sweep v) { v.artefact("../m.pt2"); }), "without a folder");
  has(of_group([](Group& g) { g.measures(ns("a").pooled().exact()); }), "pooled() and exact() exclude each other");
  has(of_group([](Group& g) { g.measures(ns("a").of_all_ranks()); }), "of_all_ranks() needs ranks()");
  has(of_group([](Group& g) { g.ranks(2).measures(ns("a").of_all_ranks().pooled()); }), "which belong to a rank");
  has(of_group([](Group& g) { g.cold(2).measures(ns("build_time")); }), "duplicate metric \"build_time\"");
}

}  // namespace
}  // namespace torchgate::bench::testing
