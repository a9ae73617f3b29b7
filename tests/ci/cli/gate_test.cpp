// SPDX-License-Identifier: Apache-2.0
// `gate` against a store and against named runs; suspects confirmed in real pairs, in one step and in three.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <utility>

#include "harness/base/content_hash.hpp"
#include "harness/base/timestamp.hpp"
#include "tests/ci/cli/program_folder.hpp"

namespace torchgate::cli::testing {
namespace {

TEST(GateCommand, JudgesAgainstANamedRun) {
  const ProgramFolder folder;
  folder.save(made_run("aaaaaaaaaaaaaaaa", 1e5), "before");
  folder.save(made_run("bbbbbbbbbbbbbbbb", 1.001e5), "same");
  folder.save(made_run("cccccccccccccccc", 1.3e5), "slower");
  const Ran passed = folder.torchgate({"gate", "same", "--against", "before", "--confirm", "none"});
  EXPECT_EQ(passed.code, 0) << passed.err;
  EXPECT_TRUE(has(passed.out, "PASS"));
  const Ran twice = folder.torchgate({"gate", "same", "--against", "before", "--against", "before"});
  EXPECT_EQ(twice.code, 2);
  EXPECT_NE(twice.err.find("is named twice (before)"), std::string::npos) << twice.err;
  const Ran failed = folder.torchgate({"gate", "slower", "--against", "before", "--confirm", "none"});
  EXPECT_EQ(failed.code, 1) << failed.err;
  EXPECT_TRUE(has(failed.out, made_case));
  EXPECT_TRUE(has(read_text(".torchgate/last_report.json"), made_case)) << "kept for `accept`";
}

// `comment` would post it for the commit whose judging failed.
TEST(GateCommand, LeavesNoEarlierReportAfterAnError) {
  const ProgramFolder folder;
  folder.save(made_run("aaaaaaaaaaaaaaaa", 1e5), "before");
  folder.save(made_run("bbbbbbbbbbbbbbbb", 1.001e5), "same");
  const auto gate = [&](const std::string& run, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"gate", run,      "--against",   "before",     "--confirm",
                                       "none", "--json", "report.json", "--markdown", "report.md"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return folder.torchgate(arguments).code;
  };
  const auto reports = [] { return std::filesystem::exists("report.json") + std::filesystem::exists("report.md"); };
  write_text("broken.toml", "[gate");
  for (const auto& [run, more] :
       {std::pair<std::string, std::vector<std::string>>{"missing", {}}, {"same", {"--config", "broken.toml"}}}) {
    ASSERT_EQ(gate("same", {}), 0);
    ASSERT_EQ(reports(), 2);
    EXPECT_EQ(gate(run, more), 2);
    EXPECT_EQ(reports(), 0) << run;
  }
}

TEST(GateCommand, ReplacesNoRunThatItReads) {
  const ProgramFolder folder;
  const std::string run = ".torchgate/runs/now.json";
  folder.save(made_run("bbbbbbbbbbbbbbbb", 1e5), "now");
  folder.save(made_run("aaaaaaaaaaaaaaaa", 1e5), "before");
  const std::string text = read_text(run);
  for (const char* option : {"--json", "--markdown", "--html"}) {
    for (const std::vector<std::string>& command : {std::vector<std::string>{"compare", "before", "now"},
                                                    {"compare", "before", run},
                                                    {"compare", "missing", run},
                                                    {"report", "now"},
                                                    {"gate", "now", "--against", "before"}}) {
      std::vector<std::string> arguments = command;
      arguments.insert(arguments.end(), {option, "./" + run});
      const Ran ran = folder.torchgate(arguments);
      EXPECT_EQ(ran.code, 2) << command.front() << ' ' << option;
      EXPECT_TRUE(has(ran.err, "./" + run + ": is also read"));
      EXPECT_EQ(read_text(run), text) << command.front() << ' ' << option;
    }
  }
  EXPECT_EQ(folder.torchgate({"report", "now", "--output", run}).code, 2);
  EXPECT_EQ(folder.torchgate({"explain", made_case, "before", "now", "--json", run}).code, 2);
  EXPECT_EQ(folder.torchgate({"advise", "now", "--json", run}).code, 2);
  EXPECT_EQ(read_text(run), text);
}

TEST(GateCommand, HasNoVerdictWithoutABaseline) {
  const ProgramFolder folder;
  folder.make_repository();
  folder.save(made_run("aaaaaaaaaaaaaaaa", 1e5), "before");
  const Ran ran = folder.torchgate({"gate", "--markdown", "report.md", "--json", "report.json"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_TRUE(has(ran.err, "baseline add"));
  EXPECT_TRUE(has(read_text("report.md"), "NO VERDICT: no baseline: no baseline store in")) << read_text("report.md");
  EXPECT_TRUE(has(read_text("report.md"), "baseline add"));
  EXPECT_TRUE(has(read_text("report.json"), "\"outcome\": \"no_verdict\"")) << read_text("report.json").substr(0, 200);
}

TEST(GateCommand, FailsForACrashWithoutABaseline) {
  const ProgramFolder folder;
  folder.make_repository();
  record::Run run = made_run("aaaaaaaaaaaaaaaa", 1e5);
  for (record::Process& process : run.processes) {
    for (record::CaseResult& result : process.cases) {
      result.status = record::CaseStatus::failed;
      result.message = "out of memory";
      result.measurements.clear();
    }
  }
  folder.save(run, "crashed");
  const Ran ran = folder.torchgate({"gate", "--markdown", "report.md"});
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_TRUE(has(read_text("report.md"), "out of memory")) << read_text("report.md");
}

TEST(GateCommand, RefusesARunOfAnotherCommit) {
  const ProgramFolder folder;
  const std::string commit(40, 'a');
  record::Run now = made_run("bbbbbbbbbbbbbbbb", 1e5);
  now.sides.front().source.commit = commit;
  folder.save(made_run("aaaaaaaaaaaaaaaa", 1e5), "before");
  folder.save(now, "now");
  EXPECT_EQ(folder.torchgate({"gate", "now", "--against", "before", "--confirm", "none", "--commit", commit}).code, 0);
  const auto of_commit = [&](const std::string& name) {
    return folder.torchgate({"gate", "now", "--against", "before", "--confirm", "none", "--commit", name}).code;
  };
  EXPECT_EQ(of_commit(commit.substr(0, 7)), 0);
  EXPECT_EQ(of_commit(commit.substr(0, 6)), 2);
  EXPECT_EQ(of_commit("aaaaaab"), 2);
  EXPECT_EQ(of_commit(""), 2);
  const Ran other = folder.torchgate({"gate", "now", "--against", "before", "--commit", std::string(40, 'b')});
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(has(other.err, ": of commit aaaa")) << other.err;
}

TEST(GateCommand, SaysThatTheCommitOfTheRunIsGone) {
  const ProgramFolder folder;
  folder.make_repository();
  record::Run before = made_run("aaaaaaaaaaaaaaaa", 1e5);
  before.sides.front().source = {folder.commit("before"), false, std::nullopt};
  folder.save(before, "before");
  ASSERT_EQ(folder.torchgate({"baseline", "add", "before", "--without-objects"}).code, 0);
  record::Run amended = made_run("bbbbbbbbbbbbbbbb", 1e5);
  amended.sides.front().source = {std::string(40, 'b'), false, std::nullopt};
  folder.save(amended, "amended");
  const Ran gone = folder.torchgate({"gate", "amended"});
  EXPECT_EQ(gone.code, 2);
  EXPECT_TRUE(has(gone.err, "commit bbbbbbbbbbbb, whose baseline is wanted, is not in this clone; it may have been"));
  EXPECT_EQ(folder.torchgate({"gate", "amended", "--against", "before", "--confirm", "none"}).code, 0);
}

// The checkout is another commit, whose measurement failed or was forgotten.
TEST(GateCommand, RefusesTheNewestRunOfAnotherCommit) {
  const ProgramFolder folder;
  folder.make_repository();
  record::Run old = made_run("bbbbbbbbbbbbbbbb", 1e5);
  old.sides.front().source = {folder.commit("old"), false, std::nullopt};
  old.created = "2026-01-02T00:00:00.000Z";
  record::Run before = made_run("aaaaaaaaaaaaaaaa", 1e5);
  before.created = "2026-01-01T00:00:00.000Z";
  folder.save(before, "before");
  folder.save(old, "old");
  const std::vector<std::string> gate{"gate", "--against", "before", "--confirm", "none"};
  EXPECT_EQ(folder.torchgate(gate).code, 0);
  const std::string head = folder.commit("new");
  const Ran refused = folder.torchgate(gate);
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(has(refused.err, "the newest run, bbbbbbbbbbbbbbbb, is of commit")) << refused.err;
  EXPECT_TRUE(has(refused.err, head.substr(0, 12)));
  EXPECT_EQ(folder.torchgate({"gate", "old", "--against", "before", "--confirm", "none"}).code, 0) << "it is named";
  old.sides.front().source.modified = true;
  folder.save(old, "old");
  EXPECT_EQ(folder.torchgate(gate).code, 0) << "what was modified may be what was committed";
  static_cast<void>(folder.commit("newer"));
  const Ran later = folder.torchgate(gate);
  EXPECT_EQ(later.code, 2) << "the change of the second commit was not measured";
  EXPECT_TRUE(has(later.err, "the newest run, bbbbbbbbbbbbbbbb, is of modified files of commit")) << later.err;
}

// The tree was clean when the run was measured.
TEST(GateCommand, DoubtsTheNewestRunOfATreeThatWasModifiedSince) {
  const ProgramFolder folder;
  folder.make_repository();
  record::Run now = made_run("bbbbbbbbbbbbbbbb", 1e5);
  now.sides.front().source = {folder.commit("now"), false, std::nullopt};
  now.created = "2026-01-02T00:00:00.000Z";
  record::Run before = made_run("aaaaaaaaaaaaaaaa", 1e5);
  before.created = "2026-01-01T00:00:00.000Z";
  folder.save(before, "before");
  folder.save(now, "now");
  const std::vector<std::string> gate{"gate", "--against", "before", "--confirm", "none"};
  const std::string doubt = "the work tree was modified after the newest run, bbbbbbbbbbbbbbbb, was measured";
  EXPECT_FALSE(has(folder.torchgate(gate).out, doubt));
  write_text("torchgate-waivers.toml", "");
  folder.git({"add", "torchgate-waivers.toml"});
  EXPECT_FALSE(has(folder.torchgate(gate).out, doubt)) << "`accept` writes this file, and it is not measured";
  write_text("code", "slower");
  const Ran doubted = folder.torchgate(gate);
  EXPECT_EQ(doubted.code, 0) << doubted.err;
  EXPECT_TRUE(has(doubted.out, doubt + ": code"));
  EXPECT_FALSE(has(folder.torchgate({"gate", "now", "--against", "before", "--confirm", "none"}).out, doubt));
  now.sides.front().source.modified = true;
  folder.save(now, "now");
  EXPECT_TRUE(has(folder.torchgate(gate).out, doubt + ": code")) << "and once more since then";
  now.created = base::utc_timestamp(std::chrono::system_clock::now() + std::chrono::minutes(1));
  folder.save(now, "now");
  EXPECT_FALSE(has(folder.torchgate(gate).out, doubt)) << "it was modified when it was measured";
}

// The edit may be committed by now, so that no file differs.
TEST(GateCommand, DoubtsTheNewestRunOfModifiedFilesAfterARebuild) {
  const ProgramFolder folder;
  folder.make_repository();
  record::Run now = made_run("bbbbbbbbbbbbbbbb", 1e5);
  now.sides.front().source = {folder.commit("now"), true, std::nullopt};
  now.created = base::utc_timestamp(std::chrono::system_clock::now() + std::chrono::minutes(1));
  write_text("suite", "measured");
  record::LoadedObject suite;
  suite.path = std::filesystem::absolute("suite").string();
  suite.sha256 = base::sha256("measured");
  suite.executable = true;
  now.objects = {suite};
  record::Run before = made_run("aaaaaaaaaaaaaaaa", 1e5);
  before.created = "2026-01-01T00:00:00.000Z";
  folder.save(before, "before");
  folder.save(now, "now");
  const std::vector<std::string> gate{"gate", "--against", "before", "--confirm", "none"};
  const std::string doubt = "- suite was rebuilt after the newest run, bbbbbbbbbbbbbbbb, was measured";
  EXPECT_FALSE(has(folder.torchgate(gate).out, doubt));
  write_text("suite", "slower");
  const Ran doubted = folder.torchgate(gate);
  EXPECT_TRUE(has(doubted.out, doubt)) << doubted.out;
  EXPECT_TRUE(has(doubted.out, "To settle the doubts: measure the modified"));
  EXPECT_FALSE(has(folder.torchgate({"gate", "now", "--against", "before", "--confirm", "none"}).out, doubt));
  std::filesystem::remove("suite");
  EXPECT_FALSE(has(folder.torchgate(gate).out, doubt)) << "not known";
}

// A plan that was made with a run of another host, when this one had none; since then one of this host was stored.
TEST(GateCommand, KeepsToThePlansBaselineOfAnotherHost) {
  const ProgramFolder folder;
  folder.make_repository();
  const auto run_of = [&](const std::string& id, const std::string& commit, const std::string& host,
                          const std::string& created) {
    record::Run run = made_run(id, 1e5);
    run.sides.front().source = {commit, false, std::nullopt};
    run.machine.host_key = host;
    run.created = created;
    return run;
  };
  folder.save(run_of("aaaaaaaaaaaaaaaa", folder.commit("a"), "host-b", "2026-01-01T00:00:00.000Z"), "elsewhere");
  folder.save(run_of("bbbbbbbbbbbbbbbb", folder.commit("b"), "host-a", "2026-01-02T00:00:00.000Z"), "here");
  folder.save(run_of("cccccccccccccccc", folder.commit("c"), "host-a", "2026-01-02T00:10:00.000Z"), "now");
  ASSERT_EQ(folder.torchgate({"baseline", "add", "elsewhere", "--without-objects"}).code, 0);
  const Ran planned = folder.torchgate({"gate", "now", "--pair-plan", "plan.json"});
  EXPECT_TRUE(has(read_text("plan.json"), "aaaaaaaaaaaaaaaa")) << planned.err;
  ASSERT_EQ(folder.torchgate({"baseline", "add", "here", "--without-objects"}).code, 0);
  const Ran judged =
      folder.torchgate({"gate", "now", "--baseline-of", "plan.json", "--without-pairs", "none", "--format", "json"});
  EXPECT_TRUE(has(judged.out, "aaaaaaaaaaaaaaaa")) << judged.err;
  EXPECT_FALSE(has(judged.out, "bbbbbbbbbbbbbbbb"));
}

TEST(GateCommand, RefusesBadInput) {
  const ProgramFolder folder;
  EXPECT_EQ(folder.torchgate({"gate"}).code, 2) << "no run at all";
  folder.save(made_run("aaaaaaaaaaaaaaaa", 1e5), "before");
  record::Run other = made_run("bbbbbbbbbbbbbbbb", 1e5);
  other.machine.host_key = "host-b";
  folder.save(other, "other");
  folder.save(made_run("cccccccccccccccc", 1e5), "now");
  EXPECT_EQ(folder.torchgate({"gate", "nothing", "--against", "before"}).code, 2);
  const Ran pooled = folder.torchgate({"gate", "now", "--against", "before", "--against", "other"});
  EXPECT_EQ(pooled.code, 2);
  EXPECT_TRUE(has(pooled.err, "never pooled"));
  EXPECT_EQ(folder.torchgate({"gate", "now", "--against", "before", "--rule", "magic"}).code, 2);
}

// A repository whose second commit made the suite slower, with the first one's baseline.
class GateOfAChange : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.set("TORCHGATE_GATE_ALLOW_NOISY", "true");
    folder_.make_repository();
    folder_.make_suite("build", 1000);
    ASSERT_EQ(measure("main"), 0);
    ASSERT_EQ(folder_.torchgate({"baseline", "add", "main"}).code, 0);
    static_cast<void>(folder_.commit("second"));
    folder_.make_suite("build", 1300);
    ASSERT_EQ(measure("slower"), 0);
  }
  [[nodiscard]] int measure(const std::string& name) const {
    return folder_.torchgate({"run", "--suite", "build", "--save", name}).code;
  }
  ProgramFolder folder_;
};

TEST_F(GateOfAChange, ConfirmsSuspectsInPairs) {
  const Ran ran = folder_.torchgate({"gate", "--pairs", "12", "--json", "report.json"});
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_TRUE(has(ran.err, "confirming 2 suspects with at most 12 interleaved pairs"));
  EXPECT_TRUE(has(read_text("report.json"), "\"regressed\""));
}

TEST_F(GateOfAChange, ConfirmsInThreeSteps) {
  const Ran screen = folder_.torchgate({"gate", "--pairs", "12", "--pair-plan", "plan.json"});
  EXPECT_EQ(screen.code, 0) << screen.err;
  EXPECT_TRUE(has(screen.err, "plan.json: 2 to confirm in pairs"));
  const Ran pairs = folder_.torchgate({"ab", "--pair-plan", "plan.json", "--pairs", "12", "--save", "pairs"});
  EXPECT_EQ(pairs.code, 0) << pairs.err;
  EXPECT_TRUE(has(pairs.out, "pairs of 2 cases"));
  const Ran verdict = folder_.torchgate({"gate", "slower", "--pairs", "12", "--pairs-from", "pairs"});
  EXPECT_EQ(verdict.code, 1) << verdict.err;
  const Ran others = folder_.torchgate({"gate", "slower", "--pairs", "12", "--pairs-from", "slower"});
  EXPECT_EQ(others.code, 2) << "a run without pairs of this plan";

  EXPECT_EQ(folder_.torchgate({"ab", "--pair-plan", "plan.json", "--before", "build"}).code, 2);
  write_text("broken.json", "{}");
  EXPECT_EQ(folder_.torchgate({"ab", "--pair-plan", "broken.json"}).code, 2);
  EXPECT_EQ(folder_.torchgate({"ab", "--pair-plan", "nothing.json"}).code, 2);
  EXPECT_EQ(folder_.torchgate({"gate", "slower", "--pair-plan", "none.json", "--confirm", "none"}).code, 1);
  EXPECT_TRUE(has(folder_.torchgate({"ab", "--pair-plan", "none.json"}).out, "nothing to confirm"));
}

// Its first calls are slower: only runs and pairs with few calls of warm-up see that.
class GateOfFirstCalls : public GateOfAChange {
 protected:
  void SetUp() override {
    folder_.set("FAKE_COLD", "1");
    folder_.set("FAKE_READS", "");  // none: what pairs say holds
    GateOfAChange::SetUp();
  }
  [[nodiscard]] std::string measured_with_few() const {
    const std::vector<std::string> few{"--warmup", "1", "--samples", "7"};
    std::vector<std::string> run{"run", "--suite", "build", "--save", "first_calls"};
    run.insert(run.end(), few.begin(), few.end());
    EXPECT_EQ(folder_.torchgate(run).code, 0);
    return "first_calls";
  }
};

TEST_F(GateOfFirstCalls, MeasuresPairsAsTheRunWasMeasured) {
  const Ran ran = folder_.torchgate({"gate", measured_with_few(), "--pairs", "12", "--json", "report.json"});
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "2 regressed (fail)"));
  EXPECT_TRUE(has(read_text("report.json"), "--warmup differs: not set in the baseline, 1 in this run"));
  EXPECT_TRUE(has(read_text("report.json"), "--samples differs: not set in the baseline, 7 in this run"));
}

TEST_F(GateOfFirstCalls, MeasuresPairsFromTheStartSo) {
  const std::vector<std::string> now{"gate", "--now", "--suite", "build", "--pairs", "12", "--json", "report.json"};
  EXPECT_EQ(folder_.torchgate(now).code, 0);
  const Ran ran = folder_.torchgate(
      {"gate", "--warmup", "1", "--samples", "7", "--suite", "build", "--pairs", "12", "--json", "report.json"});
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_TRUE(has(read_text("report.json"), "measured in pairs from the start"));
  EXPECT_TRUE(has(read_text("report.json"), "\"warmup_calls\": 1"));
  const Ran refused = folder_.torchgate({"gate", measured_with_few(), "--warmup", "1"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(has(refused.err, "RUN was measured before, and --suite, --now, ")) << refused.err;
}

TEST_F(GateOfFirstCalls, SaysWhatMeasuresPairs) {
  const Ran ran = folder_.torchgate({"gate", measured_with_few(), "--pairs", "12", "--pairs-from", "absent"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran.err, "; measure its pairs with `torchgate ab --pair-plan FILE`"));
  EXPECT_FALSE(has(ran.err, "run --save"));
}

TEST_F(GateOfFirstCalls, PlansPairsAsTheRunWasMeasured) {
  EXPECT_EQ(folder_.torchgate({"gate", measured_with_few(), "--pairs", "12", "--pair-plan", "plan.json"}).code, 0);
  EXPECT_TRUE(has(read_text("plan.json"), "\"warmup_calls\": 1"));
  EXPECT_TRUE(has(read_text("plan.json"), "\"samples\": 7"));
  EXPECT_EQ(folder_.torchgate({"ab", "--pair-plan", "plan.json", "--pairs", "12", "--save", "pairs"}).code, 0);
  const Ran verdict = folder_.torchgate({"gate", "first_calls", "--pairs", "12", "--pairs-from", "pairs"});
  EXPECT_EQ(verdict.code, 1) << verdict.out << verdict.err;
}

}  // namespace
}  // namespace torchgate::cli::testing
