// SPDX-License-Identifier: Apache-2.0
// kill -9 in the middle of a run, and resuming it.
#include "harness/launch/journal.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "harness/launch/launcher.hpp"
#include "harness/record/codec.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/launch/running.hpp"

namespace torchgate::launch {
namespace {

using testing::eventually;
namespace fs = std::filesystem;

class JournalTest : public ::testing::Test {
 protected:
  /// Two groups, each slow enough to be killed in, in three rounds: six processes.
  Request request(const std::string& groups = "ok,slow") {
    Request made = testing::fake_request(groups);
    made.sides.front().suites = {suite_};
    made.environment.push_back({"FAKE_MARK", marks_.string()});
    made.plan.processes = 3;
    made.plan.seed = 5;
    made.journals = runs_;
    made.save_as = "mine";
    return made;
  }
  void SetUp() override { fs::copy_file(TORCHGATE_FAKE_SUITE, suite_); }

  /// How often a process of any group began to measure.
  [[nodiscard]] std::size_t began() const {
    std::istringstream lines(testing::read_text(marks_));
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line);) ++count;
    return count;
  }
  /// Measures in a child, which is killed when process AT has begun. The journal it leaves.
  fs::path killed_at(std::size_t at, const Request& asked) {
    const pid_t child = fork();
    if (child == 0) {
      Observer silent;
      (void)measure(asked, silent);
      _exit(0);
    }
    EXPECT_TRUE(eventually([&] { return began() >= at; }));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const auto left = unfinished_runs(runs_);
    EXPECT_EQ(left.size(), 1U);
    return left.empty() ? fs::path() : left.front().folder;
  }
  base::Result<record::Run> go_on(const fs::path& folder, Request asked) {
    auto unfinished = read_journal(folder);
    EXPECT_TRUE(unfinished) << unfinished.error().message;
    if (!unfinished) return unfinished.error();
    Observer silent;
    return measure(resumed(std::move(asked), std::make_shared<const Unfinished>(std::move(unfinished).value())),
                   silent);
  }
  std::string refusal(const fs::path& folder, Request asked) {
    const auto run = go_on(folder, std::move(asked));
    EXPECT_FALSE(run);
    return run ? "" : run.error().message;
  }

  base::testing::TemporaryFolder folder_;
  fs::path runs_ = folder_.path() / "runs";
  fs::path marks_ = folder_.path() / "marks";
  fs::path suite_ = folder_.path() / "suite";
};

TEST_F(JournalTest, KillNineCostsOnlyTheRunningProcess) {
  const fs::path part = killed_at(4, request());
  const auto unfinished = read_journal(part);
  ASSERT_TRUE(unfinished) << unfinished.error().message;
  const std::size_t kept = unfinished->run.processes.size();
  // The fourth had begun, so three had ended; it may have been over before the signal came.
  EXPECT_GE(kept, 3U);
  EXPECT_TRUE(unfinished->run.interrupted);
  EXPECT_EQ(unfinished->save_as, "mine");
  for (const record::Process& process : unfinished->run.processes) {
    EXPECT_EQ(process.status, record::ProcessStatus::ok) << process.message;
    ASSERT_FALSE(process.cases.empty());
    EXPECT_EQ(process.cases.front().measurements.front().samples.size(), 3U);
  }

  const auto run = go_on(part, request());
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->id, unfinished->run.id);
  EXPECT_FALSE(run->interrupted);
  std::set<std::int64_t> places;
  for (const record::Process& process : run->processes) {
    EXPECT_EQ(process.status, record::ProcessStatus::ok) << process.message;
    EXPECT_TRUE(places.insert(process.index).second) << "twice: " << process.index;
  }
  EXPECT_EQ(places, (std::set<std::int64_t>{0, 1, 2, 3, 4, 5}));
  // Nothing that was kept is measured again.
  EXPECT_LE(began(), 7U);
  for (std::size_t i = 0; i < kept; ++i) EXPECT_EQ(run->processes[i], unfinished->run.processes[i]);
  ASSERT_FALSE(run->warnings.empty());
  const bool told = std::any_of(run->warnings.begin(), run->warnings.end(), [&](const std::string& warning) {
    return warning.find("was interrupted after " + std::to_string(kept) + " processes") != std::string::npos;
  });
  EXPECT_TRUE(told);
  // The same schedule and the same facts as an uninterrupted run.
  Request whole = request();
  whole.journals.clear();
  Observer silent;
  const auto uninterrupted = measure(whole, silent);
  ASSERT_TRUE(uninterrupted);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(run->processes[i].group, uninterrupted->processes[i].group);
    EXPECT_EQ(run->processes[i].seed, uninterrupted->processes[i].seed);
    EXPECT_EQ(run->processes[i].objects, uninterrupted->processes[i].objects);
  }
  EXPECT_EQ(run->objects, uninterrupted->objects);
  const auto level = [](const record::Run& of) {
    for (const auto& fact : of.machine.facts)
      if (fact.name == "level") return fact.value.value_or("");
    return std::string("absent");
  };
  EXPECT_EQ(level(*run), "1000");
  EXPECT_EQ(level(*uninterrupted), "1000");
  record::Run saved = *run;
  const auto written = record::save_run(saved, folder_.path() / "run.json", false);
  EXPECT_TRUE(written) << written.error().message;

  discard_journal(runs_, run->id);
  EXPECT_TRUE(unfinished_runs(runs_).empty());
}

TEST_F(JournalTest, ARunIsNotResumedInAnotherEnvironment) {
  const fs::path part = killed_at(2, request());
  Request other = request();
  other.environment.push_back({"ATEN_CPU_CAPABILITY", "default"});
  const std::string refused = refusal(part, std::move(other));
  EXPECT_NE(refused.find("library_environment was \""), std::string::npos) << refused;
  EXPECT_NE(refused.find("ATEN_CPU_CAPABILITY=default"), std::string::npos) << refused;
  Request debug = request();
  debug.environment.push_back({"DEBUG", "1"});
  EXPECT_NE(refusal(part, std::move(debug)).find("environment_switches was \""), std::string::npos);
  EXPECT_TRUE(go_on(part, request()));
}

TEST_F(JournalTest, ARunThatIsKilledTwiceIsResumedTwice) {
  const fs::path part = killed_at(2, request());
  Request second = request();
  auto unfinished = read_journal(part);
  ASSERT_TRUE(unfinished);
  second = resumed(std::move(second), std::make_shared<const Unfinished>(std::move(unfinished).value()));
  second.plan.varied = {"libtorch"};  // what the second call was given
  killed_at(began() + 2, second);
  const auto run = go_on(part, request());
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->plan.varied, std::vector<std::string>{"libtorch"});
  EXPECT_EQ(run->processes.size(), 6U);
  EXPECT_LE(began(), 8U);
}

// Three pairs of each group, chosen one after the other: first all of the one, then all of the other.
class OneGroupAfterTheOther final : public Rounds {
 public:
  std::set<std::string> next(const record::Run& so_far) override {
    const auto ok = std::count_if(so_far.processes.begin(), so_far.processes.end(),
                                  [](const auto& each) { return each.group == "fake/ok"; });
    half_pairs_ += so_far.processes.size() % 2;
    asked_.push_back(so_far.processes.size());
    return {ok < 6 ? "fake/ok" : "fake/slow"};
  }
  std::vector<std::size_t> asked_;  // with so many processes measured
  std::size_t half_pairs_ = 0;
};

TEST_F(JournalTest, ChosenPairsAreResumedAtTheirPlace) {
  Request asked = request();
  asked.sides.front().label = "before";
  asked.sides.push_back(asked.sides.front());
  asked.sides.back().label = "after";
  asked.rounds = std::make_shared<OneGroupAfterTheOther>();
  const fs::path part = killed_at(10, asked);  // the second process of a pair
  const auto unfinished = read_journal(part);
  ASSERT_TRUE(unfinished) << unfinished.error().message;
  const std::size_t kept = unfinished->run.processes.size();
  ASSERT_GE(kept, 9U);

  const auto again = std::make_shared<OneGroupAfterTheOther>();
  asked.rounds = again;
  const auto run = go_on(part, asked);
  ASSERT_TRUE(run) << run.error().message;
  ASSERT_EQ(run->processes.size(), 12U);
  EXPECT_EQ(again->half_pairs_, 0U);
  ASSERT_FALSE(again->asked_.empty());
  EXPECT_GE(again->asked_.front(), kept);  // not before all that was measured is known
  std::set<std::int64_t> places;
  for (const record::Process& process : run->processes) {
    EXPECT_EQ(process.status, record::ProcessStatus::ok) << process.message;
    EXPECT_TRUE(places.insert(process.index).second) << "twice: " << process.index;
  }
  EXPECT_EQ(places.size(), 12U);
  for (const record::Process& process : unfinished->run.processes)
    EXPECT_NE(std::find(run->processes.begin(), run->processes.end(), process), run->processes.end()) << process.index;

  // Another choice of groups ends the run: what was measured still counts, and started processes are finished.
  class Nothing final : public Rounds {
    std::set<std::string> next(const record::Run&) override { return {}; }
  };
  asked.rounds = std::make_shared<Nothing>();
  const auto ended = go_on(part, asked);
  ASSERT_TRUE(ended) << ended.error().message;
  EXPECT_EQ(ended->processes.size(), 12U);  // the journal has all of the run that went on
}

TEST_F(JournalTest, ABudgetOfPairsCountsThoseMeasuredBefore) {
  Request asked = request();
  asked.sides.push_back(asked.sides.front());
  asked.sides.back().label = "after";
  asked.plan.budget_pairs = 4;
  const fs::path part = killed_at(6, asked);
  const auto run = go_on(part, asked);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->processes.size(), 8U);
}

TEST_F(JournalTest, AResumedRunLeavesOutTheSameGroups) {
  const fs::path weights = folder_.path() / "weights";
  std::ofstream(weights) << "1";
  Request asked = request("ok,slow");
  asked.environment.push_back({"FAKE_READS", weights.string()});
  Request whole = asked;
  whole.journals.clear();
  Observer silent;
  auto since = measure(whole, silent);
  ASSERT_TRUE(since) << since.error().message;
  for (record::Process& process : since->processes)
    if (process.group == "fake/slow") process.files.reset();
  Request skipping = asked;
  skipping.unchanged_since = std::make_shared<const record::Run>(*since);
  const fs::path part = killed_at(began() + 2, skipping);

  std::ofstream(weights) << "2";
  EXPECT_NE(refusal(part, asked).find(weights.string() + " changed since the run was started"), std::string::npos);
  std::ofstream(weights) << "1";
  const auto run = go_on(part, asked);
  ASSERT_TRUE(run) << run.error().message;
  ASSERT_EQ(run->unchanged.size(), 1U);
  EXPECT_EQ(run->unchanged[0].group, "fake/ok");
  EXPECT_EQ(static_cast<std::int64_t>(run->processes.size()), run->plan.processes);
  for (const record::Process& process : run->processes) EXPECT_EQ(process.group, "fake/slow");
}

TEST_F(JournalTest, RefusesAnExecutableThatHasChanged) {
  const fs::path part = killed_at(3, request());
  // Beside it and renamed: a suite that was killed takes a moment to go, and is busy until then.
  const fs::path changed = folder_.path() / "changed";
  fs::copy_file(suite_, changed);
  std::ofstream(changed, std::ios::app | std::ios::binary) << "\n";
  fs::rename(changed, suite_);
  EXPECT_NE(refusal(part, request()).find(suite_.string() + " changed since the run was started"), std::string::npos);
}

TEST_F(JournalTest, RefusesOtherCasesAndAnotherEnvironment) {
  const fs::path part = killed_at(3, request());
  EXPECT_NE(refusal(part, request("ok,slow,skip")).find("now list different cases"), std::string::npos);
  Request other = request();
  other.environment.push_back({"FAKE_ELSE", "7"});
  EXPECT_NE(refusal(part, other).find("had different environment variables"), std::string::npos);
}

TEST_F(JournalTest, ARunInUseIsNotResumedByAnotherProcess) {
  record::Run run;
  run.id = "0123456789abcdef";
  run.created = "2026-01-01T00:00:00.000Z";
  run.sides = {record::Side{"run", {}, {}}};
  const auto journal = Journal::begin(runs_, run, {}, "");
  ASSERT_TRUE(journal) << journal.error().message;
  ASSERT_EQ(unfinished_runs(runs_).size(), 1U);
  EXPECT_TRUE(unfinished_runs(runs_).front().in_work);
  const auto second = Journal::go_on(runs_ / (run.id + journal_extension));
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("is in use by another torchgate process"), std::string::npos);
}

// A writer that is killed leaves a partly written temporary file.
TEST_F(JournalTest, IgnoresAPieceThatWasCutOff) {
  const fs::path part = killed_at(3, request());
  const auto before = read_journal(part);
  ASSERT_TRUE(before);
  std::ofstream(part / ".tmp-1-2") << "{\"schema\":\"torchg";
  const auto after = read_journal(part);
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ(after->run, before->run);
}

TEST_F(JournalTest, RefusesResultsOfACaseThatTheRunLacks) {
  const fs::path left = killed_at(3, request());
  const fs::path piece = left / "000000000.json";
  const auto run = record::load_run(piece, base::Links::refused);
  ASSERT_TRUE(run) << run.error().message;
  const std::string name = run->cases.front().name;
  std::string text = testing::read_text(piece);
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name))
    text.replace(at, name.size(), "other");
  std::ofstream(piece) << text;
  const auto read = read_journal(left);
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("results of \"other\", which is not a case of this run"), std::string::npos)
      << read.error().message;
}

TEST_F(JournalTest, CtrlCLeavesItToo) {
  Request asked = request("ok,hang");
  const pid_t child = fork();
  if (child == 0) {
    Observer silent;
    const auto run = measure(asked, silent);
    _exit(run && run->interrupted ? 0 : 1);
  }
  ASSERT_TRUE(eventually([&] { return testing::read_text(marks_).find("fake/hang") != std::string::npos; }));
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  ASSERT_EQ(unfinished_runs(runs_).size(), 1U);
  EXPECT_FALSE(unfinished_runs(runs_).front().in_work);
}

}  // namespace
}  // namespace torchgate::launch
