// SPDX-License-Identifier: Apache-2.0
// What is said of a process that died, by what it left.
#include "harness/launch/suite_process.hpp"

#include <gtest/gtest.h>

#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::launch {
namespace {

// A process that writes TEXT as its report and is then killed.
std::string message_of_killed(const std::string& text) {
  const base::testing::TemporaryFolder folder;
  const std::filesystem::path report = folder.path() / "report.json";
  process::Command command;
  command.executable = "/bin/sh";
  command.arguments = {"-c", "printf '%s' '" + text + "' >'" + report.string() + "'; kill -ABRT $$"};
  return ask_suite(command, report).message;
}

// Google Benchmark creates its file, and writes of the machine into it, before it runs anything.
TEST(SuiteProcess, DiedBeforeItsReportWasComplete) {
  for (const char* const begun : {"", "{\"context\": {\"num_cpus\": 2},\n\"benchmarks\": [\n"}) {
    const std::string message = message_of_killed(begun);
    EXPECT_NE(message.find("SIGABRT"), std::string::npos) << message;
    EXPECT_EQ(message.find("after it had written its report"), std::string::npos) << message;
  }
}

TEST(SuiteProcess, DiedAfterItsReportWasComplete) {
  for (const char* const ended : {"{\"benchmarks\": []}", "{\"benchmarks\": [{\"name\": \"BM_x\", \"rate\": NaN}]}"}) {
    const std::string message = message_of_killed(ended);
    EXPECT_NE(message.find("after it had written its report"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace torchgate::launch
