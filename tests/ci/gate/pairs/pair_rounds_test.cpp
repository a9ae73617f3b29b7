// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/pair_rounds.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_case;
using gate::testing::around;
using gate::testing::empty_run;
using gate::testing::quiet;
using Groups = std::set<std::string>;

constexpr std::int64_t second_ns = 1'000'000'000;
constexpr double case_ns = 1e5;

// Runs of three groups, a process of each takes a second: one with a suspect, one that is quiet, one that is noisy.
struct Made {
  record::Run before = empty_run("aaaa");
  record::Run after = empty_run("bbbb");
  record::Run pairs = gate::testing::paired_run("pppp");
  policy::Policy policy;

  Made() {
    for (record::Run* run : {&before, &after}) {
      add_case(*run, "suspect", around(case_ns, quiet));
      add_case(*run, "calm", around(case_ns, quiet));
      add_case(*run, "wild", around(case_ns, 0.9));
      spread(*run);
    }
    pairs.plan.processes = 48;
    pairs.plan.confirms = record::Confirms{"bbbb", "aaaa", 1, {"calm", "wild"}, 2, 60.0};
    pairs.cases = after.cases;
    pairs.groups = after.groups;
  }

  // Each case in a group of its own: a process for each.
  static void spread(record::Run& run) {
    std::vector<record::Process> processes;
    for (const record::Process& process : run.processes) {
      for (const record::CaseResult& result : process.cases) {
        record::Process one = process;
        one.group = "g/" + result.name;
        one.cases = {result};
        one.wall_ns = second_ns;
        processes.push_back(one);
      }
    }
    run.processes = processes;
    run.groups.clear();
    for (record::Case& definition : run.cases) {
      definition.group = "g/" + definition.name;
      run.groups.push_back({definition.group, "g", std::nullopt, {}});
    }
  }

  void measure(const std::string& name, double ratio) {
    for (std::int64_t side = 0; side < 2; ++side) {
      record::Process process;
      process.group = "g/" + name;
      process.suite = "g";
      process.side = side;
      process.wall_ns = second_ns;
      process.pair = pair[name];
      record::Run made = empty_run("x");
      const double noise = 1 + quiet * static_cast<double>((*process.pair * (side + 3)) % 5);
      add_case(made, name, {case_ns * noise * (side == 0 ? 1 : ratio)});
      process.cases = made.processes.front().cases;
      if (in_turns) take_turns(process.cases.front().measurements.front());
      pairs.processes.push_back(process);
    }
    ++pair[name];
  }

  static void take_turns(record::Measurement& time) {
    record::TurnTimes turns;
    turns.floor = time.summary->median;
    turns.means.assign(3, time.summary->median);
    turns.counts.assign(turns.means.size(), 1);
    time.turns = turns;
  }

  std::map<std::string, std::int64_t> pair;
  bool in_turns = false;
};

TEST(PairRounds, SuspectsComeFirstUntilTheyAreDecided) {
  Made made;
  gate::PairRounds rounds(*made.pairs.plan.confirms, made.before, made.after, made.policy);
  int taken = 0;
  while (rounds.next(made.pairs) == Groups{"g/suspect"}) {
    made.measure("suspect", 1.2);
    ASSERT_LT(++taken, 48);
  }
  EXPECT_EQ(taken, 12);  // the first look of one suspect
  EXPECT_EQ(rounds.next(made.pairs), (Groups{"g/calm", "g/wild"}));
}

TEST(PairRounds, ThenOpenCasesThatPairsCanDecide) {
  Made made;
  made.pairs.plan.confirms->family = 0;
  made.pairs.plan.confirms->open = {"suspect", "calm", "wild"};
  gate::PairRounds rounds(*made.pairs.plan.confirms, made.before, made.after, made.policy);
  EXPECT_EQ(rounds.next(made.pairs), (Groups{"g/calm", "g/suspect", "g/wild"}))
      << "a pair shows whether it takes turns";
  made.measure("wild", 1);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(rounds.next(made.pairs), (Groups{"g/calm", "g/suspect"})) << i;
    made.measure("calm", 1);
    made.measure("suspect", 1);
  }
  EXPECT_EQ(rounds.next(made.pairs), Groups{}) << "the noisy one needs more pairs than there are";
}

TEST(PairRounds, EndWithTheTimeOfOpenCases) {
  Made made;
  made.pairs.plan.confirms->open_budget_s = 5;  // two pairs of two seconds
  made.measure("suspect", 1.2);                 // whose time does not count
  for (int i = 1; i < 12; ++i) made.measure("suspect", 1.2);
  gate::PairRounds rounds(*made.pairs.plan.confirms, made.before, made.after, made.policy);
  EXPECT_EQ(rounds.next(made.pairs), Groups{"g/calm"});
  made.measure("calm", 1);
  EXPECT_EQ(rounds.next(made.pairs), Groups{"g/calm"});
  made.measure("calm", 1);
  EXPECT_EQ(rounds.next(made.pairs), Groups{});
}

// Pairs that differ by a factor of two this way and that: no look up to the last one will decide them.
TEST(PairRounds, ASuspectBeyondAllPairsEndsSoonAfterItsFirstLook) {
  Made made;
  gate::PairRounds rounds(*made.pairs.plan.confirms, made.before, made.after, made.policy);
  int taken = 0;
  while (rounds.next(made.pairs) == Groups{"g/suspect"}) {
    made.measure("suspect", taken % 2 == 0 ? 2.0 : 0.5);
    ASSERT_LT(++taken, 48);
  }
  EXPECT_GE(taken, 12);
  EXPECT_LE(taken, 20);
  EXPECT_FALSE(rounds.next(made.pairs).contains("g/suspect"));
}

TEST(PairRounds, AnExhaustedSuspectIsNotMeasuredAgain) {
  Made made;
  made.pairs.plan.processes = 2;
  gate::PairRounds rounds(*made.pairs.plan.confirms, made.before, made.after, made.policy);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(rounds.next(made.pairs), Groups{"g/suspect"});
    made.measure("suspect", 1.2);
  }
  EXPECT_FALSE(rounds.next(made.pairs).contains("g/suspect"));
}

// `ab` has no screen: every group has a first pair, and further ones while one of its cases is undecided.
TEST(PairRounds, WithoutAScreenEveryCaseIsASuspect) {
  Made made;
  made.pairs.plan.confirms.reset();
  gate::PairRounds rounds{policy::Policy{}};
  std::map<std::string, int> taken;
  for (Groups next = rounds.next(made.pairs); !next.empty(); next = rounds.next(made.pairs)) {
    ASSERT_LE(taken["wild"], 48);
    for (const std::string name : {"suspect", "calm", "wild"}) {
      if (!next.contains("g/" + name)) continue;
      made.measure(name, name == "suspect" ? 1.2 : name == "calm" ? 1.0 : taken[name] % 2 == 0 ? 2.0 : 0.5);
      ++taken[name];
    }
  }
  EXPECT_EQ(taken["calm"], 6);      // harm is excluded with the first six pairs
  EXPECT_LT(taken["suspect"], 20);  // an alarm
  EXPECT_GE(taken["suspect"], 12);
  EXPECT_EQ(taken["wild"], 48);  // not given up: the user asked for it
}

// What a person who waits is told: as many pairs at most as groups may still take, and how many cases have their answer.
TEST(PairRounds, SayHowFarTheyAre) {
  Made made;
  made.pairs.plan.confirms.reset();
  gate::PairRounds rounds{policy::Policy{}};
  std::map<std::string, int> taken;
  std::int64_t most = 3 * 48;
  std::int64_t decided = 0;
  for (Groups next = rounds.next(made.pairs); !next.empty(); next = rounds.next(made.pairs)) {
    const gate::PairRounds::Progress progress = rounds.progress();
    EXPECT_EQ(progress.cases, 3);
    EXPECT_EQ(progress.pairs, static_cast<std::int64_t>(made.pairs.processes.size() / 2));
    EXPECT_LE(progress.most_pairs, most);
    EXPECT_GE(progress.decided, decided);
    // With one pair of each group, as far as the first look of each; a process takes a second.
    if (taken["wild"] == 1) {
      EXPECT_GE(progress.expected_s, 3 * 2 * 5.0);
      EXPECT_DOUBLE_EQ(progress.spent_s, 6);
    }
    EXPECT_GT(progress.most_pairs, progress.pairs);
    most = progress.most_pairs;
    decided = progress.decided;
    for (const std::string name : {"suspect", "calm", "wild"}) {
      if (!next.contains("g/" + name)) continue;
      made.measure(name, name == "suspect" ? 1.2 : name == "calm" ? 1.0 : taken[name] % 2 == 0 ? 2.0 : 0.5);
      ++taken[name];
    }
    ASSERT_LE(taken["wild"], 48);
  }
  const gate::PairRounds::Progress end = rounds.progress();
  EXPECT_EQ(end.decided, 2);
  EXPECT_EQ(end.cases, 3);
  EXPECT_EQ(end.pairs, end.most_pairs);
  EXPECT_DOUBLE_EQ(end.expected_s, 0);
}

TEST(PairRounds, ExpectNoMoreOfOpenCasesThanTheirTime) {
  Made made;
  made.pairs.plan.confirms->family = 0;
  made.pairs.plan.confirms->open = {"suspect", "calm", "wild"};
  made.pairs.plan.confirms->open_budget_s = 5;
  gate::PairRounds rounds(*made.pairs.plan.confirms, made.before, made.after, made.policy);
  rounds.next(made.pairs);
  EXPECT_GT(rounds.progress().expected_s, 0);
  EXPECT_LE(rounds.progress().expected_s, 5);
}

TEST(PairRounds, WithoutAScreenAGroupOfOneSideHasOneRound) {
  Made made;
  made.pairs.plan.confirms.reset();
  gate::PairRounds rounds{policy::Policy{}};
  EXPECT_TRUE(rounds.next(made.pairs).contains("g/calm"));
  record::Process alone;
  alone.group = "g/calm";
  alone.side = 1;
  made.pairs.processes.push_back(alone);
  made.pairs.plan.processes = 1;
  EXPECT_FALSE(rounds.next(made.pairs).contains("g/calm"));
}

// Pairs of all cases that no run came before.
struct MadeFromStart : Made {
  MadeFromStart() {
    pairs.plan.confirms = record::Confirms{"", "aaaa", 0, {"suspect", "calm", "wild"}, 3};
    policy.processes = 4;
  }
  gate::PairRounds rounds(bool keep_identical = false) { return {*pairs.plan.confirms, policy, keep_identical}; }
  // A process of SIDE alone, or of a pair where both are measured, which ran OBJECT and read nothing.
  void ran(const std::string& object, std::size_t of_last) {
    pairs.files.clear();
    pairs.objects.push_back({});
    pairs.objects.back().path = "/build/" + object;
    pairs.objects.back().sha256 = std::string(64, object.front());
    pairs.objects.back().executable = true;
    record::Process& process = pairs.processes[pairs.processes.size() - of_last];
    process.objects = {static_cast<std::int64_t>(pairs.objects.size()) - 1};
    process.files.emplace();
  }
};

TEST(PairRounds, FromTheStartEachGroupHasAFirstPairAndNoneIsGivenUpBeforeItsFirstLook) {
  MadeFromStart made;
  gate::PairRounds rounds = made.rounds();
  std::map<std::string, int> taken;
  for (Groups next = rounds.next(made.pairs); !next.empty(); next = rounds.next(made.pairs)) {
    if (taken.empty()) {
      EXPECT_EQ(next, (Groups{"g/calm", "g/suspect", "g/wild"}));
    }
    ASSERT_LE(taken["wild"], 48);
    for (const std::string name : {"suspect", "calm", "wild"}) {
      if (!next.contains("g/" + name)) continue;
      made.measure(name, name == "suspect" ? 1.2 : name == "calm" ? 1.0 : taken[name] % 2 == 0 ? 2.0 : 0.5);
      ++taken[name];
    }
  }
  EXPECT_LT(taken["calm"], 12);
  EXPECT_GE(taken["suspect"], 12);
  EXPECT_LT(taken["suspect"], 24);
  EXPECT_GE(taken["wild"], 12);  // the first look
  EXPECT_LT(taken["wild"], 48);
}

// In turns each of a case's two numbers has half of alpha: 12 pairs cannot alarm, however slow the case is.
TEST(PairRounds, FromTheStartACaseInTurnsIsNotGivenUpBeforePairsThatCanAlarm) {
  for (const bool in_turns : {false, true}) {
    MadeFromStart made;
    made.in_turns = in_turns;
    made.pairs.plan.confirms->family = 2;
    gate::PairRounds rounds = made.rounds();
    std::map<std::string, int> taken;
    for (Groups next = rounds.next(made.pairs); !next.empty(); next = rounds.next(made.pairs)) {
      for (const std::string name : {"suspect", "calm", "wild"}) {
        if (!next.contains("g/" + name)) continue;
        made.measure(name, name != "wild" ? 1.0 : taken[name] % 2 == 0 ? 2.0 : 0.5);
        ASSERT_LE(++taken[name], 48);
      }
    }
    EXPECT_GE(taken["wild"], in_turns ? 13 : 12);
    EXPECT_LT(taken["wild"], 24);
  }
}

TEST(PairRounds, FromTheStartOnePairShowsThatBothSidesAreTheSameFiles) {
  MadeFromStart made;
  for (const char* name : {"calm", "suspect", "wild"}) {
    made.measure(name, 1);
    made.ran("x", 2);
    made.ran(name == std::string("calm") ? "x" : "y", 1);
  }
  EXPECT_EQ(made.rounds().next(made.pairs), (Groups{"g/suspect", "g/wild"}));
  EXPECT_EQ(made.rounds(true).next(made.pairs), (Groups{"g/calm", "g/suspect", "g/wild"}));
}

TEST(PairRounds, FromTheStartAGroupOfOneSideIsMeasuredAsARunMeasuresIt) {
  MadeFromStart made;
  made.pairs.plan.confirms->open = {"suspect"};
  for (const char* name : {"suspect", "calm"}) made.measure(name, 1);
  gate::PairRounds rounds = made.rounds();
  for (int process = 0; process < 4; ++process) {
    EXPECT_TRUE(rounds.next(made.pairs).contains("g/wild")) << process;
    record::Process alone;
    alone.group = "g/wild";
    alone.side = 1;
    alone.wall_ns = second_ns;
    made.pairs.processes.push_back(alone);
  }
  const Groups next = rounds.next(made.pairs);
  EXPECT_FALSE(next.contains("g/wild"));
  EXPECT_FALSE(next.contains("g/calm")) << "nothing is asked of it";
  EXPECT_TRUE(next.contains("g/suspect"));
}

// Of a resumed run: what was measured before counts, and what it decided is decided anew.
TEST(PairRounds, DecideAnewWhatWasMeasuredBefore) {
  Made made;
  made.pairs.plan.confirms.reset();
  for (int i = 0; i < 6; ++i) made.measure("calm", 1);
  for (int i = 0; i < 5; ++i) made.measure("suspect", 1.2);
  EXPECT_EQ(gate::PairRounds{policy::Policy{}}.next(made.pairs), (Groups{"g/suspect", "g/wild"}));
}

// The SD of normal values is the median absolute deviation times 1.4826; of two sides the root of the sum of squares.
TEST(PairSd, IsRobustAndOfBothSides) {
  const auto sd = gate::estimate_pair_sd({1.0, 1.1, 1.2, 1.3, 9.0}, {2.0, 2.0, 2.0});
  ASSERT_TRUE(sd);
  EXPECT_NEAR(sd->sd, 1.4826 * 0.1, 1e-4);
  EXPECT_EQ(sd->df, 6);
  EXPECT_NEAR(gate::estimate_pair_sd({1.0, 1.1, 1.2}, {1.0, 1.1, 1.2})->sd, std::sqrt(2.0) * 0.14826, 1e-4);
  EXPECT_FALSE(gate::estimate_pair_sd({1.0}, {1.0, 2.0}));
}

}  // namespace
