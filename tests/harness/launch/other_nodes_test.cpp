// SPDX-License-Identifier: Apache-2.0
// A run whose ranks are on two nodes, of which the second one answers what a file says. tests/e2e/slurm_test.sh has real ones.
#include "harness/launch/other_nodes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "harness/json/json_writer.hpp"
#include "harness/launch/launcher.hpp"
#include "harness/machine/load_watch.hpp"
#include "harness/record/codec.hpp"
#include "harness/record/names.hpp"
#include "tests/harness/launch/fake_slurm.hpp"
#include "tests/harness/launch/running.hpp"

namespace torchgate::launch {
namespace {

using namespace std::chrono_literals;
using record::CheckAnswer;
using record::CheckSeverity;
using record::MachineCheck;

MachineCheck row_of(const record::MachineChecks& rows, const std::string& name) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const MachineCheck& row) { return row.name == name; });
  return found == rows.end() ? MachineCheck{} : *found;
}

std::optional<std::string> fact_of(const record::Run& run, const std::string& name) {
  for (const record::MachineFact& fact : run.machine.facts)
    if (fact.name == name) return fact.value;
  return "not recorded";
}

// After so many seconds, in which all programs of the node used BUSY.
record::Machine node_at(const record::Machine& machine, std::chrono::seconds time, std::chrono::milliseconds busy) {
  machine::LoadSnapshot load;
  load.busy_ms = busy.count();
  load.online_cpus = 2;
  load.thermal_throttles = busy.count() / 20'000;
  record::Machine node = machine;
  for (record::MachineFact& fact : machine::counter_facts(load, time, 1s)) node.facts.push_back(std::move(fact));
  node.checks_before = {{"load", CheckAnswer::ok, CheckSeverity::warning, "0.0", ""},
                        {"smt", CheckAnswer::ok, CheckSeverity::warning, "off", ""},
                        {"gpu_memory", CheckAnswer::bad, CheckSeverity::fatal, "full", "end others"},
                        {"environment", CheckAnswer::bad, CheckSeverity::fatal, "DEBUG is set", "unset it"}};
  return node;
}

std::string doctor_text(const record::Machine& node) {
  json::JsonWriter json(json::file_layout);
  json.begin_object();
  json.member("schema", "torchgate.doctor/1");
  json.key("checks");
  json.begin_array();
  for (const MachineCheck& check : node.checks_before) {
    json.begin_object();
    json.member("name", check.name);
    json.member("answer", base::name_of(record::check_answer_names, check.answer));
    json.member("severity", base::name_of(record::check_severity_names, check.severity));
    json.member("seen", check.seen);
    json.member("advice", check.advice);
    json.end_object();
  }
  json.end_array();
  record::Machine rest = node;
  rest.checks_before.clear();
  record::write_machine(json, rest);
  json.end_object();
  return json.take() + '\n';
}

class MeasureOnTwoNodes : public ::testing::Test {
 protected:
  void answer(const std::string& before, const std::string& after) const {
    std::ofstream(slurm_.folder() / "doctor") << before << '\n';
    std::ofstream(slurm_.folder() / "doctor_after") << after << '\n';
  }
  void answer(const record::Machine& before, const record::Machine& after) const {
    answer(doctor_text(before), doctor_text(after));
  }

  testing::FakeSlurm slurm_;
  Request request_ = testing::ranks_request("ranks/well", testing::job_of(2));
  record::Machine machine_ = machine::collect_machine(sources_of(request_));
};

TEST_F(MeasureOnTwoNodes, RecordsTheWorstOfBoth) {
  record::Machine before = node_at(machine_, 1000s, 0ms);
  before.checks_before[0] = {"load", CheckAnswer::bad, CheckSeverity::fatal, "very busy", "end it"};
  record::Machine after = node_at(machine_, 1100s, 60s);
  after.checks_before[1].seen = "on";
  answer(before, after);
  const record::Run run = testing::run(request_);
  EXPECT_TRUE(run.warnings.empty()) << run.warnings.front();
  EXPECT_EQ(fact_of(run, "slurm_rank_nodes"), "n1, n2");
  EXPECT_EQ(fact_of(run, "slurm_nodes_checked"), "n2");
  EXPECT_EQ(row_of(run.machine.checks_before, "load").seen, "n2: very busy");
  EXPECT_EQ(row_of(run.machine.checks_before, "load").severity, CheckSeverity::fatal) << "its times are not judged";
  EXPECT_EQ(row_of(run.machine.checks_before, "gpu_memory").name, "") << "no case runs on a GPU";
  EXPECT_EQ(row_of(run.machine.checks_before, "environment").seen.find("n2"), std::string::npos);
  EXPECT_EQ(row_of(run.machine.checks_after, "thermal_throttling").seen.substr(0, 4), "n2: ");
  EXPECT_EQ(row_of(run.machine.checks_after, "thermal_throttling").answer, CheckAnswer::bad);
  EXPECT_EQ(row_of(run.machine.checks_after, "smt").seen, "n2: changed during the run: off before, on after");
}

TEST_F(MeasureOnTwoNodes, DoesNotCountRanksAsOtherLoad) {
  answer(node_at(machine_, 1000s, 0ms), node_at(machine_, 1100s, 60s));
  auto job = srun_job(request_.machine.environment);
  ASSERT_TRUE(job);
  job->used = 2;
  const std::optional<SrunJob> used = *job;
  OtherNodes nodes(used, request_);
  record::Run run;
  run.machine = machine_;
  ASSERT_TRUE(nodes.begin(run));
  run.machine.checks_after = {{"other_load", CheckAnswer::unknown, CheckSeverity::warning, "", ""}};
  nodes.finish(run, {{0, 500s}, {1, 58s}});
  EXPECT_EQ(row_of(run.machine.checks_after, "other_load").answer, CheckAnswer::unknown);
  nodes.finish(run, {{0, 500s}});
  const std::string load = row_of(run.machine.checks_after, "other_load").seen;
  EXPECT_EQ(load.substr(0, 28), "n2: other programs used 30 %") << load << ": 59 of 200 s";
}

TEST_F(MeasureOnTwoNodes, RefusesAnotherTypeOfMachine) {
  record::Machine other = machine_;
  for (record::MachineFact& fact : other.facts)
    if (fact.name == "cpu_count") fact.value = "77";
  other.host_key = machine::host_key(other.facts);
  answer(other, other);
  Observer nobody;
  const auto refused = measure(request_, nobody);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::no_verdict);
  EXPECT_EQ(refused.error().message,
            "ranks on several nodes: n2 is another type of machine than n1 (cpu_count is \"77\" and not \"" +
                std::to_string(request_.machine.cpus.size()) +
                "\"); use nodes of one type (`--constraint` of sbatch) and all of their CPUs (`--exclusive`), or start "
                "ranks on one node (`--ranks-with "
                "torchgate`)");
}

TEST_F(MeasureOnTwoNodes, TellsTheAnswersOfSeveralApart) {
  record::Machine second = node_at(machine_, 1000s, 0ms);
  record::Machine third = second;
  third.checks_before[0] = {"load", CheckAnswer::bad, CheckSeverity::fatal, "very busy", "end it"};
  const testing::FakeSlurm three(testing::tasks_here, "n1 n2 n3");
  std::ofstream(three.folder() / "doctor") << doctor_text(second) << '\n';
  std::ofstream(three.folder() / "doctor_1") << doctor_text(third) << '\n';
  auto job = srun_job(testing::job_of(3));
  ASSERT_TRUE(job);
  job->used = 3;
  const std::optional<SrunJob> used = *job;
  OtherNodes nodes(used, request_);
  record::Run run;
  run.machine = machine_;
  run.machine.checks_before = second.checks_before;
  // Of the earlier part of a resumed run.
  run.machine.facts.push_back({"slurm_rank_nodes", "n8, n9", "", record::FactClass::info});
  ASSERT_TRUE(nodes.begin(run));
  EXPECT_TRUE(run.warnings.empty()) << run.warnings.front();
  EXPECT_EQ(fact_of(run, "slurm_rank_nodes"), "n1, n2, n3");
  EXPECT_EQ(fact_of(run, "slurm_nodes_checked"), "n2, n3");
  EXPECT_EQ(row_of(run.machine.checks_before, "load").seen, "n3: very busy");
  run.interrupted = true;
  nodes.finish(run, {});
  EXPECT_TRUE(run.warnings.empty()) << "an interrupted run asks no node";
}

TEST_F(MeasureOnTwoNodes, RefusesOtherGpus) {
  record::Machine other = machine_;
  other.device_key = "nvidia-h200-1x-0a1b2c3d";
  answer(other, other);
  auto job = srun_job(request_.machine.environment);
  ASSERT_TRUE(job);
  job->used = 2;
  const std::optional<SrunJob> used = *job;
  record::Run run;
  run.machine = machine_;
  EXPECT_TRUE(OtherNodes(used, request_).begin(run)) << "no case runs on a GPU";
  run.machine.device_key = "nvidia-h200-4x-5e6f7a8b";
  const auto refused = OtherNodes(used, request_).begin(run);
  ASSERT_FALSE(refused);
  EXPECT_NE(
      refused.error().message.find("its GPUs are \"nvidia-h200-1x-0a1b2c3d\" and not \"nvidia-h200-4x-5e6f7a8b\""),
      std::string::npos)
      << refused.error().message;
}

TEST_F(MeasureOnTwoNodes, WarnsOfANodeWithoutAnAnswer) {
  for (const char* const text : {"", "{\"schema\": \"torchgate.doctor/1\", \"che", "torchgate: no space left"}) {
    answer(text, "");
    const record::Run run = testing::run(request_);
    ASSERT_EQ(run.warnings.size(), 1U) << text;
    EXPECT_EQ(run.warnings[0].substr(0, 54), "n2: `torchgate doctor` gave no answer before the run (") << text;
    const std::string why = *text == 't'   ? "(torchgate: no space left)"
                            : *text == '{' ? "its answer"
                                           : "(srun: error: n2: task 0";
    EXPECT_NE(run.warnings[0].find(why), std::string::npos) << run.warnings[0];
    EXPECT_EQ(fact_of(run, "slurm_nodes_checked"), std::nullopt);
  }
  answer(doctor_text(node_at(machine_, 1000s, 0ms)), "");
  const record::Run run = testing::run(request_);
  ASSERT_EQ(run.warnings.size(), 1U);
  EXPECT_NE(run.warnings[0].find("gave no answer after the run"), std::string::npos) << run.warnings[0];
}

}  // namespace
}  // namespace torchgate::launch
