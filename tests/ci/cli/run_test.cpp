// SPDX-License-Identifier: Apache-2.0
// `run` with the fake suite: how it ends, what it leaves in the workspace, and resuming after Ctrl-C.
#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include "ci/workflow/workspace/workspace.hpp"
#include "tests/ci/cli/program_folder.hpp"

namespace torchgate::cli::testing {
namespace {

namespace fs = std::filesystem;

class RunCommand : public ::testing::Test {
 protected:
  void SetUp() override { folder_.make_suite("build", 1000); }

  /// A run of the suite with so many processes per group.
  [[nodiscard]] Ran run(std::vector<std::string> more, const char* processes = "2") const {
    more.insert(more.begin(), {"run", "--suite", "build", "--processes", processes, "--seed", "1", "--allow-noisy"});
    return folder_.torchgate(more);
  }
  ProgramFolder folder_;
};

TEST_F(RunCommand, KeepsWhatItMeasured) {
  const Ran ran = run({"--save", "mine"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, ".torchgate/runs/mine.json: 4 results of 2 cases"));
  EXPECT_TRUE(has(ran.out, "  fake  1 group  2 cases  0 skipped  "));
  EXPECT_TRUE(has(ran.err, "measuring 2 cases of 1 group in 2 processes"));
  const auto kept = workflow::Workspace().load("mine");
  ASSERT_TRUE(kept) << kept.error().message;
  EXPECT_EQ(kept->processes.size(), 2U);
  EXPECT_EQ(kept->plan.seed, 1U);
  EXPECT_FALSE(kept->interrupted);
}

TEST_F(RunCommand, TakesAProfile) {
  const auto profile = [&](const std::vector<std::string>& more) {
    const Ran ran = run(more);
    const auto kept = workflow::Workspace().load(more.back());
    return ran.code == 0 && kept ? kept->plan.profile : ran.err;
  };
  EXPECT_EQ(profile({"--save", "plain"}), "default");
  EXPECT_EQ(profile({"--quick", "--save", "short"}), "quick");
  EXPECT_EQ(profile({"--full", "--save", "long"}), "full");
  const Ran both = run({"--quick", "--full"});
  EXPECT_EQ(both.code, 2);
  EXPECT_TRUE(has(both.err, "--full")) << both.err;
}

TEST_F(RunCommand, ListsWithoutMeasuring) {
  const Ran text = run({"--list"});
  EXPECT_EQ(text.code, 0);
  EXPECT_TRUE(has(text.out, fake_case));
  EXPECT_TRUE(has(text.out, "  fake  1 group  2 cases  0 skipped  about 4 s\n"));
  EXPECT_TRUE(has(text.out, "2 cases (0 skipped) in 1 group, 2 processes"));
  const std::string json = run({"--list", "--json"}).out;
  EXPECT_TRUE(has(json, "torchgate.list/1"));
  EXPECT_TRUE(has(json, "\"name\": \"fake\",\n   \"groups\": 1,\n   \"cases\": 2,\n   \"skipped\": 0"));
  EXPECT_FALSE(fs::exists(".torchgate/runs"));
}

// As the run itself would end.
TEST_F(RunCommand, AListingThatFailedFails) {
  for (const char* const no_suite : {"/bin/true", "/bin/ls"}) {
    const Ran ran = folder_.torchgate({"run", "--list", "--suite", no_suite});
    EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
    EXPECT_EQ(folder_.torchgate({"run", "--list", "--json", "--suite", no_suite}).code, 1);
  }
}

TEST_F(RunCommand, FailsWhereACaseOrAProcessDoes) {
  folder_.set("FAKE_GROUPS", "ok,failing");
  const Ran failed = run({});
  EXPECT_EQ(failed.code, 1);
  EXPECT_TRUE(has(failed.out, "2 results failed or wrong"));
  EXPECT_TRUE(has(failed.err, "out of memory"));
  folder_.set("FAKE_GROUPS", "exit3");
  const Ran lost = run({});
  EXPECT_EQ(lost.code, 1);
  EXPECT_TRUE(has(lost.out, "2 processes lost"));
}

TEST_F(RunCommand, RefusesBadInput) {
  const Ran none = folder_.torchgate({"run"});
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(has(none.err, "run.suites"));
  EXPECT_EQ(folder_.torchgate({"run", "--suite", "nothing"}).code, 2);
  const Ran empty = folder_.torchgate({"run", "--suite", ""});
  EXPECT_EQ(empty.code, 2);
  EXPECT_TRUE(has(empty.err, "no suites: an empty path was named; name suite executables"));
  const Ran filter = folder_.torchgate({"run", "--suite", "nothing", "--filter", "("});
  EXPECT_EQ(filter.code, 2);
  EXPECT_TRUE(has(filter.err, "invalid regular expression \"(\"")) << "before anything is looked for: " << filter.err;
  EXPECT_EQ(run({"--shards", "2"}).code, 2) << "a plan without a file";
  EXPECT_EQ(run({"--shard-plan", "plan.json"}).code, 2) << "a file without shards";
  EXPECT_EQ(run({"--shard", "3/2"}).code, 2);
  EXPECT_EQ(run({"--resume"}).code, 2) << "with other flags";
  const Ran nothing = folder_.torchgate({"run", "--resume"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_TRUE(has(nothing.err, "unfinished"));
}

TEST_F(RunCommand, RefusesOptionsThatItWouldIgnore) {
  const auto says = [this](const std::vector<std::string>& options, const std::string& sentence) {
    const Ran refused = run(options);
    EXPECT_EQ(refused.code, 2) << sentence;
    EXPECT_TRUE(has(refused.err, sentence)) << refused.err;
  };
  says({"--counter", "any"}, "run: --counter requires --instructions");
  says({"--json"}, "run: --json requires --list");
  says({"--run-recorded-files"}, "run: --run-recorded-files requires --resume");
  EXPECT_FALSE(fs::exists(".torchgate/runs"));
  const std::vector<std::vector<std::string>> of_the_unfinished{{"--filter", "a"},
                                                                {"--quick"},
                                                                {"--full"},
                                                                {"--processes", "3"},
                                                                {"--warmup", "3"},
                                                                {"--samples", "3"},
                                                                {"--shard-plan", "plan.json"},
                                                                {"--skip-unchanged"}};
  for (std::vector<std::string> arguments : of_the_unfinished) {
    const std::string refused = arguments.front();
    arguments.insert(arguments.begin(), {"run", "--resume"});
    const Ran ran = folder_.torchgate(arguments);
    EXPECT_EQ(ran.code, 2) << refused;
    EXPECT_TRUE(has(ran.err, "run: ") && has(ran.err, " excludes ") && has(ran.err, refused)) << ran.err;
  }
}

TEST_F(RunCommand, RefusesANameBeforeItMeasures) {
  for (const std::string& name : {std::string("../out"), std::string(".out"), std::string(), std::string(201, 'x')}) {
    const Ran refused = run({"--save", name});
    EXPECT_EQ(refused.code, 2) << name;
    EXPECT_TRUE(has(refused.err, "--save \"" + name + "\": invalid name")) << refused.err;
    EXPECT_FALSE(has(refused.err, "measuring")) << refused.err;
  }
  EXPECT_FALSE(fs::exists(".torchgate/runs"));
  EXPECT_EQ(run({"--save", std::string(200, 'x')}).code, 0) << "the longest name can be saved";
}

TEST_F(RunCommand, ResumesAnInterruptedRun) {
  folder_.set("FAKE_GROUPS", "slow");  // a fifth of a second each, so that it is still running when it is interrupted
  std::thread user = interrupting_user();
  const Ran stopped = run({"--save", "mine"}, "8");
  user.join();
  ASSERT_EQ(stopped.code, 130) << stopped.out << stopped.err;
  EXPECT_TRUE(has(stopped.out, "interrupted before the plan was complete; resume it with `torchgate run --resume "))
      << stopped.out;
  const auto part = workflow::Workspace().load("mine");
  ASSERT_TRUE(part);
  EXPECT_TRUE(part->interrupted);

  const Ran compared = folder_.torchgate({"report", "mine"});
  EXPECT_TRUE(has(compared.out, "stopped before its plan was complete")) << "what is not whole says so";
  const Ran other = folder_.torchgate({"run", "--resume", "--threads", "3"});
  EXPECT_EQ(other.code, 3) << "other settings are another host";
  const Ran resumed = folder_.torchgate({"run", "--resume", "--allow-noisy"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  const auto whole = workflow::Workspace().load("mine");
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->id, part->id);
  EXPECT_EQ(whole->processes.size(), 8U);
  EXPECT_FALSE(whole->interrupted);
}

TEST_F(RunCommand, LeavesSignalsAsTheyWere) {
  struct sigaction before {};
  sigaction(SIGINT, nullptr, &before);
  ASSERT_EQ(run({}).code, 0);
  struct sigaction after {};
  sigaction(SIGINT, nullptr, &after);
  EXPECT_EQ(after.sa_handler, before.sa_handler);
}

}  // namespace
}  // namespace torchgate::cli::testing
