// SPDX-License-Identifier: Apache-2.0
// Which benchmark is which: of one name in a program, and of one name in several programs.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "harness/import/formats.hpp"
#include "harness/import/import.hpp"
#include "harness/import/programs.hpp"
#include "harness/import/same_names.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/import/reading.hpp"

namespace torchgate::import {
namespace {

namespace fs = std::filesystem;

class Identity : public ::testing::Test {
 protected:
  fs::path file(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  // A file of Google Benchmark: a program and its entries.
  fs::path of(const std::string& program, const std::string& entries) {
    return file(std::to_string(++files_) + ".json",
                R"({"context": {"num_cpus": 2)" + (program.empty() ? "" : R"(, "executable": ")" + program + '"') +
                    R"(}, "benchmarks": [)" + entries + "]}");
  }

  // One repetition of the INSTANCEth benchmark of a family.
  static std::string entry(const std::string& name, int family, int instance, double time, int repetition = 0) {
    return R"({"name": ")" + name + R"(", "run_name": ")" + name + R"(", "run_type": "iteration", "family_index": )" +
           std::to_string(family) + R"(, "per_family_instance_index": )" + std::to_string(instance) +
           R"(, "repetition_index": )" + std::to_string(repetition) + R"(, "real_time": )" + std::to_string(time) + "}";
  }

  static std::string one(const std::string& name, double time) { return entry(name, 0, 0, time); }

  record::Run run_of(const std::vector<fs::path>& files) {
    auto run = import_run(files, "0");
    EXPECT_TRUE(run) << run.error().message;
    return run ? *std::move(run) : record::Run();
  }

  static std::vector<std::string> names(const record::Run& run) {
    std::vector<std::string> all;
    for (const record::Case& each : run.cases) all.push_back(each.name);
    return all;
  }

  static std::map<std::string, std::vector<double>> times(const record::Run& run) {
    std::map<std::string, std::vector<double>> all;
    for (const record::Process& process : run.processes)
      for (const record::CaseResult& each : process.cases)
        if (!each.measurements.empty()) all[each.name].push_back(each.measurements[0].summary->median);
    for (auto& [name, values] : all) std::sort(values.begin(), values.end());
    return all;
  }

  static std::string why_unknown(const record::Run& run, const std::string& name) {
    const base::Boxed<std::string>& why = find(run, name).ambiguous;
    return why ? *why : "";
  }
  static const record::Case& find(const record::Run& run, const std::string& name) {
    static const record::Case none;
    const auto at =
        std::find_if(run.cases.begin(), run.cases.end(), [&](const auto& each) { return each.name == name; });
    EXPECT_NE(at, run.cases.end()) << name;
    return at == run.cases.end() ? none : *at;
  }

  base::testing::TemporaryFolder folder_;
  int files_ = 0;
};

using Names = std::vector<std::string>;

TEST_F(Identity, FamiliesOfOneNameAreCasesInTheOrderOfTheProgram) {
  // Whatever stands first in the file, and whatever the numbers of the families are.
  const auto run =
      run_of({of("./bench", entry("x", 7, 0, 50) + ',' + entry("y", 3, 0, 1) + ',' + entry("x", 2, 0, 9))});
  EXPECT_EQ(names(run), (Names{"x", "x#2", "y"}));
  EXPECT_EQ(times(run).at("x"), std::vector<double>{9});
  EXPECT_EQ(times(run).at("x#2"), std::vector<double>{50});
  EXPECT_EQ(find(run, "x").parameters, (std::vector<record::Parameter>{{same_name_parameter, "2"}}));
  EXPECT_EQ(find(run, "x#2").parameters, (std::vector<record::Parameter>{{same_name_parameter, "2"}}));
  EXPECT_TRUE(find(run, "y").parameters.empty());
  for (const record::Case& each : run.cases) EXPECT_FALSE(each.ambiguous) << each.name;
}

TEST_F(Identity, InstancesOfOneFamilyAreCases) {
  const auto run =
      run_of({of("./bench", entry("x/8", 0, 1, 50) + ',' + entry("x/8", 0, 0, 9) + ',' + entry("x/8#2", 0, 2, 3))});
  EXPECT_EQ(names(run), (Names{"x/8", "x/8#2", "x/8#3"}));
  EXPECT_EQ(times(run).at("x/8#2"), std::vector<double>{3});  // the benchmark that is called so
  EXPECT_EQ(times(run).at("x/8#3"), std::vector<double>{50});
}

TEST_F(Identity, AnotherNumberInAnotherFileIsNotKnown) {
  const auto run =
      run_of({of("./bench", entry("x", 0, 0, 9) + ',' + entry("x", 1, 0, 50)), of("./bench", entry("x", 0, 0, 50))});
  EXPECT_NE(why_unknown(run, "x").find("2 benchmarks of the program have this name in one file and 1 in another"),
            std::string::npos);
}

TEST_F(Identity, ADuplicateRepetitionIsNotKnown) {
  const auto run = run_of({of("./bench", one("x", 9) + ',' + one("x", 50) + ',' + one("y", 1))});
  EXPECT_EQ(why_unknown(run, "x"), "the file has repetition 0 of it twice");
  EXPECT_FALSE(find(run, "y").ambiguous);
  EXPECT_TRUE(std::any_of(run.warnings.begin(), run.warnings.end(), [](const std::string& warning) {
    return warning.find("1 case has no verdict, because benchmarks of one name cannot be told apart") !=
           std::string::npos;
  }));
}

TEST_F(Identity, ProgramsOfOneFileAreCases) {
  const auto a1 = of("./string.bench", one("swap", 50));
  const auto a2 = of("./string.bench", one("swap", 51));
  const auto b1 = of("./vector.bench", one("swap", 9000) + ',' + entry("push", 1, 0, 4));
  const auto run = run_of({a1, b1, a2});
  EXPECT_EQ(names(run), (Names{"push", "string.bench/swap", "vector.bench/swap"}));
  EXPECT_EQ(times(run).at("string.bench/swap"), (std::vector<double>{50, 51}));
  EXPECT_EQ(find(run, "push").group, "vector.bench");
  EXPECT_EQ(run.groups.size(), 2U);
  EXPECT_EQ(times(run), times(run_of({b1, a2, a1})));
  EXPECT_EQ(names(run_of({b1})), (Names{"push", "swap"}));
}

TEST_F(Identity, ALabelDoesNotHideAnotherName) {
  const auto refused = import_run({of("./a", one("x", 5)), of("./b", one("x", 6)), of("./c", one("a/x", 7))}, "0");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("\"a/x\" would be the name of two benchmarks of different programs"),
            std::string::npos);
}

TEST_F(Identity, ProgramsAreToldApartByTheirFolders) {
  using Labels = std::vector<std::string>;
  EXPECT_EQ(program_labels({"./bench", "/work/build/bench"}), (Labels{"bench", "bench"}));
  EXPECT_EQ(program_labels({"build/core/bench", "build/net/bench", "tool"}),
            (Labels{"core/bench", "net/bench", "tool"}));
  EXPECT_EQ(program_labels({"a/x/bench", "b/x/bench", "x/bench"}), (Labels{"a/x/bench", "b/x/bench", "x/bench"}));
  EXPECT_EQ(program_labels({R"(C:\build\bench.exe)", R"(D:\build\bench.exe)"}),
            (Labels{"C:/build/bench.exe", "D:/build/bench.exe"}));
  EXPECT_EQ(program_labels({"", "/", "."}), (Labels{".", ".", "."}));
  EXPECT_EQ(program_labels({}), Labels{});
  EXPECT_EQ(program_labels({"a/b", "a//b", "b"}, false), (Labels{"a/b", "a//b", "b"}));
  const auto run = run_of(
      {of("build/core/bench", one("swap", 5)), of("build/net/bench", one("swap", 6) + ',' + entry("push", 1, 0, 7))});
  EXPECT_EQ(names(run), (Names{"core/bench/swap", "net/bench/swap", "push"}));
}

// As from a temporary folder, whose name is not part of the program.
TEST_F(Identity, AProgramThatRunsFromChangingFoldersIsOne) {
  const auto run = run_of({of("/tmp/tmp.a/bench", one("swap", 5)), of("/tmp/tmp.b/bench", one("swap", 6)),
                           of("./bench", one("swap", 7)), of("/tmp/tmp.c/tool", one("swap", 8))});
  EXPECT_EQ(names(run), (Names{"bench/swap", "tool/swap"}));
  EXPECT_EQ(times(run).at("bench/swap"), (std::vector<double>{5, 6, 7}));
  const std::string both = one("swap", 6) + ',' + entry("push", 1, 0, 7);
  const auto apart = run_of({of("/tmp/tmp.a/bench", one("swap", 5)), of("/tmp/tmp.b/bench", both)});
  EXPECT_EQ(names(apart), (Names{"push", "tmp.a/bench/swap", "tmp.b/bench/swap"}));
  // Two builds side by side, several files of each.
  const auto builds = run_of({of("/build/avx2/bench", one("swap", 5)), of("/build/base/bench", one("swap", 6)),
                              of("/build/avx2/bench", one("swap", 5.1)), of("/build/base/bench", one("swap", 6.1))});
  EXPECT_EQ(names(builds), (Names{"avx2/bench/swap", "base/bench/swap"}));
  // The statements of pyperf are not files.
  const auto statement = [&](const std::string& text, double value) {
    return file(std::to_string(++files_) + ".json", R"({"metadata": {"name": "timeit", "timeit_stmt": ")" + text +
                                                        R"("}, "benchmarks": [{"runs": [{"values": [)" +
                                                        std::to_string(value) + R"(]}]}], "version": "1.0"})");
  };
  EXPECT_EQ(names(run_of({statement("1/2", 1), statement("3/2", 2)})), (Names{"1/2/timeit", "3/2/timeit"}));
  EXPECT_EQ(names(run_of({statement("'a/b'", 1), statement("'a//b'", 2)})), (Names{"'a//b'/timeit", "'a/b'/timeit"}));
  EXPECT_EQ(names(run_of({statement("f(a)/2", 1), statement("g(a)/2", 2)})), (Names{"f(a)/2/timeit", "g(a)/2/timeit"}));
  EXPECT_EQ(names(run_of({statement("2", 1), statement("1/2", 2)})), (Names{"1/2/timeit", "2/timeit"}));
}

TEST_F(Identity, ComparedRunsFromChangingFoldersHaveTheSameNames) {
  const auto side = [&](const std::string& first, const std::string& second, double factor) {
    return run_of({of(first + "/bench", one("swap", 5 * factor)),
                   of(second + "/bench", one("swap", 6 * factor) + ',' + entry("push", 1, 0, factor))});
  };
  auto before = side("/tmp/tmp.q", "/tmp/tmp.b", 1);
  auto after = side("/tmp/tmp.c", "/tmp/tmp.z", 2);
  align_names(std::array{&before, &after});
  EXPECT_EQ(names(before), names(after));
  EXPECT_EQ(names(before).size(), 3U);
  const std::string slower = names(before)[1];
  EXPECT_EQ(times(after).at(slower)[0], 2 * times(before).at(slower)[0]);
}

// A record that was damaged or made by hand.
TEST_F(Identity, ACaseOfAnUnknownGroupKeepsItsName) {
  auto before = run_of({of("./a", one("swap", 5)), of("./b", one("swap", 6) + ',' + entry("push", 1, 0, 1))});
  auto after = run_of({of("./b", one("swap", 7) + ',' + entry("push", 1, 0, 1))});
  before.cases[0].group = "gone";
  align_names(std::array{&before, &after});
  EXPECT_EQ(names(before), (Names{"a/swap", "b/swap", "push"}));
}

TEST_F(Identity, FilesWithoutAProgramThatHaveOtherBenchmarksAreNotPooled) {
  const auto run = run_of({of("", one("swap", 5)), of("", one("swap", 900) + ',' + entry("push", 1, 0, 6))});
  EXPECT_NE(
      why_unknown(run, "swap").find("files with different benchmarks have it, and not all of them name their program"),
      std::string::npos);
  EXPECT_FALSE(find(run, "push").ambiguous);
  const auto same = run_of({of("", one("swap", 5)), of("", one("swap", 6))});
  EXPECT_FALSE(find(same, "swap").ambiguous);
  // One program only is named: the others are taken for it.
  const auto mixed = run_of({of("./bench", one("swap", 5)), of("", one("swap", 6) + ',' + entry("push", 1, 0, 6))});
  EXPECT_FALSE(find(mixed, "swap").ambiguous);
  const auto several = run_of({of("./a", one("swap", 5)), of("./b", one("swap", 6)), of("", one("swap", 7))});
  EXPECT_TRUE(find(several, "swap").ambiguous);
}

TEST_F(Identity, SuffixesAreKeptInAllFilesWhereOneNeedsThem) {
  const auto run = run_of(
      {of("./bench", one("x/min_time:1", 5) + ',' + one("x/min_time:2", 6)), of("./bench", one("x/min_time:1", 7))});
  EXPECT_EQ(names(run), (Names{"x/min_time:1", "x/min_time:2"}));
  EXPECT_EQ(times(run).at("x/min_time:1"), (std::vector<double>{5, 7}));
}

TEST_F(Identity, ASuffixTellsBenchmarksOfDifferentFilesApart) {
  // One process per benchmark; each file on its own needs no suffix.
  const auto run = run_of({of("./bench", one("x/real_time", 5) + ',' + entry("a", 1, 0, 1)), of("./bench", one("x", 7)),
                           of("./bench", one("x/real_time", 6)), of("./bench", one("y/real_time", 6))});
  EXPECT_EQ(names(run), (Names{"a", "x", "x/real_time", "y"}));
  EXPECT_EQ(times(run).at("x"), std::vector<double>{7});
  EXPECT_EQ(times(run).at("x/real_time"), (std::vector<double>{5, 6}));
  for (const record::Process& process : run.processes)
    EXPECT_TRUE(std::is_sorted(process.cases.begin(), process.cases.end(),
                               [](const auto& a, const auto& b) { return a.name < b.name; }));
  // Of two programs: each has one of them.
  EXPECT_EQ(names(run_of({of("./a", one("x/real_time", 5)), of("./b", one("x", 7))})), (Names{"a/x", "b/x"}));
}

TEST_F(Identity, ASuffixThatOneComparedRunNeedsIsInBoth) {
  const std::string real = one("x/real_time", 5);
  const std::string both = real + ',' + entry("x", 1, 0, 7);
  auto before = run_of({of("./bench", real)});
  auto after = run_of({of("./bench", both)});
  align_names(std::array{&before, &after});
  EXPECT_EQ(names(before), Names{"x/real_time"});
  EXPECT_EQ(before.processes.at(0).cases.at(0).name, "x/real_time");
  EXPECT_EQ(*before.cases.at(0).other_name, "x");
  EXPECT_EQ(names(after), (Names{"x", "x/real_time"}));
  // The other way round, and a program that has the plain one only.
  auto later = run_of({of("./bench", real)});
  align_names(std::array{&after, &later});
  EXPECT_EQ(names(later), Names{"x/real_time"});
  auto plain = run_of({of("./bench", one("x", 7))});
  align_names(std::array{&after, &plain});
  EXPECT_EQ(names(plain), Names{"x"});
  // Nothing needs a suffix.
  auto timed = run_of({of("./bench", one("x/min_time:1", 7))});
  align_names(std::array{&plain, &timed});
  EXPECT_EQ(names(timed), Names{"x"});
}

TEST_F(Identity, SuffixesAreKeptByProgram) {
  auto before = run_of({of("./a", one("x/real_time", 5)), of("./b", one("x/real_time", 6))});
  EXPECT_EQ(names(before), (Names{"a/x", "b/x"}));
  auto after = run_of({of("./a", one("x/real_time", 5) + ',' + entry("x", 1, 0, 7)), of("./b", one("x/real_time", 6))});
  align_names(std::array{&before, &after});
  EXPECT_EQ(names(before), (Names{"b/x", "x/real_time"}));
  EXPECT_EQ(find(before, "x/real_time").group, "a");
  EXPECT_EQ(names(after), (Names{"a/x", "b/x", "x/real_time"}));
}

TEST_F(Identity, BenchmarksOfOneNameKeepTheirSuffixesTogether) {
  const std::string twice = entry("x/real_time", 0, 0, 5) + ',' + entry("x/real_time", 1, 0, 6);
  auto before = run_of({of("./bench", twice)});
  EXPECT_EQ(names(before), (Names{"x", "x#2"}));
  auto after = run_of({of("./bench", twice + ',' + entry("x", 2, 0, 7) + ',' + entry("x", 3, 0, 8))});
  EXPECT_EQ(names(after), (Names{"x", "x#2", "x/real_time", "x/real_time#2"}));
  align_names(std::array{&before, &after});
  EXPECT_EQ(names(before), (Names{"x/real_time", "x/real_time#2"}));
}

TEST_F(Identity, ComparedRunsHaveTheSameNames) {
  auto before = run_of({of("./a", one("swap", 5)), of("./b", one("swap", 6) + ',' + one("push", 1))});
  auto after = run_of({of("/new/b", one("swap", 7) + ',' + one("push", 2))});
  align_names(std::array{&before, &after});
  EXPECT_EQ(names(before), (Names{"a/swap", "b/swap", "push"}));
  EXPECT_EQ(names(after), (Names{"b/swap", "push"}));
  EXPECT_EQ(times(after).at("b/swap"), std::vector<double>{7});
  // The name moved to another program.
  auto was = run_of({of("./a", one("swap", 5)), of("./b", one("push", 1))});
  auto is = run_of({of("./a", one("push", 5)), of("./b", one("push", 1))});
  align_names(std::array{&was, &is});
  EXPECT_EQ(names(was), (Names{"b/push", "swap"}));
  EXPECT_EQ(names(is), (Names{"a/push", "b/push"}));
  // Two builds of one program, whatever they are called.
  auto old_build = run_of({of("./bench_old", one("swap", 5))});
  auto new_build = run_of({of("./bench_new", one("swap", 5))});
  align_names(std::array{&old_build, &new_build});
  EXPECT_EQ(names(old_build), Names{"swap"});
  EXPECT_EQ(names(new_build), Names{"swap"});
}

// Each format: two benchmarks of one name, and two programs.
TEST_F(Identity, OfEachFormat) {
  const auto cases = [&](const std::vector<std::string>& texts, const std::string& extension) {
    std::vector<fs::path> files;
    for (const std::string& text : texts) files.push_back(file("t" + std::to_string(++files_) + extension, text));
    return names(run_of(files));
  };
  const auto nvbench = [](const std::string& program, double seconds) {
    const std::string state =
        R"({"name": "Device=0", "is_skipped": false, "summaries": [{"tag": "nv/cold/time/gpu/mean", "data": [{"name": "value", "type": "float64", "value": ")" +
        std::to_string(seconds) + R"("}]}]})";
    return R"({"meta": {"argv": [")" + program +
           R"(", "--json"]}, "devices": [], "benchmarks": [{"name": "copy", "states": [)" + state + "]}]}";
  };
  EXPECT_EQ(cases({nvbench("bin/a", 1), nvbench("bin/b", 2)}, ".json"), (Names{"a/copy/Device=0", "b/copy/Device=0"}));
  const auto catch2 = [](const std::string& program, const std::string& mean) {
    const std::string result =
        R"(<BenchmarkResults name="sum" samples="2" iterations="1"><mean value=")" + mean + R"("/></BenchmarkResults>)";
    return R"(<Catch2TestRun name=")" + program + R"("><TestCase name="t">)" + result + result +
           "</TestCase></Catch2TestRun>";
  };
  EXPECT_EQ(cases({catch2("a", "5"), catch2("b", "6")}, ".xml"),
            (Names{"a/t/sum", "a/t/sum#2", "b/t/sum", "b/t/sum#2"}));
  const auto pytest = [](const std::string& project, double median) {
    return R"({"machine_info": {}, "commit_info": {"id": "unversioned", "project": ")" + project +
           R"("}, "benchmarks": [{"fullname": "tests/test_a.py::test_x", "name": "test_x", "stats": {"median": )" +
           std::to_string(median) + "}}]}";
  };
  EXPECT_EQ(cases({pytest("one", 1), pytest("two", 2)}, ".json"),
            (Names{"one/tests/test_a.py::test_x", "two/tests/test_a.py::test_x"}));
  const auto pyperf = [](const std::string& statement, double value) {
    return R"({"metadata": {"name": "timeit", "timeit_stmt": ")" + statement +
           R"("}, "benchmarks": [{"runs": [{"values": [)" + std::to_string(value) + R"(]}]}], "version": "1.0"})";
  };
  EXPECT_EQ(cases({pyperf("1+1", 1), pyperf("2*2", 2)}, ".json"), (Names{"1+1/timeit", "2*2/timeit"}));
  const auto go = [](const std::string& package, const std::string& time) {
    return "goos: linux\npkg: " + package + "\nBenchmarkSum-8 10 " + time + " ns/op\nPASS\n";
  };
  EXPECT_EQ(cases({go("a.org/x", "5"), go("a.org/y", "6")}, ".txt"), (Names{"a.org/x.Sum-8", "a.org/y.Sum-8"}));
  EXPECT_EQ(cases({R"({"results": [{"command": "x", "times": [1, 2]}, {"command": "x", "times": [3, 4]}]})"}, ".json"),
            (Names{"x", "x#2"}));
  EXPECT_EQ(
      cases({R"({"repoUrl": "", "entries": {"S": [{"tool": "cargo", "benches": [{"name": "x", "unit": "ns", "value": 1},
      {"name": "x", "unit": "ns", "value": 2}]}]}})"},
            ".json"),
      (Names{"S/x", "S/x#2"}));
}

// A context of two programs, as one fact.
TEST_F(Identity, EachProgramHasItsOwnSetUp) {
  const auto of_program = [&](const std::string& program, const std::string& opt, double time) {
    return file(std::to_string(++files_) + ".json", R"({"context": {"num_cpus": 2, "executable": ")" + program + '"' +
                                                        (opt.empty() ? "" : R"(, "opt": ")" + opt + '"') +
                                                        R"(}, "benchmarks": [)" + one("BM_" + program.substr(3), time) +
                                                        "]}");
  };
  const auto fact = [&](const std::vector<fs::path>& files) {
    for (const record::MachineFact& each : run_of(files).machine.facts)
      if (each.name == "context: opt")
        return *each.value + (each.fact_class == record::FactClass::info ? " (info)" : "");
    return std::string();
  };
  EXPECT_EQ(fact({of_program("/b/x", "-O3", 1), of_program("/b/y", "-O3", 2)}), "-O3");
  EXPECT_EQ(fact({of_program("/b/x", "-O3", 3), of_program("/b/y", "-O0", 4)}), "-O0 (y), -O3 (x)");
  EXPECT_EQ(fact({of_program("/b/x", "", 5), of_program("/b/y", "-O0", 6)}), "-O0 (y)");
  EXPECT_EQ(fact({of_program("/b/x", "-O3", 7), of_program("/b/x", "-O0", 8)}), "-O3 (info)") << "one program varies";
  EXPECT_EQ(fact({of_program("/b/x", "", 9), of_program("/b/x", "-O0", 10)}), "-O0 (info)");
}

TEST_F(Identity, AFactThatTheFirstFileLacksIsOneOfTheRun) {
  const auto with = [&](const std::string& context, double time) {
    return file(std::to_string(++files_) + ".json",
                R"({"context": {"executable": "/b/x")" + context + R"(}, "benchmarks": [)" + one("BM_x", time) + "]}");
  };
  const record::Run run = run_of({with("", 1), with(R"(, "num_cpus": 2)", 2)});
  EXPECT_TRUE(std::any_of(run.machine.facts.begin(), run.machine.facts.end(), [](const record::MachineFact& each) {
    return each.name == "num_cpus" && each.value == "2";
  }));
}

// The table of README.md is that of the code.
TEST(Identities, AreThoseOfTheReadme) {
  std::ifstream readme(fs::path(TORCHGATE_TESTS_DIR) / "../harness/import/README.md");
  const std::string text{std::istreambuf_iterator<char>(readme), {}};
  for (const Format& format : formats()) {
    const std::string row = "| " + std::string(format.name) + " | " + std::string(format.identity.name) + " | " +
                            std::string(format.identity.program) + " | " + std::string(format.identity.same_names) +
                            " |";
    EXPECT_NE(text.find(row), std::string::npos) << "not in README.md: " << row;
  }
}

}  // namespace
}  // namespace torchgate::import
