// SPDX-License-Identifier: Apache-2.0
// hyperfine, Criterion, Google Benchmark's CSV.
#include "harness/import/criterion.hpp"
#include "harness/import/google_benchmark_csv.hpp"
#include "harness/import/hyperfine.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/import/reading.hpp"

namespace torchgate::import {
namespace {

using testing::fixture_path;
using testing::fixture_text;
using testing::names_of;
using testing::processes_in;
using testing::warns;

TEST(Hyperfine, EachLaunchIsAProcess) {
  const auto read = processes_in(read_hyperfine(fixture_text("hyperfine/hyperfine_1.15.json"), "h.json"));
  ASSERT_EQ(read.size(), 24U);
  EXPECT_EQ(read[0].group, "true 1");
  EXPECT_EQ(read[0].cases[0].parameters, (std::vector<record::Parameter>{{"n", "1"}}));
  ASSERT_EQ(read[0].cases[0].time_ns.size(), 1U);
  EXPECT_NEAR(read[0].cases[0].time_ns[0], 1214805, 1e-6);
  EXPECT_NEAR(read[11].cases[0].time_ns[0], 3977596, 1e-6);
}

TEST(Hyperfine, ALaunchThatFailedHasNoTime) {
  const auto read = processes_in(read_hyperfine(fixture_text("hyperfine/hyperfine_failing.json"), "h.json"));
  ASSERT_EQ(read.size(), 10U);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(read[i].cases[0].failure, "exit code 1");
  for (std::size_t i = 5; i < 10; ++i) EXPECT_EQ(read[i].cases[0].failure, "");
  const auto killed = processes_in(read_hyperfine(
      R"({"results":[{"command":"x","times":[1,2],"exit_codes":[0,null],"memory_usage_byte":[4096,1]}]})", "h.json"));
  EXPECT_EQ(killed[1].cases[0].failure, "the command was ended by a signal");
  EXPECT_EQ(killed[0].peak_resident_bytes, 4096);
  ASSERT_EQ(killed[0].cases[0].metrics.size(), 1U);
  EXPECT_EQ(killed[0].cases[0].metrics[0].metric.name, "peak_memory");
  EXPECT_EQ(killed[0].cases[0].metrics[0].samples, std::vector<double>{4096});
  EXPECT_FALSE(killed[0].cases[0].metrics[0].metric.judged);
  const auto old = processes_in(read_hyperfine(R"({"results":[{"command":"x","median":0.5,"mean":0.6}]})", "h.json"));
  ASSERT_EQ(old.size(), 1U);
  EXPECT_EQ(old[0].cases[0].time_ns, std::vector<double>{5e8});
  EXPECT_NE(old[0].no_spread.find("no times of the launches"), std::string::npos);
  // Of each command whose launches have no times, wherever it stands.
  const auto mixed = processes_in(read_hyperfine(
      R"({"results":[{"command":"x","times":[1,2]},{"command":"y","median":3},{"command":"z","mean":4}]})", "h.json"));
  ASSERT_EQ(mixed.size(), 4U);
  EXPECT_EQ(mixed[1].no_spread, "");
  EXPECT_EQ(mixed[2].no_spread, old[0].no_spread);
  EXPECT_EQ(mixed[3].no_spread, old[0].no_spread);
  const auto bad = read_hyperfine(R"({"results":[{"command":"x"}]})", "h.json");
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().message.find("h.json: /results/0: neither times nor a median"), std::string::npos);
}

// Times that were edited, or of another file.
TEST(Hyperfine, ItsMedianIsUsedWhereTheTimesAreOfAnotherMean) {
  const auto read = processes_in(read_hyperfine(
      R"({"results":[{"command":"x","mean":1.3654321,"median":1.36,"times":[1.01,1.02,1.03],"exit_codes":[0,0,0]},
                     {"command":"y","mean":1.02,"median":1.02,"times":[1.01,1.02,1.03]},
                     {"command":"z","mean":1.3654321,"times":[1.01,1.02],"exit_codes":[0,1]},
                     {"command":"u","mean":1.021,"times":[1.01123,1.02123,1.03001]}]})",
      "h.json"));
  ASSERT_EQ(read.size(), 8U);
  EXPECT_EQ(read[0].cases[0].time_ns, std::vector<double>{1.36e9});
  EXPECT_EQ(read[0].cases[0].note, "the file has only the median of the launches");
  EXPECT_TRUE(warns(read[0],
                    "h.json: the samples of some cases could not be used: their mean is 1.02e+09 ns, but the "
                    "file has 1.36543e+09 ns; their medians or means are used"));
  EXPECT_EQ(read[1].cases[0].time_ns, std::vector<double>{1.01e9});
  EXPECT_EQ(read[4].cases[0].failure, "exit code 1");
  EXPECT_EQ(read[5].group, "u") << "a mean that was rounded";
}

TEST(Hyperfine, EveryCommandHasAName) {
  const auto read = processes_in(read_hyperfine(
      R"({"results":[{"command":"x","times":[1]},{"command":"x","times":[2,3]},{"command":"x#2","times":[4]},{"command":"x","times":[5]}]})",
      "h.json"));
  std::vector<std::string> names;
  for (const ImportedProcess& each : read) {
    EXPECT_EQ(each.group, each.cases[0].name);
    names.push_back(each.group);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"x", "x#3", "x#3", "x#2", "x#4"}));
}

TEST(Criterion, ReadsAFolderOfResults) {
  ASSERT_TRUE(is_criterion_folder(fixture_path("criterion")));
  const auto read = processes_in(read_criterion(fixture_path("criterion")));
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(names_of(read[0]), (std::vector<std::string>{"sum/fast/1000", "sum/slow"}));
  const ImportedCase& fast = read[0].cases[0];
  EXPECT_EQ(fast.time_ns, (std::vector<double>{100, 101, 99, 102, 98, 100, 103, 97, 100, 110}));
  EXPECT_EQ(fast.bytes_per_call, 1000);
  EXPECT_EQ(fast.calls_per_sample, 20);
  const ImportedCase& slow = read[0].cases[1];
  EXPECT_EQ(slow.time_ns, std::vector<double>{200}) << "the median of estimates.json";
  EXPECT_EQ(slow.note, "the file has only the median of its samples");
  EXPECT_TRUE(warns(read[0], "sample.json is missing"));
}

TEST(Criterion, ReadsOneOfItsFilesWithThoseBeside) {
  for (const char* const name : {"benchmark.json", "estimates.json", "sample.json"}) {
    const auto file = fixture_path("criterion/sum/fast/new") / name;
    EXPECT_TRUE(is_criterion(fixture_text(std::string("criterion/sum/fast/new/") + name))) << name;
    EXPECT_EQ(processes_in(read_criterion(file))[0].cases[0].time_ns.size(), 10U);
  }
  const auto base = processes_in(read_criterion(fixture_path("criterion/sum/fast/base")));
  EXPECT_EQ(base[0].cases[0].time_ns, std::vector<double>{50});
  EXPECT_EQ(base[0].cases[0].name, "sum/fast") << "from its folder";
}

TEST(Criterion, ItsMedianIsUsedWhereTheSamplesAreOfAnotherMeasurement) {
  constexpr std::string_view sample = R"({"iters":[10,20,30],"times":[1000,2020,3060]})";  // 100, 101 and 102 ns
  const auto times = [&](std::string_view estimates) {
    const auto read = read_criterion_benchmark("", estimates, sample, "x", "name");
    return read ? read->time_ns : std::vector<double>();
  };
  constexpr std::string_view same = R"({"mean":{"point_estimate":101},"median":{"point_estimate":101},
                                        "slope":{"point_estimate":101.42857}})";
  EXPECT_EQ(times(same), (std::vector<double>{100, 101, 102})) << "the slope differs from the mean";
  EXPECT_EQ(times(R"({"mean":{"point_estimate":140.25},"median":{"point_estimate":140}})"), std::vector<double>{140});
  EXPECT_EQ(times(R"({"median":{"point_estimate":140.25}})"), std::vector<double>{140.25});
  const base::testing::TemporaryFolder folder;
  std::ofstream(folder.path() / "sample.json") << sample;
  std::ofstream(folder.path() / "estimates.json")
      << R"({"mean":{"point_estimate":140.25},"median":{"point_estimate":140}})";
  const auto read = processes_in(read_criterion(folder.path()));
  EXPECT_TRUE(warns(read.at(0), "the samples of one case could not be used: their mean is 101 ns"));
  EXPECT_FALSE(warns(read.at(0), "sample.json is missing"));
}

// As a shell in the folder names it: without a folder, and with "./" before it.
TEST(Criterion, ReadsAFileOfTheWorkingFolder) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(fixture_path("criterion/sum/fast/base"));
  for (const char* const name : {"estimates.json", "./estimates.json", ".", "./"}) {
    const auto read = read_criterion(name);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ((*read)[0].cases[0].name, "sum/fast") << name;
  }
  std::filesystem::current_path(before);
}

TEST(Criterion, RefusesWhatDoesNotFit) {
  const auto error = [](std::string_view estimates, std::string_view sample) {
    const auto read = read_criterion_benchmark("", estimates, sample, "x", "name");
    return read ? read->failure : read.error().message;
  };
  EXPECT_EQ(error("", R"({"iters":[1,2],"times":[1]})"), "x/sample.json: top level: 2 iterations and 1 times");
  EXPECT_EQ(error("", R"({"iters":[0],"times":[1]})"), "x/sample.json: top level: a sample without iterations");
  EXPECT_EQ(error("", R"({"iters":[1],"times":[-1]})"), "invalid time: -1 ns");
  EXPECT_EQ(error("{}", ""), "x: neither sample.json nor a mean or median in estimates.json");
  const base::testing::TemporaryFolder empty;
  EXPECT_FALSE(is_criterion_folder(empty.path()));
}

// Criterion's enum Throughput, as serde writes it.
TEST(Criterion, ReadsEveryThroughput) {
  using Work = std::pair<std::optional<double>, std::optional<double>>;  // items and bytes of a call
  const auto work = [](const std::string& throughput) {
    const auto read = read_criterion_benchmark(R"({"group_id":"g","full_id":"g","throughput":)" + throughput + "}", "",
                                               R"({"iters":[1,2],"times":[10,20]})", "x", "name");
    EXPECT_TRUE(read) << throughput << read.error().message;
    return read ? Work(read->items_per_call, read->bytes_per_call) : Work();
  };
  EXPECT_EQ(work(R"({"Bytes":100})"), Work(std::nullopt, 100));
  EXPECT_EQ(work(R"({"BytesDecimal":100})"), Work(std::nullopt, 100));
  EXPECT_EQ(work(R"({"Bits":100})"), Work(std::nullopt, 12.5));
  EXPECT_EQ(work(R"({"Elements":10})"), Work(10, std::nullopt));
  EXPECT_EQ(work(R"({"ElementsAndBytes":{"elements":10,"bytes":40}})"), Work(10, 40));
  for (const char* const none : {"null", R"({"Furlongs":[1]})", R"({"ElementsAndBytes":7})", R"({"Bits":0})"})
    EXPECT_EQ(work(none), Work(std::nullopt, std::nullopt)) << none;
}

// Of `--benchmark_out_format=csv`: rows of one name are repetitions; quotes, a label with a comma, an error.
TEST(GoogleBenchmarkCsv, ReadsRowsAsRepetitions) {
  const std::string text = fixture_text("google-benchmark/repetitions_1.7.1.csv");
  ASSERT_TRUE(is_google_benchmark_csv(text));
  const auto read = processes_in(read_google_benchmark_csv(text, "r.csv"));
  EXPECT_EQ(names_of(read[0]), (std::vector<std::string>{"broken", "sum/n:1000", "sum/n:4000"}));
  EXPECT_EQ(read[0].cases[0].failure, "no such device, or busy");
  ASSERT_EQ(read[0].cases[1].time_ns.size(), 3U);
  EXPECT_NEAR(read[0].cases[1].time_ns[0], 466.642, 1e-9);
  EXPECT_NEAR(read[0].cases[1].cpu_ns[2], 386.167, 1e-9);
}

TEST(GoogleBenchmarkCsv, NamesTheLineOfAMistake) {
  const std::string heading = "name,iterations,real_time,cpu_time,time_unit\n";
  const auto error = [&](const std::string& rows) {
    const auto read = read_google_benchmark_csv("printed before\n" + heading + rows, "r.csv");
    return read ? "none" : read.error().message;
  };
  EXPECT_EQ(error("\"a\",1,fast,1,ns\n"), "r.csv:3: real_time: expected a number, found \"fast\"");
  EXPECT_EQ(error("\"a\",1,1,1,ns\n\"b\",1,1\n"), "r.csv:4: 3 fields, but the heading has 5; the file is truncated");
  EXPECT_EQ(error("\"a,1,1,1,ns\n"), "r.csv:3: a quote is missing at the end of a field, or there are too many fields");
  EXPECT_EQ(error("\"a\",1,1,1,parsec\n"), "r.csv:3: time_unit: expected a unit, found \"parsec\"");
  EXPECT_NE(error("").find("no benchmarks"), std::string::npos);
}

// "512.345" that was cut to "5" is a number, too. A whole file whose last line break was stripped can still be used.
TEST(GoogleBenchmarkCsv, ALastRowWithoutLineBreakIsDoubted) {
  const auto warnings = [](const std::string& rows) {
    const auto read =
        read_google_benchmark_csv("name,iterations,real_time,cpu_time,time_unit,label,ms/token\n" + rows, "r.csv");
    EXPECT_TRUE(read) << read.error().message;
    return read ? read->front().warnings : std::vector<std::string>();
  };
  const std::string doubt =
      "r.csv: its last line has no line break: the file may have been cut off, and the last value of \"b\" may be "
      "incomplete or missing";
  const std::string first = "\"a\",1,1,1,ns,,5\n";
  EXPECT_EQ(warnings(first + "\"b\",1,1,1,ns,,5"), std::vector<std::string>{doubt});
  EXPECT_EQ(warnings(first + "\"b\",1,1,1,ns,,"), std::vector<std::string>{doubt});
  EXPECT_EQ(warnings(first + "\"b\",1,1,1,ns,\"two\nlines\",5"), std::vector<std::string>{doubt});
  for (const char* const end : {"\n", "\r\n", "\n\n", "\n  "})
    EXPECT_TRUE(warnings(first + "\"b\",1,1,1,ns,,5" + end).empty()) << end;
}

}  // namespace
}  // namespace torchgate::import
