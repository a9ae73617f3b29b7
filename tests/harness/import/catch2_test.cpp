// SPDX-License-Identifier: Apache-2.0
#include "harness/import/catch2_console.hpp"
#include "harness/import/catch2_xml.hpp"
#include "harness/import/xml_tags.hpp"
#include "tests/harness/import/reading.hpp"

namespace torchgate::import {
namespace {

using testing::find_case;
using testing::fixture_text;
using testing::names_of;
using testing::warns;

ImportedProcess only(const base::Result<std::vector<ImportedProcess>>& read) {
  EXPECT_TRUE(read) << read.error().message;
  return read && read->size() == 1 ? read->front() : ImportedProcess();
}

const std::vector<std::string> names_of_program{
    "broken/throws", "sums: of several lengths/long ones/<&\"quoted\">",
    "sums: of several lengths/long ones/a thousand, with a name that is too long for one line of the table",
    "sums: of several lengths/ten"};

// Three outputs of one program.
TEST(Catch2, AllOutputsHaveTheSameNames) {
  const ImportedProcess xml = only(read_catch2_xml(fixture_text("catch2/catch2_2.13.10.xml"), "c.xml"));
  const ImportedProcess table = only(read_catch2_console(fixture_text("catch2/console_2.13.10.txt"), "c.txt"));
  const ImportedProcess plain = only(read_catch2_console(fixture_text("catch2/no_analysis_2.13.10.txt"), "n.txt"));
  for (const ImportedProcess& each : {xml, table, plain}) {
    EXPECT_EQ(names_of(each), names_of_program);
    EXPECT_EQ(each.cases[0].failure, "no such device");
    EXPECT_TRUE(each.cases[0].time_ns.empty());
    EXPECT_NE(each.no_spread.find("mean of a benchmark and not its samples"), std::string::npos);
    EXPECT_TRUE(each.warnings.empty());
  }
  EXPECT_EQ(xml.cases[3].time_ns, std::vector<double>{9.32547});
  EXPECT_EQ(xml.cases[3].calls_per_sample, 3889);
  EXPECT_EQ(table.cases[2].time_ns, std::vector<double>{315.367});
  EXPECT_EQ(table.cases[2].calls_per_sample, 72);
  EXPECT_EQ(plain.cases[1].time_ns, std::vector<double>{39.3895});
}

TEST(Catch2Console, ReadsAnOlderTable) {
  const ImportedProcess read = only(read_catch2_console(fixture_text("action/catch2_output_v3.txt"), "c.txt"));
  EXPECT_EQ(names_of(read),
            (std::vector<std::string>{"Fibonacci/Fibonacci 10", "Fibonacci/Fibonacci 20",
                                      "More Fibonacci/Fibonacci-15_bench", "More Fibonacci/Fibonacci~ 5!"}));
  EXPECT_EQ(read.cases[0].time_ns, std::vector<double>{344});
  EXPECT_EQ(read.cases[1].time_ns, std::vector<double>{41731});
}

// A benchmark whose numbers cannot be read has not crashed.
TEST(Catch2Console, RefusesDecimalCommas) {
  std::string table = fixture_text("catch2/console_2.13.10.txt");
  const std::size_t begin = table.find("315.367");
  table.replace(begin, 7, "315,367");
  const std::size_t end = table.find('\n', begin);
  std::replace(table.begin() + static_cast<std::ptrdiff_t>(begin), table.begin() + static_cast<std::ptrdiff_t>(end),
               '.', ',');
  const auto all = read_catch2_console(table, "c.txt");
  ASSERT_FALSE(all);
  EXPECT_NE(all.error().message.find("numbers with a decimal comma; run the program with LC_ALL=C"), std::string::npos)
      << all.error().message;
}

TEST(Catch2Console, ABenchmarkWithoutAMeanHasFailed) {
  std::string cut = fixture_text("catch2/console_2.13.10.txt");
  cut.resize(cut.find("315.367"));
  const ImportedProcess read = only(read_catch2_console(cut, "c.txt"));
  EXPECT_EQ(read.cases.size(), 2U);
  EXPECT_EQ(read.cases[0].failure, "it started, but its mean is not in the file");
  EXPECT_EQ(read.cases[1].failure, "");
}

TEST(Catch2Console, OutputWithoutItsSummaryIsDoubted) {
  const std::string whole = fixture_text("catch2/console_2.13.10.txt");
  const auto is_doubted = [](const std::string& text) {
    return warns(only(read_catch2_console(text, "c.txt")),
                 "c.txt: no summary of the test cases at its end: the file may have been cut off");
  };
  const std::size_t summary = whole.rfind("=====\ntest cases:");
  ASSERT_NE(summary, std::string::npos);
  EXPECT_TRUE(is_doubted(whole.substr(0, summary)));
  EXPECT_FALSE(is_doubted(whole.substr(0, summary) + "=====\nAll tests passed (3 assertions in 2 test cases)\n"));
  EXPECT_FALSE(is_doubted(whole.substr(whole.find("-----"), summary))) << "a part of the output";
}

TEST(Catch2Xml, ReadsVersion3AndAnError) {
  const ImportedProcess read = only(read_catch2_xml(
      R"(<?xml version="1.0" encoding="UTF-8"?>
<Catch2TestRun name="b" rng-seed="42" xml-format-version="3" catch2-version="3.10.0">
  <TestCase name=" t "><BenchmarkResults name="a" samples="100" iterations="6"><!-- <mean value="1"/> -->
    <mean value="3500.0" lowerBound="3400.0"/><outliers variance="0.1"/></BenchmarkResults>
    <BenchmarkResults name="b"><mean value="nan"/></BenchmarkResults>
    <BenchmarkResults name="c"></BenchmarkResults></TestCase></Catch2TestRun>)",
      "c.xml"));
  EXPECT_EQ(find_case(read, "t/a")->time_ns, std::vector<double>{3500});
  EXPECT_EQ(find_case(read, "t/b")->failure, "invalid time: NaN or infinite");
  EXPECT_EQ(find_case(read, "t/c")->failure, "it started, but its mean is not in the file");
}

// A program of two test cases; PROBLEMS stands behind the benchmark of the second one.
std::string xml_of(const std::string& problems, const std::string& success) {
  return R"(<Catch2TestRun name="b"><TestCase name="ok"><BenchmarkResults name="a"><mean value="5"/></BenchmarkResults>
    <OverallResult success="true"/></TestCase>
    <TestCase name="sum"><BenchmarkResults name="b"><mean value="6"/></BenchmarkResults>)" +
         problems + "<OverallResult success=\"" + success + "\"/></TestCase></Catch2TestRun>";
}

TEST(Catch2Xml, ATestThatFailedFailsItsBenchmarks) {
  const auto failure = [](const std::string& problems, const std::string& success = "false") {
    const ImportedProcess read = only(read_catch2_xml(xml_of(problems, success), "c.xml"));
    EXPECT_EQ(find_case(read, "ok/a")->failure, "");
    const ImportedCase* const sum = find_case(read, "sum/b");
    EXPECT_EQ(sum->time_ns.empty(), !sum->failure.empty());
    return sum->failure;
  };
  const std::string passed = R"(<Expression success="true"><Original>a == b</Original></Expression>)";
  const std::string check = R"(<Expression success="false" type="REQUIRE"><Original>
      sum &lt; 45 </Original><Expanded>50 &lt; 45</Expanded></Expression>)";
  EXPECT_EQ(failure(passed + "<Section name=\"s\">" + check + "</Section>"), "its test failed: sum < 45");
  EXPECT_EQ(failure("<Exception filename=\"t.cpp\" line=\"9\"> boom &x </Exception>"), "its test failed: boom &x");
  EXPECT_EQ(failure("<FatalErrorCondition>SIGSEGV</FatalErrorCondition>"), "its test failed: SIGSEGV");
  EXPECT_EQ(failure("<Failure/>"), "its test failed");
  EXPECT_EQ(failure(passed), "its test failed");
  EXPECT_EQ(failure(check, "true"), "") << "[!mayfail], [!shouldfail]";
}

// Version 3 lets what a benchmark throws fail its test case, too.
TEST(Catch2Xml, ABenchmarkThatThrowsFailsAlone) {
  const std::string threw = R"(<BenchmarkResults name="c"><failed message="boom"/></BenchmarkResults>)";
  const auto failure = [&](const std::string& exception) {
    const ImportedProcess read =
        only(read_catch2_xml(xml_of(threw + "<Exception>" + exception + "</Exception>", "false"), "c.xml"));
    EXPECT_EQ(find_case(read, "sum/c")->failure, "boom");
    return find_case(read, "sum/b")->failure;
  };
  EXPECT_EQ(failure("boom"), "");
  EXPECT_EQ(failure("another"), "its test failed: another");
}

// PROBLEM stands behind the first benchmark of the second section.
std::string console_of(const std::string& problem, const std::string& summary) {
  const std::string ruler = std::string(79, '-') + '\n';
  const std::string dots = std::string(79, '.') + '\n';
  const auto test = [&](const std::string& header, const std::string& benchmark) {
    return ruler + header + ruler + "t.cpp:1\n" + dots + "\nbenchmark name     samples       iterations    mean\n" +
           ruler + benchmark + "      20          5146    617.52 ns \n\n";
  };
  return test("ok\n", "a") + test("sum\n  first\n", "b") + test("sum\n  second\n", "c") + problem +
         std::string(79, '=') + '\n' + summary;
}

TEST(Catch2Console, ATestThatFailedFailsItsBenchmarks) {
  const auto failure = [](const std::string& problem, const std::string& summary) {
    const ImportedProcess read = only(read_catch2_console(console_of(problem, summary), "c.txt"));
    EXPECT_EQ(read.cases.size(), 3U);
    EXPECT_EQ(find_case(read, "ok/a")->failure, "");
    EXPECT_EQ(find_case(read, "sum/first/b")->failure, find_case(read, "sum/second/c")->failure);
    return find_case(read, "sum/first/b")->failure;
  };
  const std::string failed = "test cases: 2 | 1 passed | 1 failed\n";
  const std::string check = "t.cpp:9: FAILED:\n  REQUIRE( sum == 45 )\nwith expansion:\n  0 == 45\n\n";
  EXPECT_EQ(failure(check, failed), "its test failed: REQUIRE( sum == 45 )");
  EXPECT_EQ(failure("t.cpp(9): FAILED:\n  {Unknown expression}\ndue to unexpected exception with message:\n  boom\n\n",
                    failed),
            "its test failed: boom");
  EXPECT_EQ(failure("t.cpp:9: FAILED:\n", ""), "its test failed") << "truncated";
  EXPECT_EQ(failure("t.cpp:9: FAILED - but was ok:\n  CHECK_NOFAIL( x )\n\n", "All tests passed\n"), "");
  EXPECT_EQ(failure("note: FAILED:\n\n", failed), "") << "printed by the test";
  EXPECT_EQ(failure(check, "test cases: 2 | 1 passed | 1 failed as expected\n"), "") << "[!mayfail], [!shouldfail]";
  EXPECT_EQ(failure(check, "test cases: 3 | 1 passed | 1 failed | 1 failed as expected\n"),
            "its test failed: REQUIRE( sum == 45 )");
}

TEST(Catch2Console, ABenchmarkThatThrowsFailsAlone) {
  const std::string threw =
      "d            benchmark failed (boom)\n\nt.cpp:9: FAILED:\ndue to unexpected exception with message:\n  boom\n\n";
  const ImportedProcess read =
      only(read_catch2_console(console_of(threw, "test cases: 2 | 1 passed | 1 failed\n"), "c.txt"));
  EXPECT_EQ(find_case(read, "sum/second/d")->failure, "boom");
  EXPECT_EQ(find_case(read, "sum/second/c")->failure, "");
}

TEST(Catch2Xml, AFailureIsNeverCleared) {
  const auto failure = [](const std::string& inside, const std::string& behind) {
    const ImportedProcess read =
        only(read_catch2_xml("<Catch2TestRun name=\"c\"><TestCase name=\"T\"><BenchmarkResults name=\"x\">" + inside +
                                 "</BenchmarkResults>" + behind + "</TestCase></Catch2TestRun>",
                             "c.xml"));
    return read.cases.empty() ? "none" : read.cases[0].failure;
  };
  const std::string mean = R"(<mean value="100"/>)";
  EXPECT_EQ(failure(mean, R"(<OverallResult success="true"/>)"), "");
  EXPECT_EQ(failure(R"(<failed message="boom"/>)" + mean, R"(<OverallResult success="true"/>)"), "boom");
  EXPECT_EQ(failure(mean, R"(<OverallResult success="false"/><OverallResult success="true"/>)"), "its test failed");
}

TEST(Catch2Xml, TwoValuesOfABenchmarkAreAMistake) {
  const auto error = [](const std::string& inside) {
    const auto read = read_catch2_xml("<Catch2TestRun name=\"c\"><TestCase name=\"T\">\n<BenchmarkResults name=\"x\">" +
                                          inside + "</BenchmarkResults></TestCase></Catch2TestRun>",
                                      "c.xml");
    return read ? "none" : read.error().message;
  };
  EXPECT_EQ(error(R"(<mean value="130"/><mean value="100"/>)"), "c.xml:2: a benchmark has two <mean>");
  EXPECT_EQ(error(R"(<BenchmarkResults name="y"></BenchmarkResults>)"),
            "c.xml:2: <BenchmarkResults> inside another one");
}

TEST(Catch2Xml, NamesTheLineOfAMistake) {
  const auto error = [](const std::string& text) {
    const auto read = read_catch2_xml("<Catch name=\"x\">\n" + text, "c.xml");
    return read ? "none" : read.error().message;
  };
  EXPECT_EQ(error("<TestCase name=\"t\">\n"), "c.xml:3: <TestCase> is not closed; the file is truncated");
  EXPECT_EQ(error("</TestCase>"), "c.xml:2: </TestCase> closes nothing");
  EXPECT_EQ(error("<TestCase name=\"&secret;\"/></Catch>"), "c.xml:2: an unknown entity \"&secret\"");
  EXPECT_EQ(error("<!DOCTYPE x [<!ENTITY a \"b\">]></Catch>"), "c.xml:2: a document type, which is not supported");
  EXPECT_EQ(error("</Catch>"), "c.xml: no benchmarks; check which tests ran");
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "<Section name=\"s\">";
  EXPECT_EQ(error(deep), "c.xml:2: more than 200 tags in each other");
}

TEST(XmlTags, ResolvesEntities) {
  XmlTags tags("<a b='&lt;&#65;&#x20AC;&quot;' c = \"x\ny\"/>");
  const auto open = tags.next();
  ASSERT_TRUE(open);
  EXPECT_EQ(open->attribute("b"), "<A\u20ac\"");
  EXPECT_EQ(open->attribute("c"), "x\ny");
  EXPECT_EQ(tags.next()->kind, XmlTag::Kind::close);
  EXPECT_FALSE(tags.next());
  EXPECT_EQ(tags.mistake(), "");
  EXPECT_EQ(tags.line(), 2);
}

}  // namespace
}  // namespace torchgate::import
