// SPDX-License-Identifier: Apache-2.0
// One process that counts: its command line, and what is said where it counted nothing.
#include "harness/launch/count/count_process.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "harness/launch/count/math_kernels.hpp"
#include "harness/process/temporary_folder.hpp"
#include "harness/record/codec.hpp"

namespace torchgate::launch {
namespace {

namespace fs = std::filesystem;

CountSettings callgrind(std::int64_t calls = 3) {
  return {"/usr/bin/valgrind", "callgrind-3.19.0", calls, false, true};
}

class CountProcess : public ::testing::Test {
 protected:
  CountProcess() {
    auto made = process::TemporaryFolder::create();
    folder_.emplace(std::move(made).value());
    side_.executable = "/suites/s";
    side_.cases = {"s/g/a", "s/g/b"};
    job_ = {&side_, "s/g", ".*", side_.cases};
    ended_.ending = process::Ending::exited;
    ended_.exit_code = 0;
  }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_->path() / name) << text; }

  void write_report(const std::vector<record::CaseResult>& results) const {
    record::ProcessReport report;
    report.suite = "s";
    report.facts = {{"cpu_capability", "AVX2"}};
    report.groups.emplace_back();
    report.groups.front().name = "s/g";
    report.groups.front().suite = "s";
    for (const std::string& name : side_.cases) {
      record::Case definition;
      definition.name = name;
      definition.group = "s/g";
      definition.suite = "s";
      report.cases.push_back(definition);
    }
    report.results = results;
    write("report.json", record::to_json(report));
  }

  static record::CaseResult result(const std::string& name, record::CaseStatus status,
                                   const std::string& message = "") {
    record::CaseResult result;
    result.name = name;
    result.status = status;
    result.message = message;
    result.calls_per_sample = 3;
    return result;
  }

  std::map<std::string, ProcessCount> counts(const CountSettings& settings = callgrind()) {
    return read_counts(job_, settings, ended_, folder_->path());
  }

  std::optional<process::TemporaryFolder> folder_;
  GroupOnSide side_;
  CountJob job_;
  process::Outcome ended_;
};

TEST_F(CountProcess, ASuiteIsStartedInCallgrindWithItsOwnFlags) {
  process::Command command;
  command.executable = side_.executable;
  const process::Command made = count_command(command, job_, callgrind(), "quick", "/tmp/f");
  EXPECT_EQ(made.executable, "/usr/bin/valgrind");
  const auto has = [&](const std::string& argument) {
    return std::find(made.arguments.begin(), made.arguments.end(), argument) != made.arguments.end();
  };
  for (const char* argument : {"--tool=callgrind", "--command-line-only=yes", "--instr-atstart=no", "/suites/s",
                               "--torchgate_group=s/g", "--torchgate_count=3", "--torchgate_profile=quick"})
    EXPECT_TRUE(has(argument)) << argument;
  const process::Command hardware = count_command(command, job_, {{}, "hardware", 1, false, true}, "default", "/tmp/f");
  EXPECT_EQ(hardware.executable, "/suites/s");
  EXPECT_EQ(hardware.arguments.front(), "--torchgate_group=s/g");
}

TEST_F(CountProcess, InCallgrindMathLibrariesTakeKernelsWithoutFma) {
  process::Command command;
  command.executable = side_.executable;
  const std::vector<record::Parameter> both{{"ONEDNN_MAX_CPU_ISA", "AVX"}, {"MKL_ENABLE_INSTRUCTIONS", "AVX"}};
  const process::Command made = count_command(command, job_, callgrind(), "default", "/tmp/f");
  EXPECT_EQ(made.environment, both);
  EXPECT_EQ(math_kernels_of(made), "oneDNN AVX, MKL AVX");
  CountSettings all_kernels = callgrind();
  all_kernels.without_fma = false;
  EXPECT_TRUE(count_command(command, job_, all_kernels, "default", "/tmp/f").environment.empty());
  EXPECT_TRUE(count_command(command, job_, {{}, "hardware", 1, false, true}, "default", "/tmp/f").environment.empty());
  EXPECT_EQ(math_kernels_of(command), "");
}

TEST_F(CountProcess, WhatTheUserSetForMathLibrariesStays) {
  process::Command command;
  command.environment = {{"ONEDNN_MAX_CPU_ISA", "SSE41"}};
  setenv("MKL_ENABLE_INSTRUCTIONS", "AVX2", 1);
  EXPECT_TRUE(kernels_without_fma(command).empty());
  EXPECT_EQ(math_kernels_of(command), "oneDNN SSE41, MKL AVX2");
  command.unset = {"MKL_ENABLE_INSTRUCTIONS"};
  EXPECT_EQ(kernels_without_fma(command).size(), 1U);
  unsetenv("MKL_ENABLE_INSTRUCTIONS");
}

TEST_F(CountProcess, EveryEndingHasItsReason) {
  const auto reason = [&](process::Ending ending, std::optional<int> signal, std::optional<int> exit_code) {
    ended_.ending = ending;
    ended_.signal = signal;
    ended_.exit_code = exit_code;
    const auto all = counts();
    EXPECT_EQ(all.size(), 2U);
    EXPECT_FALSE(all.at("s/g/a").per_call);
    EXPECT_EQ(all.at("s/g/a").unknown, all.at("s/g/b").unknown);
    return all.at("s/g/a").unknown;
  };
  using process::Ending;
  EXPECT_NE(reason(Ending::signalled, SIGILL, {})
                .find("(Valgrind has no AVX-512); build without it, or use --counter hardware"),
            std::string::npos);
  EXPECT_NE(reason(Ending::signalled, SIGKILL, {}).find("killed by signal 9"), std::string::npos);
  EXPECT_NE(reason(Ending::timed_out, {}, {}).find("raise --group-limit"), std::string::npos);
  const auto of_counting = read_counts(job_, callgrind(), ended_, folder_->path(), CountLimit::of_counting);
  EXPECT_NE(of_counting.at("s/g/a").unknown.find("raise it (--budget)"), std::string::npos);
  EXPECT_EQ(of_counting.at("s/g/a").unknown.find("--group-limit"), std::string::npos);
  EXPECT_NE(reason(Ending::exited, {}, 3).find("ended with exit code 3"), std::string::npos);
  EXPECT_NE(reason(Ending::abandoned, {}, {}).find("could not be started"), std::string::npos);
  ended_.error = "no such file";
  EXPECT_NE(reason(Ending::not_started, {}, {}).find("could not be started: no such file"), std::string::npos);
}

TEST_F(CountProcess, PartsBelongToTheCasesThatTheyName) {
  write_report({result("s/g/a", record::CaseStatus::ok), result("s/g/b", record::CaseStatus::failed, "no memory")});
  write("part.7", "events: Ir\ntotals: 0\n");
  write("part.7.1", "desc: Trigger: Client Request: set-up s/g/a\nevents: Ir\nfn=one\n0 10\ntotals: 10\n");
  write("part.7.2", "desc: Trigger: Client Request: calls s/g/a\nevents: Ir\nob=/l.so\nfn=two\n0 30\ntotals: 30\n");
  write("part.7.3", "desc: Trigger: Client Request: calls s/other/case\nevents: Ir\nfn=two\n0 99\ntotals: 99\n");
  const auto all = counts();
  EXPECT_EQ(all.size(), 2U);
  EXPECT_EQ(all.at("s/g/a").per_call, 10.0);
  EXPECT_EQ(all.at("s/g/a").cpu_capability, "AVX2");
  EXPECT_EQ(all.at("s/g/a").functions.at({"/l.so", "two"}), 10.0);
  EXPECT_EQ(all.at("s/g/a").set_up.at({"", "one"}), 10U);
  EXPECT_EQ(all.at("s/g/b").unknown, "failed while it was counted: no memory");
}

TEST_F(CountProcess, ProgramsThatACaseStartsBelongToItsSetUp) {
  side_.cases = {"s/g/a"};
  job_.cases = side_.cases;
  write_report({result("s/g/a", record::CaseStatus::ok)});
  write("part.7", "events: Ir\nfn=at_the_end\n0 5\ntotals: 5\n");
  write("part.7.1", "desc: Trigger: Client Request: calls s/g/a\nevents: Ir\nfn=two\n0 30\ntotals: 30\n");
  write("part.8", "desc: Trigger: Program termination\nevents: Ir\nob=/helper\nfn=helps\n0 9\ntotals: 9\n");
  CountSettings functions = callgrind();
  functions.set_up = true;
  const auto all = counts(functions);
  EXPECT_EQ(all.at("s/g/a").set_up, (std::map<FunctionName, std::uint64_t>{{{"/helper", "helps"}, 9}}));
  EXPECT_TRUE(counts().at("s/g/a").set_up.empty());
  write("part.9", "");
  EXPECT_FALSE(counts(functions).at("s/g/a").per_call);
  EXPECT_NE(counts(functions).at("s/g/a").unknown.find("a program that it starts was killed"), std::string::npos);
  EXPECT_TRUE(counts().at("s/g/a").per_call) << "only where functions are wanted";
}

TEST_F(CountProcess, AProcessThatLeftNothingOrADamagedFileCountedNothing) {
  EXPECT_NE(counts().at("s/g/a").unknown.find("wrote no report"), std::string::npos);
  write_report({result("s/g/a", record::CaseStatus::ok)});
  EXPECT_EQ(counts().at("s/g/a").unknown, "its process counted nothing");
  write("part.7.1", "desc: Trigger: Client Request: calls s/g/a\nevents: Ir\nfn=two\n0 30\ntotals: 31\n");
  EXPECT_NE(counts().at("s/g/a").unknown.find("its total is 31"), std::string::npos);
  EXPECT_FALSE(counts().at("s/g/a").per_call);
  write("report.json", "{");
  EXPECT_NE(counts().at("s/g/b").unknown.find("its report"), std::string::npos);
}

TEST(FindCallgrind, NamesThePackageWhereItIsMissing) {
  const std::string path = getenv("PATH");
  setenv("PATH", "/no/such/folder", 1);
  const auto found = find_callgrind();
  setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, base::ErrorCode::not_found);
  EXPECT_NE(found.error().message.find("apt-get install valgrind"), std::string::npos);
}

TEST(FindCallgrind, AProgramThatOnlyHasItsNameIsAnError) {
  const auto folder = process::TemporaryFolder::create();
  std::ofstream(folder->path() / "valgrind") << "#!/bin/sh\necho broken; exit 1\n";
  fs::permissions(folder->path() / "valgrind", fs::perms::owner_all);
  const std::string path = getenv("PATH");
  setenv("PATH", folder->path().c_str(), 1);
  const auto found = find_callgrind();
  setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("valgrind --version failed"), std::string::npos) << found.error().message;
}

}  // namespace
}  // namespace torchgate::launch
