// SPDX-License-Identifier: Apache-2.0
// `ab` with builds whose times are certain, and with commits that are built. `ab --pair-plan` is in gate_test.cpp.
#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "ci/cli/commands/ab_libtorch.hpp"
#include "tests/ci/cli/program_folder.hpp"

namespace torchgate::cli::testing {
namespace {

namespace fs = std::filesystem;

class AbCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.make_suite("build1", 1000);
    folder_.make_suite("build2", 1001);
    folder_.make_suite("build3", 2000);
  }
  [[nodiscard]] Ran ab(std::vector<std::string> more) const {
    more.insert(more.begin(), {"ab", "--pairs", "10", "--seed", "1", "--quick", "--allow-noisy"});
    return folder_.torchgate(more);
  }
  ProgramFolder folder_;
};

TEST_F(AbCommand, PassesBuildsThatAreEquallyFast) {
  const Ran ran = ab({"--before", "build1", "--after", "build2", "--save", "pairs", "--json", "report.json"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_TRUE(has(read_text("report.json"), "\"equivalent\""));
  const Ran shown = folder_.torchgate({"report", "pairs", "--allow-noisy"});
  EXPECT_EQ(shown.code, 0);
  EXPECT_TRUE(has(shown.out, "PASS")) << "the pairs are kept";
}

TEST_F(AbCommand, FailsASlowerBuild) {
  const Ran ran = ab({"--before", "build1", "--after", "build3", "--json", "report.json"});
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_TRUE(has(read_text("report.json"), "\"regressed\""));
  EXPECT_TRUE(has(read_text(".torchgate/last_report.json"), "\"regressed\"")) << "kept for `accept`";
}

// Its first calls are slower, and warm ones are not.
TEST_F(AbCommand, SeesSlowerFirstCallsWithFewOfWarmUp) {
  folder_.set("FAKE_COLD", "1");
  const std::vector<std::string> sides{"--before", "build1", "--after", "build3", "--save", "pairs"};
  EXPECT_EQ(ab(sides).code, 0);
  std::vector<std::string> few = sides;
  few.insert(few.end(), {"--warmup", "1", "--samples", "7", "--json", "report.json"});
  const Ran ran = ab(few);
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_TRUE(has(read_text("report.json"), "\"warmup_calls\": 1"));
  EXPECT_TRUE(has(read_text("report.json"), "\"samples\": 7"));
  EXPECT_TRUE(has(read_text(".torchgate/runs/pairs.json"), "\"warmup_calls\":1,\"samples\":7"));
  EXPECT_EQ(ab({"--before", "build1", "--after", "build3", "--warmup", "0"}).code, 2);
}

TEST_F(AbCommand, HasNoVerdictFromTooFewPairs) {
  const Ran ran = ab({"--before", "build1", "--after", "build3", "--budget", "4 pairs"});
  EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "no case could be judged"));
}

TEST_F(AbCommand, RefusesBadInput) {
  EXPECT_EQ(ab({}).code, 2);
  EXPECT_EQ(ab({"--before", "build1"}).code, 2);
  const Ran neither = ab({"--before", "build1", "--after", "nothing"});
  EXPECT_EQ(neither.code, 2);
  EXPECT_TRUE(has(neither.err, "--after nothing: "));
  EXPECT_EQ(ab({"--before", "build1", "--after", "build3", "--build", "make"}).code, 2) << "--build without a commit";
  EXPECT_EQ(ab({"--before", "build1", "--after", "build3", "--budget", "soon"}).code, 2);
  EXPECT_EQ(ab({"--before", "build1", "--after", "build3", "--vary", "weather"}).code, 2);
  EXPECT_EQ(folder_.torchgate({"ab", "--resume"}).code, 2) << "nothing is unfinished";
}

TEST_F(AbCommand, RefusesOptionsThatItWouldIgnore) {
  const auto refuses = [this](const std::string& with, std::vector<std::string> option) {
    const std::string refused = option.front();
    option.insert(option.begin(), {"ab", with});
    if (with == "--pair-plan") option.insert(option.begin() + 2, "plan.json");
    const Ran ran = folder_.torchgate(option);
    EXPECT_EQ(ran.code, 2) << with << " " << refused;
    EXPECT_TRUE(has(ran.err, "ab: ") && has(ran.err, " excludes ") && has(ran.err, refused)) << ran.err;
  };
  for (const std::string& with : {std::string("--resume"), std::string("--pair-plan")}) {
    refuses(with, {"--budget", "5m"});
    refuses(with, {"--filter", "a"});
    refuses(with, {"--quick"});
    refuses(with, {"--full"});
    refuses(with, {"--seed", "1"});
    refuses(with, {"--warmup", "1"});
    refuses(with, {"--samples", "7"});
  }
  for (const char* const of_a_side : {"--before", "--after", "--build", "--suites"})
    refuses("--resume", {of_a_side, "x"});
  for (const char* const without_value : {"--every-pair", "--instructions", "--quiet", "--verbose"})
    refuses("--pair-plan", {without_value});
  for (const char* const with_value : {"--vary", "--write", "--json", "--markdown", "--html"})
    refuses("--pair-plan", {with_value, "x"});
  refuses("--pair-plan", {"--format", "json"});
  const Ran nothing = folder_.torchgate({"ab", "--before", "a", "--after", "b", "--run-recorded-files"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_TRUE(has(nothing.err, "--run-recorded-files needs --pair-plan or --resume"));
  EXPECT_EQ(folder_.torchgate({"ab", "--resume", "--pair-plan", "plan.json"}).code, 2) << "nothing would be resumed";
}

TEST_F(AbCommand, RefusesANameBeforeItMeasures) {
  const Ran refused = ab({"--before", "build1", "--after", "build2", "--save", "../out"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(has(refused.err, "--save \"../out\": invalid name")) << refused.err;
  EXPECT_FALSE(has(refused.err, "measuring")) << refused.err;
  EXPECT_FALSE(fs::exists(".torchgate/runs"));
}

// Folders that look like a LibTorch, each with the level of the suite that is built against it.
class AbOfLibtorch : public ::testing::Test {
 protected:
  void SetUp() override {
    make_libtorch("old", "2.11.0", 1000);
    make_libtorch("new", "2.15.0", 2000);
  }
  static void make_libtorch(const fs::path& folder, const std::string& version, int level) {
    fs::create_directories(folder / "lib");
    fs::create_directories(folder / "include/torch");
    write_text(folder / "lib/libtorch_cpu.so", "");
    write_text(folder / "build-version", version + "\n");
    write_text(folder / "level", "\nFAKE_LEVEL=" + std::to_string(level) + "\n");
  }
  [[nodiscard]] Ran ab(std::vector<std::string> more) const {
    const std::string build = std::string("mkdir -p {dir}/bench && cp ") + TORCHGATE_FAKE_SUITE +
                              " {dir}/bench/fake && cat \"$TORCHGATE_TORCH_ROOT/level\" >>{dir}/bench/fake";
    const std::vector<std::string> first = {"ab",  "--vary",   "libtorch=old", "--vary",  "libtorch=new", "--build",
                                            build, "--suites", "bench",        "--pairs", "10",           "--seed",
                                            "1",   "--quick",  "--allow-noisy"};
    more.insert(more.begin(), first.begin(), first.end());
    return folder_.torchgate(more);
  }
  ProgramFolder folder_;
};

TEST_F(AbOfLibtorch, InformsByDefaultAndFailsWithAGate) {
  const Ran ran = ab({"--json", "report.json", "--save", "upgrade"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.err, "building before (LibTorch 2.11.0: "));
  EXPECT_TRUE(has(ran.out, "LibTorch 2.11.0"));
  EXPECT_TRUE(has(ran.out, "(not gated)"));
  EXPECT_TRUE(has(read_text("report.json"), "\"upgrade\""));
  const Ran gated = ab({"--gate", "0.05"});
  EXPECT_EQ(gated.code, 1) << gated.out << gated.err;
  const Ran shown = folder_.torchgate({"report", "upgrade", "--vary", "libtorch", "--allow-noisy"});
  EXPECT_EQ(shown.code, 0);
  EXPECT_TRUE(has(shown.out, "By suite"));
}

TEST_F(AbOfLibtorch, ResumedItInformsOrFailsAsItWasStarted) {
  folder_.set("FAKE_GROUPS", "slow");  // a fifth of a second each, so that it is still running when it is interrupted
  for (const bool gated : {false, true}) {
    std::thread user = interrupting_user();
    const Ran stopped = gated ? ab({"--gate", "0.05"}) : ab({});
    user.join();
    ASSERT_EQ(stopped.code, 130) << stopped.out << stopped.err;
    const Ran resumed = folder_.torchgate({"ab", "--resume", "--pairs", "10", "--allow-noisy"});
    EXPECT_EQ(resumed.code, gated ? 1 : 0) << resumed.out << resumed.err;
    EXPECT_TRUE(has(resumed.out, "LibTorch 2.11.0")) << "the versions that the fake suite does not record";
    EXPECT_TRUE(has(resumed.out, "By suite"));
    EXPECT_EQ(resumed.out.find("(not gated)") == std::string::npos, gated);
  }
}

TEST(RecordVaried, KeepsWhatPairsWereBegunWith) {
  const auto from = [](const char* version) {
    return Varied{{"libtorch"}, std::array<workflow::LibtorchRoot, 2>{{{"/before", version}, {"/after", "2.15.0"}}}};
  };
  const std::vector<std::string> versions{"2.11.0", "2.15.0"};
  record::Plan plan;
  record_varied(from("2.11.0"), false, plan);
  EXPECT_EQ(plan.varied, std::vector<std::string>{"libtorch"});
  EXPECT_EQ(plan.libtorch_versions, versions);
  EXPECT_TRUE(plan.informs);
  plan.informs = false;  // --gate
  record_varied(from("2.14.0"), true, plan);
  record_varied({{"libtorch", "kernel"}, {}}, true, plan);
  EXPECT_EQ(plan.varied, (std::vector<std::string>{"libtorch", "kernel"}));
  EXPECT_EQ(plan.libtorch_versions, versions);
  EXPECT_FALSE(plan.informs);
  record::Plan of_earlier_version;
  record_varied(from("2.14.0"), true, of_earlier_version);
  EXPECT_TRUE(of_earlier_version.informs);
  EXPECT_TRUE(of_earlier_version.libtorch_versions.empty()) << "its sides may be of others";
}

TEST_F(AbOfLibtorch, RefusesBadInput) {
  const Ran both = ab({"--before", "old", "--after", "new"});
  EXPECT_EQ(both.code, 2);
  EXPECT_TRUE(has(both.err, "remove --before and --after"));
  const Ran missing = folder_.torchgate({"ab", "--vary", "libtorch=2.12.0"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_TRUE(has(missing.err, "ci/scripts/setup.sh --libtorch 2.12.0"));
  EXPECT_EQ(folder_.torchgate({"ab", "--vary", "kernel=6.1"}).code, 2);
}

// The build copies the suite and appends the commit's level, as a compiler would.
class AbOfCommits : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.make_repository();
    old_ = folder_.commit("\nFAKE_LEVEL=1000\n");
    new_ = folder_.commit("\nFAKE_LEVEL=2000\n");
  }
  [[nodiscard]] Ran ab(const std::string& build) const {
    return folder_.torchgate({"ab", "--before", old_, "--after", new_, "--build", build, "--suites", "build", "--pairs",
                              "10", "--seed", "1", "--allow-noisy"});
  }
  ProgramFolder folder_;
  std::string old_;
  std::string new_;
};

TEST_F(AbOfCommits, BuildsAndMeasuresThem) {
  const Ran ran = ab(std::string("mkdir build && cp ") + TORCHGATE_FAKE_SUITE +
                     " build/fake && cat code >>build/fake && echo built it");
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.err, "building before (" + old_.substr(0, 12) + "): mkdir build"));
  EXPECT_TRUE(has(read_text(".torchgate/builds/after-" + new_.substr(0, 12) + ".log"), "built it"));
  EXPECT_FALSE(fs::exists(".torchgate/work_trees")) << "the work trees are gone";
}

TEST_F(AbOfCommits, ShowsWhyABuildFails) {
  const Ran ran = ab("echo 'code.c:1: no such thing' >&2; exit 3");
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran.err, "  | code.c:1: no such thing\n"));
  EXPECT_TRUE(has(ran.err, "exit code 3"));
  const Ran empty = ab("true");
  EXPECT_EQ(empty.code, 2);
  EXPECT_TRUE(has(empty.err, "--suites"));
  EXPECT_FALSE(fs::exists(".torchgate/work_trees"));
}

TEST_F(AbOfCommits, NotesAPathThatIsACommitToo) {
  folder_.git({"branch", "suites"});
  folder_.make_suite("suites", 1000);
  const Ran ran = folder_.torchgate({"ab", "--before", "suites", "--after", "suites", "--build", "make"});
  EXPECT_EQ(ran.code, 2) << "two paths need no build";
  EXPECT_TRUE(has(ran.err, "--before suites names both a path and a commit; using the path"));
}

}  // namespace
}  // namespace torchgate::cli::testing
