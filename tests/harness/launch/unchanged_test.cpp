// SPDX-License-Identifier: Apache-2.0
// Each kind of difference has its group measured; without one nothing is started.
#include "harness/launch/unchanged.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <memory>

#include "harness/record/group_content.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/launch/running.hpp"

namespace {

using namespace torchgate;
using launch::Request;

class Notes final : public launch::Observer {
 public:
  void on_note(const std::string& note) override { all.push_back(note); }
  void on_plan(const launch::Forecast& forecast) override { planned = forecast.processes; }
  std::vector<std::string> all;
  std::int64_t planned = -1;
};

class UnchangedTest : public ::testing::Test {
 protected:
  UnchangedTest() {
    std::ofstream(weights) << "1 2 3";
    request = launch::testing::fake_request("ok,other");
    request.environment.push_back({"FAKE_READS", weights.string() + "," + absent.string()});
    since = launch::testing::run(request);
  }

  /// The same request again, after CHANGE of what was recorded then and of what is asked for now.
  record::Run again(const std::function<void(record::Run&, Request&)>& change = {}) {
    record::Run before = since;
    Request now = request;
    if (change) change(before, now);
    now.unchanged_since = std::make_shared<const record::Run>(before);
    notes = {};
    auto run = launch::measure(now, notes);
    EXPECT_TRUE(run) << run.error().message;
    return run ? *std::move(run) : record::Run{};
  }

  /// Both groups were measured, and WHY was said.
  void expect_measured(const std::string& why, const std::function<void(record::Run&, Request&)>& change) {
    const record::Run run = again(change);
    EXPECT_TRUE(run.unchanged.empty()) << why;
    EXPECT_EQ(run.processes.size(), 2U) << why;
    ASSERT_EQ(notes.all.size(), 2U) << why;
    EXPECT_EQ(notes.all[0], "0 of 2 groups are unchanged since run " + since.id + " and not measured");
    EXPECT_EQ(notes.all[1], "fake/ok and 1 more are measured: " + why);
  }

  const base::testing::TemporaryFolder folder;
  const std::filesystem::path weights = folder / "weights.bin";
  const std::filesystem::path absent = folder / "absent.bin";
  Request request;
  record::Run since;
  Notes notes;
};

TEST_F(UnchangedTest, NothingIsStartedWhereNothingChanged) {
  const record::Run run = again();
  EXPECT_TRUE(run.processes.empty());
  EXPECT_EQ(notes.planned, 0);
  EXPECT_EQ(notes.all,
            (std::vector<std::string>{"2 of 2 groups are unchanged since run " + since.id + " and not measured"}));
  ASSERT_EQ(run.unchanged.size(), 2U);
  EXPECT_EQ(run.cases.size(), since.cases.size());
  EXPECT_TRUE(run.machine.checks_before.empty());
  for (const record::UnchangedGroup& group : run.unchanged) {
    EXPECT_EQ(group.since, since.id);
    const auto before = record::content_of(since, group.group);
    const auto now = record::content_of(run, group);
    ASSERT_TRUE(before && now);
    EXPECT_EQ(*before, *now);
    EXPECT_GT(now->libraries(), 1U);
    EXPECT_EQ(now->files.size(), 2U);
    EXPECT_EQ(now->files.at(absent.string()), "");
  }
}

TEST_F(UnchangedTest, OneGroupAloneIsMeasured) {
  const record::Run run = again([](record::Run& before, Request&) {
    for (record::Process& process : before.processes)
      if (process.group == "fake/other") process.files.reset();
  });
  ASSERT_EQ(run.processes.size(), 1U);
  EXPECT_EQ(run.processes[0].group, "fake/other");
  ASSERT_EQ(run.unchanged.size(), 1U);
  EXPECT_EQ(run.unchanged[0].group, "fake/ok");
  EXPECT_FALSE(run.machine.checks_before.empty());
}

TEST_F(UnchangedTest, AFileThatChangedAppearedOrWentIsMeasured) {
  const auto differs = [](const std::filesystem::path& path) { return "the file " + path.string() + " differs"; };
  expect_measured(differs(weights), [&](record::Run&, Request&) { std::ofstream(weights) << "1 2 4"; });
  std::filesystem::remove(weights);
  expect_measured(differs(weights), {});
  std::ofstream(weights) << "1 2 3";
  EXPECT_EQ(again().unchanged.size(), 2U);  // its time has changed, its content has not
  expect_measured(differs(absent), [&](record::Run&, Request&) { std::ofstream(absent) << "here now"; });
}

TEST_F(UnchangedTest, AVariableThatItLookedUpIsCompared) {
  request.environment[1].value += ",$UNCHANGED_TEST,$FAKE_LEVEL,$UNCHANGED_REMOVED";
  request.environment.push_back({"FAKE_LEVEL", "1000"});
  request.unset = {"UNCHANGED_REMOVED"};
  setenv("UNCHANGED_TEST", "1", 1);
  setenv("UNCHANGED_REMOVED", "1", 1);
  since = launch::testing::run(request);
  setenv("UNCHANGED_REMOVED", "2", 1);  // no process has it
  EXPECT_EQ(again().unchanged.size(), 2U);
  setenv("UNCHANGED_TEST", "2", 1);
  expect_measured("the environment variable UNCHANGED_TEST differs", {});
  unsetenv("UNCHANGED_TEST");
  expect_measured("the environment variable UNCHANGED_TEST differs", {});
  unsetenv("UNCHANGED_REMOVED");
}

TEST_F(UnchangedTest, ExecutableAndLibrariesAreCompared) {
  const auto other = [](record::Run& run, const std::string& soname) {
    for (record::LoadedObject& object : run.objects)
      if (object.soname == soname) object.sha256[0] = object.sha256[0] == 'a' ? 'b' : 'a';
  };
  expect_measured("the executable differs", [&](record::Run& before, Request&) { other(before, ""); });
  expect_measured("libc.so.6 differs", [&](record::Run& before, Request&) { other(before, "libc.so.6"); });
  expect_measured("libc.so.6 differs", [](record::Run& before, Request&) {  // one more is loaded now
    for (record::Process& process : before.processes)
      std::erase_if(process.objects,
                    [&](std::int64_t i) { return before.objects[static_cast<std::size_t>(i)].soname == "libc.so.6"; });
  });
  expect_measured("the content of /lib/unknown.so is unknown", [](record::Run& before, Request&) {
    before.objects.push_back({"/lib/unknown.so", "unknown.so", 1, 1, 1, "", false, true});
    for (record::Process& process : before.processes)
      process.objects.push_back(static_cast<std::int64_t>(before.objects.size()) - 1);
  });
}

TEST_F(UnchangedTest, ALibraryThatIsOpenedLaterIsLookedForWhereItWas) {
  const auto library = folder / "plugin.so";
  std::ofstream(library) << "not really";
  const auto opens = [&](const std::string& sha256, bool moved) {
    return [&, sha256, moved](record::Run& before, Request&) {
      before.objects.push_back({library.string(), "plugin.so", 10, 1, 1, sha256, false, false});
      for (record::Process& process : before.processes)
        process.objects.push_back(static_cast<std::int64_t>(before.objects.size()) - 1);
      for (record::LoadedObject& object : before.objects)
        if (object.executable && moved) object.path = "/elsewhere/fake";
    };
  };
  const std::string hash = "6371e88e31c1a3c7e41c9d1a3a9ba69e8f4e8d2c7f5f0a5b3f0e7e9c1d2b3a4c";
  expect_measured("plugin.so differs", opens(hash, false));
  launch::ObjectHashes hashes;
  const std::string right = *hashes.sha256_of(library);
  EXPECT_EQ(again(opens(right, false)).unchanged.size(), 2U);
  expect_measured("it loads plugin.so with dlopen(), and its executable is in another folder", opens(right, true));
  std::filesystem::remove(library);
  expect_measured(library.string() + " is missing", opens(right, false));
}

TEST_F(UnchangedTest, AnExecutableInAnotherFolderIsTheSame) {
  const auto copy = folder / "fake";
  std::filesystem::copy_file(TORCHGATE_FAKE_SUITE, copy);
  const record::Run run = again([&](record::Run&, Request& now) { now.sides[0].suites = {copy}; });
  EXPECT_EQ(run.unchanged.size(), 2U);
}

TEST_F(UnchangedTest, WhatWasReadMustBeKnown) {
  expect_measured("the files it reads are unknown", [](record::Run& before, Request&) {
    for (record::Process& process : before.processes) process.files.reset();
  });
  expect_measured("the files it reads are unknown: it starts another program", [](record::Run& before, Request&) {
    for (record::Process& process : before.processes) {
      process.files.reset();
      process.files_unknown = "it starts another program";
    }
  });
}

TEST_F(UnchangedTest, TheRunsMustHaveGoneWell) {
  expect_measured("one of its processes failed", [](record::Run& before, Request&) {
    for (record::Process& process : before.processes) process.status = record::ProcessStatus::crashed;
  });
  expect_measured("one of its cases failed or is missing in that run", [](record::Run& before, Request&) {
    for (record::Process& process : before.processes) process.cases[0].status = record::CaseStatus::wrong;
  });
  expect_measured("one of its cases failed or is missing in that run", [](record::Run& before, Request&) {
    for (record::Process& process : before.processes) process.cases.pop_back();
  });
  expect_measured("it was not measured in that run", [](record::Run& before, Request&) { before.processes.clear(); });
}

TEST_F(UnchangedTest, PlanAndEnvironmentMustBeTheSame) {
  const std::string id = since.id;
  expect_measured("run " + id + " has the profile quick, this one default",
                  [](record::Run& before, Request&) { before.plan.profile = "quick"; });
  expect_measured("run " + id + " was measured by torchgate 0.0.1, this is 0.0.0",
                  [](record::Run& before, Request&) { before.tool_version = "0.0.1"; });
  expect_measured("its cases differ", [](record::Run& before, Request&) {
    for (record::Case& each : before.cases) each.protocol = "fake/2";
  });
  expect_measured("its cases differ", [](record::Run&, Request& now) { now.plan.filter = "eager"; });
  expect_measured("the environment variables of its processes differ", [](record::Run&, Request& now) {
    now.environment.push_back({"FAKE_LEVEL", "1000"});
  });
  expect_measured("its cases differ", [](record::Run&, Request& now) {
    now.environment.push_back({"FAKE_SEED", "2"});
  });
}

TEST_F(UnchangedTest, TheMachineMustBeInTheSameState) {
  const auto fact = [](record::Run& run, const std::string& name) -> record::MachineFact& {
    return *std::find_if(run.machine.facts.begin(), run.machine.facts.end(),
                         [&](const auto& each) { return each.name == name; });
  };
  const std::string kernel = *fact(since, "kernel").value;
  expect_measured("kernel was 1.0 and is " + kernel,
                  [&](record::Run& before, Request&) { fact(before, "kernel").value = "1.0"; });
  expect_measured("library_environment was not recorded", [](record::Run& before, Request&) {
    std::erase_if(before.machine.facts, [](const auto& each) { return each.name == "library_environment"; });
  });
  expect_measured("the host is " + since.machine.host_key + ", not elsewhere",
                  [](record::Run& before, Request&) { before.machine.host_key = "elsewhere"; });
  EXPECT_EQ(again([&](record::Run& before, Request&) { fact(before, "load_average").value = "99"; }).unchanged.size(),
            2U);
}

TEST_F(UnchangedTest, AFileThatIsChangedWhileItIsReadIsNotKnown) {
  Request now = request;
  now.environment.push_back({"FAKE_MARK", (folder / "mark").string()});
  now.environment[1].value = (folder / "mark").string();
  const record::Run run = launch::testing::run(now);
  ASSERT_EQ(run.processes.size(), 2U);
  for (const record::Process& process : run.processes) {
    EXPECT_FALSE(process.files);
    EXPECT_EQ(process.files_unknown, (folder / "mark").string() + " was changed while the process ran");
  }
}

}  // namespace
