// SPDX-License-Identifier: Apache-2.0
// Files of other tools that cannot be compared as two measurements: changed cases, copies, results of an earlier run, files that were cut off,
// sides in the wrong order.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "tests/ci/cli/program_folder.hpp"

namespace torchgate::cli::testing {
namespace {

namespace fs = std::filesystem;

// Noise that is the same in each run of the test, with as many digits as a clock gives.
double noisy(double centre, int seed) {
  return centre * (1 + 0.004 * std::sin(1.7 * seed + 0.3) + 1e-7 * seed);
}

std::string google_entry(const std::string& name, double ns, int repetition) {
  return fmt::format(
      R"({{"name":"{0}","run_name":"{0}","run_type":"iteration","repetitions":10,"repetition_index":{1},"threads":1,)"
      R"("iterations":100000,"real_time":{2},"cpu_time":{2},"time_unit":"ns"}})",
      name, repetition, ns);
}

struct Benchmark {
  std::string name;
  double ns;
};

std::string google_json(const std::vector<Benchmark>& benchmarks, int seed, const std::string& day) {
  std::string entries;
  for (const Benchmark& each : benchmarks) {
    for (int i = 0; i < 10; ++i)
      entries += (entries.empty() ? "" : ",\n") + google_entry(each.name, noisy(each.ns, 31 * seed + i), i);
  }
  return fmt::format(
      R"({{"context":{{"date":"2026-05-{}T10:00:00+00:00","executable":"./bench","num_cpus":4,"caches":[]}},"benchmarks":[{}]}})",
      day, entries);
}

class ComparableFiles : public ::testing::Test {
 protected:
  // Six files of a side, by commas.
  static std::string side(const std::string& label, const std::vector<Benchmark>& benchmarks, int seed,
                          const std::string& day) {
    std::string names;
    for (int i = 0; i < 6; ++i) {
      const std::string name = fmt::format("{}{}.json", label, i);
      write_text(name, google_json(benchmarks, seed + i, day));
      names += (i == 0 ? "" : ",") + name;
    }
    return names;
  }
  [[nodiscard]] Ran compare(const std::string& before, const std::string& after,
                            std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"compare", before, after});
    return folder_.torchgate(more);
  }
  ProgramFolder folder_;
};

TEST_F(ComparableFiles, ACaseUnderAnotherNameIsNamedInEveryFormat) {
  const std::string before = side("b", {{"BM_copy/8", 100}, {"BM_other", 100}}, 1, "04");
  const std::string after = side("a", {{"BM_copy/n:8", 300}, {"BM_other", 100}}, 50, "05");
  for (const char* const format : {"terminal", "markdown", "json", "junit", "html", "github"}) {
    const Ran ran = compare(before, after, {"--format", format});
    EXPECT_EQ(ran.code, 1) << format << ran.out << ran.err;
    EXPECT_TRUE(has(ran.out, "BM_copy/8")) << format;
    EXPECT_TRUE(has(ran.out, "copy/n")) << format;  // Markdown escapes "_"
    EXPECT_FALSE(has(ran.out, "not in the baseline")) << format;
  }
}

TEST_F(ComparableFiles, AWaiverOfMissingAcceptsAChangedCase) {
  const std::string before = side("b", {{"BM_copy/manual_time", 100}, {"BM_other", 100}}, 1, "04");
  const std::string after = side("a", {{"BM_copy", 300}, {"BM_other", 100}}, 50, "05");
  const Ran changed = compare(before, after);
  EXPECT_EQ(changed.code, 1) << changed.out << changed.err;
  EXPECT_TRUE(has(changed.out, "google-benchmark-manual/1"));
  write_text("torchgate.toml", "[gate]\nmissing = \"pass\"\n");
  const Ran accepted = compare(before, after);
  EXPECT_EQ(accepted.code, 0) << accepted.out << accepted.err;
  EXPECT_TRUE(has(accepted.out, "not comparable")) << "named anyway";
  EXPECT_TRUE(has(accepted.out, "1 decided and 1 undecided"));
}

TEST_F(ComparableFiles, AnotherNumberOfCpusHasNoVerdict) {
  const auto go = [&](const std::string& label, const std::string& cpus, double ns, int seed) {
    std::string names;
    for (int file = 0; file < 6; ++file) {
      std::string text = "goos: linux\ngoarch: amd64\npkg: example.org/p\n";
      for (const char* const name : {"Sum", "Sort/n=100"}) {
        for (int i = 0; i < 10; ++i)
          text += fmt::format("Benchmark{}{}\t 1000\t {:.2f} ns/op\n", name, cpus, noisy(ns, 100 * file + i + seed));
      }
      const std::string name = fmt::format("{}{}.txt", label, file);
      write_text(name, text + "PASS\nok  \texample.org/p\t1.2s\n");
      names += (file == 0 ? "" : ",") + name;
    }
    return names;
  };
  const Ran ran = compare(go("b", "-8", 1000, 0), go("a", "", 2000, 7));
  EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "it was example.org/p.Sum-8 and is example.org/p.Sum"));
  EXPECT_TRUE(has(ran.out, "Sort/n=100-8"));
  EXPECT_FALSE(has(ran.out, "plan"));
}

TEST_F(ComparableFiles, ACopyWithAnotherDateGivesNoVerdict) {
  const std::string before = side("b", {{"BM_x", 100}, {"BM_y", 200}}, 1, "04");
  const std::string after = side("a", {{"BM_x", 100}, {"BM_y", 200}}, 1, "05");
  const Ran ran = compare(before, after);
  EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "bit for bit"));
  EXPECT_TRUE(has(ran.out, "is a copy of the other"));
}

TEST_F(ComparableFiles, ARoundedCopyGivesNoVerdict) {
  const std::string before = side("b", {{"BM_x", 100}, {"BM_y", 200}}, 1, "04");
  const auto csv = [](int first_seed) {
    std::string names;
    for (int file = 0; file < 6; ++file) {
      std::string text =
          "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_"
          "message\n";
      for (const auto& [case_name, ns] : {std::pair("BM_x", 100), std::pair("BM_y", 200)})
        for (int i = 0; i < 10; ++i)
          text += fmt::format("\"{0}\",100000,{1:.6g},{1:.6g},ns,,,,,\n", case_name,
                              noisy(ns, 31 * (first_seed + file) + i));
      const std::string name = fmt::format("c{}.csv", file);
      write_text(name, text);
      names += (file == 0 ? "" : ",") + name;
    }
    return names;
  };
  const Ran ran = compare(before, csv(1));
  EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "not measured again: in 6 of 6 processes its numbers are those of the baseline, rounded"));
  EXPECT_EQ(compare(before, csv(50)).code, 0) << "another measurement";
}

TEST_F(ComparableFiles, AFileOnBothSidesIsFound) {
  const std::string before = side("b", {{"BM_x", 100}, {"BM_y", 200}}, 1, "04");
  const std::string after = side("a", {{"BM_x", 100}, {"BM_y", 200}}, 50, "05");
  const Ran ran = compare(before, after + ",b0.json");
  EXPECT_EQ(ran.code, 2) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.err, "b0.json: compared with itself"));
}

TEST_F(ComparableFiles, EqualRoundNumbersAreNotACopy) {
  const auto go = [&](const std::string& name, const std::string& more) {
    std::string text = "pkg: example.org/p\n";
    for (int i = 0; i < 10; ++i) text += fmt::format("BenchmarkNop-8\t 1000000000\t 0.2{} ns/op\n", 50 + i % 2);
    write_text(name, text + more + "PASS\nok  \texample.org/p\t1.2s\n");
  };
  go("b.txt", "BenchmarkOther-8\t 100\t 1234.5 ns/op\n");
  go("a.txt", "BenchmarkOther-8\t 100\t 1235.7 ns/op\n");
  const Ran ran = compare("b.txt", "a.txt", {"--rule", "textbook"});
  EXPECT_FALSE(has(ran.out, "bit for bit")) << ran.out;
}

TEST_F(ComparableFiles, ACutOffFileDoesNotPass) {
  const auto csv = [&](const std::string& name, int of_y, int seed) {
    std::string text =
        "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_"
        "message\n";
    for (int i = 0; i < 10 + of_y; ++i)
      text += fmt::format("\"BM_{0}\",1000,{1:.5g},{1:.5g},ns,,,,,\n", i < 10 ? "x" : "y", noisy(100, seed + i));
    write_text(name, text);
  };
  csv("before.csv", 10, 1);
  csv("whole.csv", 10, 50);
  csv("cut.csv", 3, 50);
  const Ran cut = compare("before.csv", "cut.csv", {"--rule", "textbook"});
  EXPECT_EQ(cut.code, 3) << cut.out << cut.err;
  EXPECT_TRUE(has(cut.out, "BM_y: 3 of 10"));
  EXPECT_FALSE(has(compare("before.csv", "whole.csv", {"--rule", "textbook"}).out, "cut off"));
}

TEST_F(ComparableFiles, FewerRepetitionsOfAllAreOnlyADoubt) {
  const std::string few =
      "pkg: example.org/p\nBenchmarkA-8\t 1000\t 100.28 ns/op\nBenchmarkA-8\t 1000\t 101.28 ns/op\n";
  write_text("b.txt", few + "BenchmarkA-8\t 1000\t 100.78 ns/op\nPASS\n");
  write_text("a.txt",
             "pkg: example.org/p\nBenchmarkA-8\t 1000\t 100.18 ns/op\nBenchmarkA-8\t 1000\t 101.38 ns/op\nPASS\n");
  const Ran ran = compare("b.txt", "a.txt", {"--rule", "textbook"});
  EXPECT_TRUE(has(ran.out, "fewer repetitions than in the baseline (example.org/p.A-8: 2 of 3)"));
  EXPECT_FALSE(has(ran.out, "while other cases have all"));
}

// One side has files of two programs, the other of one: `report` and `explain` call the cases as `compare` does.
TEST_F(ComparableFiles, EachCommandGivesBothSidesTheSameNames) {
  const auto of = [](const std::string& program, double ns, int seed, const std::string& day) {
    std::string text = google_json({{"BM_swap", ns}}, seed, day);
    return text.replace(text.find("./bench"), 7, program);
  };
  write_text("b1.json", of("./vector.bench", 100, 1, "04"));
  write_text("b2.json", of("./string.bench", 500, 2, "04"));
  write_text("a1.json", of("./vector.bench", 300, 3, "05"));
  ASSERT_EQ(folder_.torchgate({"import", "b1.json", "b2.json", "--save", "before"}).code, 0);
  ASSERT_EQ(folder_.torchgate({"import", "a1.json", "--save", "after"}).code, 0);
  for (const char* const command : {"report", "compare"}) {
    const Ran ran = folder_.torchgate({command, "before", "after", "--format", "json"});
    EXPECT_TRUE(has(ran.out, "\"vector.bench/BM_swap\"")) << command;
    EXPECT_FALSE(has(ran.out, "\"BM_swap\"")) << command;
  }
  const Ran why = folder_.torchgate({"explain", "vector.bench/BM_swap", "before", "after"});
  EXPECT_EQ(why.code, 0) << why.err;
}

TEST_F(ComparableFiles, AnAfterThatIsOlderIsADoubt) {
  const std::string newer = side("n", {{"BM_x", 150}}, 1, "05");
  const std::string older = side("o", {{"BM_x", 100}}, 50, "04");
  EXPECT_TRUE(has(compare(newer, older).out, "the sides may be swapped"));
  EXPECT_FALSE(has(compare(older, newer).out, "swapped"));
}

TEST_F(ComparableFiles, TheTimeOfAFileIsNotADateOfItsResults) {
  for (const char* const name : {"new.json", "old.json"})
    write_text(
        name,
        R"({"results":[{"command":"x","times":[0.1,0.101,0.1003,0.1007,0.0999],"exit_codes":[0,0,0,0,0],"median":0.1,"mean":0.1}]})");
  write_text(
      "old.json",
      R"({"results":[{"command":"x","times":[0.11,0.1012,0.1013,0.1017,0.0989],"exit_codes":[0,0,0,0,0],"median":0.1,"mean":0.1}]})");
  fs::last_write_time("old.json", fs::last_write_time("new.json") - std::chrono::hours(5));
  EXPECT_FALSE(has(compare("new.json", "old.json").out, "swapped")) << "a checkout and a copy give files another time";
}

TEST_F(ComparableFiles, WhatWasNotMeasuredIsNotComparedWithItself) {
  const auto write = [](const std::string& name, double first) {
    write_text(
        name, fmt::format(
                  R"({{"results":[{{"command":"x","times":[{},0.1008],"exit_codes":[1,1],"median":0.1,"mean":0.1}}]}})",
                  first));
  };
  write("b.json", 0.0992);
  write("a.json", 0.1997);
  const Ran failed = compare("b.json", "a.json");
  EXPECT_EQ(failed.code, 1) << failed.out << failed.err;
  EXPECT_TRUE(has(failed.out, "the baseline failed alike"));
  const std::string skipped =
      R"({"devices":[{"id":0,"name":"H100"}],"benchmarks":[{"name":"copy","devices":[0],"axes":[],"states":[{"name":"Device=0","device":0,"axis_values":[],"summaries":[],"is_skipped":true,"skip_reason":"no memory"}]}]})";
  for (const char* const name : {"s0.json", "s1.json", "t0.json", "t1.json"}) write_text(name, skipped);
  const Ran nothing = compare("s0.json,s1.json", "t0.json,t1.json");
  EXPECT_EQ(nothing.code, 3) << nothing.out << nothing.err;
  EXPECT_TRUE(has(nothing.out, "no memory"));
}

TEST_F(ComparableFiles, TheSameFileIsComparedWithItself) {
  write_text("one.json", google_json({{"BM_x", 100}}, 1, "04"));
  fs::copy_file("one.json", "copy.json");
  for (const char* const other : {"one.json", "copy.json"}) {
    const Ran ran = compare("one.json", other);
    EXPECT_EQ(ran.code, 2);
    EXPECT_TRUE(has(ran.err, "compared with itself"));
  }
}

TEST_F(ComparableFiles, APartIsComparedWithTheWhole) {
  const std::string whole = side("w", {{"BM_x", 100}, {"BM_y", 200}, {"BM_z", 300}}, 1, "04");
  const std::string part = side("p", {{"BM_x", 100}}, 50, "05");
  const Ran missing = compare(whole, part);
  EXPECT_EQ(missing.code, 1);
  EXPECT_TRUE(has(missing.out, "no file of this run has it"));
  EXPECT_FALSE(has(missing.out, "this run's plan"));
  const Ran common = compare(whole, part, {"--common"});
  EXPECT_EQ(common.code, 0) << common.out << common.err;
  EXPECT_TRUE(has(common.out, "2 cases of the baseline alone and 0 cases of this run alone were left out (--common)"));
  EXPECT_EQ(compare(part, whole, {"--common"}).code, 0);
  const Ran nothing = compare(side("q", {{"BM_y", 100}}, 80, "04"), part, {"--common"});
  EXPECT_EQ(nothing.code, 3) << "no case is common";
  EXPECT_EQ(folder_.torchgate({"gate", whole, "--common"}).code, 2) << "of named baselines only";
}

// With cases of its own on each side, one of them may be the new name of another one.
TEST_F(ComparableFiles, CommonCasesPassOnlyWhereOneSideIsAPartOfTheOther) {
  const std::string before = side("b", {{"BM_x", 100}, {"BM_old", 200}}, 1, "04");
  const std::string after = side("a", {{"BM_x", 100}, {"BM_new", 600}}, 50, "05");
  const Ran apart = compare(before, after, {"--common"});
  EXPECT_EQ(apart.code, 3) << apart.out << apart.err;
  EXPECT_TRUE(has(apart.out, "neither side is a part of the other")) << apart.out;
  EXPECT_TRUE(has(apart.out, "only the baseline has BM_old, only this run has BM_new")) << apart.out;
  write_text("torchgate.toml", "[gate]\nmissing = \"warn\"\n");
  EXPECT_EQ(compare(before, after, {"--common"}).code, 0) << "a missing case does not fail, either";
  fs::remove("torchgate.toml");

  const Ran part = compare(before, side("p", {{"BM_x", 100}}, 20, "07"), {"--common"});
  EXPECT_EQ(part.code, 0) << part.out << part.err;
  EXPECT_TRUE(has(part.out, "1 case of the baseline alone and 0 cases of this run alone were left out")) << part.out;

  const std::string renamed = side("r", {{"BM_x", 100}, {"BM_old/1", 600}}, 80, "06");
  const Ran joined = compare(before, renamed, {"--common"});
  EXPECT_EQ(joined.code, 1) << joined.out << joined.err;
  EXPECT_TRUE(has(joined.out, "under two names")) << joined.out;
  EXPECT_FALSE(has(joined.out, "--common")) << "no case is left out: " << joined.out;
}

TEST_F(ComparableFiles, StaleResultsOfCriterionAreADoubt) {
  const auto write = [](const std::string& folder, const std::string& name, double ns) {
    const std::string place = folder + "/criterion/" + name + "/new/";
    fs::create_directories(place);
    std::string iterations;
    std::string times;
    for (int i = 1; i <= 20; ++i) {
      iterations += fmt::format("{}{}.0", i == 1 ? "" : ",", i * 1000);
      times += fmt::format("{}{}", i == 1 ? "" : ",", noisy(ns, i) * i * 1000);
    }
    write_text(place + "sample.json",
               fmt::format(R"({{"sampling_mode":"Linear","iters":[{}],"times":[{}]}})", iterations, times));
    write_text(
        place + "benchmark.json",
        fmt::format(R"({{"group_id":"{0}","function_id":null,"value_str":null,"throughput":null,"full_id":"{0}"}})",
                    name));
    write_text(place + "estimates.json", R"({"mean":{"point_estimate":1.0},"median":{"point_estimate":1.0}})");
  };
  write("before", "kept", 100);
  write("before", "removed", 100);
  write("after", "kept", 100.5);
  write("after", "removed", 130);
  const fs::path stale = "after/criterion/removed/new/sample.json";
  EXPECT_FALSE(has(compare("before/criterion", "after/criterion").out, "older than the others"));
  fs::last_write_time(stale, fs::last_write_time(stale) - std::chrono::minutes(26 * 60 + 1));
  const Ran ran = compare("before/criterion", "after/criterion");
  EXPECT_TRUE(has(ran.out, "1 result is older than the others by 26 h or more")) << ran.out;
}

// An entry of a few digits, which another measurement may well have: its date says that it is the same one.
TEST_F(ComparableFiles, ASuiteOfTheActionThatWasNotRunAgainHasNoVerdict) {
  const auto write = [](const std::string& label, char commit, int core, int net_date, int seed) {
    constexpr const char* entry =
        R"({{"date":{},"tool":"go","commit":{{"id":"{}"}},"benches":[{{"name":"b","value":{:.0f},"unit":"ns/op"}}]}})";
    std::string names;
    for (int i = 0; i < 6; ++i) {
      const std::string name = fmt::format("{}{}.json", label, i);
      const auto suite = [&](int date, char of, double ns) {
        return fmt::format(entry, date + i, std::string(40, of), ns);
      };
      write_text(name, fmt::format(R"({{"lastUpdate":1,"entries":{{"core":[{}],"net":[{}]}}}})",
                                   suite(core, commit, noisy(1234, core + i)),
                                   suite(net_date, net_date == core ? commit : 'a', noisy(5678, seed + i))));
      names += (i == 0 ? "" : ",") + name;
    }
    return names;
  };
  const std::string before = write("b", 'a', 1000, 1000, 5);
  const Ran stale = compare(before, write("s", 'b', 9000, 1000, 5));
  EXPECT_EQ(stale.code, 3) << stale.out << stale.err;
  EXPECT_TRUE(has(stale.out, "net/b: not comparable: not measured again: in 6 of 6 processes")) << stale.out;
  EXPECT_TRUE(has(stale.out, "1 suite was not measured for commit bbbbbbbbbbbb")) << stale.out;
  EXPECT_TRUE(has(stale.out, "this run bbbbbbbbbbbb")) << stale.out;
  const Ran again = compare(before, write("n", 'b', 9000, 9000, 5));
  EXPECT_FALSE(has(again.out, "not measured")) << "the same few digits at another time: " << again.out;
}

TEST_F(ComparableFiles, SixFilesWithOneValueEachHaveASpread) {
  const auto write = [](const std::string& label, double value, int seed) {
    std::string names;
    for (int i = 0; i < 6; ++i) {
      const std::string name = fmt::format("{}{}.json", label, i);
      write_text(name, fmt::format(R"([{{"name":"Parse","unit":"ns","value":{}}}])", noisy(value, seed + i)));
      names += (i == 0 ? "" : ",") + name;
    }
    return names;
  };
  const Ran six = compare(write("b", 1e6, 1), write("a", 2e6, 50));
  EXPECT_EQ(six.code, 1) << six.out << six.err;
  EXPECT_FALSE(has(six.out, "no spread"));
  EXPECT_FALSE(has(six.out, "a single value"));
  EXPECT_TRUE(has(compare("b0.json", "a0.json").out, "no spread"));
}

}  // namespace
}  // namespace torchgate::cli::testing
