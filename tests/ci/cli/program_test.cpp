// SPDX-License-Identifier: Apache-2.0
// What every command has in common: help, usage, the policy it reads, and evidence that a change may not bring.
#include "ci/cli/program.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <sstream>

#include "ci/cli/command_table.hpp"
#include "tests/ci/cli/program_folder.hpp"

namespace torchgate::cli::testing {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

// TEXT on one line: help is broken between words.
std::string unbroken(const std::string& text) {
  std::string line;
  for (const std::string& word : words_of(text)) line += (line.empty() ? "" : " ") + word;
  return line;
}

TEST(Program, PrintsHelpAndVersion) {
  const ProgramFolder folder;
  const Ran help = folder.torchgate({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_TRUE(has(help.out, "Exit codes: 0 no regression"));
  EXPECT_EQ(help.err, "");
  EXPECT_TRUE(has(folder.torchgate({"--version"}).out, "torchgate "));
  for (const CommandRow& row : command_rows()) {
    std::vector<std::string> arguments = words_of(row.name);
    EXPECT_TRUE(has(unbroken(folder.torchgate({arguments.front(), "--help"}).out), row.help)) << row.name;
    arguments.emplace_back("--help");
    const Ran own = folder.torchgate(arguments);
    EXPECT_EQ(own.code, 0) << row.name;
    EXPECT_TRUE(has(own.out, std::string("torchgate ") + row.name)) << row.name;
  }
}

TEST(Program, ComplainsAboutUsageOnErr) {
  const ProgramFolder folder;
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{}, {"frobnicate"}, {"compare"}, {"run", "--processes"}, {"baseline"}}) {
    const Ran ran = folder.torchgate(arguments);
    EXPECT_EQ(ran.code, 2) << ran.out;
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err, "");
  }
}

// Before the issue is on GitHub: the next step reads the file.
TEST(Program, TriageRefusesAnAnswerThatCannotBeWrittenFirst) {
  ProgramFolder folder;
  folder.set("GITHUB_TOKEN", "token");
  folder.set("GITHUB_REPOSITORY", "o/r");
  folder.set("GITHUB_API_URL", "http://127.0.0.1:9");
  write_text("report.json",
             R"({"schema": "torchgate.report/1", "outcome": "pass", "headline": "h", "after": {"commit": ")" +
                 std::string(40, '1') + R"("}, "findings": []})");
  for (const char* const file : {"missing/done.json", "/dev/stdout"}) {
    const Ran ran = folder.torchgate({"triage", "--report", "report.json", "--json", file});
    EXPECT_EQ(ran.code, 2);
    EXPECT_TRUE(has(ran.err, std::string(file).substr(0, 7))) << "nothing was asked of GitHub";
  }
}

TEST(Program, ReadsThePolicyOfTheFolder) {
  const ProgramFolder folder;
  folder.save(made_run("aaaaaaaaaaaaaaaa", 1e5), "before");
  folder.save(made_run("bbbbbbbbbbbbbbbb", 1.3e5), "after");
  EXPECT_EQ(folder.torchgate({"compare", "before", "after"}).code, 1);
  write_text("torchgate.toml", "[gate]\nunconfirmed = \"warn\"\n");
  EXPECT_EQ(folder.torchgate({"compare", "before", "after"}).code, 3) << "its only case is not decided";
  write_text("torchgate.toml", "[gate]\nunconfirmed = \"warn\"\nmin_decided = 0\n");
  EXPECT_EQ(folder.torchgate({"compare", "before", "after"}).code, 0);
  write_text("torchgate.toml", "[gate]\nunconfirmd = \"warn\"\n");
  const Ran misspelt = folder.torchgate({"compare", "before", "after"});
  EXPECT_EQ(misspelt.code, 2);
  EXPECT_TRUE(has(misspelt.err, "gate.unconfirmed"));
}

TEST(Program, JudgesAPullRequestByThePolicyOfItsBase) {
  ProgramFolder folder;
  folder.make_repository();
  folder.save(made_run("aaaaaaaaaaaaaaaa", 1e5), "before");
  folder.save(made_run("bbbbbbbbbbbbbbbb", 1.3e5), "after");
  write_text("torchgate.toml", "[gate]\nunconfirmed = \"warn\"\n");
  folder.set("GITHUB_BASE_REF", "main");
  const Ran unknown = folder.torchgate({"compare", "before", "after"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(has(unknown.err, "refs/remotes/origin/main"));
  folder.git({"update-ref", "refs/remotes/origin/main", "HEAD"});
  const Ran judged = folder.torchgate({"compare", "before", "after"});
  EXPECT_EQ(judged.code, 1);
  EXPECT_TRUE(has(judged.out, "gate.unconfirmed"));
}

TEST(Program, RefusesEvidenceThatTheChangeBrings) {
  const ProgramFolder folder;
  folder.make_repository();
  folder.save(made_run("aaaaaaaaaaaaaaaa", 1e5), "before");
  folder.save(made_run("bbbbbbbbbbbbbbbb", 1e5), "after");
  folder.git({"add", "--force", ".torchgate/runs/before.json"});
  folder.git({"commit", "--quiet", "-m", "evidence"});
  const Ran refused = folder.torchgate({"compare", "before", "after"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(has(refused.err, "copy the folder away first"));
  EXPECT_EQ(folder.torchgate({"report", "before"}).code, 0) << "a report judges nothing";
}

TEST(Program, KeepsWhatItWritesOutOfCommits) {
  const ProgramFolder folder;
  folder.make_repository();
  folder.git({"rm", "--quiet", ".gitignore"});
  folder.git({"commit", "--quiet", "-m", "nothing is ignored"});
  folder.save(made_run("aaaaaaaaaaaaaaaa", 1e5), "before");
  std::filesystem::rename(".torchgate/runs/before.json", ".git/before.json");
  std::filesystem::remove_all(".torchgate");
  const Ran added = folder.torchgate({"baseline", "add", ".git/before.json", "--uncommitted", "--without-objects"});
  ASSERT_EQ(added.code, 0) << added.err;
  folder.git({"add", "--all"});
  folder.git({"diff", "--cached", "--quiet"});  // fails if anything was added
  EXPECT_EQ(read_text(".torchgate/.gitignore"), "*\n");
}

}  // namespace
}  // namespace torchgate::cli::testing
