// SPDX-License-Identifier: Apache-2.0
// The text of an issue, byte for byte, and what of it other programs read.
#include "ci/github/triage/triage_text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "harness/base/pattern.hpp"
#include "tests/ci/github/triage/triage_models.hpp"
#include "tests/golden/golden.hpp"

namespace torchgate::github {
namespace {

using namespace torchgate::testing;
using namespace std::chrono_literals;
using policy::TriageEntry;
using policy::TriageState;

constexpr auto today = 2026y / 11 / 23;
constexpr std::size_t limit = 60'000;

Cause three_cases() {
  Cause three = cause({finding("fusion/gelu/fused/elements:100000/device:cpu", "regressed", 0.304),
                       finding("fusion/gelu/eager/elements:100000/device:cpu", "regressed", 0.126),
                       finding("hostile/|`x` <b> @all", "regressed", 0.071)});
  three.commits = {{cause_hash, "2026-11-22", "Ann B", "fusion/gelu: use | the @exact erf <b> (#12)"},
                   {std::string(40, 'd'), "2026-11-21", "Ben", "docs"}};
  return three;
}

TEST(TriageText, OfANewIssue) {
  EXPECT_EQ(issue_title(three_cases()), "Performance: 3 cases slower since bbbbbbbbbbbb");
  EXPECT_TRUE(golden::matches(issue_text(three_cases(), nullptr, today, limit), "workflow/issue_new.md"));
}

TEST(TriageText, OfAnIssueSaidToBeFixedAndOverdue) {
  Cause partly = three_cases();
  partly.cases[0].pairs = PairsAnswer{"equivalent", 0.0031, reports::Interval{-0.004, 0.01, 0.9}, later_hash};
  partly.cases[1].pairs = PairsAnswer{"regressed", 0.12, reports::Interval{0.11, 0.13, 0.99}, later_hash};
  partly.cases[2].pairs = PairsAnswer{"inconclusive", {}, {}, later_hash};
  const TriageEntry entry{"bbbbbbbbbbbb",  TriageState::fixed, "ann",
                          2026y / 11 / 20, "reverted @all",    "torchgate-triage.toml:3"};
  EXPECT_TRUE(golden::matches(issue_text(partly, &entry, today, limit), "workflow/issue_fixed_overdue.md"));
}

TEST(TriageText, WithoutTheCommitOfTheBaseline) {
  Cause unknown = three_cases();
  unknown.before.reset();
  for (CauseCase& one : unknown.cases) one.base_commit.reset();
  unknown.commits.clear();
  EXPECT_TRUE(golden::matches(issue_text(unknown, nullptr, today, limit), "workflow/issue_without_baseline.md"));
}

// Pairs with more warm-up would not show what only the first calls do, and without --full some cases do not exist.
TEST(TriageText, ItsCommandsSampleAsTheRunDid) {
  Cause full = three_cases();
  full.sampling = {"full", 1, 7};
  const std::string text = issue_text(full, nullptr, today, limit);
  EXPECT_NE(text.find("torchgate ab --before aaaaaaaaaaaa --after bbbbbbbbbbbb --filter "), std::string::npos);
  EXPECT_NE(text.find("' --full --warmup 1 --samples 7 --build \"COMMAND\""), std::string::npos);
  EXPECT_NE(text.find("--bad bbbbbbbbbbbb --full --warmup 1 --samples 7 --build"), std::string::npos);
  full.sampling.profile = "full; rm -rf ~";
  EXPECT_EQ(pairs_command(full, "HEAD").find("rm -rf"), std::string::npos) << "the text of an issue can be edited";
}

TEST(TriageText, CommentsMentionTheOwnerAlone) {
  const TriageEntry entry{"bbbbbbbbbbbb",  TriageState::accepted, "ann",
                          2026y / 11 / 20, "cc @all <b>",         "torchgate-triage.toml:3"};
  EXPECT_EQ(decided_comment(entry), "Closed as accepted by @ann: cc @&#8203;all &lt;b&gt;");
  EXPECT_EQ(overdue_comment(entry),
            "overdue since 2026-11-20, owner @ann. State: accepted, in `torchgate-triage.toml`.");
  Cause done = three_cases();
  for (CauseCase& one : done.cases) one.pairs = PairsAnswer{"equivalent", 0.001, {}, later_hash};
  EXPECT_TRUE(golden::matches(repaired_comment(done), "workflow/issue_repaired_comment.md"));
}

TEST(TriageText, KeepsTheLimit) {
  std::vector<ReportedFinding> many;
  for (int i = 0; i < 3000; ++i)
    many.push_back(
        finding(fmt::format("|suite/a_long_name_of_a_group/variant/{:04}", i), "regressed", 0.0001 * i + 0.05));
  const Cause large = cause(many);
  const std::string text = issue_text(large, nullptr, today, limit);
  EXPECT_LE(text.size(), limit);
  EXPECT_NE(text.find("more cases omitted"), std::string::npos);
  EXPECT_NE(text.find("2999"), std::string::npos);
  const auto again = cause_in(text);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(cause_line(*again), cause_line(large));
}

TEST(TriageFilter, MatchesTheCasesAndNoOthers) {
  const std::string names[] = {"g/one/a.b", "g/two (x|y)[1]+?*^$\\", "g/d'\"`\n é 日", "g/{3}"};
  Cause named;
  for (const std::string& name : names) named.cases.push_back({name, "time", "ns", true, {}, {}, {}, {}, "", {}});
  const std::string filter = case_filter(named);
  for (const char c : filter) {
    EXPECT_TRUE(c > ' ' && c < '\x7f' && std::string_view("'\"`").find(c) == std::string_view::npos) << filter;
  }
  const auto pattern = base::Pattern::compile_short(filter);
  ASSERT_TRUE(pattern) << pattern.error().message;
  for (const std::string& name : names) {
    EXPECT_TRUE(pattern->found_in(name)) << name;
    EXPECT_FALSE(pattern->found_in(name + "/more")) << name;
    EXPECT_FALSE(pattern->found_in("more/" + name)) << name;
  }
  EXPECT_FALSE(pattern->found_in("g/one/aXb"));
}

TEST(TriageFilter, IsWiderWhereTheNamesAreTooLongForOne) {
  Cause many;
  const auto add = [&](const std::string& name) {
    many.cases.push_back({name, "time", "ns", true, {}, {}, {}, {}, "", {}});
  };
  for (int i = 0; i < 100; ++i) add(fmt::format("suite/group{}/case_{}", i % 3, i));
  EXPECT_EQ(case_filter(many), "^(?:suite/group0/|suite/group1/|suite/group2/)");
  for (int i = 0; i < 100; ++i) add(fmt::format("suite/other_group_{}/case", i));
  EXPECT_EQ(case_filter(many), "^(?:suite/)");
  for (int i = 0; i < 1000; ++i) add(fmt::format("other_suite_{}/case", i));
  EXPECT_EQ(case_filter(many), ".");
  Cause unlisted;
  unlisted.cases.push_back(many.cases.front());
  unlisted.unlisted = 1;
  EXPECT_EQ(case_filter(unlisted), ".");
}

}  // namespace
}  // namespace torchgate::github
