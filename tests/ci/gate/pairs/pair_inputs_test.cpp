// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/pair_inputs.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_case;
using gate::testing::add_paired_case;
using gate::testing::around;
using gate::testing::empty_run;
using gate::testing::mentions;
using gate::testing::paired_run;
using gate::testing::wobble;
using reports::Outcome;
using reports::Verdict;

constexpr const char* model = "/w/data/model.txt";

using Files = std::vector<record::ReadFile>;

void read(record::Run& run, std::int64_t side, const Files& files) {
  std::vector<std::int64_t> positions;
  for (const record::ReadFile& file : files) {
    positions.push_back(static_cast<std::int64_t>(run.files.size()));
    run.files.push_back(file);
  }
  for (record::Process& process : run.processes)
    if (process.side == side) process.files = positions;
}

void load(record::Run& run, const std::string& before, const std::string& after) {
  for (const std::string& hash : {before, after}) {
    record::LoadedObject object;
    object.path = "/w/suite";
    object.sha256 = hash;
    object.executable = true;
    run.objects.push_back(object);
  }
  for (record::Process& process : run.processes) process.objects = {process.side};
}

void set_variables(record::Run& run, const std::string& variables, const std::string& switches = "none") {
  std::erase_if(run.machine.facts, [](const record::MachineFact& fact) {
    return fact.name == "library_environment" || fact.name == "environment_switches";
  });
  run.machine.facts.push_back({"environment_switches", switches, "", record::FactClass::warn});
  run.machine.facts.push_back({"library_environment", variables, "", record::FactClass::info});
}

// A suspect of +30 %, whose pairs are called equivalent.
class PairInputs : public ::testing::Test {
 protected:
  PairInputs() {
    add_case(baseline, "g/one/v", around(1e5, 0.002));
    add_case(current, "g/one/v", around(1.3e5, 0.002));
    add_paired_case(pairs, "g/one/v", wobble(1.3e5, 2), wobble(1.3e5, 3));
    load(pairs, "aa", "bb");
  }

  /// What baseline and current read, and both sides of the pairs.
  void all_read(const Files& was, const Files& is, const Files& before, const Files& after) {
    read(baseline, 0, was);
    read(current, 0, is);
    read(pairs, 0, before);
    read(pairs, 1, after);
  }

  [[nodiscard]] reports::Report judged(const policy::Policy& policy = {}) const {
    gate::Comparison comparison;
    comparison.baseline = {&baseline};
    comparison.current = &current;
    comparison.confirmable = true;
    comparison.changed_data = changed_data;
    comparison.missing_commit = missing_commit;
    comparison.pairs = &pairs;
    return gate::judge_stored(comparison, policy).value();
  }

  void expect_kept(const std::string& because) const {
    const auto report = judged();
    EXPECT_EQ(report.outcome, Outcome::fail) << because;
    EXPECT_EQ(report.findings.front().verdict, Verdict::suspected);
    EXPECT_TRUE(mentions(report.findings.front().reasons, "not confirmed: " + because))
        << (report.findings.front().reasons.empty() ? "" : report.findings.front().reasons.front());
  }
  void expect_cleared() const {
    const auto report = judged();
    EXPECT_EQ(report.outcome, Outcome::pass) << report.headline;
    EXPECT_EQ(report.findings.front().verdict, Verdict::equivalent);
  }

  record::Run baseline = empty_run("aaaa");
  record::Run current = empty_run("bbbb");
  record::Run pairs = paired_run("pppp");
  gate::ChangedData changed_data;
  std::optional<std::string> missing_commit;
};

TEST_F(PairInputs, OldBinaryWithTheNewFileProvesNothing) {
  all_read({{model, "1"}}, {{model, "2"}}, {{model, "2"}}, {{model, "2"}});
  expect_kept("in the pairs the baseline's binary read this change's /w/data/model.txt, whose content differs");
}

TEST_F(PairInputs, RestoredFilesAreCompared) {
  all_read({{model, "1"}}, {{model, "2"}}, {{model, "1"}}, {{model, "2"}});
  expect_cleared();
  EXPECT_FALSE(*gate::same_files_read(pairs, "g/one"));
}

TEST_F(PairInputs, WhatIsTheSameClearsAsBefore) {
  all_read({{model, "1"}}, {{model, "1"}}, {{model, "1"}}, {{model, "1"}});
  expect_cleared();
  load(pairs, "aa", "aa");
  changed_data = std::vector<std::string>{"data/other.txt"};  // git's opinion is not asked where the files are known
  expect_cleared();
}

TEST_F(PairInputs, AnotherFolderIsNotAnotherContent) {
  all_read({{"/ci/1/data/model.txt", "1"}}, {{model, "1"}}, {{model, "1"}}, {{model, "1"}});
  expect_cleared();
}

TEST_F(PairInputs, InAnotherFolderAnotherContentIsFound) {
  all_read({{"/ci/1/data/model.txt", "1"}}, {{model, "2"}}, {{model, "2"}}, {{model, "2"}});
  expect_kept("in the pairs the baseline's binary read this change's /ci/1/data/model.txt, whose content differs");
}

TEST_F(PairInputs, ARemovedFile) {
  all_read({{model, "1"}}, {{model, ""}}, {{model, ""}}, {{model, ""}});
  expect_kept("/w/data/model.txt, which the baseline's binary read, was missing in the pairs");
}

TEST_F(PairInputs, ARemovedFileThatIsNotOpenedAnyMore) {
  all_read({{model, "1"}}, {}, {}, {});
  expect_kept("/w/data/model.txt, which the baseline's binary read, was opened neither in this run nor in the pairs");
}

TEST_F(PairInputs, AnAddedFileThatWasLookedFor) {
  all_read({{model, ""}}, {{model, "2"}}, {{model, "2"}}, {{model, "2"}});
  expect_kept("in the pairs the baseline's binary read this change's /w/data/model.txt, which the baseline did not");
}

TEST_F(PairInputs, AnAddedFileThatWasNotEvenLookedFor) {
  all_read({}, {{model, "2"}}, {{model, "2"}}, {{model, "2"}});
  expect_kept("in the pairs the baseline's binary read this change's /w/data/model.txt, which the baseline did not");
}

TEST_F(PairInputs, AFileThatOnlyTheNewCodeReadsIsPartOfTheChange) {
  all_read({}, {{model, "2"}}, {}, {{model, "2"}});
  expect_cleared();
}

TEST_F(PairInputs, AFileOfCasesThatThePairsDidNotRunSaysNothing) {
  all_read({{model, "1"}}, {{model, "2"}}, {}, {});
  expect_cleared();
}

TEST_F(PairInputs, AFileThatChangedAfterTheRun) {
  all_read({{model, "1"}}, {{model, "1"}}, {{model, "3"}}, {{model, "3"}});
  expect_kept("/w/data/model.txt was changed between this run and the pairs");
}

TEST_F(PairInputs, AnotherVariable) {
  all_read({{"$MODEL_SIZE", "1"}}, {{"$MODEL_SIZE", "2"}}, {{"$MODEL_SIZE", "2"}}, {{"$MODEL_SIZE", "2"}});
  expect_kept("the environment variable MODEL_SIZE differs between the runs, and the pairs had one value of it");
}

// Of a program that does not tell what it reads.
TEST_F(PairInputs, AnotherVariableThatTheRunsRecorded) {
  const std::string because = "the environment variable OMP_WAIT_POLICY differs between the runs";
  set_variables(baseline, "OMP_NUM_THREADS=1");
  set_variables(current, "OMP_NUM_THREADS=1 OMP_WAIT_POLICY=active");
  expect_kept(because);
  changed_data = std::vector<std::string>{"src/a.cpp"};
  expect_kept(because);
  set_variables(baseline, "OMP_NUM_THREADS=1 OMP_WAIT_POLICY=active");
  expect_cleared();
  set_variables(baseline, "OMP_WAIT_POLICY=active", "KMP_BLOCKTIME=0");
  expect_kept("the environment variable KMP_BLOCKTIME differs between the runs");
  for (const char* name : {"LANG", "CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH"}) {
    set_variables(baseline, std::string(name) + "=1");
    set_variables(current, std::string(name) + "=2");
    expect_cleared();
  }
}

TEST_F(PairInputs, CodeThatRegressesIsARegressionWhateverTheVariablesAre) {
  set_variables(baseline, "none");
  set_variables(current, "OMP_WAIT_POLICY=active");
  pairs = paired_run("pppp");
  add_paired_case(pairs, "g/one/v", wobble(1e5, 2), wobble(1.3e5, 3));
  load(pairs, "aa", "bb");
  EXPECT_EQ(judged().findings.front().verdict, Verdict::regressed);
}

TEST_F(PairInputs, VariablesOfRunsWhoseFilesAreKnownAreThoseThatTheProcessesRead) {
  set_variables(baseline, "none");
  set_variables(current, "OMP_WAIT_POLICY=active");
  all_read({{model, "1"}}, {{model, "1"}}, {{model, "1"}}, {{model, "1"}});
  expect_cleared();
}

// In no program that was measured: the suite may read it, or the run was disturbed.
TEST_F(PairInputs, SourceTextThatNoProgramChangedWith) {
  changed_data = std::vector<std::string>{"bench/input.c"};
  expect_cleared();
  EXPECT_TRUE(mentions(judged().doubts, "g/one/v: the stored baseline suggested +30.0 %; 6 interleaved pairs did not"));
  pairs.objects.clear();
  load(pairs, "aa", "aa");
  load(baseline, "aa", "aa");
  load(current, "bb", "bb");
  expect_cleared();  // it is in the programs of other groups
  current.objects.clear();
  load(current, "aa", "aa");
  const auto report = judged();
  EXPECT_EQ(report.outcome, Outcome::no_verdict) << report.headline;
  EXPECT_EQ(report.findings.front().verdict, Verdict::suspected);
  EXPECT_TRUE(mentions(report.findings.front().reasons,
                       "not confirmed: bench/input.c changed since the baseline and no "
                       "executable or library did"));
  changed_data->clear();
  expect_cleared();
}

TEST_F(PairInputs, SmallSuggestionsRaiseNoDoubt) {
  current = empty_run("bbbb");
  add_case(current, "g/one/v", around(1.15e5, 0.002));
  EXPECT_EQ(judged().findings.front().verdict, Verdict::equivalent);
  EXPECT_FALSE(mentions(judged().doubts, "the stored baseline suggested"));
}

TEST_F(PairInputs, VariablesThatDifferFromJobToJobAreNotInputs) {
  for (const char* name : {"$HOME", "$LD_LIBRARY_PATH", "$GITHUB_RUN_ID", "$TORCHGATE_FILE_MAP"}) {
    all_read({{name, "1"}}, {{name, "2"}}, {{name, "3"}}, {{name, "3"}});
    expect_cleared();
  }
}

TEST_F(PairInputs, AVolatileFileIsLeftOut) {
  all_read({{model, "1"}, {model, "2"}}, {{model, "3"}, {model, "4"}}, {{model, "5"}}, {{model, "6"}});
  expect_cleared();
}

TEST_F(PairInputs, OfUnknownFilesGitKnowsWhichMayHaveChanged) {
  changed_data = std::vector<std::string>{"data/model.txt", "data/more.bin"};
  expect_kept("data/model.txt and 1 more changed since the baseline, which files the suite reads is not known");
  load(pairs, "aa", "aa");
  expect_kept("data/model.txt and 1 more changed since the baseline");
  changed_data->clear();
  expect_cleared();
}

TEST_F(PairInputs, OfUnknownFilesAJobMayHaveSetVariables) {
  changed_data = std::vector<std::string>{".github/workflows/performance.yml"};
  expect_kept(".github/workflows/performance.yml changed since the baseline, which may set variables");
  changed_data->push_back("data/model.txt");
  expect_kept("data/model.txt changed since the baseline, which files the suite reads is not known");
}

TEST_F(PairInputs, ABuildFileCountsWhereTheProgramIsTheSame) {
  changed_data = std::vector<std::string>{"CMakeLists.txt"};
  expect_cleared();  // what it changed may be the program, and that was compared
  pairs.objects.clear();
  load(pairs, "aa", "aa");
  expect_kept("CMakeLists.txt changed since the baseline, which may set variables or generate files");
}

// The change's own command built both sides, whatever the suites read.
TEST_F(PairInputs, ASideThatWasBuiltAgainAsTheChangeBuildsClearsNothing) {
  const std::string workflow = ".github/workflows/performance.yml";
  const std::string because =
      workflow + " changed since the baseline, and the before side of the pairs was built again";
  all_read({{model, "1"}}, {{model, "1"}}, {{model, "1"}}, {{model, "1"}});
  changed_data = std::vector<std::string>{"data/other.txt", workflow};
  expect_cleared();  // the recorded binaries ran
  EXPECT_FALSE(mentions(judged().doubts, "built again"));
  pairs.plan.confirms.emplace();
  pairs.plan.confirms->rebuilt = "abc";
  expect_kept(because);
  EXPECT_TRUE(mentions(judged().doubts, because));
  changed_data->pop_back();
  expect_cleared();
  EXPECT_FALSE(mentions(judged().doubts, "built again"));
  changed_data.reset();
  expect_kept(
      "the before side of the pairs was built again in the job of this change, and whether the file of the job");
  for (record::Process& process : pairs.processes) process.files.reset();
  changed_data = std::vector<std::string>{workflow};
  expect_kept(because);
  current = empty_run("bbbb");
  add_case(current, "g/one/v", around(1.04e5, 0.002));
  EXPECT_EQ(judged().outcome, Outcome::pass) << "not sure";
}

TEST_F(PairInputs, ASuspectThatIsNotSureIsClearedInSpiteOfAJobsFile) {
  changed_data = std::vector<std::string>{".github/workflows/performance.yml"};
  current = empty_run("bbbb");
  add_case(current, "g/one/v", around(1.04e5, 0.002));
  EXPECT_EQ(judged().outcome, Outcome::pass) << judged().headline;
}

TEST_F(PairInputs, CodeThatRegressesIsARegressionWhateverTheJobsFileDoes) {
  changed_data = std::vector<std::string>{".github/workflows/performance.yml"};
  pairs = paired_run("pppp");
  add_paired_case(pairs, "g/one/v", wobble(1e5, 2), wobble(1.3e5, 3));
  load(pairs, "aa", "bb");
  EXPECT_EQ(judged().findings.front().verdict, Verdict::regressed);
}

TEST_F(PairInputs, IdenticalBinariesClearNoSureSuspectWhereNothingIsKnown) {
  expect_cleared();  // other binaries, as ever
  pairs.objects.clear();
  load(pairs, "aa", "aa");
  expect_kept("the pairs ran the same executables and libraries on both sides");
}

TEST_F(PairInputs, ACommitThatThisCloneLacksMayHaveOtherFiles) {
  missing_commit = std::string(40, 'c');
  const std::string because = "commit cccccccccccc of the baseline is missing in this clone";
  expect_kept(because);
  EXPECT_TRUE(mentions(judged().doubts, because));
  all_read({{model, "1"}}, {{model, "1"}}, {{model, "1"}}, {{model, "1"}});
  expect_cleared();
  EXPECT_FALSE(mentions(judged().doubts, because));
}

TEST_F(PairInputs, ASuspectThatIsNotSureIsClearedByIdenticalBinaries) {
  pairs.objects.clear();
  load(pairs, "aa", "aa");
  current = empty_run("bbbb");
  add_case(current, "g/one/v", around(1.04e5, 0.002));
  const auto report = judged();
  EXPECT_EQ(report.outcome, Outcome::pass) << report.headline;
  EXPECT_NE(report.findings.front().verdict, Verdict::suspected);
}

TEST_F(PairInputs, ASuspectThatDoesNotFailDoesNotPassEither) {
  current = empty_run("bbbb");
  add_case(current, "g/one/v", around(1.06e5, 0.002));
  all_read({{model, "1"}}, {{model, "2"}}, {{model, "2"}}, {{model, "2"}});
  const auto report = judged();
  EXPECT_EQ(report.outcome, Outcome::no_verdict) << report.headline;
  EXPECT_NE(report.headline.words().find("1 suspect stays open: in the pairs"), std::string::npos) << report.headline;
  policy::Policy policy;
  policy.unconfirmed = policy::Unconfirmed::warn;
  policy.min_decided = 0;
  EXPECT_EQ(judged(policy).outcome, Outcome::pass);
}

// The screen finds nothing, and leaves the case open; its pairs are planned as such.
TEST_F(PairInputs, AnOpenCaseStaysOpenOnlyWhereFilesWereRecorded) {
  current = empty_run("bbbb");
  add_case(current, "g/one/v", {1e5, 1.2e5, 0.9e5, 1.1e5, 0.8e5});
  pairs.plan.confirms = record::Confirms{"bbbb", "aaaa", 0, {"g/one/v"}, 1, {}};
  EXPECT_EQ(judged().findings.front().verdict, Verdict::equivalent);
  changed_data = std::vector<std::string>{"data/model.txt"};
  EXPECT_EQ(judged().findings.front().verdict, Verdict::equivalent);
  all_read({{model, "1"}}, {{model, "2"}}, {{model, "2"}}, {{model, "2"}});
  const auto report = judged();
  EXPECT_EQ(report.findings.front().verdict, Verdict::inconclusive);
  EXPECT_TRUE(mentions(report.findings.front().reasons, "interleaved pairs left it open: in the pairs the baseline's"));
}

TEST_F(PairInputs, CodeThatRegressesIsARegressionWhateverTheFilesDo) {
  pairs = paired_run("pppp");
  add_paired_case(pairs, "g/one/v", wobble(1e5, 2), wobble(1.3e5, 3));
  load(pairs, "aa", "bb");
  all_read({{model, "1"}}, {{model, "2"}}, {{model, "2"}}, {{model, "2"}});
  const auto report = judged();
  EXPECT_EQ(report.outcome, Outcome::fail);
  EXPECT_EQ(report.findings.front().verdict, Verdict::regressed);
}

TEST_F(PairInputs, TheSameBinaryWithAnotherFileCanRegress) {
  pairs = paired_run("pppp");
  add_paired_case(pairs, "g/one/v", wobble(1e5, 2), wobble(1.3e5, 3));
  load(pairs, "aa", "aa");
  all_read({{model, "1"}}, {{model, "2"}}, {{model, "1"}}, {{model, "2"}});
  const auto report = judged();
  EXPECT_EQ(report.outcome, Outcome::fail);
  EXPECT_EQ(report.findings.front().verdict, Verdict::regressed);
  EXPECT_TRUE(mentions(report.findings.front().causes, "/w/data/model.txt, which it reads, differs"));
  EXPECT_EQ(report.identical.comparisons, 0);
  EXPECT_EQ(gate::judge_paired(pairs, {})->outcome, Outcome::fail);
}

}  // namespace
