// SPDX-License-Identifier: Apache-2.0
#include "ci/github/perf/slash_command.hpp"

#include <gtest/gtest.h>

#include "harness/base/limits.hpp"

namespace torchgate::github {
namespace {

using Kind = SlashCommand::Kind;

Kind kind_of(std::string_view body) {
  return parse_slash_command(body).kind;
}

TEST(SlashCommand, TakesCaseAndReason) {
  const SlashCommand command = parse_slash_command("/perf accept g/one/v/case exact erf, see #12");
  EXPECT_EQ(command.kind, Kind::accept);
  EXPECT_EQ(command.case_name, "g/one/v/case");
  EXPECT_EQ(command.reason, "exact erf, see #12");
  EXPECT_EQ(parse_slash_command("/perf  accept   a   b  c  ").reason, "b  c");
  EXPECT_EQ(kind_of("/perf rerun"), Kind::rerun);
  EXPECT_EQ(kind_of("/perf rerun  \r\n\r\nthe runner was busy"), Kind::rerun);
}

// BM_sort/random input/1024 is the name of a case of Google Benchmark.
TEST(SlashCommand, TakesANameInQuotes) {
  for (const std::string quote : {"\"", "`"}) {
    const SlashCommand command =
        parse_slash_command("/perf accept  " + quote + "BM_sort/random input" + quote + "  a \"b\"");
    EXPECT_EQ(command.case_name, "BM_sort/random input");
    EXPECT_EQ(command.reason, "a \"b\"");
    EXPECT_EQ(kind_of("/perf accept " + quote + "a b" + quote), Kind::wrong) << "no reason";
    EXPECT_EQ(kind_of("/perf accept " + quote + quote + " why"), Kind::wrong) << "no name";
    EXPECT_EQ(kind_of("/perf accept " + quote + "--help" + quote + " why"), Kind::wrong);
  }
  EXPECT_EQ(parse_slash_command("/perf accept \"a\"/b why").case_name, "\"a\"/b");
  EXPECT_EQ(parse_slash_command("/perf accept `a why").case_name, "`a");
}

TEST(SlashCommand, IsTheFirstLine) {
  const SlashCommand command = parse_slash_command("/perf accept a why\r\n/perf accept b why\n/perf rerun\n");
  EXPECT_EQ(command.kind, Kind::accept);
  EXPECT_EQ(command.case_name, "a");
  EXPECT_EQ(command.reason, "why");
  for (const char* body : {"", "\n/perf rerun", "see /perf accept a why", "> /perf rerun", "`/perf rerun`",
                           " /perf rerun", "\t/perf rerun", "\r/perf rerun", "\xEF\xBB\xBF/perf rerun",
                           "\xE2\x80\x8B/perf rerun", "/Perf rerun", "//perf rerun", "text\r\n/perf rerun"})
    EXPECT_EQ(kind_of(body), Kind::none) << body;
}

TEST(SlashCommand, LeavesOtherWordsAlone) {
  for (const char* body :
       {"/performance", "/perf-team please look", "/perf/README.md says", "/perf.txt", "/perf2 rerun", "/perf_rerun"})
    EXPECT_EQ(kind_of(body), Kind::none) << body;
}

TEST(SlashCommand, SaysWhatIsWrong) {
  for (const char* body : {"/perf",
                           "/perf ",
                           "/perf help",
                           "/perf Rerun",
                           "/perf rerun please",
                           "/perf accept",
                           "/perf accept ",
                           "/perf accept a",
                           "/perf accept a  ",
                           "/perf: rerun",
                           "/perf,",
                           "/perf\trerun",
                           "/perf rerun\t",
                           "/perf accept a\tb",
                           "/perf accept\ta b",
                           "/perf accept a b\x01",
                           "/perf accept a b\x7f",
                           "/perf accept a b\xC2\x85 c",
                           "/perf accept a\xE2\x80\xA8 b",
                           "/perf accept a\xE2\x80\x8B"
                           "b why",
                           "/perf accept a b\xE2\x80\xAE"
                           "c",
                           "/perf\xE2\x80\x8B rerun",
                           "/perf rerun\r",
                           "/perf accept a b\rc\nd",
                           "/perf accept a \xff",
                           "/perf accept \xC0\xAF why",
                           "/perf accept \xED\xA0\x80 why",
                           "/perf accept --ceiling=9999% why",
                           "/perf accept -h why",
                           "/perf accept a --expires=9999d"}) {
    const SlashCommand command = parse_slash_command(body);
    EXPECT_EQ(command.kind, Kind::wrong) << body;
    EXPECT_FALSE(command.problem.empty()) << body;
    EXPECT_EQ(command.case_name + command.reason, "") << body;
  }
  EXPECT_EQ(kind_of(std::string_view("/perf accept a b\0c", 18)), Kind::wrong);
  EXPECT_EQ(kind_of(std::string_view("/perf\0rerun", 11)), Kind::wrong);
}

TEST(SlashCommand, IsBounded) {
  const std::string reason(most_reason_bytes, 'r');
  EXPECT_EQ(kind_of("/perf accept a " + reason), Kind::accept);
  EXPECT_EQ(kind_of("/perf accept a " + reason + "r"), Kind::wrong);
  const std::string name(base::max_name_bytes, 'n');
  EXPECT_EQ(kind_of("/perf accept " + name + " " + reason), Kind::accept);
  EXPECT_EQ(kind_of("/perf accept " + name + "n why"), Kind::wrong);
  EXPECT_EQ(kind_of("/perf accept a " + std::string(60'000, 'x')), Kind::wrong);
  EXPECT_EQ(kind_of("/perf" + std::string(60'000, ' ') + "rerun"), Kind::wrong);
  EXPECT_EQ(kind_of("/perf rerun\n" + std::string(60'000, '\n')), Kind::rerun);
  EXPECT_EQ(kind_of(std::string(60'000, 'x') + "\n/perf rerun"), Kind::none);
}

TEST(SlashCommand, KeepsWhatAShellWouldRun) {
  const std::string hostile = R"("; $(touch x) `id` 'EOF' ::set-output name=x::y %0A ${{ secrets.X }} EOF<<EOF \n)";
  const SlashCommand command = parse_slash_command("/perf accept $(id)/\"case\" " + hostile + "\r\nEOF");
  EXPECT_EQ(command.kind, Kind::accept);
  EXPECT_EQ(command.case_name, "$(id)/\"case\"");
  EXPECT_EQ(command.reason, hostile);
}

}  // namespace
}  // namespace torchgate::github
