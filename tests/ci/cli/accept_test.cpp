// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <chrono>
#include <regex>
#include <thread>
#include <vector>

#include "harness/base/posix_file.hpp"
#include "tests/ci/cli/program_folder.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::cli::testing {
namespace {

class AcceptCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.save(made_run("aaaaaaaaaaaaaaaa", 1e5), "before");
    folder_.save(made_run("bbbbbbbbbbbbbbbb", 1.3e5), "slower");
  }
  [[nodiscard]] Ran gate() const {
    return folder_.torchgate({"gate", "slower", "--against", "before", "--confirm", "none"});
  }
  void save(const std::string& id, double time_ns, const std::string& commit, const std::string& name) const {
    record::Run run = made_run(id, time_ns);
    run.sides.front().source = {commit, false, std::nullopt};
    folder_.save(run, name);
  }
  ProgramFolder folder_;
};

TEST_F(AcceptCommand, LetsAReportedSlowDownPass) {
  ASSERT_EQ(gate().code, 1);
  const Ran accepted = folder_.torchgate({"accept", made_case, "--reason", "the price of checks"});
  EXPECT_EQ(accepted.code, 0) << accepted.err;
  EXPECT_TRUE(has(accepted.out, "torchgate-waivers.toml"));
  EXPECT_TRUE(has(read_text("torchgate-waivers.toml"), "the price of checks"));
  EXPECT_EQ(gate().code, 0);
}

TEST_F(AcceptCommand, ReadsWhatWasJudgedLast) {
  for (const char* const command : {"compare", "report"}) {
    std::filesystem::remove_all(".torchgate/last_report.json");
    EXPECT_NE(folder_.torchgate({command, "before", "slower"}).code, 2);
    const Ran accepted =
        folder_.torchgate({"accept", made_case, "--reason", "why", "--waivers", std::string(command) + ".toml"});
    EXPECT_EQ(accepted.code, 0) << command << ": " << accepted.err;
    EXPECT_TRUE(has(accepted.out, ".torchgate/last_report.json: " + std::string(made_case))) << accepted.out;
  }
  // What passes now is not accepted by an older report.
  folder_.save(made_run("ffffffffffffffff", 1e5), "again");
  ASSERT_NE(folder_.torchgate({"compare", "before", "again"}).code, 1);
  EXPECT_EQ(folder_.torchgate({"accept", made_case, "--reason", "why"}).code, 2);
}

TEST_F(AcceptCommand, LeavesNoReportWhereThereIsNothingToAccept) {
  folder_.save(made_run("ffffffffffffffff", 1e5), "again");
  EXPECT_NE(folder_.torchgate({"compare", "before", "again"}).code, 1);
  EXPECT_FALSE(std::filesystem::exists(".torchgate/last_report.json"));
}

TEST_F(AcceptCommand, RefusesACeilingBelowWhatWasMeasured) {
  ASSERT_EQ(gate().code, 1);
  ASSERT_EQ(folder_.torchgate({"accept", made_case, "--reason", "a little", "--ceiling", "10%"}).code, 2);
  EXPECT_EQ(gate().code, 1) << "30 % are more than 10 %";
}

TEST_F(AcceptCommand, AcceptsThatACaseIsNotComparable) {
  record::Run seeded = made_run("eeeeeeeeeeeeeeee", 1e5);
  for (record::Case& each : seeded.cases) each.input_seed += 7;
  folder_.save(seeded, "seeded");
  const std::vector<std::string> judge{"gate", "seeded", "--against", "before", "--confirm", "none"};
  const Ran failed = folder_.torchgate(judge);
  ASSERT_EQ(failed.code, 1);
  EXPECT_TRUE(has(failed.out, "measured on both sides, not comparable: its input seed was"));
  const Ran ceiling = folder_.torchgate({"accept", made_case, "--reason", "new inputs", "--ceiling", "10%"});
  EXPECT_EQ(ceiling.code, 2);
  EXPECT_TRUE(has(ceiling.err, "has no number; leave --ceiling out"));
  const Ran accepted = folder_.torchgate({"accept", made_case, "--reason", "new inputs"});
  EXPECT_EQ(accepted.code, 0) << accepted.err;
  EXPECT_TRUE(has(read_text("torchgate-waivers.toml"), "missing = true"));
  EXPECT_NE(folder_.torchgate(judge).code, 1);
}

TEST_F(AcceptCommand, AcceptsThatACountIsLost) {
  record::Run counted = made_run("eeeeeeeeeeeeeeee", 1e5);
  counted.cases.front().metrics.push_back(
      {"copies", "1", record::Direction::lower_is_better, record::MetricKind::exact});
  for (record::Process& process : counted.processes) {
    record::Measurement copies;
    copies.metric = "copies";
    copies.value = 12;
    process.cases.front().measurements.push_back(copies);
  }
  folder_.save(counted, "counted");
  folder_.save(made_run("ffffffffffffffff", 1e5), "uncounted");
  const std::vector<std::string> judge{"gate", "uncounted", "--against", "counted", "--confirm", "none"};
  EXPECT_EQ(folder_.torchgate(judge).code, 3);
  const std::vector<std::string> accept{"accept", made_case, "--metric", "copies", "--reason", "no copies are left"};
  std::vector<std::string> with_ceiling = accept;
  with_ceiling.insert(with_ceiling.end(), {"--ceiling", "12"});
  const Ran ceiling = folder_.torchgate(with_ceiling);
  EXPECT_EQ(ceiling.code, 2);
  EXPECT_TRUE(has(ceiling.err, "(copies): a count that is lost has no value; leave --ceiling out")) << ceiling.err;
  const Ran accepted = folder_.torchgate(accept);
  EXPECT_EQ(accepted.code, 0) << accepted.err;
  EXPECT_TRUE(has(read_text("torchgate-waivers.toml"), "metric = \"copies\"\nmissing = true"));
  const Ran judged = folder_.torchgate(judge);
  EXPECT_EQ(judged.code, 0) << judged.out;
  EXPECT_TRUE(has(judged.out, "waived: " + std::string(made_case) + " (copies), no longer counted")) << judged.out;
}

TEST_F(AcceptCommand, AcceptsNothingWithoutAVerdict) {
  record::Run other = made_run("dddddddddddddddd", 1e5);
  other.machine.host_key = "host-b";
  folder_.save(other, "other");
  ASSERT_EQ(folder_.torchgate({"gate", "slower", "--against", "other", "--confirm", "none"}).code, 3);
  EXPECT_EQ(folder_.torchgate({"accept", made_case, "--reason", "why"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists("torchgate-waivers.toml"));
}

// Two at once would both append to what was there before them.
TEST_F(AcceptCommand, WaitsForAnotherOne) {
  ASSERT_EQ(gate().code, 1);
  base::PosixFile folder(open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_EQ(flock(folder.descriptor(), LOCK_EX), 0);
  Ran accepted;
  std::thread second([&] { accepted = folder_.torchgate({"accept", made_case, "--reason", "the second"}); });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_FALSE(std::filesystem::exists("torchgate-waivers.toml"));
  write_text("torchgate-waivers.toml", "# the first\n");
  folder.close();
  second.join();
  EXPECT_EQ(accepted.code, 0) << accepted.err;
  const std::string both = read_text("torchgate-waivers.toml");
  EXPECT_TRUE(has(both, "# the first"));
  EXPECT_TRUE(has(both, "the second"));
}

TEST_F(AcceptCommand, WritesToAnotherFileForOneCommit) {
  ASSERT_EQ(gate().code, 1);
  const Ran accepted = folder_.torchgate(
      {"accept", made_case, "--reason=-- why", "--by", "ann", "--commit", "abcdef0", "--waivers", "one.toml"});
  ASSERT_EQ(accepted.code, 0) << accepted.err;
  EXPECT_TRUE(has(read_text("one.toml"), "reason = \"-- why\"\n"));
  EXPECT_TRUE(has(read_text("one.toml"), "by = \"ann\"\ncommit = \"abcdef0\"\n"));
  EXPECT_FALSE(std::filesystem::exists("torchgate-waivers.toml"));
  EXPECT_EQ(gate().code, 1);
  const Ran judged =
      folder_.torchgate({"gate", "slower", "--against", "before", "--confirm", "none", "--waivers", "one.toml"});
  EXPECT_EQ(judged.code, 0);
  EXPECT_TRUE(has(judged.out, "accepted for commit abcdef0 by ann"));
  EXPECT_EQ(folder_.torchgate({"compare", "before", "slower"}).code, 1);
  EXPECT_EQ(folder_.torchgate({"compare", "before", "slower", "--waivers", "one.toml"}).code, 0);
  const Ran missing = folder_.torchgate({"compare", "before", "slower", "--waivers", "two.toml"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_TRUE(has(missing.err, "--waivers"));
  EXPECT_EQ(folder_.torchgate({"ab", "--before", "x", "--after", "y", "--waivers", "two.toml"}).code, 2);
  EXPECT_EQ(folder_.torchgate({"run", "--waivers", "one.toml"}).code, 2) << "it judges nothing";
}

// b, 30 % slower than a, was accepted and is the baseline now; c is 27 % slower than b.
TEST_F(AcceptCommand, IsForOneChange) {
  folder_.make_repository();
  save("00000000000000a1", 1e5, folder_.commit("a"), "a");
  save("00000000000000b1", 1.3e5, folder_.commit("b"), "b");
  const std::string later = folder_.commit("later");
  save("00000000000000b2", 1.3e5, later, "b2");
  save("00000000000000c1", 1.65e5, folder_.commit("c"), "c");
  const auto judged = [&](const std::string& run, const std::string& against) {
    return folder_.torchgate({"gate", run, "--against", against, "--confirm", "none", "--verbose"});
  };
  ASSERT_EQ(judged("b", "a").code, 1);
  ASSERT_EQ(folder_.torchgate({"accept", made_case, "--reason", "the new rounding", "--ceiling", "50%"}).code, 0);
  EXPECT_EQ(judged("b", "a").code, 0);
  for (const char* const baseline : {"b", "b2"}) {
    const Ran slower = judged("c", baseline);
    EXPECT_EQ(slower.code, 1) << baseline;
    EXPECT_TRUE(has(slower.out, "waiver already in the baseline")) << slower.out;
    const Ran compared = folder_.torchgate({"compare", baseline, "c", "--verbose"});
    EXPECT_EQ(compared.code, 1) << baseline;
    EXPECT_TRUE(has(compared.out, "its waiver does not apply: the baseline has commit")) << compared.out;
    EXPECT_TRUE(has(folder_.torchgate({"report", baseline, "c"}).out, "FAIL")) << baseline;
  }
  EXPECT_EQ(folder_.torchgate({"compare", "b2", "b", "c"}).code, 1) << "a table of more than two";
  // Of a modified tree no commit is known.
  record::Run dirty = made_run("00000000000000d1", 1.65e5);
  dirty.sides.front().source = {later, true, std::nullopt};
  folder_.save(dirty, "dirty");
  ASSERT_EQ(judged("dirty", "b2").code, 1);
  const Ran accepted = folder_.torchgate({"accept", made_case, "--reason", "trying", "--waivers", "mine.toml"});
  EXPECT_EQ(accepted.code, 0) << accepted.err;
  EXPECT_FALSE(has(read_text("mine.toml"), "commit ="));
  EXPECT_TRUE(has(accepted.err, "no commit is recorded")) << accepted.err;
}

// The same, of pairs: of a and b, and of what follows b and c.
TEST_F(AcceptCommand, IsForOneChangeOfPairs) {
  folder_.make_repository();
  const std::string a = folder_.commit("a");
  const std::string b = folder_.commit("b");
  const std::string later = folder_.commit("later");
  const std::string c = folder_.commit("c");
  const auto save_pairs = [&](const std::string& id, const std::string& before, const std::string& after) {
    record::Run pairs = gate::testing::paired_run(id);
    gate::testing::add_slower(pairs, made_case, 1.3);
    pairs.sides[0].source = {before, false, std::nullopt};
    pairs.sides[1].source = {after, false, std::nullopt};
    folder_.save(pairs, id);
  };
  save_pairs("00000000000000a1", a, b);
  save_pairs("00000000000000a2", a, b);
  save_pairs("00000000000000c1", later, c);
  write_text("torchgate-waivers.toml", "[[waiver]]\ncase = \"" + std::string(made_case) +
                                           "\"\nmetric = \"time\"\nceiling = 0.5\nreason = \"the new rounding\"\n"
                                           "expires = 2099-01-01\ncommit = \"" +
                                           b + "\"\n");
  EXPECT_TRUE(has(folder_.torchgate({"report", "00000000000000a1"}).out, "PASS"));
  EXPECT_TRUE(has(folder_.torchgate({"report", "00000000000000c1"}).out, "FAIL"));
  EXPECT_EQ(folder_.torchgate({"compare", "00000000000000a1", "00000000000000a2", "00000000000000c1"}).code, 1);
}

// A pull request is measured as a merge that no branch gets: the waiver is of the commit that it merges.
TEST_F(AcceptCommand, OfAMergeForATestIsOfWhatItMerges) {
  folder_.make_repository();
  save("00000000000000a1", 1e5, folder_.commit("a"), "a");
  const std::string head = folder_.commit("b");
  save("00000000000000b1", 1.3e5, std::string(40, 'f'), "merge");
  save("00000000000000b2", 1.3e5, head, "b");
  save("00000000000000c1", 1.65e5, folder_.commit("c"), "c");
  const auto judged = [&](const std::string& run, const std::string& against, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"gate", run, "--against", against, "--confirm", "none", "--verbose"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return folder_.torchgate(arguments);
  };
  const std::vector<std::string> accept{"accept", made_case, "--reason", "the new rounding", "--ceiling", "50%"};
  ASSERT_EQ(judged("merge", "a", {"--head", head}).code, 1);
  ASSERT_EQ(folder_.torchgate(accept).code, 0);
  EXPECT_TRUE(has(read_text("torchgate-waivers.toml"), "commit = \"" + head + "\""));
  EXPECT_EQ(judged("merge", "a").code, 0);
  EXPECT_EQ(judged("c", "b").code, 1) << "the baseline has the change";

  std::filesystem::remove("torchgate-waivers.toml");
  ASSERT_EQ(judged("merge", "a").code, 1);
  ASSERT_EQ(folder_.torchgate(accept).code, 0);
  const Ran unknown = judged("c", "b");
  EXPECT_EQ(unknown.code, 0);
  EXPECT_TRUE(has(unknown.out, "waiver of a commit that neither side has")) << unknown.out;
}

// What is not a hash is never found in a history: its waiver would accept each further change until it expires.
TEST_F(AcceptCommand, TakesOnlyAHashForACommit) {
  for (const std::string name : {"feature", "HEAD", "ABCDEF0", "abcdef", ""}) {
    const Ran judged =
        folder_.torchgate({"gate", "slower", "--against", "before", "--confirm", "none", "--head", name});
    EXPECT_EQ(judged.code, 2) << name;
    EXPECT_TRUE(has(judged.err, "not a commit's hash, 7 to 64 hexadecimal digits in lower case")) << name;
  }
  const std::string head(40, 'e');
  save("00000000000000b1", 1.3e5, std::string(40, 'd'), "named");
  ASSERT_EQ(folder_.torchgate({"gate", "named", "--against", "before", "--confirm", "none", "--head", head}).code, 1);
  const Ran named = folder_.torchgate({"accept", made_case, "--reason", "why", "--commit", "feature"});
  EXPECT_EQ(named.code, 2);
  EXPECT_TRUE(has(named.err, "--commit feature: not a commit's hash")) << named.err;
  std::string report = read_text(".torchgate/last_report.json");
  report.replace(report.find(head), head.size(), "HEAD");
  write_text("report.json", report);
  const Ran reported = folder_.torchgate({"accept", made_case, "--reason", "why", "--report", "report.json"});
  EXPECT_EQ(reported.code, 2);
  EXPECT_TRUE(has(reported.err, "report.json: its commit, HEAD, is not a commit's hash")) << reported.err;
  EXPECT_FALSE(std::filesystem::exists("torchgate-waivers.toml"));
}

// A rate that is 0 now is infinitely slower: no ceiling holds that.
TEST_F(AcceptCommand, RefusesARateThatFellToNothing) {
  ASSERT_EQ(gate().code, 1);
  std::string report = read_text(".torchgate/last_report.json");
  report = std::regex_replace(report, std::regex("\"change\": [0-9.e+-]+"), "\"change\": -1");
  report = std::regex_replace(report, std::regex("lower_is_better"), "higher_is_better");
  write_text("report.json", report);
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--ceiling", "1000%"}}) {
    std::vector<std::string> arguments{"accept", made_case, "--reason", "why", "--report", "report.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ran accepted = folder_.torchgate(arguments);
    EXPECT_EQ(accepted.code, 2);
    EXPECT_TRUE(has(accepted.err, "g/one/v/case (time): it fell to 0, and no ceiling is above that change"));
  }
}

TEST_F(AcceptCommand, ProposesACommandForAShell) {
  ASSERT_EQ(gate().code, 1);
  const Ran accepted = folder_.torchgate({"accept", made_case, "--reason", "why", "--waivers", "my waivers.toml"});
  EXPECT_TRUE(has(accepted.out, "`torchgate gate --waivers 'my waivers.toml'`")) << accepted.err;
}

TEST_F(AcceptCommand, RefusesWhatIsOverItsBudget) {
  ASSERT_EQ(gate().code, 1);
  ASSERT_EQ(folder_.torchgate({"accept", made_case, "--reason", "why"}).code, 0);
  write_text("torchgate.toml",
             "[[case]]\nexact = \"" + std::string(made_case) + "\"\nbudget = { time = \"110 us\" }\n");
  const Ran limited = gate();
  EXPECT_EQ(limited.code, 1);
  EXPECT_TRUE(has(limited.out, "its waiver does not apply: it is over its budget; change the budget")) << limited.out;
  const Ran accepted = folder_.torchgate({"accept", made_case, "--reason", "why", "--waivers", "two.toml"});
  EXPECT_EQ(accepted.code, 2) << accepted.out;
  EXPECT_TRUE(has(accepted.err, "over its budget, which no waiver lifts; change the budget")) << accepted.err;
}

TEST_F(AcceptCommand, RefusesBadInput) {
  const Ran none = folder_.torchgate({"accept", made_case, "--reason", "why"});
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(has(none.err, "torchgate gate"));
  ASSERT_EQ(gate().code, 1);
  EXPECT_EQ(folder_.torchgate({"accept", made_case}).code, 2) << "without a reason";
  const Ran blank = folder_.torchgate({"accept", made_case, "--reason", " "});
  EXPECT_EQ(blank.code, 2);
  EXPECT_TRUE(has(blank.err, "--reason: its text is empty; write why the slow-down is accepted"));
  EXPECT_TRUE(has(folder_.torchgate({"accept", made_case, "--reason", "why", "--by", ""}).err, "--by: its text is"));
  const Ran misspelt = folder_.torchgate({"accept", "g/one/v/cas", "--reason", "why"});
  EXPECT_EQ(misspelt.code, 2);
  EXPECT_TRUE(has(misspelt.err, made_case));
  EXPECT_TRUE(has(misspelt.err, ".torchgate/last_report.json: no case g/one/v/cas; did you mean")) << misspelt.err;
  EXPECT_EQ(folder_.torchgate({"accept", made_case, "--reason", "why", "--ceiling", "much"}).code, 2);
  EXPECT_EQ(folder_.torchgate({"accept", made_case, "--reason", "why", "--expires", "never"}).code, 2);
  write_text("other.json", "{\"schema\": \"torchgate.list/1\"}");
  EXPECT_EQ(folder_.torchgate({"accept", made_case, "--reason", "why", "--report", "other.json"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists("torchgate-waivers.toml"));
}

}  // namespace
}  // namespace torchgate::cli::testing
