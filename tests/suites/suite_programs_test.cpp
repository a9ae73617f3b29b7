// SPDX-License-Identifier: Apache-2.0
// Each suite as a program: it lists what it has, measures a group, and is a Google Benchmark program.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "harness/record/codec.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate {
namespace {

namespace fs = std::filesystem;

struct Ended {
  int exit_code = -1;
  std::string output;  // stdout and stderr
};

Ended run(const std::string& command) {
  Ended ended;
  // NOLINTNEXTLINE(cert-env33-c): the command is made of this file's own constants
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return ended;
  char buffer[4096];
  while (const std::size_t read = fread(buffer, 1, sizeof buffer, pipe)) ended.output.append(buffer, read);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) ended.exit_code = WEXITSTATUS(status);
  return ended;
}

// The same as RANKS processes, with the environment that torchrun gives; the first one's exit code.
Ended run_as_ranks(int ranks, const std::string& command) {
  if (ranks == 1) return run(command);
  // Ports that the kernel gives to nobody by itself, and another one for each run of this program.
  static int port = 20'000 + getpid() % 10'000;
  return run("for rank in $(seq " + std::to_string(ranks - 1) + " -1 0); do RANK=$rank WORLD_SIZE=" +
             std::to_string(ranks) + " MASTER_ADDR=127.0.0.1 MASTER_PORT=" + std::to_string(port++) + " " + command +
             " & done; wait $!; code=$?; wait; exit $code");
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

record::ProcessReport report_of(const fs::path& path) {
  auto report = record::process_report_from_json(text_of(path), path.string());
  if (!report) throw std::runtime_error(report.error().message);
  return *report;
}

using base::testing::TemporaryFolder;

std::string program(const std::string& suite) {
  return std::string(SUITES_DIR) + "/" + suite;
}

struct Expected {
  std::string suite;
  std::set<std::string> groups;
  std::string cheap_group;
  int ranks = 1;
};

void PrintTo(const Expected& expected, std::ostream* out) {
  *out << expected.suite;
}

class Suite : public testing::TestWithParam<Expected> {};

INSTANTIATE_TEST_SUITE_P(
    All, Suite,
    testing::Values(
        Expected{"fusion",
                 {"fusion/conv_bn", "fusion/linear_relu", "fusion/gelu", "fusion/attention", "fusion/script"},
                 "fusion/gelu"},
        Expected{"precision", {"precision/linear", "precision/cnn", "precision/half"}, "precision/cnn"},
        Expected{"batching", {"batching/mlp", "batching/cnn"}, "batching/mlp"},
        Expected{
            "models", {"models/resnet_block", "models/encoder_layer", "models/linear_stack"}, "models/resnet_block"},
        Expected{"data_loading",
                 {"data_loading/workers", "data_loading/prefetch", "data_loading/collate"},
                 "data_loading/collate"},
        Expected{"distributed",
                 {"distributed/ddp", "distributed/buckets", "distributed/buffers"},
                 "distributed/buffers",
                 2}),
    [](const auto& test) { return test.param.suite; });

TEST_P(Suite, ListsItsGroupsWithAClaimEach) {
  const TemporaryFolder folder;
  const Ended ended = run(program(GetParam().suite) + " --torchgate_list=" + (folder / "list.json").string());
  ASSERT_EQ(ended.exit_code, 0) << ended.output;
  const auto report = report_of(folder / "list.json");
  EXPECT_EQ(report.suite, GetParam().suite);
  EXPECT_GT(report.seconds_estimate.value_or(0), 0);
  std::set<std::string> groups;
  for (const auto& group : report.groups) {
    groups.insert(group.name);
    EXPECT_FALSE(group.claims.empty()) << group.name << " promises nothing";
  }
  EXPECT_EQ(groups, GetParam().groups);
  // Only low precision asks for more than any x86 processor has.
  const bool asks_for_hardware = GetParam().suite == "precision";
  for (const auto& one : report.cases) {
    if (one.device != "cpu" || asks_for_hardware) continue;
    EXPECT_FALSE(one.skipped) << one.name << ": " << one.skipped.value_or("");
  }
}

TEST_P(Suite, MeasuresAGroup) {
  const TemporaryFolder folder;
  const Ended ended =
      run_as_ranks(GetParam().ranks, program(GetParam().suite) + " --torchgate_profile=quick --torchgate_group=" +
                                         GetParam().cheap_group + " --torchgate_out=" + (folder / "out.json").string());
  ASSERT_EQ(ended.exit_code, 0) << ended.output;
  const auto report = report_of(folder / "out.json");
  ASSERT_FALSE(report.results.empty());
  bool any_measured = false;
  for (const auto& result : report.results) {
    if (result.status == record::CaseStatus::skipped) continue;
    any_measured = true;
    EXPECT_EQ(result.status, record::CaseStatus::ok) << result.name << ": " << result.message;
    EXPECT_EQ(result.message, "") << result.name;
    for (const auto& proof : result.proofs) EXPECT_TRUE(proof.holds) << result.name << " " << proof.expectation;
    const auto time = std::find_if(result.measurements.begin(), result.measurements.end(),
                                   [](const auto& measurement) { return measurement.metric == "time"; });
    ASSERT_NE(time, result.measurements.end()) << result.name;
    ASSERT_TRUE(time->summary) << result.name;
    EXPECT_GT(time->summary->median, 0) << result.name;
  }
  EXPECT_TRUE(any_measured);
}

TEST_P(Suite, IsAGoogleBenchmarkProgram) {
  const Ended all = run(program(GetParam().suite) + " --benchmark_list_tests");
  EXPECT_EQ(all.exit_code, 0) << all.output;
  const Ended some =
      run(program(GetParam().suite) + " --benchmark_list_tests --benchmark_filter=^" + GetParam().cheap_group);
  EXPECT_EQ(some.exit_code, 0) << some.output;
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  EXPECT_GT(lines(some.output), 0);
  if (GetParam().groups.size() > 1) {
    EXPECT_LT(lines(some.output), lines(all.output));
  }
}

// Google Benchmark's own tool needs SciPy. Set-up installs Debian's, which belongs to Debian's own Python, whatever other
// Python comes first on PATH.
std::string python_with_scipy() {
  const char* chosen = std::getenv("TORCHGATE_PYTHON");
  for (const std::string python : {chosen != nullptr ? chosen : "/usr/bin/python3", "python3"}) {
    if (run(python + " -c 'import scipy, numpy'").exit_code == 0) return python;
  }
  return "";
}

TEST_P(Suite, IsReadByGoogleBenchmarksCompareTool) {
  if (!fs::exists(COMPARE_PY)) GTEST_SKIP() << COMPARE_PY << " is not here: install libbenchmark-tools";
  const std::string python = python_with_scipy();
  if (python.empty()) GTEST_SKIP() << "compare.py needs SciPy: point TORCHGATE_PYTHON at a Python that has it";
  const TemporaryFolder folder;
  for (const std::string file : {"a.json", "b.json"}) {
    const Ended ended =
        run_as_ranks(GetParam().ranks, program(GetParam().suite) + " --torchgate_profile=quick --benchmark_filter=^" +
                                           GetParam().cheap_group +
                                           " --benchmark_out_format=json --benchmark_out=" + (folder / file).string());
    ASSERT_EQ(ended.exit_code, 0) << ended.output;
  }
  const Ended compared = run(python + " " + COMPARE_PY + " --no-color benchmarks " + (folder / "a.json").string() +
                             " " + (folder / "b.json").string());
  EXPECT_EQ(compared.exit_code, 0) << compared.output;
  EXPECT_NE(compared.output.find(GetParam().cheap_group), std::string::npos) << compared.output;
  EXPECT_NE(compared.output.find("OVERALL_GEOMEAN"), std::string::npos) << compared.output;
}

// The planted executables differ in the time of one case and in nothing that is counted.
TEST(Planted, DiffersInNothingThatIsCounted) {
  const TemporaryFolder folder;
  std::set<std::string> seen;
  for (const std::string build : {"base", "same", "plus5", "plus30"}) {
    const fs::path out = folder / (build + ".json");
    const Ended ended = run(std::string(PLANTED_DIR) + "/" + build + "/planted --torchgate_profile=quick" +
                            " --torchgate_group=planted/matmul --torchgate_out=" + out.string());
    ASSERT_EQ(ended.exit_code, 0) << ended.output;
    std::ostringstream exact;
    auto report = report_of(out);
    std::sort(report.results.begin(), report.results.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    for (const auto& result : report.results) {
      ASSERT_EQ(result.status, record::CaseStatus::ok) << result.message;
      for (const auto& m : result.measurements) {
        if (m.value) exact << result.name << ' ' << m.metric << ' ' << *m.value << '\n';
      }
    }
    EXPECT_NE(exact.str(), "");
    seen.insert(exact.str());
  }
  EXPECT_EQ(seen.size(), 1U);
}

// Gradients that were never reduced: fast, silent, and told by comparing them between the ranks.
TEST(Planted, StaticGraphWithoutItsSinkIsWrong) {
  const TemporaryFolder folder;
  const fs::path out = folder / "out.json";
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
    EXPECT_NE(result.message.find("its output differs between rank 0 and rank 1"), std::string::npos) << result.message;
    EXPECT_TRUE(result.measurements.empty());
  }
}

// What is counted on all ranks at once repeats to the last unit, from process to process.
TEST(Distributed, CountsTheSameEveryTime) {
  const TemporaryFolder folder;
  std::set<std::string> seen;
  for (const std::string run_number : {"1", "2", "3"}) {
    const fs::path out = folder / (run_number + ".json");
    const Ended ended = run_as_ranks(2, program("distributed") + " --torchgate_profile=quick --torchgate_seed=1" +
                                            " --torchgate_group=distributed/ddp --torchgate_out=" + out.string());
    ASSERT_EQ(ended.exit_code, 0) << ended.output;
    std::ostringstream exact;
    for (const auto& result : report_of(out).results) {
      ASSERT_EQ(result.status, record::CaseStatus::ok) << result.name << ": " << result.message;
      for (const auto& m : result.measurements) {
        if (m.value) exact << result.name << ' ' << m.metric << ' ' << *m.value << '\n';
      }
    }
    EXPECT_NE(exact.str().find("collective_bytes"), std::string::npos);
    seen.insert(exact.str());
  }
  EXPECT_EQ(seen.size(), 1U);
}

}  // namespace
}  // namespace torchgate
