// SPDX-License-Identifier: Apache-2.0
// Files as a run: what is recognised, what becomes of it, and that order never matters.
#include "harness/import/import.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "harness/record/codec.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::import {
namespace {

namespace fs = std::filesystem;

fs::path tests_fixture(const std::string& name) {
  return fs::path(TORCHGATE_TESTS_DIR) / "fixtures" / name;
}

class Import : public ::testing::Test {
 protected:
  fs::path file(const std::string& name, const std::string& context, const std::string& entries) {
    std::ofstream(folder_ / name) << R"({"context": {)" << context << R"(}, "benchmarks": [)" << entries << "]}";
    return folder_ / name;
  }

  std::string error_of(const std::vector<fs::path>& files) {
    const auto run = import_run(files, "0");
    return run ? "none" : run.error().message;
  }

  base::testing::TemporaryFolder folder_;
};

constexpr const char* first_of_may = R"("date": "2026-05-01T00:00:00+00:00", "num_cpus": 2)";
constexpr const char* second_of_may = R"("date": "2026-05-02T00:00:00+00:00", "num_cpus": 2)";

TEST_F(Import, KnowsFormatsByTheirContent) {
  EXPECT_TRUE(is_importable(tests_fixture("import/google_benchmark_1.7.1.json")));
  EXPECT_TRUE(is_importable(tests_fixture("import/test1_run1.json")));
  EXPECT_TRUE(is_importable(file("late_context.json", R"("num_cpus": 1)", R"({"name": "a", "real_time": 1})")));
  EXPECT_TRUE(is_importable(tests_fixture("import/pytest_output.json")));
  EXPECT_FALSE(is_importable(tests_fixture("record/run.json")));
  EXPECT_FALSE(is_importable(tests_fixture("record/process.json")));
  EXPECT_FALSE(is_importable(tests_fixture("import/README.md")));
  EXPECT_FALSE(is_importable(folder_ / "none.json"));
  EXPECT_FALSE(is_importable(folder_.path()));
}

TEST_F(Import, SaysWhatCanBeImported) {
  EXPECT_NE(
      error_of({tests_fixture("import/README.md")}).find("README.md: unknown format; supported: Google Benchmark JSON"),
      std::string::npos);
  EXPECT_NE(error_of({folder_ / "none.json"}).find("No such file"), std::string::npos);
  EXPECT_EQ(error_of({}), "no files to import");
}

// A record of such a case could not be read back.
TEST_F(Import, RefusesABenchmarkWithoutAName) {
  struct Nameless {
    const char* file;
    const char* text;
    const char* problem;
  };
  const std::vector<Nameless> all{
      {"nvbench.json",
       R"({"meta": {}, "devices": [], "benchmarks": [{"name": "", "states": [{"name": "", "is_skipped": true}]}]})",
       ": /benchmarks/0/states/0: a benchmark without a name"},
      {"google.json", R"({"context": {"num_cpus": 1}, "benchmarks": [{"name": "", "real_time": 1, "iterations": 1}]})",
       ": /benchmarks/0: a row without a name"},
      {"google.csv",
       "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_"
       "message\n\"\",1,2,2,ns,,,,,\n",
       ":2: a row without a name"},
      {"hyperfine.json", R"({"results": [{"command": "", "times": [1, 2]}]})", ": /results/0: an empty command"},
      {"action.json", R"([{"name": "", "unit": "ns", "value": 3}])", ": /0: a benchmark without a name"},
  };
  for (const Nameless& each : all) {
    std::ofstream(folder_ / each.file) << each.text;
    EXPECT_NE(error_of({folder_ / each.file}).find(std::string(each.file) + each.problem), std::string::npos)
        << error_of({folder_ / each.file});
  }
}

TEST_F(Import, MakesARunThatCanBeStored) {
  auto run = import_run({tests_fixture("import/google_benchmark_1.7.1.json")}, "1.2.3");
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->tool_version, "1.2.3");
  EXPECT_EQ(run->created, "2026-11-21T05:03:47.000Z");
  EXPECT_EQ(run->plan.profile, imported_profile);
  EXPECT_EQ(run->machine.host_key, "");
  ASSERT_EQ(run->processes.size(), 1U);
  const record::CaseResult& broken = run->processes[0].cases[0];
  EXPECT_EQ(broken.status, record::CaseStatus::failed);
  EXPECT_EQ(broken.message, "no such device");
  const record::CaseResult& sum = run->processes[0].cases[3];
  ASSERT_EQ(sum.measurements.size(), 3U);
  EXPECT_EQ(sum.measurements[0].metric, "time");
  EXPECT_EQ(sum.measurements[0].summary->n, 3);
  EXPECT_EQ(sum.measurements[1].metric, "items_per_second");
  EXPECT_EQ(sum.measurements[2].metric, "cpu_time");
  EXPECT_TRUE(run->cases[3].metrics[0].primary);

  ASSERT_TRUE(record::save_run(*run, folder_ / "run.json", false));
  auto read = record::load_run(folder_ / "run.json");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_TRUE(record::load_samples(*read, folder_ / "run.json"));
  for (record::Process& process : run->processes) process.file.clear();  // a record does not have it
  EXPECT_EQ(*read, *run);
}

TEST_F(Import, TakesEachFileForAProcess) {
  const auto a = file("a.json", second_of_may, R"({"name": "x", "real_time": 1}, {"name": "y", "real_time": 2})");
  const auto b = file("b.json", first_of_may, R"({"name": "x", "real_time": 3, "skipped": false})");
  const auto run = import_run({a, b}, "0");
  ASSERT_TRUE(run) << run.error().message;
  ASSERT_EQ(run->processes.size(), 2U);
  EXPECT_EQ(run->created, "2026-05-01T00:00:00.000Z");
  EXPECT_EQ(run->processes[0].cases[0].measurements[0].summary->median, 3);  // the earlier one first
  EXPECT_EQ(run->processes[1].cases[0].measurements[0].summary->median, 1);
  EXPECT_EQ(run->cases.size(), 2U);
  EXPECT_EQ(run->plan.processes, 2);
}

TEST_F(Import, IsTheSameWhateverTheOrder) {
  const char* const one = R"({"name": "x", "run_type": "iteration", "repetition_index": 0, "real_time": 1})";
  const char* const two = R"({"name": "x", "run_type": "iteration", "repetition_index": 1, "real_time": 2})";
  const char* const other = R"({"name": "a", "run_type": "iteration", "repetition_index": 0, "real_time": 5})";
  const auto with = [&](const std::string& name, const std::string& entries) {
    return file(name, first_of_may, entries);
  };
  const auto text_of = [](const std::vector<fs::path>& files) {
    const auto run = import_run(files, "0");
    return run ? record::to_json(*run) : run.error().message;
  };
  const auto comma = std::string(", ");
  const auto in_order = with("a.json", one + comma + two + comma + other);
  const auto shuffled = with("b.json", two + comma + other + comma + one);
  const auto second = file("c.json", second_of_may, one);
  EXPECT_EQ(text_of({in_order}), text_of({in_order}));
  EXPECT_EQ(text_of({in_order}), text_of({shuffled}));
  EXPECT_EQ(text_of({in_order, second}), text_of({second, shuffled}));
  EXPECT_NE(text_of({in_order}), text_of({second}));
}

TEST_F(Import, RefusesFilesThatAreNotOfOneRun) {
  const auto a = file("a.json", first_of_may, R"({"name": "x", "real_time": 1})");
  const auto copy = file("copy.json", first_of_may, R"({"name": "x", "real_time": 1.0})");
  EXPECT_NE(error_of({a, copy}).find("contain the same measurement; name each file once"), std::string::npos);
  const auto larger = file("larger.json", R"("num_cpus": 64)", R"({"name": "x", "real_time": 2})");
  EXPECT_NE(error_of({a, larger})
                .find("num_cpus is 64 here and 2 in another file of the run; import files of different machines"),
            std::string::npos);
  const auto mean =
      file("mean.json", second_of_may,
           R"({"name": "x_mean", "run_name": "x", "run_type": "aggregate", "aggregate_name": "mean", "real_time": 2})");
  EXPECT_NE(error_of({a, mean}).find("x is measured by google-benchmark/1 (mean) here and by google-benchmark/1"),
            std::string::npos);
}

// Without a date and with few digits, two measurements may have the same numbers and two files the same bytes.
TEST_F(Import, FewDigitsDoNotMakeTwoFilesOne) {
  const auto go = [&](const std::string& name, const std::string& line) {
    std::ofstream(folder_ / name) << "BenchmarkX-8 \t" << line << "\nPASS\n";
    return folder_ / name;
  };
  const auto a = go("a.txt", "97000000\t12.31 ns/op");
  EXPECT_EQ(error_of({a, go("b.txt", "97001311\t12.31 ns/op")}), "none");
  const auto same = import_run({a, go("c.txt", "97000000\t12.31 ns/op")}, "0");
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_EQ(same->processes.size(), 2U);
  ASSERT_EQ(same->warnings.size(), 1U);
  EXPECT_NE(same->warnings[0].find("a.txt and"), std::string::npos);
  EXPECT_NE(same->warnings[0].find("c.txt are byte-identical"), std::string::npos);
  EXPECT_NE(error_of({a, a}).find("contain the same measurement"), std::string::npos);
}

// 12 ms has two digits, in ns as well.
TEST_F(Import, CoarseTimesInALargeUnitAreNotCopies) {
  const auto list = [&](const std::string& name, int startup, int load, const char* unit) {
    std::ofstream(folder_ / name) << fmt::format(R"([{{"name": "startup", "unit": "{0}", "value": {1}}},
                                                     {{"name": "load", "unit": "{0}", "value": {2}}}])",
                                                 unit, startup, load);
    return folder_ / name;
  };
  for (const char* const unit : {"ns", "ms", "s"})
    EXPECT_EQ(error_of({list("a.json", 12, 51, unit), list("b.json", 12, 51, unit)}), "none") << unit;
  EXPECT_NE(error_of({list("a.json", 12345678, 87654321, "us"), list("b.json", 12345678, 87654321, "us")})
                .find("contain the same measurement"),
            std::string::npos);
}

// JSON and CSV of one process, its times in another unit, and a file that was cut off.
TEST_F(Import, OneMeasurementInTwoFormsIsNamed) {
  const auto json = [&](const std::string& name, const std::vector<double>& us, const char* unit, double factor) {
    std::string entries;
    for (std::size_t i = 0; i < us.size(); ++i)
      entries += fmt::format(R"({}{{"name": "x", "run_name": "x", "run_type": "iteration", "repetition_index": {},
                             "iterations": 10, "real_time": {}, "cpu_time": 1, "time_unit": "{}"}})",
                             i == 0 ? "" : ", ", i, us[i] * factor, unit);
    return file(name, "\"num_cpus\": 2", entries);
  };
  const std::vector<double> us{1.0040210052708, 0.9957537762379, 1.0031573763408, 0.9975904986254};
  const auto full = json("full.json", us, "us", 1);
  std::ofstream(folder_ / "full.csv") << "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,"
                                         "items_per_second,label,error_occurred,error_message\n"
                                         "\"x\",10,1.00402,1,us,,,,,\n\"x\",10,0.995754,1,us,,,,,\n"
                                         "\"x\",10,1.00316,1,us,,,,,\n\"x\",10,0.99759,1,us,,,,,\n";
  std::ofstream(folder_ / "ms.csv") << "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,"
                                       "items_per_second,label,error_occurred,error_message\n"
                                       "\"x\",10,0.00100402,1,ms,,,,,\n\"x\",10,0.000995754,1,ms,,,,,\n"
                                       "\"x\",10,0.00100316,1,ms,,,,,\n\"x\",10,0.00099759,1,ms,,,,,\n";
  for (const fs::path& other :
       {folder_ / "full.csv", json("ns.json", us, "ns", 1000), json("cut.json", {us[0], us[1], us[2]}, "us", 1)})
    EXPECT_NE(error_of({full, other}).find("contain the same measurement"), std::string::npos) << other;
  EXPECT_EQ(error_of({full, json("next.json", {us[1], us[0], us[2], us[3]}, "us", 1)}), "none");
  EXPECT_EQ(error_of({json("a.json", {1.2, 1.2, 1.2}, "us", 1), json("b.json", {1.2, 1.2}, "us", 1)}), "none")
      << "a coarse clock";
}

// The size of a program is the same again where nothing changed.
TEST_F(Import, ValuesThatRepeatAreNotCopies) {
  const auto sizes = [&](const std::string& name, const std::string& value) {
    std::ofstream(folder_ / name) << R"([{"name": "size", "unit": "bytes", "value": )" << value << "}]";
    return folder_ / name;
  };
  const auto a = sizes("a.json", "12582912");
  const auto b = sizes("b.json", "12582912");
  const Directions lower = *Directions::parse({"size=lower"});
  EXPECT_TRUE(import_run({a, b}, "0", lower));
  const auto one = import_run({a}, "0", lower);
  const auto other = import_run({b}, "0", lower);
  ASSERT_TRUE(one && other);
  EXPECT_NE(one->id, other->id) << "compare of two files of an unchanged size";
  EXPECT_FALSE(import_run({a, a}, "0", lower));
  const auto zero = [&](const std::string& name) {
    return file(name, first_of_may, R"({"name": "x", "real_time": 0, "cpu_time": 0})");
  };
  EXPECT_TRUE(import_run({zero("e.json"), zero("f.json")}, "0")) << "the gate says that they measure nothing";
  const auto rate = [&](const std::string& name) {
    std::ofstream(folder_ / name) << R"([{"name": "rate", "unit": "ops/s", "value": 1234567.890123}])";
    return folder_ / name;
  };
  EXPECT_FALSE(import_run({rate("c.json"), rate("d.json")}, "0")) << "a measured value";
}

TEST_F(Import, WarnsOfWhatDiffersAndOfWhatIsNotKnown) {
  const auto a =
      file("a.json", std::string(first_of_may) + R"(, "host_name": "one")", R"({"name": "x", "real_time": 1})");
  const auto b = file("b.json", R"("host_name": "two")", R"({"name": "x", "real_time": 2})");
  const auto run = import_run({a, b}, "0");
  ASSERT_TRUE(run) << run.error().message;
  ASSERT_EQ(run->warnings.size(), 2U);
  EXPECT_NE(run->warnings[0].find("host_name is two here and one in another file of the run"), std::string::npos);
  EXPECT_NE(run->warnings[1].find("b.json: no date; using the time of the last change"), std::string::npos);
}

TEST_F(Import, SaysOnceWhatSeveralFilesAreWarnedOf) {
  std::vector<std::filesystem::path> files;
  for (const char* const name : {"a.json", "b.json", "c.json"})
    files.push_back(file(name, first_of_may,
                         fmt::format(R"({{"name": "x", "real_time": {}}}, {{"name": "late", "run_type": "aggregate",
                                        "aggregate_name": "stddev", "real_time": 2}})",
                                     files.size() + 1)));
  const auto run = import_run(files, "0");
  ASSERT_TRUE(run) << run.error().message;
  ASSERT_EQ(run->warnings.size(), 1U);
  EXPECT_NE(run->warnings[0].find("a.json and 2 more files: ignored 1 benchmark with only aggregates"),
            std::string::npos)
      << run->warnings[0];
}

// Left-over files of an older commit hide what the new one does.
TEST_F(Import, FilesOfSeveralCommitsAreAWarning) {
  const auto of = [&](const std::string& name, const std::string& commit, const std::string& seconds) {
    std::ofstream(folder_ / name) << R"({"machine_info": {}, "commit_info": )" + commit +
                                         R"(, "benchmarks": [{"fullname": "t", "stats": {"data": [)" + seconds +
                                         R"(, 0.5]}}]})";
    return folder_ / name;
  };
  const std::string one = R"({"id": "1111111111111111111111111111111111111111", "dirty": false})";
  const std::string other = R"({"id": "2222222222222222222222222222222222222222", "dirty": false})";
  const std::string edited = R"({"id": "1111111111111111111111111111111111111111", "dirty": true})";
  const auto warning_of = [&](const std::string& first, const std::string& second) {
    const auto run = import_run({of("a.json", first, "0.25"), of("b.json", second, "0.26")}, "0");
    EXPECT_TRUE(run) << run.error().message;
    for (const std::string& each : run ? run->warnings : std::vector<std::string>())
      if (each.find("several builds") != std::string::npos) return each;
    return std::string();
  };
  const std::string two = warning_of(one, other);
  for (const char* part : {"a.json", "b.json", "111111111111", "222222222222"})
    EXPECT_NE(two.find(part), std::string::npos) << two;
  EXPECT_NE(warning_of(one, edited).find("111111111111 with uncommitted changes"), std::string::npos);
  EXPECT_EQ(warning_of(one, one), "");
  EXPECT_EQ(warning_of(one, "null"), "") << "it may be of the same";
}

// Samples of n=1024 and of n=256 are not those of one case.
TEST_F(Import, ACaseWithOtherParametersInAnotherFileHasNoVerdict) {
  const auto pytest = [&](const std::string& name, const std::string& n, const std::string& seconds) {
    std::ofstream(folder_ / name) << R"({"machine_info": {}, "benchmarks": [{"fullname": "t[a]", "params": {"n": )" +
                                         n + R"(}, "stats": {"data": [)" + seconds + R"(, 0.5]}}]})";
    return folder_ / name;
  };
  const auto differ = import_run({pytest("a.json", "1024", "0.25"), pytest("b.json", "256", "0.26")}, "0");
  ASSERT_TRUE(differ) << differ.error().message;
  ASSERT_TRUE(differ->cases[0].ambiguous.has_value());
  EXPECT_NE(differ->cases[0].ambiguous->find("n is "), std::string::npos) << *differ->cases[0].ambiguous;
  EXPECT_NE(differ->cases[0].ambiguous->find("1024 in "), std::string::npos) << *differ->cases[0].ambiguous;
  EXPECT_NE(differ->cases[0].ambiguous->find("256 in "), std::string::npos) << *differ->cases[0].ambiguous;
  const auto same = import_run({pytest("c.json", "256", "0.27"), pytest("d.json", "256", "0.28")}, "0");
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_FALSE(same->cases[0].ambiguous.has_value());
}

TEST_F(Import, TheThreadsOfACaseAreAParameter) {
  const auto with = [&](const std::string& name, const std::string& date, const std::string& threads) {
    return file(
        name, date,
        R"({"name": "x", "run_name": "x", "run_type": "iteration", "real_time": 1, "threads": )" + threads + "}");
  };
  const auto run = import_run({with("a.json", first_of_may, "1"), with("b.json", second_of_may, "8")}, "0");
  ASSERT_TRUE(run) << run.error().message;
  ASSERT_TRUE(run->cases[0].ambiguous.has_value());
  EXPECT_NE(run->cases[0].ambiguous->find("b.json"), std::string::npos) << *run->cases[0].ambiguous;
}

// A process in which it failed does not say how it was set up.
TEST_F(Import, ParametersAreThoseOfAProcessThatMeasured) {
  const auto failed = file("a.json", first_of_may,
                           R"({"name": "x", "run_name": "x", "run_type": "iteration", "real_time": 0, "threads": 1,
                               "error_occurred": true, "error_message": "no GPU"})");
  const auto measured =
      file("b.json", second_of_may,
           R"({"name": "x", "run_name": "x", "run_type": "iteration", "real_time": 1, "threads": 8})");
  const auto run = import_run({failed, measured}, "0");
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_FALSE(run->cases[0].ambiguous.has_value());
  EXPECT_EQ(run->cases[0].parameters, (std::vector<record::Parameter>{{"threads", "8"}}));
}

TEST_F(Import, SkipsOnlyWhatNoProcessCouldRun) {
  const auto a = file(
      "a.json", first_of_may,
      R"({"name": "x", "real_time": 1}, {"name": "y", "real_time": 0, "skipped": true, "skip_message": "no GPU"})");
  const auto b =
      file("b.json", second_of_may, R"({"name": "x", "real_time": 0, "skipped": true, "skip_message": "busy"})");
  const auto run = import_run({a, b}, "0");
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->cases[0].skipped, std::nullopt);
  EXPECT_EQ(run->cases[1].skipped, "no GPU");
}

}  // namespace
}  // namespace torchgate::import
