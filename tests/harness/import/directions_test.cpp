// SPDX-License-Identifier: Apache-2.0
// Who says whether lower or higher is better, and who is believed.
#include "harness/import/directions.hpp"

#include "tests/harness/import/reading.hpp"

namespace torchgate::import {
namespace {

using record::Direction;
using testing::warns;

ImportedMetric metric(const std::string& name, const std::string& unit, Told told = Told::by_nobody,
                      Direction direction = Direction::lower_is_better) {
  ImportedMetric one{{name, unit, direction, record::MetricKind::timed, false}, {1, 2}, std::nullopt};
  one.told = told;
  one.told_as = told == Told::by_file ? "customBiggerIsBetter" : "the line \"Unit " + unit + "\"";
  return one;
}

ImportedProcess process_with(std::vector<ImportedMetric> metrics, std::vector<double> time_ns = {5}) {
  ImportedProcess process;
  ImportedCase one;
  one.name = one.run_name = "x";
  one.time_ns = std::move(time_ns);
  one.metrics = std::move(metrics);
  process.cases.push_back(std::move(one));
  return process;
}

Directions said(const std::vector<std::string>& words) {
  auto parsed = Directions::parse(words);
  EXPECT_TRUE(parsed);
  return parsed ? *parsed : Directions();
}

TEST(Directions, TheUserTakesPrecedence) {
  for (const char* const word : {"ops/s=lower", "rate=lower", "x=lower"}) {
    auto process = process_with({metric("rate", "ops/s", Told::of_unit, Direction::higher_is_better)});
    settle_directions(process, said({word}));
    ASSERT_EQ(process.cases[0].metrics.size(), 1U) << word;
    EXPECT_EQ(process.cases[0].metrics[0].metric.direction, Direction::lower_is_better) << word;
    EXPECT_TRUE(process.warnings.empty()) << word;
  }
}

TEST(Directions, TheFileTakesPrecedenceOverTheUnitAndAContradictionIsReported) {
  auto process = process_with({metric("rate", "ops/s", Told::of_unit, Direction::lower_is_better),
                               metric("errors", "errors/s", Told::of_unit, Direction::lower_is_better)});
  settle_directions(process, {});
  EXPECT_EQ(process.cases[0].metrics.size(), 2U);
  EXPECT_EQ(process.cases[0].metrics[0].metric.direction, Direction::lower_is_better);
  ASSERT_EQ(process.warnings.size(), 1U) << "errors/s contradicts nothing";
  EXPECT_EQ(process.warnings[0],
            "the line \"Unit ops/s\": declared lower is better, but the unit \"ops/s\" suggests higher; using lower");
}

TEST(Directions, WhatTheToolDefinesCannotBeSet) {
  auto rate = metric("items_per_second", "items/s", Told::by_definition, Direction::higher_is_better);
  auto process = process_with({std::move(rate)});
  process.tool = "go";
  const auto wrong = [&](const std::string& word) { return against_definition({&process, 1}, said({word})); };
  EXPECT_EQ(wrong("time=higher"),
            "--better (or import.better) \"time=higher\": cannot be set, go defines that lower is better; remove it");
  EXPECT_NE(wrong("items_per_second=lower"), "");
  EXPECT_NE(wrong("x=higher"), "") << "the benchmark";
  for (const char* const word : {"time=lower", "items_per_second=higher", "ns=higher", "other=higher", "*=higher"})
    EXPECT_EQ(wrong(word), "") << word;
  process.cases[0].metrics.push_back(metric("tps", "1"));
  EXPECT_EQ(wrong("x=higher"), "") << "it has a metric that is left to the user";
  EXPECT_NE(wrong("time=higher"), "");
  process.cases[0].failure = "it failed";
  EXPECT_EQ(wrong("time=higher"), "");
}

// A counter "time" of a program is not the time that is measured.
TEST(Directions, AMetricOfTheProgramHasAnotherNameWhereItsOwnIsTaken) {
  const auto wrong = [](ImportedProcess process, const std::string& word) {
    process.tool = "go";
    return against_definition({&process, 1}, said({word}));
  };
  const auto timed = process_with({metric("time", "1")});
  EXPECT_EQ(
      wrong(timed, "time=higher"),
      "--better (or import.better) \"time=higher\": cannot be set, go defines that lower is better; the program's "
      "own \"time\" is \"own time=higher\"");
  EXPECT_EQ(wrong(timed, "own time=higher"), "");
  EXPECT_EQ(wrong(timed, "time=lower"), "");
  auto untimed = timed;
  untimed.cases[0].time_ns.clear();
  EXPECT_EQ(wrong(untimed, "time=lower"),
            "--better (or import.better) \"time=lower\": nothing is called so; the program's own \"time\" is \"own "
            "time=lower\"");
  EXPECT_EQ(wrong(process_with({metric("x", "1"), metric("x", "1")}), "x=lower"), "") << "the second one";
}

TEST(Directions, TheTimeOfAListOfValuesIsLeftToTheUser) {
  auto process = process_with({});
  process.cases[0].value_of_time = metric(value_metric, "h");
  EXPECT_EQ(against_definition({&process, 1}, said({"x=higher"})), "");
}

// Said of a whole file, that more of a time is better is more likely a slip than meant.
TEST(Directions, AToolThatContradictsATimeIsNotJudged) {
  const auto values = [] {
    return process_with({metric(value_metric, "ms/ggas", Told::by_file, Direction::higher_is_better)}, {});
  };
  auto process = values();
  settle_directions(process, {});
  EXPECT_TRUE(process.cases[0].metrics.empty());
  EXPECT_TRUE(warns(process,
                    "x (ms/ggas): declared \"higher is better\" for a time, not judged; set it with `--better "
                    "'x=higher'`"));
  EXPECT_EQ(process.cases[0].skipped, "not judged: nothing says whether lower or higher values of \"x\" are better");
  process = values();
  settle_directions(process, said({"ms/ggas=lower"}));
  EXPECT_EQ(process.cases[0].metrics.size(), 1U);
}

TEST(Directions, MetricsOfUnknownDirectionAreNamedAndNotJudged) {
  auto process = process_with({metric("tps", "tps"), metric("hit%", "hit%"), metric("frames", "frames/s")});
  process.how_to_declare = "a line \"Unit NAME better=higher\" in the file";
  settle_directions(process, {});
  ASSERT_EQ(process.cases[0].metrics.size(), 1U);
  EXPECT_EQ(process.cases[0].metrics[0].metric.name, "frames");
  EXPECT_EQ(process.cases[0].metrics[0].metric.direction, Direction::higher_is_better);
  EXPECT_EQ(process.cases[0].skipped, "") << "it has a time";
  EXPECT_TRUE(warns(process, "hit%, tps: direction unknown, not judged; set it with `--better 'hit%=higher'`"));
  EXPECT_TRUE(warns(process, "or a line \"Unit NAME better=higher\" in the file"));
  EXPECT_EQ(nothing_to_judge({process}), "");
}

TEST(Directions, TheProposedOptionsAreOfTheWholeName) {
  EXPECT_EQ(how_to_say_better("tps"),
            "`--better 'tps=higher'` (or lower), or import.better = [\"tps=higher\"] in torchgate.toml");
  EXPECT_EQ(how_to_say_better(R"(lat "p99")"),
            R"(`--better 'lat "p99"=higher'` (or lower), or import.better = ["lat \"p99\"=higher"] in torchgate.toml)");
  EXPECT_EQ(how_to_say_better("f`x` $USD"),
            "`--better 'f`x` $USD=higher'` (or lower), or import.better = [\"f`x` $USD=higher\"] in torchgate.toml");
  EXPECT_TRUE(how_to_say_better("it's").starts_with("`--better 'it'\\''s=higher'`"));
  EXPECT_TRUE(how_to_say_better("-x").starts_with("`--better='-x=higher'`"));
  EXPECT_TRUE(how_to_say_better("two\nlines").starts_with("`--better 'NAME=higher'`"));
  // Longer than what a message shows of a name.
  const std::string name(100, 'n');
  auto process = process_with({metric(name, "1")});
  settle_directions(process, {});
  EXPECT_TRUE(warns(process, "`--better '" + name + "=higher'`"));
}

TEST(Directions, AStarIsEveryoneElse) {
  auto process = process_with({metric("tps", "tps"), metric("rate", "ops/s"), metric("rss", "MB")});
  settle_directions(process, said({"*=lower", "tps=higher"}));
  const auto& metrics = process.cases[0].metrics;
  ASSERT_EQ(metrics.size(), 3U);
  EXPECT_EQ(metrics[0].metric.direction, Direction::higher_is_better);
  EXPECT_EQ(metrics[1].metric.direction, Direction::higher_is_better) << "its unit says so";
  EXPECT_EQ(metrics[2].metric.direction, Direction::lower_is_better);
}

TEST(Directions, AMisspeltNameIsReported) {
  const auto warnings = [](const std::string& word) {
    auto process = process_with({metric("Battery life", "hours", Told::by_file, Direction::lower_is_better)});
    settle_directions(process, said({word}));
    return process.warnings;
  };
  for (const char* const name : {"Battery Life", "battery_life", "Batery life", "Battery lifes", "Hours"}) {
    const auto said = warnings(std::string(name) + "=higher");
    ASSERT_EQ(said.size(), 1U) << name;
    EXPECT_NE(said[0].find(std::string("nothing is called \"") + name + "\"; did you mean \""), std::string::npos)
        << said[0];
  }
  // Of other files, or of nothing.
  for (const char* const name : {"Battery life", "Battery", "tps", "life 2", "--", "y", "hours2"})
    EXPECT_TRUE(warnings(std::string(name) + "=lower").empty()) << name;
}

TEST(Directions, AFileOfWhichNothingCanBeJudgedSaysWhatToDo) {
  auto process = process_with({metric("tps", "tps")}, {});
  settle_directions(process, {});
  EXPECT_NE(nothing_to_judge({process}).find("no value can be judged: tps: direction unknown, not judged; set it with "
                                             "`--better 'tps=higher'`"),
            std::string::npos);
  process.cases.push_back({});
  process.cases.back().failure = "boom";
  EXPECT_EQ(nothing_to_judge({process}), "") << "a failure is an answer";
}

TEST(Directions, OtherWordsAreRefused) {
  for (const char* const word : {"tps", "tps=", "tps=up", "=higher", ""}) {
    const auto parsed = Directions::parse({word});
    ASSERT_FALSE(parsed) << word;
    EXPECT_NE(parsed.error().message.find("use NAME=higher or NAME=lower"), std::string::npos);
  }
  EXPECT_TRUE(Directions::parse({"a=b=lower"})) << "a name may have the sign in it";
}

}  // namespace
}  // namespace torchgate::import
