// SPDX-License-Identifier: Apache-2.0
// Whole runs with the fake suite of tests/fixtures/suites.
#include "harness/launch/launcher.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/base/content_hash.hpp"
#include "harness/launch/selection.hpp"
#include "harness/record/codec.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/launch/running.hpp"

namespace torchgate::launch {
namespace {

using base::testing::TemporaryFolder;
using record::CaseStatus;
using record::ProcessStatus;
using testing::fake_request;
using testing::run;

Request pair_request(const std::string& groups) {
  return testing::in_pairs(fake_request(groups));
}

const record::MachineFact* fact(const record::Run& run, const std::string& name) {
  for (const auto& each : run.machine.facts)
    if (each.name == name) return &each;
  return nullptr;
}

bool has_warning(const record::Run& run, const std::string& part) {
  return std::any_of(run.warnings.begin(), run.warnings.end(),
                     [&](const std::string& each) { return each.find(part) != std::string::npos; });
}

TEST(Launcher, CasesOnAGpuAreJudgedByTheMetricOfTheRequest) {
  const auto primary_of = [](const std::string& metric) {
    Request request = fake_request("ok,gpu");
    request.device_metric = metric;
    std::map<std::string, std::string> primary;
    for (const record::Case& each : run(request).cases) primary[each.group] = record::primary_metric(each)->name;
    return primary;
  };
  using Primary = std::map<std::string, std::string>;
  EXPECT_EQ(primary_of(""), (Primary{{"fake/ok", "time"}, {"fake/gpu", "time"}}));
  EXPECT_EQ(primary_of("gpu_time_hot"), (Primary{{"fake/ok", "time"}, {"fake/gpu", "gpu_time_hot"}}));
  EXPECT_EQ(primary_of("gpu_time_cold"), (Primary{{"fake/ok", "time"}, {"fake/gpu", "time"}}));
}

TEST(Launcher, MeasuresOneSide) {
  Request request = fake_request("ok,slow");
  request.plan.processes = 2;
  request.sides[0].source.commit = std::string(40, 'a');
  const record::Run result = run(request);
  EXPECT_EQ(result.id.size(), 16U);
  EXPECT_EQ(result.tool_version, "0.0.0");
  EXPECT_EQ(result.plan.suites, std::vector<std::string>{"fake"});
  EXPECT_EQ(result.plan.group_limit_s, 600.0);
  EXPECT_EQ(result.sides.at(0).suite_paths, std::vector<std::string>{TORCHGATE_FAKE_SUITE});
  EXPECT_EQ(result.sides[0].source.commit, std::string(40, 'a'));
  EXPECT_EQ(result.groups.size(), 2U);
  EXPECT_EQ(result.cases.size(), 4U);
  EXPECT_FALSE(result.interrupted);
  EXPECT_FALSE(result.machine.host_key.empty());
  ASSERT_EQ(result.processes.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const record::Process& process = result.processes[i];
    EXPECT_EQ(process.index, static_cast<std::int64_t>(i));
    EXPECT_EQ(process.status, ProcessStatus::ok) << process.message;
    EXPECT_EQ(process.pair, std::nullopt);
    EXPECT_EQ(process.exit_code, 0);
    EXPECT_GT(process.wall_ns, 0);
    EXPECT_EQ(process.started.size(), std::string("2026-01-01T00:00:00.000Z").size());
    ASSERT_EQ(process.cases.size(), 2U);
    EXPECT_EQ(process.cases[0].measurements.at(0).samples, (std::vector<double>{999, 1000, 1001}));
    EXPECT_EQ(process.cases[0].measurements.at(1).value, 7.0);
  }
}

TEST(Launcher, RecordsWhatRan) {
  const record::Run result = run(fake_request("ok"));
  ASSERT_FALSE(result.objects.empty());
  const record::LoadedObject& executable = result.objects[0];
  EXPECT_TRUE(executable.executable);
  EXPECT_EQ(executable.path, std::filesystem::canonical(TORCHGATE_FAKE_SUITE));
  EXPECT_EQ(executable.sha256, *base::sha256_of_file(TORCHGATE_FAKE_SUITE));
  std::set<std::string> sonames;
  for (const auto& object : result.objects) {
    EXPECT_EQ(object.sha256.size(), 64U) << object.path;
    sonames.insert(object.soname);
  }
  EXPECT_TRUE(sonames.contains("libc.so.6"));
  EXPECT_EQ(result.processes.at(0).objects.size(), result.objects.size());
}

TEST(Launcher, PairsAreNeighboursAndEachSideHasItsOwnEnvironment) {
  Request request = pair_request("ok,slow");
  request.plan.processes = 3;
  request.sides[0].environment = {{"FAKE_LEVEL", "2000"}};
  request.sides[1].environment = {{"FAKE_LEVEL", "3000"}, {"FAKE_GROUPS", "ok,slow"}};
  const record::Run result = run(request);
  ASSERT_EQ(result.processes.size(), 12U);
  for (std::size_t i = 0; i < 12; i += 2) {
    const record::Process& first = result.processes[i];
    const record::Process& second = result.processes[i + 1];
    EXPECT_EQ(first.group, second.group);
    EXPECT_EQ(first.pair, second.pair);
    EXPECT_NE(first.side, second.side);
    EXPECT_EQ(first.order_in_pair, 0);
    EXPECT_EQ(second.order_in_pair, 1);
    EXPECT_EQ(first.seed, second.seed);
  }
  for (const record::Process& process : result.processes) {
    EXPECT_EQ(process.cases.at(0).measurements.at(0).summary->median, process.side == 0 ? 2000 : 3000);
    EXPECT_EQ(process.environment.size(), 2U);  // FAKE_GROUPS once, although after sets it again
  }
  EXPECT_EQ(fact(result, "level (before)")->value, "2000");
  EXPECT_EQ(fact(result, "level (after)")->value, "3000");
  EXPECT_EQ(fact(result, "suite_threads")->value, "1");  // "threads" is the machine's own
}

TEST(Launcher, EveryWayToFailCostsItsOwnGroupOnly) {
  const record::Run result = run(fake_request("crash,garbage,silent,exit3,chatty,orphan,ok"));
  std::map<std::string, record::Process> of;
  for (const auto& process : result.processes) of[process.group.substr(5)] = process;
  ASSERT_EQ(of.size(), 7U);
  EXPECT_EQ(of["crash"].status, ProcessStatus::crashed);
  EXPECT_EQ(of["crash"].signal, SIGSEGV);
  EXPECT_EQ(of["crash"].message, "killed by SIGSEGV (Segmentation fault)\nlast output:\nabout to crash");
  EXPECT_EQ(of["garbage"].status, ProcessStatus::bad_report);
  EXPECT_EQ(of["garbage"].message.find("its report: "), 0U) << of["garbage"].message;
  EXPECT_EQ(of["silent"].status, ProcessStatus::not_a_suite);
  EXPECT_EQ(of["silent"].message,
            "ended with exit code 0 before it wrote its report: a case called exit(); let it throw instead");
  EXPECT_EQ(of["exit3"].status, ProcessStatus::failed);
  EXPECT_EQ(of["exit3"].exit_code, 3);
  EXPECT_EQ(of["chatty"].status, ProcessStatus::failed);
  EXPECT_TRUE(of["chatty"].message.ends_with("line 99999 of far too many lines"));
  EXPECT_LT(of["chatty"].message.size(), 1000U);
  EXPECT_EQ(of["orphan"].status, ProcessStatus::ok);
  EXPECT_EQ(of["ok"].status, ProcessStatus::ok);
  for (const auto& [group, process] : of)
    EXPECT_EQ(process.cases.size(), process.status == ProcessStatus::ok ? 2U : 0U) << group;
  EXPECT_TRUE(testing::children().empty());
}

TEST(Launcher, AGroupThatHangsTimesOut) {
  Request request = fake_request("hang");
  request.plan.group_limit_s = 2;  // of listing the cases, too
  const record::Run result = run(request);
  ASSERT_EQ(result.processes.size(), 1U);
  EXPECT_EQ(result.processes[0].status, ProcessStatus::timed_out);
  EXPECT_EQ(result.processes[0].message, "killed after its time limit of 2 s");
  EXPECT_TRUE(testing::children().empty());
}

TEST(Launcher, AForgottenCaseAndAFailedCaseAreFailed) {
  const record::Run result = run(fake_request("partly,failing"));
  for (const auto& process : result.processes) {
    ASSERT_EQ(process.cases.size(), 2U);
    EXPECT_EQ(process.status, ProcessStatus::ok);
    EXPECT_EQ(process.cases[0].status, CaseStatus::ok);
    EXPECT_EQ(process.cases[1].status, CaseStatus::failed);
    EXPECT_EQ(process.cases[1].message,
              process.group == "fake/partly" ? "missing in the suite's report, although listed" : "out of memory");
    EXPECT_TRUE(process.cases[1].measurements.empty());
  }
}

TEST(Launcher, SkippedCasesAreInTheRunWithTheirReason) {
  const record::Run result = run(fake_request("ok,skip"));
  EXPECT_EQ(result.processes.size(), 1U);
  EXPECT_EQ(result.groups.size(), 2U);
  ASSERT_EQ(result.cases.size(), 4U);
  EXPECT_EQ(result.cases[2].skipped, "no CUDA device");
}

TEST(Launcher, SuitesThatCannotBeListedAreInTheRun) {
  Request request = fake_request("ok");
  request.sides[0].suites.insert(request.sides[0].suites.end(), {"/bin/true", "/no/such/suite"});
  const record::Run result = run(request);
  ASSERT_EQ(result.processes.size(), 3U);
  EXPECT_EQ(result.processes[0].status, ProcessStatus::ok);
  EXPECT_EQ(result.processes[1].status, ProcessStatus::not_a_suite);
  EXPECT_EQ(result.processes[1].group, "");
  EXPECT_EQ(result.processes[2].status, ProcessStatus::not_started);
  EXPECT_EQ(result.processes[2].index, 2);
}

TEST(Launcher, OnlyTheCasesAskedFor) {
  Request request = fake_request("ok,slow");
  request.only_cases = {"fake/slow/fast/device:cpu"};
  const record::Run result = run(request);
  ASSERT_EQ(result.processes.size(), 1U);
  ASSERT_EQ(result.processes[0].cases.size(), 1U);
  EXPECT_EQ(result.processes[0].cases[0].name, "fake/slow/fast/device:cpu");
  EXPECT_EQ(result.plan.filter, recorded_filter(request.only_cases));
  EXPECT_EQ(result.cases.size(), 1U);
}

TEST(Launcher, AGroupThatKeepsFailingIsGivenUp) {
  Request request = pair_request("ok");
  request.sides[1].environment = {{"FAKE_GROUPS", "ok,exit3"}};  // a group that only after has
  request.plan.processes = 5;
  const record::Run result = run(request);
  ASSERT_EQ(result.processes.size(), 15U);
  std::vector<record::Process> failing;
  for (const auto& process : result.processes)
    if (process.group == "fake/exit3") failing.push_back(process);
  ASSERT_EQ(failing.size(), 5U);
  for (std::size_t i = 0; i < failing.size(); ++i)
    EXPECT_EQ(failing[i].status, i < 2 ? ProcessStatus::failed : ProcessStatus::not_started) << i;
  EXPECT_EQ(failing[4].message, "not started: fake/exit3 already failed 2 times on side 'after'");
}

TEST(Launcher, NothingStartsBeyondTheTotalLimit) {
  // The first process of "hang" is ended by the limit of a group, after that of the run.
  Request request = fake_request("hang");
  request.plan.processes = 3;
  request.plan.group_limit_s = 4;
  request.plan.total_limit_s = 3.5;  // listing the suite takes a second where a sanitizer is in it
  const record::Run result = run(request);
  ASSERT_EQ(result.processes.size(), 3U);
  EXPECT_EQ(result.processes[0].status, ProcessStatus::timed_out);
  for (std::size_t i = 1; i < result.processes.size(); ++i) {
    EXPECT_EQ(result.processes[i].status, ProcessStatus::not_started);
    EXPECT_EQ(result.processes[i].message, "not started: the run reached its limit of 3.5 s");
  }
  EXPECT_FALSE(result.interrupted);
}

TEST(Launcher, OtherDefinitionsOnTheOtherSideAreToldInTheRun) {
  Request request = pair_request("ok");
  request.sides[1].environment = {{"FAKE_SEED", "2"}};
  const record::Run result = run(request);
  EXPECT_TRUE(has_warning(
      result, "fake/ok/eager/device:cpu is defined differently in before and after (its input seed was 1 and is 2)"));
  EXPECT_EQ(result.cases[0].input_seed, 2U);
  EXPECT_EQ(*result.cases[0].sides_differ, "its input seed was 1 and is 2");
}

TEST(Launcher, ErrorsNameWhatToDo) {
  Observer silent;
  const auto message = [&](const Request& request) { return measure(request, silent).error().message; };
  Request request = fake_request("ok");
  request.plan.filter = "*";
  EXPECT_NE(message(request).find("invalid regular expression"), std::string::npos);
  request.plan.filter = "nothing";
  EXPECT_EQ(message(request), "no case matches the filter 'nothing'; list the cases with `torchgate run --list`");
  request = fake_request("ok");
  request.plan.processes = 0;
  EXPECT_EQ(message(request), "a run needs at least one process per group, not 0");
  request = pair_request("ok");
  request.sides[1].label = "before";
  EXPECT_EQ(message(request), "duplicate side label 'before'; give the sides different labels");
  request = fake_request("ok");
  request.plan.shard = 3;
  request.plan.shards = 2;
  EXPECT_EQ(message(request), "invalid shard 3 of 2");
  request.sides.clear();
  EXPECT_EQ(message(request), "invalid number of sides: 0; a run has one or two");
}

class Recorder : public Observer {
 public:
  void on_plan(const Forecast& forecast) override { planned = forecast.processes; }
  void on_process_started(const record::Process& process, const Progress& progress) override {
    events.push_back("start " + process.group + " " + std::to_string(progress.done) + "/" +
                     std::to_string(progress.total));
    had_estimate = had_estimate && progress.left.has_value();
  }
  void on_process_finished(const record::Process& process, const Progress& progress) override {
    events.push_back("end " + process.group + " " + std::to_string(progress.done) + "/" +
                     std::to_string(progress.total));
    left = progress.left;
  }
  std::vector<std::string> events;
  std::int64_t planned = 0;
  bool had_estimate = true;
  std::optional<std::chrono::nanoseconds> left;
};

TEST(Launcher, TellsWhatItLaunchedByContent) {
  Request request = fake_request("ok");
  request.plan.processes = 1;
  std::vector<FileHash> told;
  request.launched = [&](const std::vector<FileHash>& files) { told.insert(told.end(), files.begin(), files.end()); };
  const record::Run result = run(request);
  const auto count = [&](const record::LoadedObject& object) {
    return std::count_if(told.begin(), told.end(), [&](const FileHash& file) {
      return file.path == object.path && file.sha256 == object.sha256;
    });
  };
  ASSERT_FALSE(result.objects.empty());
  for (const record::LoadedObject& object : result.objects) {
    // The executable twice: when the suite was listed, so that a run that is killed then can be resumed, and after it ran.
    EXPECT_EQ(count(object), object.executable ? 2 : object.system ? 0 : 1) << object.path;
  }
}

TEST(Launcher, TellsItsObserver) {
  Request request = fake_request("ok");
  request.plan.processes = 2;
  Recorder recorder;
  ASSERT_TRUE(measure(request, recorder));
  EXPECT_EQ(recorder.planned, 2);
  EXPECT_EQ(recorder.events,
            (std::vector<std::string>{"start fake/ok 0/2", "end fake/ok 1/2", "start fake/ok 1/2", "end fake/ok 2/2"}));
  EXPECT_TRUE(recorder.had_estimate);
  EXPECT_EQ(recorder.left, std::chrono::nanoseconds(0));
}

TEST(Launcher, ForecastRunsNothing) {
  const TemporaryFolder folder;
  Request request = fake_request("ok,skip,slow");
  request.environment.push_back({"FAKE_MARK", (folder.path() / "marks").string()});
  request.plan.processes = 3;
  const auto expected = forecast(request);
  ASSERT_TRUE(expected) << expected.error().message;
  EXPECT_EQ(expected->processes, 6);
  EXPECT_EQ(expected->cases.size(), 6U);
  EXPECT_EQ(expected->groups.size(), 3U);
  EXPECT_DOUBLE_EQ(*expected->seconds, 3 * 6.0);  // the fake suite claims one second per case and process
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "marks"));
}

TEST(Launcher, SeedsDiffer) {
  EXPECT_NE(fresh_seed(), fresh_seed());
  EXPECT_LT(fresh_seed(), std::uint64_t{1} << 53);
}

}  // namespace
}  // namespace torchgate::launch
