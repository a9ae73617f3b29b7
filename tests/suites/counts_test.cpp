// SPDX-License-Identifier: Apache-2.0
// What is counted, and what is compared between ranks, in the planted programs and in the suite of several ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include "tests/harness/base/temporary_folder.hpp"
#include "tests/suites/programs.hpp"

namespace torchgate::suites::testing {
namespace {

using base::testing::TemporaryFolder;

// Every exact value of a report, in the order of the cases' names.
std::string exact_values(record::ProcessReport report) {
  std::sort(report.results.begin(), report.results.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  std::ostringstream exact;
  for (const auto& result : report.results) {
    EXPECT_EQ(result.status, record::CaseStatus::ok) << result.name << ": " << result.message;
    for (const auto& m : result.measurements) {
      if (m.value) exact << result.name << ' ' << m.metric << ' ' << *m.value << '\n';
    }
  }
  return exact.str();
}

// The planted executables differ in the time of one case and in nothing that is counted.
TEST(Planted, DiffersInNothingThatIsCounted) {
  const TemporaryFolder folder;
  std::set<std::string> seen;
  for (const std::string build : {"base", "same", "plus5", "plus30"}) {
    const std::filesystem::path out = folder / (build + ".json");
    const Ended ended = run(std::string(PLANTED_DIR) + "/" + build + "/planted --torchgate_profile=quick" +
                            " --torchgate_group=planted/matmul --torchgate_out=" + out.string());
    ASSERT_EQ(ended.exit_code, 0) << ended.output;
    seen.insert(exact_values(report_of(out)));
  }
  EXPECT_EQ(seen.size(), 1U);
  EXPECT_FALSE(seen.contains(""));
}

// Gradients that were never reduced: fast, silent, and told by comparing them between the ranks.
TEST(Planted, StaticGraphWithoutItsSinkIsWrong) {
  const TemporaryFolder folder;
  const std::filesystem::path out = folder / "out.json";
  const Ended ended =
      run_as_ranks(2, std::string(PLANTED_DIR) + "/unsynced --torchgate_profile=quick --torchgate_group=unsynced/ddp" +
                          " --torchgate_out=" + out.string());
  ASSERT_EQ(ended.exit_code, 0) << ended.output;
  for (const auto& result : report_of(out).results) {
    if (result.name != "unsynced/ddp/static_graph_without_sink") {
      EXPECT_EQ(result.status, record::CaseStatus::ok) << result.name << ": " << result.message;
      continue;
    }
    EXPECT_EQ(result.status, record::CaseStatus::wrong);
    EXPECT_NE(result.message.text().find("its output differs between rank 0 and rank 1"), std::string::npos)
        << result.message;
    EXPECT_TRUE(result.measurements.empty());
  }
}

// What is counted on all ranks at once repeats to the last unit, from process to process.
TEST(Distributed, CountsTheSameEveryTime) {
  const TemporaryFolder folder;
  std::set<std::string> seen;
  for (const std::string run_number : {"1", "2", "3"}) {
    const std::filesystem::path out = folder / (run_number + ".json");
    const Ended ended = run_as_ranks(2, program("distributed") + " --torchgate_profile=quick --torchgate_seed=1" +
                                            " --torchgate_group=distributed/ddp --torchgate_out=" + out.string());
    ASSERT_EQ(ended.exit_code, 0) << ended.output;
    seen.insert(exact_values(report_of(out)));
    EXPECT_NE(seen.begin()->find("collective_bytes"), std::string::npos);
  }
  EXPECT_EQ(seen.size(), 1U);
}

}  // namespace
}  // namespace torchgate::suites::testing
