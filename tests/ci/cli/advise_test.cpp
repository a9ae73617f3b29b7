// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/ci/cli/program_folder.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::cli::testing {
namespace {

// A call takes 100 us, and calling an operator 0.2.
record::Run measured(const std::string& id, double operator_calls) {
  record::Run run = made_run(id, 1e5);
  gate::testing::add_exact(run, made_case, "operator_calls", operator_calls);
  return run;
}

// A case that fails in every process.
void add_failed_case(record::Run& run) {
  gate::testing::add_case(run, "g/one/v/failed", gate::testing::around(1e5, 0.01));
  for (std::size_t i = 0; i < run.processes.size(); ++i) {
    record::CaseResult& result = gate::testing::result_of(run, i, "g/one/v/failed");
    result.status = record::CaseStatus::failed;
    result.measurements.clear();
  }
}

TEST(AdviseCommand, ASuccessNeedsAResultOfEachCase) {
  const ProgramFolder folder;
  const auto advise = [&] { return folder.torchgate({"advise", "run", "--fail-under", "60"}); };
  record::Run run = measured("aaaaaaaaaaaaaaaa", 3);
  folder.save(run, "run");
  EXPECT_EQ(advise().code, 0);
  add_failed_case(run);
  folder.save(run, "run");
  EXPECT_EQ(advise().code, 3);
  EXPECT_TRUE(has(advise().err, "run aaaaaaaaaaaaaaaa: --fail-under has no verdict"));
  EXPECT_TRUE(has(advise().out, ", 1 case, 1 case without a result\n"));
  EXPECT_EQ(folder.torchgate({"advise", "run"}).code, 0);
  run = measured("aaaaaaaaaaaaaaaa", 3);
  run.interrupted = true;
  folder.save(run, "run");
  EXPECT_EQ(advise().code, 3);
  folder.save(measured("aaaaaaaaaaaaaaaa", 300), "run");
  EXPECT_EQ(advise().code, 1);
  EXPECT_EQ(folder.torchgate({"advise", "run", "--fail-under", "101"}).code, 2);
}

TEST(AdviseCommand, TakesTheNewestRunOrPairs) {
  const ProgramFolder folder;
  EXPECT_EQ(folder.torchgate({"advise"}).code, 2);
  record::Run pairs = pairs_of(measured("bbbbbbbbbbbbbbbb", 3), "before", "after");
  pairs.created = "2026-01-02T00:00:00.000Z";
  pairs.sides[1].source.commit = std::string(40, 'c');
  folder.save(pairs, "pairs");
  const Ran ran = folder.torchgate({"advise"});
  EXPECT_TRUE(has(ran.out, "run bbbbbbbbbbbbbbbb, 2026-01-02T00:00:00.000Z, commit cccccccccccc, 1 case\n")) << ran.err;
}

}  // namespace
}  // namespace torchgate::cli::testing
