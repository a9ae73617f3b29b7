// SPDX-License-Identifier: Apache-2.0
// Every rule of the table on the inputs that break rules, and against the functions they are made of.
#include "stats/rules.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "stats/interleaved.hpp"
#include "stats/screen.hpp"

namespace torchgate::stats {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
using Values = std::vector<double>;

// One case with the same values wherever a rule may look for them.
struct Everywhere {
  std::vector<Values> baseline;
  Values current;
  Values before_samples;
  Values after_samples;
  Values differences;
  std::optional<double> before_count;
  std::optional<double> after_count;

  Everywhere(Values before, Values after, std::size_t runs = 1) : baseline(runs, before), current(after) {
    for (const double v : before) before_samples.push_back(std::exp(v));
    for (const double v : after) after_samples.push_back(std::exp(v));
    for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) differences.push_back(after[i] - before[i]);
    if (!before.empty()) before_count = before.front();
    if (!after.empty()) after_count = after.front();
  }
  [[nodiscard]] CaseNumbers numbers() const {
    CaseNumbers one;
    one.baseline = baseline;
    one.current = current;
    one.before_samples = before_samples;
    one.after_samples = after_samples;
    one.pair_differences = differences;
    one.before_count = before_count;
    one.after_count = after_count;
    return one;
  }
};

RuleAnswer ask(std::string_view rule, const Everywhere& given, const RuleOptions& options = {}) {
  const CaseNumbers one = given.numbers();
  const auto answers = find_rule(rule)->judge(std::span(&one, 1), options);
  EXPECT_EQ(answers.size(), 1U);
  return answers.at(0);
}

Values noise(std::size_t n, double level, double sd, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(level, sd);
  Values values(n);
  for (double& v : values) v = normal(random);
  return values;
}

TEST(Rules, AreFoundByTheirNamesOnly) {
  std::set<std::string_view> names;
  for (const Rule& rule : rules()) {
    EXPECT_EQ(find_rule(rule.name), &rule);
    EXPECT_FALSE(rule.summary.empty());
    names.insert(rule.name);
  }
  EXPECT_EQ(names.size(), rules().size());
  EXPECT_EQ(rules().front().name, "default");
  EXPECT_EQ(find_rule("Textbook"), nullptr);
  EXPECT_EQ(find_rule(""), nullptr);
}

// The facts of the table against what the rules do: without the numbers that it reads, a rule has no answer; with fewer
// stored runs than it needs, none either; a screen never says `regressed`.
TEST(Rules, TheirFactsHold) {
  const Values slower = noise(30, 0.2, 0.01, 40);
  Everywhere given(noise(30, 0, 0.01, 41), slower, 6);
  for (std::size_t r = 0; r < given.baseline.size(); ++r) {
    given.baseline[r] = noise(30, 0, 0.01, 50U + static_cast<unsigned>(r));
  }
  for (const Rule& rule : rules()) {
    SCOPED_TRACE(rule.name);
    const Call call = ask(rule.name, given).call;
    EXPECT_EQ(call, rule.screens ? Call::suspected : rule.reads == Reads::counts ? Call::changed : Call::regressed);
    Everywhere without = given;
    if (rule.reads == Reads::process_values) without.current.clear();
    if (rule.reads == Reads::raw_samples) without.after_samples.clear();
    if (rule.reads == Reads::pairs) without.differences.clear();
    if (rule.reads == Reads::counts) without.after_count.reset();
    EXPECT_EQ(ask(rule.name, without).call, Call::inconclusive);
    if (rule.screens) {
      Everywhere few = given;
      few.baseline.resize(rule.fewest_stored_runs);
      EXPECT_EQ(ask(rule.name, few).call, Call::suspected);
      few.baseline.resize(rule.fewest_stored_runs - 1);
      EXPECT_EQ(ask(rule.name, few).call, Call::inconclusive);
    }
  }
  EXPECT_TRUE(paired_rule().needs_pairs());
  EXPECT_TRUE(paired_rule().judges_pairs);
  EXPECT_EQ(exact_rule().reads, Reads::counts);
  EXPECT_TRUE(rule_reads("textbook", Reads::raw_samples));
  EXPECT_FALSE(rule_reads("no such rule", Reads::raw_samples));
}

// `equivalent` and the interval reported with it are one decision: the 90 % interval, inside the margin.
TEST(Rules, AnEquivalentCaseHasTheIntervalThatDecided) {
  const double margin = std::log1p(RuleOptions{}.equivalence);
  Everywhere given(noise(30, 0, 0.01, 60), noise(30, 0, 0.01, 61), 6);
  for (std::size_t r = 0; r < given.baseline.size(); ++r) {
    given.baseline[r] = noise(30, 0, 0.01, 70U + static_cast<unsigned>(r));
  }
  for (const Rule& rule : rules()) {
    if (!rule.screens && !rule.needs_pairs()) continue;
    SCOPED_TRACE(rule.name);
    for (const bool false_discovery_rate : {false, true}) {
      RuleOptions options;
      options.false_discovery_rate = false_discovery_rate;
      const RuleAnswer answer = ask(rule.name, given, options);
      ASSERT_EQ(answer.call, Call::equivalent);
      ASSERT_TRUE(answer.interval);
      EXPECT_DOUBLE_EQ(answer.interval->level, 0.90);
      EXPECT_LT(answer.interval->high, margin);
      EXPECT_GT(answer.interval->low, -margin);
    }
  }
}

TEST(Rules, AnEmptySuiteHasNoAnswers) {
  for (const Rule& rule : rules()) EXPECT_TRUE(rule.judge({}, {}).empty()) << rule.name;
}

// n = 0, 1, 2, all equal, one huge outlier, NaN: a stated answer from every rule, never an alarm out of nothing.
TEST(Rules, AnswerDegenerateInputWithAReason) {
  struct Input {
    const char* what;
    Values before;
    Values after;
  };
  Values outlier = noise(12, 0, 0.01, 1);
  outlier[5] = 700;  // e^700 is near the largest double
  const std::vector<Input> inputs{{"n = 0", {}, {}},
                                  {"n = 0 before", {}, {1, 1.1}},
                                  {"n = 1", {1}, {1.001}},
                                  {"n = 2", {1, 1.01}, {1.005, 1.002}},
                                  {"all equal", Values(12, 1.0), Values(12, 1.0)},
                                  {"one huge outlier", noise(12, 0, 0.01, 2), outlier},
                                  {"NaN", {1, nan, 1.02, 1}, {1, 1.01, 1, 1.02}}};
  for (const Rule& rule : rules()) {
    for (const std::size_t runs : {1U, 6U, 12U}) {
      for (const Input& input : inputs) {
        SCOPED_TRACE(std::string(rule.name) + ", " + input.what);
        Everywhere given(input.before, input.after, runs);
        // Counts that differ are `changed`, which is not degenerate input.
        given.after_count = given.before_count;
        const RuleAnswer answer = ask(rule.name, given);
        EXPECT_TRUE(answer.call == Call::inconclusive || answer.call == Call::equivalent) << to_string(answer.call);
        if (answer.call == Call::inconclusive) {
          EXPECT_FALSE(answer.reasons.empty());
        }
        for (const auto& value : {answer.effect, answer.p, answer.p_limit, answer.smallest_detectable}) {
          if (value) {
            EXPECT_FALSE(std::isnan(*value));
          }
        }
      }
    }
  }
}

TEST(Rules, OneProcessPerSideIsDecidedOnlyByTheTextbook) {
  Everywhere given({1.0}, {1.5});
  given.before_samples = noise(40, 100, 1, 3);
  given.after_samples = noise(40, 150, 1, 4);
  for (const char* rule : {"default", "welch"}) {
    const RuleAnswer answer = ask(rule, given);
    EXPECT_EQ(answer.call, Call::inconclusive) << rule;
    EXPECT_TRUE(answer.reasons.contains(Reason::one_process)) << rule;
  }
  EXPECT_EQ(ask("textbook", given).call, Call::regressed);
}

TEST(Rules, OneProcessIsNotJudgedByTheSpreadOfRunsOfMore) {
  std::vector<Values> five(6);
  std::vector<Values> one(6);
  for (std::size_t i = 0; i < five.size(); ++i) {
    const double level = 6 + 0.001 * static_cast<double>(i % 3);
    five[i] = {level, level + 0.05, level - 0.05, level + 0.02, level - 0.02};
    one[i] = {level};
  }
  const Values now{6.5};
  const Values two{6.5, 6.5};
  const auto judged = [&](const std::vector<Values>& stored, const Values& current) {
    CaseNumbers numbers;
    numbers.baseline = stored;
    numbers.current = current;
    for (const char* const rule : {"history", "default"}) {
      const RuleAnswer answer = find_rule(rule)->judge(std::span(&numbers, 1), {}).front();
      if (rule == std::string_view("default")) return answer;
      EXPECT_EQ(answer.reasons.contains(Reason::one_process), stored == five && current.size() == 1);
    }
    return RuleAnswer{};
  };
  const RuleAnswer none = judged(five, now);
  EXPECT_EQ(none.call, Call::inconclusive);
  EXPECT_FALSE(none.candidate);
  EXPECT_FALSE(none.p);
  EXPECT_TRUE(none.reasons.contains(Reason::one_process));
  EXPECT_EQ(judged(five, two).call, Call::suspected);
  EXPECT_EQ(judged(one, now).call, Call::suspected) << "their spread is that of one process";
  // (1/2 - 1/5) of the variance between processes, which is that of the five values.
  const double of_processes = (2 * 0.05 * 0.05 + 2 * 0.02 * 0.02) / 4;
  const double added = std::pow(judged(five, two).change->standard_error, 2) -
                       std::pow(judged(five, {6.5, 6.5, 6.5, 6.5, 6.5}).change->standard_error, 2);
  EXPECT_NEAR(added, 0.3 * of_processes, 1e-9);
}

TEST(Rules, TheTextbookKnowsWhichDirectionIsGood) {
  Everywhere given({1.0}, {1.0});
  given.before_samples = noise(40, 100, 1, 5);
  given.after_samples = noise(40, 120, 1, 6);
  CaseNumbers one = given.numbers();
  one.better = Better::higher;
  const RuleAnswer answer = find_rule("textbook")->judge(std::span(&one, 1), {}).at(0);
  EXPECT_EQ(answer.call, Call::improved);
  EXPECT_LT(*answer.cohen_d, 0);
  EXPECT_NEAR(*answer.effect, -std::log(1.2), 0.01);
}

TEST(Rules, WelchUsesTheRunToRunSpreadOfTheCaseWhereItIsKnown) {
  const Everywhere given(noise(5, 0, 0.002, 7), noise(5, 0.03, 0.002, 8));
  RuleOptions options;
  const RuleAnswer assumed = ask("welch", given, options);
  const std::vector<double> known{0.05};
  options.run_sd_of_case = known;
  const RuleAnswer calibrated = ask("welch", given, options);
  EXPECT_EQ(assumed.call, Call::suspected);
  EXPECT_EQ(calibrated.call, Call::inconclusive);
  EXPECT_DOUBLE_EQ(*assumed.effect, *calibrated.effect);
}

TEST(Rules, DefaultTakesTheHistoryWhereThereIsOne) {
  const Everywhere young(noise(5, 0, 0.01, 9), noise(5, 0.01, 0.01, 10), 2);
  Everywhere old(noise(5, 0, 0.01, 11), noise(5, 0.01, 0.01, 12), 7);
  for (std::size_t r = 0; r < old.baseline.size(); ++r)
    old.baseline[r] = noise(5, 0, 0.01, 20U + static_cast<unsigned>(r));
  const std::vector<CaseNumbers> suite{young.numbers(), old.numbers()};
  const auto answers = find_rule("default")->judge(suite, {});
  EXPECT_EQ(answers.at(0).p, ask("welch", young).p);
  EXPECT_EQ(answers.at(1).p, ask("history", old).p);
  EXPECT_TRUE(ask("history", young).reasons.contains(Reason::too_few_runs));
  EXPECT_FALSE(ask("history", young).p);
}

TEST(Rules, PairedIsTheSequentialProcedure) {
  const Everywhere given(noise(30, 0, 0.01, 13), noise(30, 0.2, 0.01, 14));
  RuleOptions options;
  options.family = 7;
  const RuleAnswer answer = ask("paired", given, options);
  InterleavedOptions looks;
  looks.family = 7;
  const auto judged = judge_interleaved(given.differences, looks);
  EXPECT_EQ(answer.call, Call::regressed);
  EXPECT_EQ(answer.pairs, judged.pairs);
  EXPECT_EQ(answer.pairs, first_look(7));
  EXPECT_EQ(answer.p, judged.p);
  EXPECT_EQ(answer.p_limit, judged.p_limit);
  EXPECT_NEAR(*answer.effect, 0.2, 0.02);
}

TEST(Rules, ExactCountsHaveNoMargin) {
  Everywhere given({1}, {1});
  given.before_count = 1e9;
  given.after_count = 1e9 + 1;
  EXPECT_EQ(ask("exact", given).call, Call::changed);
  given.after_count = 1e9;
  EXPECT_EQ(ask("exact", given).call, Call::equivalent);
  given.after_count.reset();
  EXPECT_TRUE(ask("exact", given).reasons.contains(Reason::no_values));
  given.before_count = 0;
  given.after_count = 3;
  EXPECT_EQ(ask("exact", given).call, Call::changed);
  EXPECT_FALSE(ask("exact", given).effect);
}

// 100 cases without a change and one doubled: at p < 0.05 each, some of the unchanged are on the list; by the false
// discovery rate only the doubled one.
TEST(Rules, FalseDiscoveryRateShortensTheListOfSuspects) {
  std::vector<Everywhere> given;
  for (unsigned i = 0; i < 101; ++i) {
    given.emplace_back(noise(5, 0, 0.02, 100 + i), noise(5, i == 0 ? std::log(2.0) : 0.0, 0.02, 300 + i));
  }
  std::vector<CaseNumbers> suite;
  for (const Everywhere& one : given) suite.push_back(one.numbers());
  RuleOptions options;
  options.run_sd = 1e-6;
  const auto listed = [&] {
    std::set<std::size_t> cases;
    const auto answers = find_rule("welch")->judge(suite, options);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (answers[i].candidate) cases.insert(i);
    }
    return cases;
  };
  EXPECT_GT(listed().size(), 1U);
  options.false_discovery_rate = true;
  EXPECT_EQ(listed(), std::set<std::size_t>{0});
}

}  // namespace
}  // namespace torchgate::stats
