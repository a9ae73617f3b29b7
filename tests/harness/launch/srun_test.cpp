// SPDX-License-Identifier: Apache-2.0
// Ranks that torchgate starts, and ranks of an `srun` that starts its tasks here. tests/e2e/slurm_test.sh has the real one.
#include "harness/launch/srun.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <ostream>
#include <string>
#include <utility>

#include "harness/launch/launcher.hpp"
#include "harness/launch/rank_processes.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/launch/fake_slurm.hpp"
#include "tests/harness/launch/running.hpp"

namespace torchgate::launch {
namespace {

using namespace std::chrono_literals;
using base::testing::TemporaryFolder;
using record::ProcessStatus;
using testing::FakeSlurm;
using testing::job_of;
using testing::ranks_request;
using testing::read_text;
using testing::shell;

SuiteAnswer by_fake_srun(const process::Command& command) {
  const auto job = srun_job(job_of(1));
  if (!job) throw std::runtime_error(job.error().message);
  return ask_ranks_by_srun(*job, command, 2, "/nonexistent/report.json");
}
SuiteAnswer by_fake_srun(const std::string& script) {
  return by_fake_srun(shell(script));
}

bool has_word(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string set_to(const process::Command& command, const std::string& name) {
  for (const record::Parameter& each : command.environment)
    if (each.name == name) return each.value;
  return "not set";
}

TEST(BySrun, IsForJobsWithSeveralTasksUnlessSaidOtherwise) {
  OwnEnvironment one_task = job_of(1);
  one_task["SLURM_NTASKS"] = "1";
  EXPECT_FALSE(by_srun(RanksWith::automatic, {}));
  EXPECT_FALSE(by_srun(RanksWith::automatic, one_task));
  EXPECT_TRUE(by_srun(RanksWith::automatic, job_of(1)));
  one_task["SLURM_JOB_NUM_NODES"] = "2";
  EXPECT_TRUE(by_srun(RanksWith::automatic, one_task));
  EXPECT_FALSE(by_srun(RanksWith::torchgate, job_of(2)));
  EXPECT_TRUE(by_srun(RanksWith::srun, {}));
}

// A step in a step waits for the CPUs of the outer one.
TEST(BySrun, IsNotForAStepOfTheJob) {
  OwnEnvironment step = job_of(2);
  step["SLURM_STEP_ID"] = "0";
  EXPECT_FALSE(by_srun(RanksWith::automatic, step));
  const auto job = srun_job(step);
  ASSERT_FALSE(job);
  EXPECT_EQ(job.error().code, base::ErrorCode::bad_input);
  EXPECT_NE(job.error().message.find("torchgate itself runs in a step of Slurm"), std::string::npos);
  for (const char* own : {"4294967291", "4294967290"}) {  // the script of a job, an interactive shell
    step["SLURM_STEP_ID"] = own;
    EXPECT_TRUE(by_srun(RanksWith::automatic, step)) << own;
  }
}

TEST(SrunJob, IsThatOfTheEnvironment) {
  const FakeSlurm slurm;
  const auto job = srun_job(job_of(2));
  ASSERT_TRUE(job) << job.error().message;
  EXPECT_EQ(job->srun, slurm.folder() / "srun");
  EXPECT_EQ(job->address, "127.0.0.1");
  EXPECT_EQ(job->nodes, 2);
  EXPECT_EQ(job->name_of(1), "n2");
  EXPECT_EQ(job->name_of(2), "node 3") << "of a job that Slurm does not describe";
  EXPECT_EQ(job->nodes_for(8), 2);
  EXPECT_EQ((SrunJob{"srun", 4, "n1"}.nodes_for(2)), 2);
}

TEST(SrunJob, NamesWhatIsMissing) {
  const auto why_not = [](const OwnEnvironment& environment) {
    const auto job = srun_job(environment);
    EXPECT_FALSE(job);
    if (job) return std::string();
    EXPECT_EQ(job.error().code, base::ErrorCode::bad_input);
    return job.error().message;
  };
  EXPECT_NE(why_not({}).find("SLURM_JOB_ID is not set"), std::string::npos);
  OwnEnvironment elsewhere = job_of(2);
  elsewhere["SLURM_NODEID"] = "1";
  EXPECT_NE(why_not(elsewhere).find("not the first node of the job"), std::string::npos);
  elsewhere.erase("SLURMD_NODENAME");
  EXPECT_NE(why_not(elsewhere).find("not the first node of the job"), std::string::npos);
  const std::string path = ::getenv("PATH");
  ::setenv("PATH", "/nonexistent", 1);
  EXPECT_NE(why_not(job_of(1)).find("srun is not in PATH"), std::string::npos);
  ::setenv("PATH", path.c_str(), 1);
}

TEST(SrunCommand, StartsTheRanksOnTheNodesOfTheJob) {
  process::Command suite = shell("true");
  suite.time_limit = 90s;
  suite.environment = {{"OMP_NUM_THREADS", "1"}};
  const SrunJob job{"/usr/bin/srun", 2, "10.0.0.1"};
  const process::Command command = srun_command(job, suite, 4, 4711, 3);
  EXPECT_EQ(command.executable, "/usr/bin/srun");
  for (const char* word :
       {"--ntasks=4", "--nodes=2", "--kill-on-bad-exit=1", "--distribution=block", "90.000", "/bin/sh"})
    EXPECT_TRUE(has_word(command.arguments, word)) << word;
  for (const char* name :
       {"SLURM_LABELIO", "SLURM_STDOUTMODE", "SLURM_STDERRMODE", "SLURM_HOSTFILE", "SLURM_DISTRIBUTION"})
    EXPECT_TRUE(has_word(command.unset, name)) << name;
  EXPECT_GT(*command.time_limit, 90s) << "the ranks end before";
  EXPECT_EQ(set_to(command, "OMP_NUM_THREADS"), "1");
  EXPECT_EQ(set_to(command, "WORLD_SIZE"), "4");
  EXPECT_EQ(set_to(command, "LOCAL_WORLD_SIZE"), "2");
  EXPECT_EQ(set_to(command, "MASTER_ADDR"), "10.0.0.1");
  EXPECT_EQ(set_to(command, "MASTER_PORT"), "4711");
  EXPECT_EQ(set_to(command, "TORCHGATE_RANK_CPU"), "3");
  const process::Command odd = srun_command(job, suite, 3, 4711);
  EXPECT_TRUE(has_word(odd.unset, "LOCAL_WORLD_SIZE")) << "the nodes have different numbers of ranks";
  const process::Command here = srun_command({"/usr/bin/srun", 1, "10.0.0.1"}, suite, 2, 4711);
  EXPECT_EQ(set_to(here, "MASTER_ADDR"), "127.0.0.1");
  EXPECT_TRUE(has_word(here.arguments, "--nodes=1"));
}

TEST(SrunCommand, StartsAProgramOnTheOtherNodes) {
  SrunJob job{"/usr/bin/srun", 4, "10.0.0.1"};
  job.used = 3;
  const process::Command command = srun_on_other_nodes(job, shell("true"), 1000);
  for (const char* word : {"--ntasks=2", "--nodes=2", "--relative=1", "--label", "/bin/sh"})
    EXPECT_TRUE(has_word(command.arguments, word)) << word;
  EXPECT_TRUE(has_word(command.unset, "SLURM_HOSTFILE"));
  EXPECT_EQ(command.tail_bytes, 2000U);
}

// Who starts the ranks: they run in the same way, and the sentences about them are the same.
struct Starter {
  const char* name;
  SuiteAnswer (*ask)(const process::Command& command);

  friend std::ostream& operator<<(std::ostream& out, const Starter& starter) { return out << starter.name; }
};

class RanksOfBothStarters : public ::testing::TestWithParam<Starter> {
 protected:
  [[nodiscard]] static SuiteAnswer ask(const std::string& script) { return GetParam().ask(shell(script)); }

 private:
  FakeSlurm slurm_;
};

INSTANTIATE_TEST_SUITE_P(
    Each, RanksOfBothStarters,
    ::testing::Values(Starter{"torchgate",
                              [](const process::Command& command) {
                                return ask_ranks(command, 2, "/nonexistent/report.json");
                              }},
                      Starter{"srun", [](const process::Command& command) { return by_fake_srun(command); }}),
    [](const auto& starter) { return std::string(starter.param.name); });

TEST_P(RanksOfBothStarters, RunAtTheSameTime) {
  const TemporaryFolder folder;
  // Each waits for the other: one after the other they would never end.
  const auto answer =
      ask("cd " + folder.path().string() + " && echo $WORLD_SIZE $MASTER_ADDR $MASTER_PORT > rank$RANK && " +
          "while [ ! -s rank0 -o ! -s rank1 ]; do /bin/sleep 0.01; done");
  EXPECT_EQ(answer.status, ProcessStatus::not_a_suite) << answer.message;  // ended well, without a report
  const std::string first = read_text(folder.path() / "rank0");
  EXPECT_EQ(first.substr(0, 12), "2 127.0.0.1 ");
  EXPECT_EQ(first, read_text(folder.path() / "rank1"));
}

TEST_P(RanksOfBothStarters, AreNamedWhereOneCrashes) {
  const auto answer = ask("[ $RANK = 0 ] || { echo my last words; kill -SEGV $$; }");
  EXPECT_EQ(answer.status, ProcessStatus::crashed);
  EXPECT_EQ(answer.message.substr(0, 24), "rank 1: killed by SIGSEG");
  EXPECT_NE(answer.message.find("my last words"), std::string::npos) << answer.message;
  EXPECT_EQ(answer.message.find("torchgate-rank"), std::string::npos) << answer.message;
  EXPECT_EQ(answer.outcome.signal, SIGSEGV);
}

TEST_P(RanksOfBothStarters, AreNamedForTheCauseAndNotForNoticingIt) {
  const auto answer = ask("[ $RANK = 0 ] && exit " + std::to_string(exit_lost_rank) + "; /bin/sleep 0.1; exit 7");
  EXPECT_EQ(answer.status, ProcessStatus::failed);
  EXPECT_EQ(answer.message, "rank 1: ended with exit code 7");
}

TEST_P(RanksOfBothStarters, AreEndedWhereOneHangs) {
  process::Command command = shell("[ $RANK = 1 ] && exec /bin/sleep 1000; exit 0");
  command.time_limit = 2s;  // rank 0 has ended by then
  const auto answer = GetParam().ask(command);
  EXPECT_EQ(answer.status, ProcessStatus::timed_out);
  EXPECT_EQ(answer.message, "rank 1: killed after its time limit of 2 s");
}

TEST(AskRanksBySrun, KnowsTheirTimeAndNotThatOfSrun) {
  const FakeSlurm slurm;
  const auto answer = by_fake_srun("i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done");
  EXPECT_GT(answer.outcome.cpu, 0ns);
  EXPECT_EQ(answer.cpu_beside.at(0), answer.outcome.cpu) << "both ran here";
  EXPECT_FALSE(answer.outcome.usage);
  EXPECT_FALSE(answer.outcome.peak_resident_bytes);
  EXPECT_FALSE(answer.outcome.executable);
}

// As the kernel does when memory runs out.
TEST(AskRanksBySrun, SaysWhichRankWasKilledWithItsShell) {
  const FakeSlurm slurm;
  process::Command command = shell("[ $RANK = 0 ] || kill -KILL $PPID");
  command.time_limit.reset();
  const auto answer = by_fake_srun(command);
  EXPECT_EQ(answer.status, ProcessStatus::crashed);
  EXPECT_EQ(answer.message.substr(0, 25), "rank 1: killed by SIGKILL") << answer.message;
}

// What a rank printed last may be lost where srun ends the step.
TEST(AskRanksBySrun, BelievesSrunWhereARankSaysNothing) {
  const FakeSlurm slurm(
      "echo 'torchgate-rank 0 0 3 5' >&2\necho 'srun: error: n5: tasks 1-2: Exited with exit code 139' >&2\nexit "
      "143\n");
  const auto answer = by_fake_srun("true");
  EXPECT_EQ(answer.status, ProcessStatus::crashed);
  EXPECT_EQ(answer.message.substr(0, 25), "rank 1: killed by SIGSEGV") << answer.message;
}

TEST(AskRanksBySrun, KnowsTheSignalsThatSrunNames) {
  const std::vector<std::pair<std::string, int>> ends{{"Killed", SIGKILL},
                                                      {"Out Of Memory", SIGKILL},
                                                      {"Segmentation fault (core dumped)", SIGSEGV},
                                                      {"Aborted", SIGABRT},
                                                      {"Bus error", SIGBUS},
                                                      {"Illegal instruction", SIGILL},
                                                      {"Floating point exception", SIGFPE}};
  for (const auto& [words, signal] : ends) {
    SCOPED_TRACE(words);
    const FakeSlurm slurm("echo 'torchgate-rank 0 0 3 5' >&2\necho 'srun: error: n5: task 1: " + words +
                          "' >&2\nexit 137\n");
    const auto answer = by_fake_srun("true");
    EXPECT_EQ(answer.status, ProcessStatus::crashed);
    EXPECT_EQ(answer.message.substr(0, 17), "rank 1: killed by") << answer.message;
    EXPECT_EQ(answer.outcome.signal, signal);
  }
}

// srun kills the others with --kill-on-bad-exit.
TEST(AskRanksBySrun, DoesNotBlameARankThatSrunKilled) {
  const FakeSlurm slurm("echo 'torchgate-rank 0 0 7 5' >&2\necho 'srun: error: n5: task 1: Killed' >&2\nexit 137\n");
  const auto answer = by_fake_srun("true");
  EXPECT_EQ(answer.status, ProcessStatus::failed);
  EXPECT_EQ(answer.message.substr(0, 30), "rank 0: ended with exit code 7") << answer.message;
}

TEST(AskRanksBySrun, SaysWhatSrunSays) {
  const FakeSlurm slurm("echo 'srun: error: Unable to create step for job 4711' >&2\nexit 1\n");
  const auto answer = by_fake_srun("true");
  EXPECT_EQ(answer.status, ProcessStatus::not_started) << "no rank ran";
  EXPECT_FALSE(answer.outcome.exit_code);
  EXPECT_EQ(answer.message,
            "srun: ended with exit code 1\nlast output:\nsrun: error: Unable to create step for job 4711");
}

TEST(MeasureRanksBySrun, MakesOneProcessOfEvidence) {
  const FakeSlurm slurm;
  for (const std::int64_t nodes : {1, 2}) {
    const record::Run run = testing::run(ranks_request("ranks/(well|alone)", job_of(nodes)));
    ASSERT_EQ(run.processes.size(), 2U);
    for (const record::Process& process : run.processes)
      EXPECT_EQ(process.status, ProcessStatus::ok) << process.group << ": " << process.message;
    for (const record::Case& each : run.cases) {
      const bool together = nodes == 2 && each.group == "ranks/well";
      EXPECT_EQ(each.protocol, together ? "cpu-wall/1 on 2 nodes" : "cpu-wall/1") << each.name;
    }
  }
}

TEST(MeasureRanksBySrun, AsksForAJobOnlyWhereThereAreRanks) {
  const FakeSlurm slurm;
  Observer nobody;
  Request request = ranks_request("ranks/well", {});
  request.machine.environment.erase("SLURM_JOB_ID");
  const auto refused = measure(request, nobody);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::bad_input);
  EXPECT_NE(refused.error().message.find("ranks by srun: this is not a job of Slurm"), std::string::npos);
  request.plan.filter = "ranks/alone";
  EXPECT_TRUE(measure(request, nobody));
}

}  // namespace
}  // namespace torchgate::launch
