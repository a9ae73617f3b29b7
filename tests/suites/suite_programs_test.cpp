// SPDX-License-Identifier: Apache-2.0
// Each suite as a program: it lists what it has, measures a group, and is a Google Benchmark program. The suites are those that
// CMake found in suites/, their groups those that they list: a new suite needs no line here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "tests/harness/base/temporary_folder.hpp"
#include "tests/suites/programs.hpp"

namespace torchgate::suites::testing {
namespace {

namespace fs = std::filesystem;
using base::testing::TemporaryFolder;

class Suite : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(All, Suite, ::testing::ValuesIn(suite_names()), [](const auto& test) { return test.param; });

std::int64_t cases_to_run(const record::ProcessReport& listing, const record::Group& group, bool only_cpu = false) {
  return std::count_if(listing.cases.begin(), listing.cases.end(), [&](const record::Case& each) {
    return each.group == group.name && !each.skipped && (!only_cpu || each.device == "cpu");
  });
}

// The group that costs least here: of one rank if the suite has one, with the fewest cases. None if nothing can run.
std::optional<record::Group> cheap_group(const record::ProcessReport& listing) {
  std::optional<record::Group> cheapest;
  std::pair<std::int64_t, std::int64_t> lowest_cost;  // ranks, cases
  for (const record::Group& group : listing.groups) {
    const std::pair cost(group.ranks, cases_to_run(listing, group));
    if (cost.second == 0 || (cheapest && cost >= lowest_cost)) continue;
    cheapest = group;
    lowest_cost = cost;
  }
  return cheapest;
}

record::ProcessReport measured(const record::Group& group, const std::string& profile) {
  const TemporaryFolder folder;
  const Ended ended = run_as_ranks(group.ranks, program(group.suite) + " --torchgate_profile=" + profile +
                                                    " --torchgate_group=" + group.name +
                                                    " --torchgate_out=" + (folder / "out.json").string());
  if (ended.exit_code != 0) throw std::runtime_error(group.name + " could not be measured: " + ended.output);
  return report_of(folder / "out.json");
}

// The cheapest profile that has a case of the group. What only full has is measured by no other test.
std::string profile_of(const record::Group& group) {
  for (const std::string profile : {"quick", "default"}) {
    if (cases_to_run(listing_of(group.suite, profile), group) > 0) return profile;
  }
  return "full";
}

// A claim; in a sweep, whose cases may have nothing to be compared with, at least a proof of the path of each case.
void expect_evidence(const record::Group& group, const std::vector<record::CaseResult>& results) {
  if (!group.claims.empty()) return;
  ASSERT_FALSE(group.reference) << group.name << " has a reference, but no claim";
  for (const auto& result : results) {
    if (result.status == record::CaseStatus::skipped) continue;
    EXPECT_FALSE(result.proofs.empty()) << result.name << " has neither a claim nor a proof of its path";
  }
}

void expect_ok(const std::vector<record::CaseResult>& results) {
  for (const auto& result : results) {
    if (result.status == record::CaseStatus::skipped) continue;
    EXPECT_EQ(result.status, record::CaseStatus::ok) << result.name << ": " << result.message;
    for (const auto& proof : result.proofs) EXPECT_TRUE(proof.holds) << result.name << " " << proof.expectation;
  }
}

// What may be missing on a machine that runs these tests; a CPU case that is skipped for any other reason is never measured.
bool is_missing_hardware(const std::string& reason) {
  const std::string of_reference = "its reference cannot run: ";
  const std::string_view why =
      std::string_view(reason).substr(reason.starts_with(of_reference) ? of_reference.size() : 0);
  return why.starts_with("this CPU has n") ||
         why.starts_with("this process may use only ") ||  // no, neither; one CPU, one core
         why.starts_with("LibTorch uses its kernels for ") || why.starts_with("this LibTorch has no operator ") ||
         why.starts_with("this LibTorch is built without ") ||
         // What setup.sh installs only where there is room for it.
         (why.starts_with("artefact ") && why.find(" was not built: ") != std::string_view::npos);
}

TEST_P(Suite, ListsItsGroupsWithEvidenceEach) {
  const auto listing = listing_of(GetParam(), "full");
  EXPECT_EQ(listing.suite, GetParam()) << "the program is named after its suite";
  EXPECT_GT(listing.seconds_estimate.value_or(0), 0);
  EXPECT_FALSE(listing.groups.empty());
  for (const record::Group& group : listing.groups) {
    if (cases_to_run(listing, group, /*only_cpu=*/true) == 0)
      continue;  // of a GPU; or skipped, for a reason that is checked below
    const std::string profile = profile_of(group);
    if (profile != "full" && !group.claims.empty()) continue;
    const auto report = measured(group, profile);
    EXPECT_FALSE(report.results.empty()) << group.name << " has no result in the profile " << profile;
    expect_evidence(group, report.results);
    if (profile == "full") expect_ok(report.results);
  }
  for (const record::Case& each : listing.cases) {
    if (each.device != "cpu" || !each.skipped) continue;
    EXPECT_TRUE(is_missing_hardware(*each.skipped)) << each.name << " is skipped: " << *each.skipped;
  }
}

TEST_P(Suite, MeasuresAGroup) {
  const auto group = cheap_group(listing_of(GetParam(), "quick"));
  if (!group) GTEST_SKIP() << "no case of " << GetParam() << " can run here";
  const auto report = measured(*group, "quick");
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
  const auto listing = listing_of(GetParam(), "quick");
  const auto group = cheap_group(listing);
  const Ended all = run(program(GetParam()) + " --benchmark_list_tests");
  EXPECT_EQ(all.exit_code, 0) << all.output;
  if (!group) GTEST_SKIP() << "no case of " << GetParam() << " can run here";
  const Ended some = run(program(GetParam()) + " --benchmark_list_tests --benchmark_filter=^" + group->name + "/");
  EXPECT_EQ(some.exit_code, 0) << some.output;
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  EXPECT_GT(lines(some.output), 0);
  const auto others = std::count_if(listing.groups.begin(), listing.groups.end(), [&](const record::Group& each) {
    return each.name != group->name && cases_to_run(listing, each) > 0;
  });
  if (others > 0) {
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
  const auto group = cheap_group(listing_of(GetParam(), "quick"));
  if (!group) GTEST_SKIP() << "no case of " << GetParam() << " can run here";
  const TemporaryFolder folder;
  for (const std::string file : {"a.json", "b.json"}) {
    const Ended ended = run_as_ranks(
        group->ranks, program(GetParam()) + " --torchgate_profile=quick --benchmark_filter=^" + group->name +
                          "/ --benchmark_out_format=json --benchmark_out=" + (folder / file).string());
    ASSERT_EQ(ended.exit_code, 0) << ended.output;
  }
  const Ended compared = run(python + " " + COMPARE_PY + " --no-color benchmarks " + (folder / "a.json").string() +
                             " " + (folder / "b.json").string());
  EXPECT_EQ(compared.exit_code, 0) << compared.output;
  EXPECT_NE(compared.output.find(group->name), std::string::npos) << compared.output;
  EXPECT_NE(compared.output.find("OVERALL_GEOMEAN"), std::string::npos) << compared.output;
}

}  // namespace
}  // namespace torchgate::suites::testing
