// SPDX-License-Identifier: Apache-2.0
// What the doctor says of this machine is this machine's; how text, JSON and exit code belong together is not.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/ci/cli/program_folder.hpp"

namespace torchgate::cli::testing {
namespace {

TEST(DoctorCommand, FailsExactlyWhereSomethingIsFatal) {
  const ProgramFolder folder;
  const Ran json = folder.torchgate({"doctor", "--json"});
  const auto document = nlohmann::json::parse(json.out);
  EXPECT_EQ(document.at("schema"), "torchgate.doctor/1");
  EXPECT_GT(document.at("checks").size(), 30U);
  EXPECT_EQ(json.code, document.at("fatal") == 0 ? 0 : 3);
  const Ran text = folder.torchgate({"doctor"});
  EXPECT_TRUE(has(text.out, " checks: "));
  EXPECT_EQ(text.code, text.out.find(": 0 fatal,") != std::string::npos ? 0 : 3);
  const bool fit = text.out.starts_with("Fit for timing: ") || text.out.starts_with("Noisy machine: ");
  EXPECT_TRUE(fit || text.out.starts_with("Unfit for timing: ")) << "the answer comes first: " << text.out;
  EXPECT_EQ(text.code, fit ? 0 : 3);
}

TEST(DoctorCommand, RefusesBadInput) {
  const ProgramFolder folder;
  EXPECT_EQ(folder.torchgate({"doctor", "--threads", "many"}).code, 2);
  EXPECT_EQ(folder.torchgate({"doctor", "machine"}).code, 2);
}

}  // namespace
}  // namespace torchgate::cli::testing
