// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/ci/cli/program_folder.hpp"

namespace torchgate::cli::testing {
namespace {

class CompareCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.save(made_run("aaaaaaaaaaaaaaaa", 1e5), "before");
    folder_.save(made_run("bbbbbbbbbbbbbbbb", 1.001e5), "same");
    folder_.save(made_run("cccccccccccccccc", 1.3e5), "slower");
  }
  ProgramFolder folder_;
};

TEST_F(CompareCommand, PassesTheSameTimesAndWritesFiles) {
  const Ran ran =
      folder_.torchgate({"compare", "before", "same", "--quiet", "--json", "report.json", "--markdown", "report.md"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(has(read_text("report.json"), "torchgate.report/1"));
  EXPECT_TRUE(has(read_text("report.md"), "PASS"));
}

TEST_F(CompareCommand, FailsASlowDown) {
  const Ran ran = folder_.torchgate({"compare", "before", "slower"});
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_TRUE(has(ran.out, made_case));
  EXPECT_TRUE(has(ran.out, "+30"));
  EXPECT_TRUE(has(ran.out, "`torchgate gate slower --against before`"));
}

TEST_F(CompareCommand, RefusesBadInput) {
  EXPECT_TRUE(has(folder_.torchgate({"compare", "before", "nothing"}).err, "nothing"));
  EXPECT_EQ(folder_.torchgate({"compare", "before", "nothing"}).code, 2);
  EXPECT_EQ(folder_.torchgate({"compare", "before", "before"}).code, 2);
  write_text("broken.json", "{\"schema\": \"torchgate.run/1\", oops");
  EXPECT_TRUE(has(folder_.torchgate({"compare", "before", "broken.json"}).err, "broken.json"));
  const Ran unwritable = folder_.torchgate({"compare", "before", "same", "--json", "/nonexistent/report.json"});
  EXPECT_EQ(unwritable.code, 2);
  EXPECT_EQ(unwritable.out, "") << "nothing is judged for a file that cannot be written";
  const Ran dash = folder_.torchgate({"compare", "before", "same", "--json", "-"});
  EXPECT_EQ(dash.code, 2);
  EXPECT_TRUE(has(dash.err, "--write json=-: not a file; --format json writes to standard output"));
  EXPECT_FALSE(std::filesystem::exists("-"));
  const Ran twice = folder_.torchgate({"compare", "before", "same", "--json", "report", "--markdown", "report"});
  EXPECT_EQ(twice.code, 2);
  EXPECT_TRUE(has(twice.err, "report: named for two formats; name a file for each"));
  const Ran unchanged = folder_.torchgate({"compare", "before", "same", "--skip-unchanged"});
  EXPECT_EQ(unchanged.code, 2);
  EXPECT_TRUE(has(unchanged.err, "--skip-unchanged: only without AFTER"));
  const Ran budget = folder_.torchgate({"compare", "before", "same", "--budget", "5m"});
  EXPECT_EQ(budget.code, 2);
  EXPECT_TRUE(has(budget.err, "--budget: only without AFTER, for what is measured now; leave one of the two out"));
  const Ran quiet = folder_.torchgate({"compare", "before", "same", "--quiet", "--format", "json"});
  EXPECT_EQ(quiet.code, 2);
  EXPECT_TRUE(has(quiet.err, "compare: --format excludes --quiet; leave one of the two out"));
}

TEST_F(CompareCommand, WritesThroughLinksAndNeverInPlaceOfOpenFiles) {
  write_text("target.json", "{\"schema\": \"torchgate.report/1\", \"of\": \"an earlier call\"}");
  std::filesystem::create_symlink("target.json", "latest.json");
  EXPECT_EQ(folder_.torchgate({"compare", "before", "same", "--quiet", "--json", "latest.json"}).code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink("latest.json"));
  EXPECT_TRUE(has(read_text("target.json"), made_case));
  const Ran twice =
      folder_.torchgate({"compare", "before", "same", "--json", "latest.json", "--markdown", "./target.json"});
  EXPECT_TRUE(has(twice.err, "./target.json: named for two formats; name a file for each"));

  write_text("log", "what was printed before");
  const int log = ::open("log", O_WRONLY | O_APPEND);
  const std::string open_file = "/proc/self/fd/" + std::to_string(log);
  std::filesystem::create_symlink(open_file, "stdout");  // as /dev/stdout is with `> log`
  for (const std::string& name : {std::string("stdout"), open_file}) {
    const Ran refused = folder_.torchgate({"compare", "before", "same", "--markdown", name});
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(has(refused.err,
                    "an open file or a device, not a file; give the name of a file (--format markdown "
                    "writes to standard output)"));
  }
  ::close(log);
  EXPECT_TRUE(std::filesystem::is_symlink("stdout"));
  EXPECT_EQ(read_text("log"), "what was printed before");
}

TEST_F(CompareCommand, RefusesADirectionOfSavedRuns) {
  const std::vector<std::string> better{"--better", "tps=higher"};
  for (std::vector<std::string> command : {std::vector<std::string>{"compare", "before", "same"},
                                           {"compare", "before", "same", "slower"},
                                           {"report", "same"},
                                           {"report", "before", "same"},
                                           {"gate", "same", "--against", "before", "--confirm", "none"}}) {
    EXPECT_EQ(folder_.torchgate(command).code == 2, false) << command.front();
    command.insert(command.end(), better.begin(), better.end());
    const Ran refused = folder_.torchgate(command);
    EXPECT_EQ(refused.code, 2) << command.front();
    EXPECT_TRUE(has(refused.err, "--better: no result file of another tool is read")) << refused.err;
  }
  write_text("torchgate.toml", "[import]\nbetter = [\"tps=higher\"]\n");
  EXPECT_EQ(folder_.torchgate({"compare", "before", "same"}).code, 0) << "of files that other commands read";
}

TEST_F(CompareCommand, ShowsMoreThanTwoRunsAsAMatrix) {
  const Ran ran = folder_.torchgate({"compare", "before", "same", "slower", "--json", "matrix.json"});
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "2 versions compared with before: 1 of 1 case changed"));
  EXPECT_TRUE(has(ran.out, " % slower"));
  EXPECT_TRUE(has(read_text("matrix.json"), "torchgate.matrix/1"));
  EXPECT_EQ(folder_.torchgate({"compare", "before", "same", "same"}).code, 2) << "a run is one column";
  EXPECT_EQ(folder_.torchgate({"compare", "before", "same", "nothing"}).code, 2);
  const Ran junit = folder_.torchgate({"compare", "before", "same", "slower", "--format", "junit"});
  EXPECT_EQ(junit.code, 2);
  EXPECT_TRUE(has(junit.err, "use one of: terminal, markdown, html, json"));
}

// The command that the report proposes can be copied.
TEST_F(CompareCommand, ProposesNamesThatBeginWithADashAsFiles) {
  folder_.save(made_run("eeeeeeeeeeeeeeee", 1e5), "-a");
  folder_.save(made_run("ffffffffffffffff", 1.3e5), "-b");
  const Ran ran = folder_.torchgate({"compare", "--format", "json", "--", "-a", "-b"});
  EXPECT_TRUE(has(ran.out, "torchgate gate .torchgate/runs/-b.json --against .torchgate/runs/-a.json`")) << ran.err;
}

TEST_F(CompareCommand, HasNoVerdictAcrossHosts) {
  record::Run other = made_run("dddddddddddddddd", 1e5);
  other.machine.host_key = "host-b";
  folder_.save(other, "other");
  const Ran ran = folder_.torchgate({"compare", "other", "same"});
  EXPECT_EQ(ran.code, 3) << ran.err;
  EXPECT_TRUE(has(ran.out, "hosts differ"));
}

// Without a second run it measures again what the first one measured, where a user named that here.
TEST_F(CompareCommand, MeasuresAgain) {
  folder_.make_suite("build", 1000);
  ASSERT_EQ(folder_.torchgate({"run", "--suite", "build", "--processes", "2", "--save", "mine", "--allow-noisy"}).code,
            0);
  const Ran again = folder_.torchgate({"compare", "mine", "--allow-noisy"});
  EXPECT_EQ(again.code, 0) << again.out << again.err;
  EXPECT_TRUE(has(again.out, "PASS"));
  std::filesystem::remove(".torchgate/launched");
  const Ran unknown = folder_.torchgate({"compare", "mine"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(has(unknown.err, "--run-recorded-files"));
}

}  // namespace
}  // namespace torchgate::cli::testing
